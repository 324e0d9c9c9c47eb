import Diagnostics

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
