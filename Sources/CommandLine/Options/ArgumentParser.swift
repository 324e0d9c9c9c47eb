import Interchange
import JSONCore

/// Reads `--option=value`, `--option value`, `-n5`, `-n 5` and letters in one word (`-re`); `--` ends the options, and
/// `-` alone is an operand (standard input).
///
/// Options may stand before the command's name. A request for help or the version ends the reading, so that it is
/// answered whatever else is wrong.
package struct ArgumentParser {
    private let arguments: [String]
    private var next = 0
    /// What has been read so far; whole once `readAll` has returned, and still of use where it has thrown.
    package var typed = TypedArguments()

    package init(_ arguments: [String]) { self.arguments = arguments }

    package mutating func readAll() throws(UsageError) {
        while let argument = take() {
            try read(argument)
            if typed.has(.help) || typed.has(.version) { return }
        }
    }

    /// - Returns: the first thing that the table does not know.
    package mutating func problem() -> UsageError? {
        do throws(UsageError) { try readAll() } catch { return error }
        return nil
    }

    private mutating func read(_ argument: String) throws(UsageError) {
        if argument == "--" {
            while let operand = take() { try addOperand(operand) }
        } else if argument.utf8.starts(with: "--".utf8) {
            try readLong(argument)
        } else if argument.utf8.first == UInt8(ascii: "-"), argument.utf8.count > 1 {
            try readShort(argument)
        } else {
            try addOperand(argument)
        }
    }

    private mutating func take() -> String? {
        guard next < arguments.count else { return nil }
        defer { next += 1 }
        return arguments[next]
    }

    private mutating func addOperand(_ text: String) throws(UsageError) {
        guard typed.command == nil else { return typed.addOperand(text) }
        guard let command = CommandName(rawValue: text) else { throw .unknownCommand(text) }
        typed.command = command
    }

    /// `--option`, `--option=value` or `--option value`.
    private mutating func readLong(_ argument: String) throws(UsageError) {
        let body = argument.dropFirst(2)
        let parts = body.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let option = try option(named: parts.first.map(String.init) ?? "")
        let value = parts.count > 1 ? String(parts[1]) : nil
        if option == .format, let name = parts.first, name != option.name {
            // '--github' is short for '--format github'.
            if let value { throw .unexpectedValue(Option(String(name), ""), value) }
            return typed.add(.format, String(name))
        }
        try store(option, spelling: option.typed, attached: value)
    }

    private func isFormat(_ name: String) -> Bool {
        let exported = ExportFormat.allCases.map(\.rawValue)
        return ReportFormat.formats(of: typed.command).contains { $0.rawValue == name }
            || typed.command == .export && (exported.contains(name) || FormatNames.format(name, exported) != nil)
    }

    /// `-n5`, `-n 5` or several switches in one word.
    private mutating func readShort(_ argument: String) throws(UsageError) {
        var letters = argument.dropFirst()
        // As git has it, '-5' is '-n 5'.
        if letters.allSatisfy({ $0.isASCII && $0.isNumber }), let count = option("n"), count.argument != nil {
            return try store(count, spelling: argument, attached: String(letters))
        }
        while let letter = letters.popFirst() {
            guard let option = option(letter) else {
                // '-bad' is most likely '--bad'.
                let name = String(argument.dropFirst().prefix { $0 != "=" })
                let isLong = OptionTable.options(of: typed.command).contains { UTF8Order.equal($0.name, name) }
                throw .unknownOption(letter.isLetter && !isLong ? "-\(letter)" : argument, typed.command)
            }
            if option.argument != nil, !letters.isEmpty {
                return try store(option, spelling: "-\(letter)", attached: String(letters))
            }
            try store(option, spelling: "-\(letter)", attached: nil)
        }
    }

    private func option(_ letter: Character) -> Option? {
        OptionTable.options(of: typed.command).first { $0.short == letter }
    }

    /// The option as the command knows it; before the command's name, one that every command knows.
    private func option(named name: String) throws(UsageError) -> Option {
        if let option = OptionTable.options(of: typed.command).first(where: { $0.name == name }) { return option }
        if isFormat(name) { return .format }
        if let command = typed.command, let other = OptionTable.all.first(where: { $0.option.name == name }) {
            throw .foreignOption(other.option, command)
        }
        throw .unknownOption("--" + name, typed.command)
    }

    private mutating func store(_ option: Option, spelling: String, attached: String?) throws(UsageError) {
        if option.takesRest {
            let rest = (attached.map { [$0] } ?? []) + arguments[next...]
            guard !rest.isEmpty else { throw .emptyRun }
            next = arguments.count
            return typed.add(option, rest: rest)
        }
        guard option.argument != nil else {
            if let attached { throw .unexpectedValue(option, attached) }
            return typed.add(option, spelling)
        }
        guard let value = attached ?? take() else { throw .missingValue(option, synopsis: option.synopsis) }
        guard option.second != nil else {
            if let first = typed.value(option), !option.isRepeatable, option != .format, option != .color {
                throw .value(option, value, expected: "the only one: '\(first)' was given before")
            }
            typed.add(option, value)
            while option.takesSeveral, next < arguments.count, !arguments[next].utf8.starts(with: "-".utf8) {
                typed.add(option, arguments[next])
                next += 1
            }
            return
        }
        guard let second = take() else { throw .missingValue(option, synopsis: option.synopsis) }
        typed.add(option, named: value, second)
    }
}
