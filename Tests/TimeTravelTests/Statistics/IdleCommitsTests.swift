import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import TimeTravel

@Suite("Commits that changed nothing")
struct IdleCommitsTests {
    private static let at = #""at":{"file":"F.swift","line":1,"column":1,"function":"f()"}"#
    private static let time = #""time":"2026-01-01T00:00:00.000000Z""#
    private static let start = #"{"a":[0,1,1,1,{"b":[2,2]}],"o":{"x":1,"y":{"z":[3,3]}},"n":0}"#

    private static func operation(_ random: inout SeededGenerator) -> String {
        let paths = [
            "/a/0", "/a/1", "/a/2", "/a/3", "/a/4", "/a/4/b/0", "/a/4/b/1", "/a/-", "/o/x", "/o/y", "/o/y/z/0", "/n",
            "/a",
        ]
        let values = ["0", "1", "2", "[3,3]", #"{"z":[3,3]}"#, #"{"b":[2,2]}"#]
        let (path, from) = (paths.randomElement(using: &random) ?? "", paths.randomElement(using: &random) ?? "")
        let value = values.randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return #"{"op":"add","path":"\#(path)","value":\#(value)}"#
        case 1: return #"{"op":"remove","path":"\#(path)"}"#
        case 2: return #"{"op":"copy","from":"\#(from)","path":"\#(path)"}"#
        case 3, 4: return #"{"op":"move","from":"\#(from)","path":"\#(path)"}"#
        default: return #"{"op":"replace","path":"\#(path)","value":\#(value)}"#
        }
    }

    @Test("those are told whose states before and after are the same", arguments: seeds(0..<40))
    func equalsStates(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var state = try JSONParser.parse(Self.start).ascending()
        var lines = [
            #"{"seq":0,"kind":"journal","version":1,"id":"x",\#(Self.time),"recorder":"t"}"#,
            #"{"seq":0,"kind":"store","store":"s","type":"S",\#(Self.time),\#(Self.at),"state":\#(Self.start)}"#,
        ]
        var expected: [Bool] = []
        var commits: [Record] = []
        while expected.count < 60 {
            let operations = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.operation(&random) }
            let text = "[" + operations.joined(separator: ",") + "]"
            var after = state
            let patch = try JSONPatch(json: JSONParser.parse(text))
            do { try patch.apply(to: &after, order: .ascending) } catch { continue }
            // Small, so that much comes to nothing.
            guard after.text().utf8.count < 200, case .array(let elements)? = after.member("a"), elements.count > 2
            else { continue }
            expected.append(after == state)
            state = after
            let seq = expected.count
            lines.append(
                #"{"seq":\#(seq),"kind":"commit","store":"s","version":\#(seq),\#(Self.time),\#(Self.at),"patch":\#(text)}"#
            )
            commits.append(try Record(OwnedRecord(text: Array(lines[seq + 1].utf8), path: "run.jsonl")))
        }
        let folder = TemporaryFolder()
        let journal = try Journal.open(
            folder.write(lines.joined(separator: "\n") + "\n", to: "run.jsonl"), access: .random)
        let idle = try #require(try IdleCommits(journal, nil, recover: false))
        for (index, commit) in commits.enumerated() {
            #expect(idle.contains(commit) == expected[index], "seed \(seed): \(lines[index + 2])")
        }
    }
}
