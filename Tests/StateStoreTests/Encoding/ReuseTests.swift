import Diagnostics
import JSONCore
import Synchronization
import TestSupport
import Testing

@testable import StateEncoding
@testable import StoreCore

@Suite("What is not encoded again")
struct ReuseTests {
    struct Entity: Encodable, Identifiable {
        private static let encodings = Synchronization.Atomic(0)
        /// The encodings since the last call.
        static func taken() -> Int { encodings.exchange(0, ordering: .relaxed) }

        var id: Int
        var done = false
        var name: String

        enum CodingKeys: String, CodingKey { case id, done, name }

        func encode(to encoder: any Encoder) throws {
            Entity.encodings.add(1, ordering: .relaxed)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encode(done, forKey: .done)
            try container.encode(name, forKey: .name)
        }
    }

    struct State: Encodable {
        var count = 0
        var list = (0..<1_000).map { Entity(id: $0, name: "the name of number \($0)") }
        var table: [Int: Entity] = [:]

        init() { table = Dictionary(uniqueKeysWithValues: list.map { ($0.id, $0) }) }
    }

    @Test(
        "a commit encodes the entities that it changed, before and after, and none that stay, move or are beside them")
    func entities() throws {
        var state = State()
        let encoder = try StateEncoder(state)
        func advance() throws -> String {
            var bytes: [UInt8] = []
            try encoder.advance(to: state, appendingPatchTo: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(Entity.taken() == 2_000)
        state.count = 1
        #expect(try advance() == #"[{"op":"replace","path":"/count","value":1,"old":0}]"#)
        #expect(Entity.taken() == 0)
        for (place, number) in [3, 999, 0, 500].enumerated() {
            state.list[number].done.toggle()
            state.table[number]?.name += "!"
            let patch = try advance()
            #expect(patch.contains(#""path":"/list/\#(number)/done","value":true,"old":false"#))
            #expect(patch.contains(#""path":"/table/\#(number)/name""#))
            #expect(Entity.taken() == 4, "commit \(place)")
        }
        state.list.insert(Entity(id: 5_000, name: "new"), at: 0)
        state.table[5_000] = state.list[0]
        _ = try advance()
        #expect(Entity.taken() == 2)
        state.list.swapAt(10, 800)
        #expect(try advance().contains("move"))
        #expect(Entity.taken() == 0)
        state.list.remove(at: 400)
        state.table[77] = nil
        _ = try advance()
        #expect(Entity.taken() == 2)
    }
}

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
        let (journal, recorder) = try TemporaryJournal.recording(options: .reproducible) { _ in }
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
