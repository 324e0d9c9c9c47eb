import JSONCore
import TestSupport
import Testing

@testable import JournalFormat
@testable import JournalReading

@Suite("Copies of copies")
struct CopyLimitTests {
    let folder = TemporaryFolder()

    /// A journal of one store and these patches.
    private func journal(_ state: String, _ patches: [String]) throws -> Journal {
        let place =
            #""time":"2026-03-01T12:00:00.000000Z","at":{"file":"A/B.swift","line":1,"column":1,"function":"f()"}"#
        var lines = [
            #"{"seq":0,"kind":"journal","version":1,"id":"r","time":"2026-03-01T12:00:00.000000Z","recorder":"t"}"#,
            #"{"seq":0,"kind":"store","store":"s","type":"S",\#(place),"state":\#(state)}"#,
        ]
        for (index, patch) in patches.enumerated() {
            lines.append(
                #"{"seq":\#(index + 1),"kind":"commit","store":"s","version":1,\#(place),"patch":[\#(patch)]}"#)
        }
        return try Journal.open(
            folder.write(lines.map { $0 + "\n" }.joined(), to: "run.jsonl"), access: .random)
    }

    private func refusal(_ journal: Journal) -> PatchError.Reason? {
        do throws(JournalError) {
            _ = try journal.state(at: journal.lastCommit)
        } catch {
            if case .damage(let damage) = error.fact, case .patch(_, _, let error) = damage.reason {
                return error.reason
            }
        }
        return nil
    }

    private static let doubling = #"{"op":"copy","from":"/a","path":"/a/-"}"#

    @Test("forty that double a value in one patch are refused")
    func onePatch() throws {
        let patch = Array(repeating: Self.doubling, count: 40).joined(separator: ",")
        #expect(try refusal(journal(#"{"a":["0123456789"]}"#, [patch])) == .copyTooLarge)
    }

    @Test("forty that double a value in as many commits are refused")
    func manyCommits() throws {
        let patches = Array(repeating: Self.doubling, count: 40)
        #expect(try refusal(journal(#"{"a":["0123456789"]}"#, patches)) == .copyTooLarge)
    }

    @Test("many of a large value are refused once the state is larger than the limit, and not before")
    func together() throws {
        let text = String(repeating: "x", count: 4_000_000)
        let state = #"{"a":"\#(text)","b":[]}"#
        let copy = #"{"op":"copy","from":"/a","path":"/b/-"}"#
        let limit = CopyBudget.stateLimit
        #expect(
            try refusal(journal(state, [Array(repeating: copy, count: 200).joined(separator: ",")]))
                == .copiesTooLarge(limit: limit))
        #expect(try refusal(journal(state, Array(repeating: copy, count: 200))) == .copiesTooLarge(limit: limit))
        #expect(try refusal(journal(state, Array(repeating: copy, count: 100))) == nil)
        // What was copied may be taken out again.
        let inAndOut = copy + #",{"op":"remove","path":"/b/0"}"#
        #expect(try refusal(journal(state, Array(repeating: inAndOut, count: 200))) == nil)
    }
}
