import Platform
import JSONCore

/// Which operand stands where: the journal comes first, and a file that is written after '-o'.
struct OperandOrder {
    private let typed: TypedArguments
    private let command: CommandDefinition

    /// The operands that were typed for a command.
    init(_ typed: TypedArguments, _ command: CommandDefinition) {
        self.typed = typed
        self.command = command
    }

    /// Refuses operands in another order.
    ///
    /// - Parameter arguments: the whole command line, for the one to type instead.
    func check(_ arguments: [String]) throws(UsageError) {
        guard let place = command.operands.firstIndex(where: { $0.name == "JOURNAL" }), typed.operands.count > 1 else {
            return
        }
        try checkFiles()
        guard typed.operands.count > place, !JournalFiles.isThere(typed.operands[place]) else { return }
        // The name of a journal that is not there stands where it should.
        guard !typed.operands[place].contains(".jsonl") else { return }
        // After a format that was left out, or in the place of what the journal was typed after.
        guard
            let journal = typed.operands.enumerated().first(where: {
                $0.offset != place && JournalFiles.isThere($0.element)
            })
        else { return }
        // In no order would the command take them all.
        if typed.operands.count > command.operands.count, command.operands.last?.isRepeated != true {
            throw .extraOperand(command.name, typed.operands[place], given: Set(typed.options.map(\.option)))
        }
        throw .journalFirst(
            command.name, isFirst: place == 0, line: line(arguments, journal.element, at: place, from: journal.offset))
    }

    /// Refuses files that their endings show not to be journals.
    private func checkFiles() throws(UsageError) {
        for file in typed.operands {
            if UTF8Order.ends(file, with: ".jq"), JournalFiles.isThere(file),
                let option = [Option.invariants, .definitions].first(where: command.options.contains)
            {
                throw .fileOfOption(command.name, file, option)
            }
            if [".html", ".htm"].contains(where: { UTF8Order.ends(file, with: $0) }), !JournalFiles.isThere(file),
                !typed.has(.output),
                command.options.contains(.output)
            {
                throw .fileOfOption(command.name, file, .output)
            }
        }
    }

    /// The command line with the journal in its place.
    private func line(_ arguments: [String], _ journal: String, at place: Int, from old: Int) -> String {
        var words = arguments
        if let end = words.firstIndex(of: "--") {
            // What follows may begin as an option does, so it stays at the end, with what has to follow it.
            var operands = typed.operands
            operands.insert(operands.remove(at: old), at: place)
            let options = words[..<end].filter { !operands.contains($0) }
            return Advice.line(options + ["--"] + operands)
        }
        if let index = words.lastIndex(of: journal) { words.remove(at: index) }
        let other = words.lastIndex(of: typed.operands[place]) ?? words.count - 1
        words.insert(journal, at: old > place ? other : other + 1)
        return Advice.line(words)
    }
}
