package import Platform

package enum OutputFormat: String, CaseIterable, Sendable {
    case human, json

    /// Without an option, people get `human`, and programs what the environment says, `json` otherwise.
    ///
    /// A report for another tool is for programs; annotations stand beside the story in a workflow's log, or beside the
    /// data of '--json'.
    package static func chosen(
        by typed: TypedArguments, isTerminal: Bool, _ environment: Environment
    ) throws(UsageError) -> OutputFormat {
        switch try ReportFormat.chosen(by: typed) {
        case .human?: .human
        case .json?, .sarif?, .junit?, .markdown?, .mermaid?: .json
        case .github?: typed.has(.json) ? .json : .human
        case nil: isTerminal ? .human : try ofPipes(environment, typed.command)
        }
    }

    package static let variable = "STATE_INSPECT_FORMAT"

    private static func ofPipes(
        _ environment: Environment, _ command: CommandName?
    ) throws(UsageError) -> OutputFormat {
        guard let text = environment[variable], !text.isEmpty else { return .json }
        guard let format = OutputFormat(rawValue: text) else {
            throw .environment(variable, text, expected: allCases.map { "'\($0.rawValue)'" }.joined(separator: " or "))
        }
        // What is written as another program reads it is not for people, whatever the environment says.
        return CommandTable.isAnswer(of: command) ? format : .json
    }

    package static let limitVariable = "STATE_INSPECT_LIMIT"

    package func limit(
        _ typed: TypedArguments, _ terminal: Terminal, _ environment: Environment
    ) throws(UsageError) -> Int? {
        // What goes on until it is stopped has no end at which to say what is left out.
        guard self == .human, !terminal.isTerminal, !typed.has(.full),
            CommandTable.isAnswer(of: typed.command), !typed.has(.follow),
            let text = environment[Self.limitVariable], !text.isEmpty
        else { return nil }
        guard let limit = Int(text), limit >= AnswerFit.leastLimit else {
            throw .environment(
                Self.limitVariable, text, expected: "a number of bytes from \(AnswerFit.leastLimit.grouped)")
        }
        return limit
    }
}

/// What can be typed after `--format`: besides the two of every command, those that other tools read.
package enum ReportFormat: String, CaseIterable, Sendable {
    case human, json
    /// Annotations of a GitHub workflow on standard error, beside the usual answer.
    case github
    case sarif
    case junit
    case markdown
    case mermaid

    private var commands: Set<CommandName>? {
        switch self {
        case .human, .json: nil
        case .github, .sarif: [.check, .bisect, .suspects]
        case .markdown: [.check, .bisect, .suspects, .why]
        case .junit: [.check]
        case .mermaid: [.why]
        }
    }

    /// Whether it is one text that is written in place of the answer.
    package var isDocument: Bool { commands != nil && self != .github }

    static func formats(of command: CommandName?) -> [ReportFormat] {
        allCases.filter { format in format.commands.map { command.map($0.contains) ?? false } ?? true }
    }

    package static func chosen(by typed: TypedArguments) throws(UsageError) -> ReportFormat? {
        guard var text = typed.value(.format) else { return nil }
        // There '--json' does not select another format: it selects what is written beside the annotations.
        if typed.has(.json), let other = typed.all(.format).last(where: { $0 != json.rawValue }),
            other == github.rawValue
        {
            text = other
        }
        let known = formats(of: typed.command)
        guard let format = known.first(where: { $0.rawValue == text }) else {
            throw .value(.format, text, expected: known.map { "'\($0.rawValue)'" }.joined(separator: ", "))
        }
        return format
    }
}
