import Foundation
import JSONCore
import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("Citations")
struct CitationTests {
    private let journal = ShopJournal()

    /// `J` is the journal.
    static let commands: [[String]] = [
        ["info", "J"], ["log", "J"], ["log", "J", "--no-marks"], ["show", "J", "3"], ["show", "J", "1..3"],
        ["state", "J"], ["state", "J", "3", "--select", ".cart.total"], ["state", "J", "--store", "cart"],
        ["state", "J", "3", "--store", "cart", "--select", ".total, .items"], ["diff", "J", "1", "3"],
        ["bisect", "J", "--bad", ".cart.total < 0"], ["bisect", "J", "--bad", ".cart.total > 1000"],
        ["blame", "J", "/cart"], ["history", "J", "/cart/total"], ["history", "J", ".cart.total * 2"],
        ["derived", "J", "--define", "t=.cart.total"],
        ["derived", "J", "--define", "t=.cart.total", "--why", "t", "--at", "5"],
        ["origin", "J", "/cart/total", "--at", "4"], ["why", "J", "3"],
        ["check", "J", "--invariant", "a=.cart.total >= 0", "--invariant", "b=.cart != null"],
    ]

    private static func text(_ text: String) throws -> ShopJournal { ShopJournal(text: text) }

    @Test("an answer's last line is what it rests on, and holds", arguments: commands)
    func human(_ command: [String]) throws {
        let typed = command.map { $0 == "J" ? journal.path : $0 }
        let plain = ProgramRun(typed + ["--format", "human"])
        let run = ProgramRun(typed + ["--format", "human", "--cite"])
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
        let last = try #require(lines.dropLast().last)
        #expect(last.hasPrefix("cite: \(journal.path) run-1 "), "\(run)")
        #expect(lines.dropLast(2).joined(separator: "\n") + "\n" == plain.output && run.status == plain.status)
        let report = try Self.text("So it is:\n- " + last + "\n")
        let held = ProgramRun(["cite", report.path])
        #expect(
            held.status == 0 && held.output.contains(#""line":2"#) && held.output.contains(#""holds":true"#), "\(held)")
    }

    @Test("as JSON each line cites, the rest of the line is as it was, and all citations hold", arguments: commands)
    func json(_ command: [String]) throws {
        let typed = command.map { $0 == "J" ? journal.path : $0 }
        let plain = ProgramRun(typed).output.split(separator: "\n")
        let run = ProgramRun(typed + ["--cite"])
        let cited = run.output.split(separator: "\n")
        #expect(cited.count == plain.count && !cited.isEmpty)
        for (line, bare) in zip(cited, plain) {
            let cut = try #require(line.firstRange(of: #","cite":""#), "\(line)")
            let start = String(line[..<cut.lowerBound]) + "}"
            if command[0] == "state" {
                #expect(
                    start.hasPrefix(#"{"kind":"value","seq":"#) && start.hasSuffix(#""value":"# + bare + "}"),
                    "\(start)")
            } else {
                #expect(start == bare)
            }
        }
        let report = try Self.text(run.output)
        let held = ProgramRun(["cite", report.path])
        #expect(held.status == 0 && held.output.split(separator: "\n").count == cited.count, "\(held)")
    }

    @Test("what does not hold is reported with what is there")
    func differing() throws {
        func ask(_ text: String, _ options: String...) throws -> ProgramRun {
            let report = try Self.text(text.replacingOccurrences(of: "J", with: journal.path) + "\n")
            return ProgramRun(["cite", report.path] + options)
        }
        let wrong = try ask("cite: J run-1 3 /cart/total = 12", "--format", "human")
        #expect(
            wrong.status == 1 && wrong.output.contains("does not hold") && wrong.output.contains("there is -3"),
            "\(wrong)")
        #expect(try ask("cite: J run-1 3 /cart/total = -3. That is why.").status == 0)
        #expect(try ask("`cite: J run-1 3 /cart/total = -3`").status == 0)
        #expect(try ask("cite: J run-1 3 /cart/total = -3.0").status == 0)
        #expect(try ask("cite: J run-1 5 /cart/items = [ ]").status == 0)
        let absent = try ask("cite: J run-1 5 /cart/items/0 = 1")
        #expect(absent.status == 1 && absent.output.contains(#""found":null"#), "\(absent)")
        let other = try ask("cite: J run-2 3")
        #expect(other.status == 1 && other.output.contains(#""id":"run-1""#), "\(other)")
        let beyond = try ask("cite: J run-1 900")
        #expect(
            beyond.status == 1 && beyond.output.contains(#""problem":"position '900' is past the end"#), "\(beyond)")
        #expect(try ask("cite: J.missing run-1 3").status == 3)
        let none = try ask("As one cites: nothing at all. cite: this")
        #expect(none.status == 4 && none.output.isEmpty && none.messages.contains("has no citation"), "\(none)")
        let both = try ask("cite: J run-1 3 /cart/total = 12 and cite: J run-1 3 /cart/total = -3")
        #expect(both.status == 1 && both.output.split(separator: "\n").count == 2, "\(both)")
    }

    @Test("a redacted value is cited by its hash")
    func redacted() throws {
        let hidden = try Self.text(ProgramRun(["redact", journal.path, "--path", "/session/token"]).output)
        let run = ProgramRun(["state", hidden.path, "--select", ".session.token", "--cite"])
        #expect(run.status == 0 && !run.output.contains(#""b7""#) && run.output.contains("/session/token = "), "\(run)")
    }

    @Test("a citation is read as it was written, in prose and in JSON", arguments: seeds(1..<301))
    func property(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let parts = [
            "a", "/", " ", "'", "\"", "\\", "é", "日", "\u{202E}", "%", "\n", "##", "::", "~0", "$", "-", ".jsonl", "= ",
        ]
        func word(_ random: inout SeededGenerator) -> String {
            (0..<Int.random(in: 1...9, using: &random)).map { _ in parts.randomElement(using: &random)! }.joined()
        }
        let value: JSONValue =
            Bool.random(using: &random)
            ? .string(String(repeating: word(&random), count: Int.random(in: 1...30, using: &random)))
            : .array((0..<Int.random(in: 0...40, using: &random)).map { .number(JSONNumber($0)) })
        let claim = Citation.Claim(
            pointer: JSONPointer((0..<Int.random(in: 0...3, using: &random)).map { _ in word(&random) }),
            value: Citation.text(of: value))
        let citation = Citation(
            file: word(&random), id: word(&random), position: Int.random(in: 0...999, using: &random),
            claim: Bool.random(using: &random) ? claim : nil)
        #expect(!citation.text.contains("\n"), "seed \(seed)")
        #expect(CitationReader.citations(in: citation.text) == [citation], "seed \(seed): \(citation.text)")
        let json = JSONValue.array([.string(citation.text), .string("and so on")]).text()
        #expect(CitationReader.citations(in: json) == [citation], "seed \(seed): \(json)")
    }

    @Test("no text makes the reader fail", arguments: seeds(1..<201))
    func anyText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let parts = [
            "cite: ", "\"", "'", "$'", "\"$(printf '", "\\", "\\012", "')\"", " ", "1", "/a", " = ", "{", "[", "… (",
            "9 bytes)",
            "a.jsonl", "%", "\"cite: ", "99999999999999999999",
        ]
        let text = (0..<Int.random(in: 1...30, using: &random)).map { _ in parts.randomElement(using: &random)! }
            .joined()
        for citation in CitationReader.citations(in: text) { #expect(citation.position >= 0, "seed \(seed)") }
    }
}
