import Foundation
import JSONCore
import TestSupport
import Testing

@testable import CommandLine
@testable import Commands
@testable import TimeTravel

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
            "9 bytes)", "a.jsonl", "%", "\"cite: ", "99999999999999999999",
        ]
        let text = (0..<Int.random(in: 1...30, using: &random)).map { _ in parts.randomElement(using: &random)! }
            .joined()
        for citation in CitationReader.citations(in: text) { #expect(citation.position >= 0, "seed \(seed)") }
    }
}

/// What the skill claims is so.
@Suite("The skill")
struct SkillTests {
    private static let folder = SharedFolder.packageRoot.appendingPathComponent("samples/agents/state-inspect")
    private static let text =
        (try? String(contentsOf: folder.appendingPathComponent("SKILL.md"), encoding: .utf8)) ?? ""

    private static var parts: (front: [String: String], body: String) {
        let parts = text.components(separatedBy: "---\n")
        var front: [String: String] = [:]
        for line in (parts.count > 1 ? parts[1] : "").split(separator: "\n") {
            let pair = line.split(separator: ":", maxSplits: 1)
            front[String(pair[0])] = pair.count > 1 ? pair[1].trimmingCharacters(in: .whitespaces) : ""
        }
        return (front, parts.dropFirst(2).joined(separator: "---\n"))
    }

    @Test("its front matter is what the specification of skills asks for")
    func front() {
        let front = Self.parts.front
        #expect(Set(front.keys) == ["name", "description"])
        #expect(front["name"] == Self.folder.lastPathComponent)
        let description = front["description"] ?? ""
        #expect((1...1024).contains(description.count) && description.contains("Use when"))
    }

    @Test("its body is short, and its numbers are those of the program")
    func body() {
        let body = Self.parts.body
        #expect(body.utf8.count <= 3_600 && body.utf8.count > 1_000)
        #expect(body.contains("at most \(AnswerFit.usualLimit.grouped) bytes"))
        #expect(body.contains("\(OutputFormat.variable)=human \(OutputFormat.limitVariable)=\(AnswerFit.usualLimit)"))
        for status in ExitStatus.allCases { #expect(body.contains("\(status.rawValue) ")) }
        #expect(BisectReport.answer.definition.members.contains { $0.name == "flips" })
        #expect(Origin.Basis.inferred.rawValue == "inferred")
    }

    @Test("each of its commands runs on a sample, and ends with the status that stands beside it")
    func commands() throws {
        let samples = SharedFolder.packageRoot.appendingPathComponent("samples").path
        let lines = Self.parts.body.split(separator: "\n").filter { $0.hasPrefix("state-inspect ") }
        #expect(lines.count >= 12)
        var cited = ""
        for line in lines {
            let parts = line.components(separatedBy: "   # status ")
            let report = ShopJournal(text: cited)
            let names = [
                "run.jsonl": samples + "/checkout.jsonl", "other.jsonl": samples + "/checkout-flipping.jsonl",
                "good.jsonl": samples + "/checkout-good.jsonl", "report.md": report.path,
            ]
            let words = Self.words(parts[0]).dropFirst().map { names[$0] ?? $0 }
            let run = ProgramRun(Array(words), environment: AnswerFitTests.agents)
            #expect(run.status == (parts.count > 1 ? Int32(parts[1]) : 0), "\(run)")
            #expect(!run.output.isEmpty && run.output.utf8.count <= AnswerFit.usualLimit, "\(run)")
            if words.contains("--cite") { cited = run.output }
        }
        #expect(!cited.isEmpty)
    }

    @Test("what it says of jq is so")
    func jq() {
        let journal = SharedFolder.packageRoot.appendingPathComponent("samples/checkout.jsonl").path
        func output(_ query: String) -> String { ProgramRun(["state", journal, "--select", query]).output }
        #expect(output("null < 0") == "true\n")
        #expect(output(".cart.total? // 0 | . < 0") == output(".cart.total < 0"))
        #expect(output(".nothing.total? // 0 | . < 0") == "false\n")
    }

    /// The words of a line in which single quotes are the only ones.
    private static func words(_ line: String) -> [String] {
        line.components(separatedBy: "'").enumerated().flatMap { index, part in
            index % 2 == 0 ? part.split(separator: " ").map(String.init) : [part]
        }.reduce(into: [String]()) { $0.append($1) }
    }
}
