import Diagnostics
import JSONCore

/// The suggested commands can be pasted: they are quoted, have the same `--store` and `--recover`, and hold no query.
package struct Advice {
    package typealias TypedOption = (option: Option, value: String?)

    private let journal: String
    private let store: String?
    package let recovers: Bool

    package init(_ journal: String, _ scope: StoreScope = StoreScope(store: nil)) {
        self.journal = journal
        store = scope.store
        recovers = scope.recovers
    }

    package var isPossible: Bool { !JournalFiles.isReadOnce(journal) }

    package func command(_ command: CommandName, _ operands: [String] = [], _ options: [TypedOption] = []) -> String {
        let known = OptionTable.options(of: command)
        var options = options
        if let store, known.contains(.store) { options.append((.store, store)) }
        if recovers, known.contains(.recover) { options.append((.recover, nil)) }
        let typed = options.flatMap { option -> [String] in
            assert(known.contains(option.option), "'\(command.rawValue)' has no '\(option.option.typed)'")
            return Self.words(of: option)
        }
        return Self.line(command, [journal] + operands, typed)
    }

    package static func line(_ command: CommandName, _ operands: [String], _ options: [String] = []) -> String {
        // An operand that begins with a hyphen must follow '--', or it is read as an option.
        let isPlain = !operands.contains { UTF8Order.begins($0, with: "-") && $0 != "-" }
        return line([command.rawValue] + (isPlain ? operands + options : options + ["--"] + operands))
    }

    /// A file that the line would write over, whether or not that was typed, gets a name that is free.
    package static func line(_ words: [String]) -> String {
        var words = words
        // What follows these is no option of this program.
        let end = words.firstIndex { $0 == "--" || $0 == Option.run.typed } ?? words.endIndex
        for index in words.indices[..<end] {
            for option in [Option.output, .repair] {
                let short = option.short.map { "-" + String($0) }
                if words[index] == option.typed || words[index] == short, index + 1 < words.endIndex {
                    words[index + 1] = FreeName.of(words[index + 1])
                } else if UTF8Order.begins(words[index], with: option.typed + "=") {
                    words[index] = option.typed + "=" + FreeName.of(words[index].dropFirst(option.typed.count + 1))
                } else if let short, UTF8Order.begins(words[index], with: short),
                    !UTF8Order.begins(words[index], with: "--")
                {
                    words[index] = short + FreeName.of(words[index].dropFirst(short.count))
                }
            }
        }
        return ShellQuoting.line(["state-inspect"] + words)
    }

    /// A value that looks like another option is tied to its option.
    package static func words(of option: TypedOption) -> [String] {
        let name = option.option.short.map { "-" + String($0) } ?? option.option.typed
        guard let value = option.value else { return [name] }
        return UTF8Order.begins(value, with: "-") ? [option.option.typed + "=" + value] : [name, value]
    }

    /// After an empty line; nothing where there are no commands.
    package static func lookFurther(_ commands: [String]) -> [StoryLine] {
        commands.isEmpty
            ? []
            : ["", "\("look further:", .dim)  \(commands[0], .command)"]
                + commands.dropFirst().map { StoryLine(margin: 15) + "\($0, .command)" }
    }

    /// A help line as `'state-inspect verify run.jsonl' lists all damage`; nothing where the journal cannot be read again.
    package func help(
        _ command: CommandName, _ operands: [String] = [], _ options: [TypedOption] = [], to purpose: String
    ) -> [String] {
        isPossible ? [Self.sentence(self.command(command, operands, options), purpose)] : []
    }

    /// A line with quotes of its own ends the sentence, so that it is pasted without other quotes.
    package static func sentence(_ line: String, _ purpose: String) -> String {
        let quoted = ShellQuoting.inSentence(line)
        return quoted == line ? "this \(purpose): \(line)" : "\(quoted) \(purpose)"
    }
}
