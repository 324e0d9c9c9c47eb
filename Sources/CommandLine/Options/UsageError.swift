package import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import QueryLanguage

package enum UsageError: Error, Equatable {
    /// `state-inspect bisct`, with the line to type where one is meant.
    case unknownCommand(String, line: String? = nil)
    /// `state-inspect run.jsonl 118`: a file in the place of a command, with the line to type where there is one.
    case noCommand(String, line: String?)
    /// `state-inspect log --rnage 1..2`; before a command, with the line to type where one is meant.
    case unknownOption(String, CommandName?, line: String? = nil)
    /// `state-inspect log --bad .x`: an option of other commands.
    case foreignOption(Option, CommandName)
    /// `state-inspect log --range`
    case missingValue(Option, synopsis: String)
    /// `state-inspect log --reverse=yes`
    case unexpectedValue(Option, String)
    /// `state-inspect log -n many`
    case value(Option, String, expected: String)
    /// `state-inspect show run.jsonl`
    /// With what to type where that is known.
    case missingOperand(CommandName, String, line: String? = nil)
    /// `state-inspect info a.jsonl b.jsonl`, with what was typed.
    case extraOperand(CommandName, String, journal: String? = nil)
    /// `state-inspect diff - -`
    case standardInputTwice
    /// `state-inspect completions tcsh`
    case operand(String, String, expected: String)
    /// `state-inspect bisect run.jsonl`: one of these is needed.
    case needsOne(CommandName, [Option])
    /// `state-inspect bisect run.jsonl --bad .x --good .y`: at most one of these.
    case exclusive([Option])
    /// `state-inspect bisect run.jsonl --run`: a value that may not be empty.
    case emptyRun
    /// `STATE_INSPECT_FORMAT=xml`: a variable with its value.
    case environment(String, String, expected: String)

    static func quoted(_ words: [String]) -> String { words.map { "'\($0)'" }.joined(separator: ", ") }
}

extension UsageError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        Diagnostic(code: "usage." + code, message, notes: notes, help: help)
    }

    private var code: String {
        switch self {
        case .unknownCommand, .noCommand: "unknown-command"
        case .unknownOption: "unknown-option"
        case .foreignOption: "foreign-option"
        case .missingValue, .emptyRun: "missing-value"
        case .unexpectedValue: "unexpected-value"
        case .value: "option-value"
        case .missingOperand: "missing-argument"
        case .extraOperand: "extra-argument"
        case .operand: "argument"
        case .standardInputTwice: "standard-input-twice"
        case .needsOne: "missing-option"
        case .exclusive: "exclusive-options"
        case .environment: "environment"
        }
    }

    private var message: String {
        switch self {
        case .unknownCommand(let typed, _) where Self.isPath(typed): "there is no file \(quoted(typed))"
        case .unknownCommand(let typed, _): "there is no command \(quoted(typed))"
        case .noCommand(let file, _): "there is no command before \(quoted(file))"
        case .unknownOption(let typed, nil, _): "there is no option \(quoted(typed))"
        case .unknownOption(let typed, let command?, _): "'\(command.rawValue)' has no option \(quoted(typed))"
        case .foreignOption(let option, let command): "'\(command.rawValue)' has no option '\(option.typed)'"
        case .missingValue(let option, _): "'\(option.typed)' needs a value"
        case .unexpectedValue(let option, let value): "'\(option.typed)' takes no value, but has \(quoted(value))"
        case .value(let option, let value, let expected):
            "'\(option.typed)' is \(quoted(value)), should be \(expected)"
        case .missingOperand(let command, let name, _): "'\(command.rawValue)' needs \(name)"
        case .extraOperand(let command, let typed, _): "'\(command.rawValue)' has no use for \(quoted(typed))"
        case .operand(let name, let typed, let expected): "\(name) is \(quoted(typed)), should be \(expected)"
        case .standardInputTwice: "standard input can be read only once"
        case .needsOne(let command, let options):
            "'\(command.rawValue)' needs \(options.count > 1 ? "one of " : "")\(listed(options, "or"))"
        case .exclusive(let options): "\(listed(options)) cannot stand together"
        case .emptyRun: "'--run' needs a command"
        case .environment(let name, let value, let expected): "'\(name)' is \(quoted(value)), should be \(expected)"
        }
    }

    private var notes: [String] {
        switch self {
        case .unknownCommand(let typed, _) where Self.isPath(typed): return ["no command is called so, either"]
        case .foreignOption(let option, _):
            let commands = OptionTable.commands(of: option.name).map(\.rawValue).sorted()
            return ["it is an option of " + commands.map { "'\($0)'" }.joined(separator: ", ")]
        case .extraOperand(.bisect, let typed, _) where CommandWords.isStep(typed):
            return ["one command asks for good and bad until it has the commit, and keeps nothing"]
        case .needsOne(.minimize, _): return ["it keeps the commits without which the end would not be bad"]
        case .needsOne(.redact, [.path]): return ["'--check' alone looks for a text, and there is nothing to write"]
        case .needsOne(.export, _): return ["the test is of one commit"]
        case .emptyRun:
            return ["every argument after '--run' is the command, so it comes last"]
        default: return []
        }
    }

    private var help: [String] {
        switch self {
        case .unknownCommand(let typed, let line):
            if let line { return ["write \(ShellQuoting.inSentence(line))"] }
            if Self.isPath(typed) { return JournalFiles.help(for: JournalError(path: typed, .missing)) }
            return CommandWords.near(typed).map { "write '\($0)'" } + ["'state-inspect -h' lists the commands"]
        case .unknownOption(_, _, let line?): return ["write \(ShellQuoting.inSentence(line))"]
        case .unknownOption(let typed, let command, _):
            if let number = Int(typed), number < 0, let command,
                CommandTable.definition(of: command).operands.contains(where: { $0.completion == .position })
            {
                return ["write 'end\(number)' for that many commits before the end"]
            }
            if let help = CommandWords.help(for: typed, of: command) { return [help] }
            if command == .query, (try? Query(typed)) != nil {
                return ["a query that begins with '-' stands after '--': -- \(ShellQuoting.quoted(typed))"]
            }
            return nearestOption(to: typed, of: command) + [pointer(to: command)]
        case .noCommand(_, let line):
            return line.map { ["write \(ShellQuoting.inSentence($0))"] } ?? ["'state-inspect -h' lists the commands"]
        case .extraOperand(.stats, "derived", _): return ["write 'derived JOURNAL --summary'"]
        case .extraOperand(.bisect, let typed, let journal) where CommandWords.isStep(typed):
            let file = journal.map { ShellQuoting.quoted($0) } ?? "JOURNAL"
            return [
                "write 'state-inspect bisect \(file) \(typed == "run" ? "--run CMD" : "--interactive")'",
                pointer(to: .bisect),
            ]
        case .extraOperand(let command, let typed, let journal):
            return advice(for: typed, of: command, journal) + [pointer(to: command)]
        case .foreignOption(let option, let command):
            return [CommandWords.help(for: option.typed, of: command) ?? pointer(to: command)]
        case .missingOperand(let command, _, let line):
            let usage = CommandTable.definition(of: command).synopsis.first ?? ""
            return line.map { ["write \(ShellQuoting.inSentence($0))"] } ?? [
                "write 'state-inspect \(command.rawValue) \(usage)'", pointer(to: command),
            ]
        case .needsOne(let command, _):
            return [pointer(to: command)]
        case .missingValue(_, let synopsis): return ["write '\(synopsis)'"]
        case .unexpectedValue(let option, _): return ["write '\(option.typed)'"]
        case .exclusive(let options) where options.contains(.bad) && options.contains(.good):
            return ["leave out one: each is a query; commits that are good and bad are '--from POS' and '--to POS'"]
        case .exclusive: return ["leave out all but one"]
        case .standardInputTwice: return ["write one of the journals to a file, and name that"]
        case .emptyRun: return ["write '--run CMD', for example '--run jq -e .cart'"]
        case .value(.format, let typed, _):
            return SimilarNames.nearest(to: typed, in: ReportFormat.allCases.map(\.rawValue)).map { "write '\($0)'" }
        case .environment(_, let value, _):
            return SimilarNames.nearest(to: value, in: OutputFormat.allCases.map(\.rawValue)).map { "write '\($0)'" }
        case .value, .operand: return []
        }
    }

    private func advice(for typed: String, of command: CommandName, _ journal: String?) -> [String] {
        // A file is read; an option may write it.
        guard FileSystem.resolved(typed) == nil else { return [] }
        let options = CommandTable.definition(of: command).options
        if let journal, let number = Int(typed), number > 0, options.contains(.range) {
            let lines = [
                Advice(journal).command(.show, [typed]), Advice(journal).command(command, [], [(.range, "..\(typed)")]),
            ]
            return ["write \(ShellQuoting.inSentence(lines[0]))", "write \(ShellQuoting.inSentence(lines[1]))"]
        }
        if let journal, command == .info, ["breakpoints", "watchpoints", "checkpoints", "display"].contains(typed) {
            return ["write \(ShellQuoting.inSentence(Advice(journal).command(.debug)))"]
        }
        if let journal, command == .marks || command == .info {
            return ["write \(ShellQuoting.inSentence(Advice(journal).command(.grep, [typed])))"]
        }
        guard options.contains(.output), typed.dropLast().contains("."), !UTF8Order.begins(typed, with: "."),
            !UTF8Order.begins(typed, with: "/")
        else { return [] }
        return ["write \(Self.words(of: .output, typed))"]
    }

    private static func words(of option: Option, _ value: String) -> String {
        ShellQuoting.inSentence(ShellQuoting.line(Advice.words(of: (option, value))))
    }

    private static func isPath(_ typed: String) -> Bool {
        typed.contains { $0 == "/" || $0 == "." }
    }

    private func nearestOption(to typed: String, of command: CommandName?) -> [String] {
        let known = OptionTable.options(of: command).map(\.typed)
        return SimilarNames.nearest(to: typed, in: known).map { "write '\($0)'" }
    }

    private func pointer(to command: CommandName?) -> String {
        guard let command else { return "'state-inspect -h' lists the options" }
        return "'state-inspect \(command.rawValue) -h' shows what it takes"
    }

    private func quoted(_ typed: String) -> String { "'" + typed + "'" }

    private func listed(_ options: [Option], _ word: String = "and") -> String {
        let quoted = options.map { "'\($0.typed)'" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
        return quoted.dropLast().joined(separator: ", ") + " \(word) " + last
    }
}
