import Foundation
import Interchange
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing

@testable import CommandLine
@testable import Commands
@testable import Debugger
@testable import TimeTravel

@Suite("The manual page")
struct ManualTests {
    init() { _ = tool }

    private static let manual: [String] = {
        let url = SharedFolder.packageRoot.appendingPathComponent("man/state-inspect.1")
        let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }()

    /// The lines of one section.
    private static func section(_ name: String) -> [String] {
        let after = manual.drop { $0 != ".Sh " + name }.dropFirst()
        return Array(after.prefix { !$0.hasPrefix(".Sh ") })
    }

    /// The entries of a section's lists: what follows `.It`, as words.
    private static func entries(_ section: String) -> [[String]] {
        self.section(section).filter { $0.hasPrefix(".It ") }.map {
            $0.split(separator: " ").dropFirst().map(String.init)
        }
    }

    @Test("the manual has every command of the table, and no other")
    func commands() {
        let described = Self.entries("COMMANDS").compactMap { $0.first == "Ic" ? $0.dropFirst().first : nil }
        #expect(described == tool.all.map(\.name.rawValue))
    }

    @Test("the manual lists every option with its letter, and no other")
    func options() {
        let table = Self.section("OPTIONS").drop { !$0.hasPrefix(".Bl ") }.prefix { $0 != ".El" }
        let words = table.filter { $0.hasPrefix(".Fl ") }.flatMap { $0.split(separator: " ").dropFirst() }
        var listed: Set<[String]> = []
        var letter: String?
        for word in words.map(String.init) {
            if word.hasPrefix("-") { listed.insert([letter, word].compactMap(\.self)) }
            letter = word.hasPrefix("-") ? nil : word
        }
        let declared = Set(
            OptionTable.all.map { [$0.option.short.map(String.init), "-" + $0.option.name].compactMap(\.self) })
        #expect(listed.subtracting(declared) == [] && declared.subtracting(listed) == [])
    }

    @Test(
        "the long help has every option of a command with its letter, its values and what it does, and no other",
        arguments: CommandName.allCases)
    func helps(_ command: CommandName) {
        let lines = HelpText(.long).text(of: command).split(separator: "\n").map(String.init)
        let options = OptionTable.options(of: command)
        let heads = lines.filter { $0.hasPrefix("  -") || $0.hasPrefix("      -") }
        #expect(heads == options.map { ($0.short.map { "  -\($0), " } ?? "      ") + $0.synopsis })
        let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        for option in options {
            let said = option.summary.prefix(1).uppercased() + option.summary.dropFirst() + ". " + option.details
            #expect(text.contains(said.trimmingCharacters(in: .whitespaces)), "\(option.name)")
        }
    }

    @Test("the limits of the manual are those of the program, in the same order")
    func limits() {
        func bytes(_ count: Int) -> String { count >= 1 << 30 ? "\(count >> 30) GiB" : "\(count >> 20) MiB" }
        let expected = [
            bytes(Journal.lineLengthLimit), bytes(Journal.headerLengthLimit), bytes(Journal.defaultSpoolLimit),
            "\(JSONLimits.standard.depth) levels", "\(JSONLimits.standard.numberLength) characters",
            "\(CommitNumber.largest.rawValue)", "\(JSONPatch.pathDepthLimit) segments", bytes(JSONPatch.copyLimit),
            bytes(CopyBudget.stateLimit), "\(PathSteps.limit) segments", "\(QueryLimits.standard.steps) steps",
            "\(CauseChain.lengthLimit) commits", "\(JournalStatistics.nameLimit) names",
            "\(Answers.candidateLimit) candidates", "\(RecordReader.damageLimit) places",
            "\(bytes(JournalImport.lineLimit)) , \(bytes(JournalImport.textLimit))", bytes(JSONTexts.lengthLimit),
            "\(bytes(Definitions.lengthLimit)) , \(bytes(BisectLog.lengthLimit)) , \(bytes(QueryEnvironment.valueLimit))",
        ]
        #expect(Self.entries("LIMITS").map { $0.joined(separator: " ") } == expected)
        #expect(QueryCommand.lengthLimit == Definitions.lengthLimit)
        #expect(ImportPreset.lengthLimit == Definitions.lengthLimit)
        #expect(DebugInterpreter.scriptLimit == BisectLog.lengthLimit)
        #expect(JournalRepair.leftOutLimit == RecordReader.damageLimit)
    }

    @Test("every status of the program is in the manual")
    func statuses() {
        #expect(Self.entries("EXIT STATUS").map { $0.joined() } == ExitStatus.allCases.map { "\($0.rawValue)" })
    }

    @Test("the manual's examples are those of the helps")
    func examples() {
        let shown = Set(Self.section("EXAMPLES").filter { $0.hasPrefix(".Dl ") }.map { String($0.dropFirst(4)) })
        let declared = Set(tool.all.flatMap(\.examples).map(\.line))
        #expect(shown.isSubset(of: declared), "\(shown.subtracting(declared))")
    }

    private static let hasSamples = FileManager.default.fileExists(
        atPath: SharedFolder.packageRoot.appendingPathComponent("samples/checkout.jsonl").path)

    private static let hasJQ = FileManager.default.isExecutableFile(atPath: "/usr/bin/jq")

    @Test(
        "every example of the helps and the manual runs as it stands", .enabled(if: hasSamples),
        arguments: tool.all.flatMap(\.examples).map(\.line).filter {
            hasJQ || !$0.contains("--run jq")
        })
    func runningExamples(_ line: String) throws {
        let root = SharedFolder.packageRoot.path + "/"
        let words = Self.words(line).dropFirst().map { $0.hasPrefix("samples/") ? root + $0 : $0 } as [String]
        var parser = ArgumentParser(words)
        try parser.readAll()
        // These wait for a person, or for a client.
        if words.contains("--tui") || words.first == "mcp" { return }
        let run = ProgramRun(words)
        #expect(run.status == 0 || words.first == "diff" && run.status == 1, "\(run)")
        #expect(!run.output.isEmpty || line.contains(" -o "), "\(run)")
        #expect(!run.messages.contains("error:"), "\(run)")
    }

    /// The words of a command line as a shell takes them; the examples use single quotes only.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        for (index, part) in line.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
            if index % 2 == 0 {
                let joins = !part.hasPrefix(" ") && !words.isEmpty && index > 0
                var pieces = part.split(separator: " ").map(String.init)
                if joins, !pieces.isEmpty { words[words.count - 1] += pieces.removeFirst() }
                words += pieces
            } else {
                words.append(String(part))
            }
        }
        return words
    }
}
