import Foundation
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("A first line that does not hold")
struct FirstLineTests {
    /// A journal of six commits whose first line was edited.
    private func journal(edited edit: (String) -> String) -> [UInt8] {
        let maker = JournalMaker(seed: 3, commits: 6, gaps: false)
        var lines = String(decoding: maker.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        lines[0] = edit(lines[0])
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// Its number is another, with the sum of the line as it was; and without a sum.
    private static let edits: [(name: String, edit: @Sendable (String) -> String)] = [
        ("a flipped digit", { $0.replacingOccurrences(of: #"{"seq":0"#, with: #"{"seq":2"#) }),
        (
            "a flipped digit without a sum",
            { line in
                let front = line.range(of: #","sum":"#).map { line[..<$0.lowerBound] + "}" } ?? line[...]
                return front.replacingOccurrences(of: #"{"seq":0"#, with: #"{"seq":2"#)
            }
        ),
        (
            "an 'after' that is not where commits begin",
            { line in
                let front = line.range(of: #","sum":"#).map { line[..<$0.lowerBound] } ?? line.dropLast()
                return front + #","after":5}"#
            }
        ),
    ]

    private static let commands: [[String]] = [
        ["state", "J", "--at", "start"], ["state", "J"], ["why", "J", "3"], ["show", "J", "3"], ["info", "J"],
        ["log", "J"], ["log", "J", "--reverse"], ["blame", "J"], ["replay", "J"], ["diff", "J", "1", "2"],
        ["bisect", "J", "--bad", ".x"], ["bisect", "J", "--bad", ".x", "--monotone"],
        ["check", "J", "--invariant", "a=true"],
        ["history", "J", "/x"], ["stats", "J"], ["slice", "J", "1..2"],
        ["redact", "J", "--path", "/x"],
        ["marks", "J"], ["export", "csv", "J"], ["derived", "J", "--define", "a=."],
    ]

    @Test("is damage to every command, whatever it seeks", arguments: 0..<3)
    func everyCommand(edit: Int) {
        let (name, edit) = Self.edits[edit]
        let folder = TemporaryFolder()
        let path = folder.write(journal(edited: edit), to: "run.jsonl")
        for command in Self.commands {
            let run = ProgramRun(command.map { $0 == "J" ? path : $0 })
            #expect(run.status == 3, "\(name): \(run)")
        }
        let verified = ProgramRun(["verify", path])
        #expect(verified.status == 1, "\(name): \(verified)")
    }

    @Test("is passed over with '--recover', as other damage is", arguments: 0..<3)
    func recovering(edit: Int) {
        let folder = TemporaryFolder()
        let path = folder.write(journal(edited: Self.edits[edit].edit), to: "run.jsonl")
        let run = ProgramRun(["log", path, "--recover"])
        // What is not printed is reported.
        let isWhole = run.output.split(separator: "\n").count == 6
        #expect([0, 5].contains(run.status) && (isWhole || run.messages.contains("warning: ")), "\(run)")
    }

    /// Members at the front of a first line, and whether they are damage.
    private static let fronts: [(front: String, isDamage: Bool)] = [
        (#""seq":1"#, true), (#""seq":7"#, true), (#""seq":1e3"#, true), (#""seq":9007199254740992"#, true),
        (#""seq":0,"after":5"#, true), (#""seq":5,"after":5"#, true), (#""seq":0,"after":"0""#, true),
        (#""seq":0,"after":null"#, false), (#""seq":0,"after":0"#, false), (#""seq":0e0,"after":0.0"#, false),
    ]

    @Test(
        "is one to 'verify' as to every other reader, and a repair writes it anew and loses no commit",
        arguments: 0..<10)
    func repaired(front: Int) throws {
        let (front, isDamage) = Self.fronts[front]
        let folder = TemporaryFolder()
        let bytes = journal { line in
            let rest = line.range(of: #","sum":"#).map { line[..<$0.lowerBound] + "}" } ?? line[...]
            return rest.replacingOccurrences(of: #""seq":0"#, with: front)
        }
        let path = folder.write(bytes, to: "run.jsonl")
        for command in [["log", path], ["info", path], ["check", path, "--invariant", "a=true"]] {
            let run = ProgramRun(command)
            #expect((run.status == 3) == isDamage, "\(run)")
        }
        let verified = ProgramRun(["verify", path, "--repair", folder.path("whole.jsonl")])
        #expect(verified.status == (isDamage ? 1 : 0), "\(verified)")
        let again = ProgramRun(["verify", folder.path("whole.jsonl")])
        #expect(again.status == 0 && again.output.contains(#""commits":6"#), "\(verified)\n\(again)")
        #expect(
            ProgramRun(["log", folder.path("whole.jsonl")]).output == ProgramRun(["log", path, "--recover"]).output
                || isDamage)
    }

    @Test(
        "of a segment is written anew with the number that its records go on from",
        arguments: [(40, 4), (4, 40), (77, 77)])
    func repairedSegment(seq: Int, after: Int) throws {
        let maker = JournalMaker(seed: 4, after: 40, commits: 5, gaps: false)
        let folder = TemporaryFolder()
        let text = String(decoding: maker.bytes, as: UTF8.self)
        let end = try #require(text.firstIndex(of: "\n"))
        let sum = text.range(of: #","sum":"#).map(\.lowerBound) ?? end
        let first = text[..<min(sum, end)].replacingOccurrences(of: #""seq":40"#, with: "\"seq\":\(seq)")
            .replacingOccurrences(of: #""after":40"#, with: "\"after\":\(after)")
        let line = sum < end ? first + "}" : first
        let path = folder.write(line + text[end...], to: "run.jsonl")
        let verified = ProgramRun(["verify", path, "--repair", folder.path("whole.jsonl")])
        #expect(verified.status == 1, "\(verified)")
        let again = ProgramRun(["verify", folder.path("whole.jsonl")])
        #expect(again.status == 0 && again.output.contains(#""commits":5"#), "\(verified)\n\(again)")
    }

    @Test("one that is too long is called so, and not what it is not")
    func tooLong() {
        let folder = TemporaryFolder()
        let text = #"{"a":""# + String(repeating: "x", count: Journal.headerLengthLimit) + "\"}\n"
        let run = ProgramRun(["info", folder.write(text, to: "run.jsonl")])
        #expect(run.status == 3 && run.messages.contains("its first line is longer than the 1 MiB"), "\(run)")
    }
}
