import JSONCore
import JournalReading
import Platform

/// What is meant by a command line whose first word is no command.
struct CommandGuess {
    private let word: String
    private let typed: [String]

    init(_ word: String, _ arguments: [String]) {
        self.word = word
        typed = arguments
    }

    /// The line with its command: for a journal alone it is `info`, for one with a position `show`.
    ///
    /// Nil where something else was typed.
    var arguments: [String]? {
        for command in [CommandName.info, .show] {
            let words = [command.rawValue] + typed
            var parser = ArgumentParser(words)
            guard parser.problem() == nil, parser.typed.operands.contains(where: JournalFiles.isThere) else { continue }
            let others = parser.typed.operands.filter { !JournalFiles.isThere($0) }
            let isMeant =
                command == .info
                ? parser.typed.operands.count == 1
                : others.count == 1 && parser.typed.operands.count == 2
                    && (try? PositionText(parsing: others[0])) != nil
            if isMeant { return words }
        }
        return nil
    }

    var problem: UsageError {
        if UTF8Order.begins(word, with: "-") { return .unknownOption(word, nil, line: line(withCommandAt: 0)) }
        if FileSystem.resolved(word) != nil { return .noCommand(word, line: lineWithCommand) }
        return .unknownCommand(word, line: lineWithMeantCommand)
    }

    /// The line with the first command that takes a file and all that was typed; nil where there is none.
    private var lineWithCommand: String? {
        guard let place = typed.firstIndex(of: word) else { return nil }
        return line(withCommandAt: place)
    }

    /// The line with the first command that takes what was typed, at a place; nil where there is none.
    private func line(withCommandAt place: Int) -> String? {
        let isCondition = typed.contains { text in ["<", ">", "=="].contains { text.contains($0) } }
        let likely: [CommandName] =
            [.show] + (isCondition ? [.bisect, .state] : [.state, .bisect]) + [.check, .log, .history, .debug]
        for name in likely + CommandName.allCases {
            let words = typed[..<place] + [name.rawValue] + typed[place...]
            if CommandTable.definition(of: name).operands.first?.name == "JOURNAL", isUnderstood(Array(words)) {
                return Advice.line(Array(words))
            }
        }
        return nil
    }

    /// The line with the command that a word of another program means; nil where the rest does not fit it.
    private var lineWithMeantCommand: String? {
        guard let place = typed.firstIndex(of: word), typed.count > 1 else { return nil }
        let near = CommandWords.near(word, before: Array(typed[(place + 1)...]))
        guard near.count == 1 else { return nil }
        let command = near[0].split(separator: " ").map(String.init)
        var rest = Array(typed[(place + 1)...])
        // A session takes journals, and where to begin; what is asked of it is typed there.
        if command == [CommandName.debug.rawValue] {
            rest.removeAll { text in
                !JournalFiles.isThere(text) && !UTF8Order.begins(text, with: "-")
                    && (try? PositionText(parsing: text)) == nil
            }
        }
        let words = typed[..<place] + command + rest
        return isUnderstood(Array(words)) ? Advice.line(Array(words)) : nil
    }

    private func isUnderstood(_ words: [String]) -> Bool {
        var parser = ArgumentParser(words)
        guard parser.problem() == nil, let name = parser.typed.command else { return false }
        let definition = CommandTable.definition(of: name)
        guard let read = try? OperandReading(parser.typed, definition).arguments(),
            read.operands.count >= definition.operands.count(where: \.isRequired),
            read.operands.count <= definition.operands.count || definition.operands.last?.isRepeated == true
        else { return false }
        // Without a question it asks a person, which needs a terminal.
        if name == .bisect, ![Option.bad, .good, .run, .interactive].contains(where: read.has) { return false }
        return (try? CommandTable.type(of: name).init(read)) != nil
    }
}
