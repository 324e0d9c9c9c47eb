import Diagnostics
import Foundation
import JSONCore
import JournalFormat
import JournalReading
import StateReplay
import Synchronization
import Testing

@testable import StatePatterns
@testable import StoreCore

/// What an app may put into a state that is no plain value, each through a recorder.
@Suite("States that are hard to record")
struct BadInputTests {
    /// The journal of a run of one store, with the problems that its recorder told of.
    private struct Run {
        let journal = TemporaryJournal()
        let problems = Log<RecorderError>()

        init<State: Encodable & Sendable>(_ initial: State, _ commits: [@Sendable (inout State) -> Void] = []) throws {
            let recorder = try Recorder(journal.path, options: .reproducible) { [problems] in problems.add($0) }
            let store = Store(initial, name: "state", recorder: recorder)
            for commit in commits { store.commit(commit) }
            recorder.close()
        }

        /// The places and codes of the problems.
        var codes: [String] {
            problems.entries.map { problem in
                guard case .encoding(_, let path, _, let diagnostic) = problem else { return problem.diagnostic.code }
                return diagnostic.code + " " + path
            }
        }

        func patches() throws -> [String] { try journal.records("commit").compactMap { $0["patch"]?.text() } }

        func initialState() throws -> String? { try journal.records("store").first?["state"]?.text() }
    }

    final class Session: Encodable, Sendable { let token = "t" }

    @Test("a closure and an existential that 'CodingKeys' leave out do no harm, beside what is recorded")
    func leftOut() throws {
        struct State: Encodable, Sendable {
            var count = 0
            var onChange: @Sendable () -> Void = {}
            var error: (any Error)?
            var session = Session()
            enum CodingKeys: CodingKey { case count }
        }
        let run = try Run(
            State(), [{ $0.count = 1 }, { $0.error = CancellationError() }, { $0.onChange = { print("changed") } }])
        #expect(run.codes.isEmpty)
        #expect(try run.initialState() == #"{"count":0}"#)
        #expect(try run.patches() == [#"[{"op":"replace","path":"/count","value":1,"old":0}]"#, "[]", "[]"])
    }

    indirect enum Chain: Encodable, Sendable {
        case end
        case link(Chain)
    }

    @Test(
        "a value 20,000 levels deep is an error, its store comes back with a shallow one, and its release is Swift's own"
    )
    func deep() throws {
        struct State: Encodable, Sendable { var chain = Chain.end; var count = 0 }
        let run = try Run(
            State(),
            [
                { $0.count = 1 },
                { state in for _ in 0..<20_000 { state.chain = .link(state.chain) } },
                { $0.count = 2 }, { $0.chain = .link(.end) }, { $0.count = 3 },
            ])
        #expect(run.codes.count == 1 && run.codes.first?.hasPrefix("encoding.too-deep /chain/link") ?? false)
        #expect(try run.patches().last == #"[{"op":"replace","path":"/count","value":3,"old":2}]"#)
        #expect(try run.journal.records("gap").count >= 1)
    }

    @Test("data of 10 MB is recorded once, and not again with the commits beside it")
    func largeData() throws {
        struct State: Encodable, Sendable { var blob = Data(); var count = 0 }
        let blob = Data(repeating: 7, count: 10_000_000)
        let run = try Run(State(), [{ $0.count = 1 }, { $0.blob = blob }, { $0.count = 2 }])
        #expect(run.codes.isEmpty)
        let times = run.journal.bytes.count / blob.base64EncodedString().utf8.count
        #expect(times == 2, "the commit and the keyframe behind it")
        #expect(try JournalReader(run.journal.path).state(at: 2, of: "state", as: Blob.self).blob == blob)
    }

    struct Blob: Decodable { var blob: Data }

    /// Writes some of itself, and then throws.
    struct Halfway: Encodable, Sendable {
        struct Stop: Error {}
        var isGood = true
        var number = 0
        enum CodingKeys: CodingKey { case number, rest }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(number, forKey: .number)
            if !isGood { throw Stop() }
            try container.encode(true, forKey: .rest)
        }
    }

    @Test(
        "an encoder that throws halfway leaves its store out from the start, or a gap later, and nothing half written")
    func halfway() throws {
        struct State: Encodable, Sendable { var part: Halfway; var count = 0 }
        let bad = Halfway(isGood: false)
        let first = try Run(State(part: bad), [{ $0.count = 1 }, { $0.part.isGood = true }, { $0.count = 2 }])
        #expect(first.codes == ["encoding.refused /part"])
        #expect(try first.patches() == [#"[{"op":"replace","path":"/count","value":2,"old":1}]"#])
        let later = try Run(
            State(part: Halfway()),
            [{ $0.count = 1 }, { ($0.part, $0.count) = (bad, 7) }, { $0.part = Halfway(number: 3) }, { $0.count = 9 }])
        #expect(later.codes == ["encoding.refused /part"])
        let gaps = try later.journal.records("gap").map { [$0.integer("first") ?? 0, $0.integer("lost") ?? 0] }
        #expect(gaps.map { $0[1] }.reduce(0, +) == 2 && gaps.first?[0] == 2)
        let last = try #require(try later.journal.replayed().last?["state"])
        #expect(last.text() == #"{"part":{"number":3,"rest":true},"count":9}"#)
    }
}
