import Diagnostics
import JSONCore
import Synchronization
import TestSupport
import Testing

@testable import StateEncoding
@testable import StoreCore

@Suite("The encoding held against one from scratch")
struct VerificationTests {
    /// Encodes as another number each time.
    struct Unsteady: Encodable, Sendable {
        static let count = Synchronization.Atomic(0)
        var value = 0
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(Self.count.add(1, ordering: .relaxed).newValue)
        }
    }

    struct State: Encodable, Sendable {
        struct Part: Encodable, Sendable { var unsteady = Unsteady() }
        var count = 0
        var parts = [Part()]
    }

    @Test("no commit of random states makes a difference")
    func verified() throws {
        var random = RandomWorld(seed: 77)
        var world = World()
        let encoder = try StateEncoder(world, options: EncodingOptions(verifyIncrementalEncoding: true))
        var bytes: [UInt8] = []
        for _ in 0..<100 {
            random.change(&world)
            try encoder.advance(to: world, appendingPatchTo: &bytes)
        }
    }

    @Test("an 'encode(to:)' that depends on more than its value is found out, with its place")
    func unsteady() throws {
        let encoder = try StateEncoder(State(), options: EncodingOptions(verifyIncrementalEncoding: true))
        var bytes: [UInt8] = []
        let error = #expect(throws: StateEncodingError.self) {
            try encoder.advance(to: State(count: 1), appendingPatchTo: &bytes)
        }
        #expect(error?.reason == .incrementalDifference && error?.path == "/parts/0/unsteady")
    }

    @Test("a recorder that is asked to verify reports the difference and leaves a gap, one that is not does not look")
    func option() throws {
        for verifies in [true, false] {
            let journal = TemporaryJournal()
            let errors = Log<String>()
            var options = Recorder.Options.reproducible
            options.verifiesEncoding = verifies
            let recorder = try Recorder(journal.path, options: options) { error in
                if case .encoding(_, let path, _, let problem) = error { errors.add(problem.code + path) }
            }
            let store = Store(State(), name: "state", recorder: recorder)
            store.commit { $0.count = 1 }
            recorder.close()
            #expect(errors.entries == (verifies ? ["encoding.incremental-difference/parts/0/unsteady"] : []))
            #expect(try journal.records("gap").count == (verifies ? 1 : 0))
        }
    }

    @Test("the journal of a state that encodes otherwise each time is whole: it tells more changes than there were")
    func consistent() throws {
        let (journal, recorder) = try TemporaryJournal.recording(.reproducible)
        let store = Store(State(), name: "state", recorder: recorder)
        for count in 1...5 { store.commit { $0.count = count } }
        store.commit { $0.parts.append(State.Part()) }
        // Long enough for a keyframe.
        for count in 0..<2_000 { store.commit { $0.count = count } }
        recorder.close()
        #expect(try journal.records("gap").isEmpty)
        #expect(try !journal.records("keyframe").isEmpty)
        try journal.verify()
        #expect(try journal.replayed().count == 2_006)
    }

    @Test("one that comes later leaves one gap, and a whole journal")
    func later() throws {
        struct Late: Encodable, Sendable {
            var count = 0
            var part: State.Part?
        }
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, options: .reproducible) { _ in }
        let store = Store(Late(), name: "late", recorder: recorder)
        store.commit { $0.count = 1 }
        store.commit { $0.part = State.Part() }
        for count in 2...5 { store.commit { $0.count = count } }
        recorder.close()
        #expect(try journal.records("gap").count == 1)
        #expect(try journal.records("commit").count == 5)
        try journal.verify()
        _ = try journal.replayed()
    }
}
