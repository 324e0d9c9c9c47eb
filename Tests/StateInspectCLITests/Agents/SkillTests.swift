import Foundation
import TestSupport
import Testing

@testable import StateInspectCLI
@testable import TimeTravel

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
        #expect(AnswerDefinition.bisect.members.contains { $0.name == "flips" })
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
