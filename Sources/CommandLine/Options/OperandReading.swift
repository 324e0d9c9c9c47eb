import Interchange
import JSONCore
import JournalReading
import Platform
import QueryLanguage

/// An existing file is a journal; what reads as a position is one; everything else is a path or a query.
///
/// What the command takes by an option only becomes that option, where one alone can be meant:
/// `bisect run.jsonl '.cart.total < 0'` is `bisect run.jsonl --bad '.cart.total < 0'`. Nothing that was right without
/// this changes its meaning.
struct OperandReading {
    private var typed: TypedArguments
    private let command: CommandDefinition

    init(_ typed: TypedArguments, _ command: CommandDefinition) {
        (self.typed, self.command) = (typed, command)
    }

    func arguments() throws(UsageError) -> TypedArguments {
        var reading = self
        if command.name == .query { reading.placeQuery() }
        guard let place = command.operands.firstIndex(where: \.isJournal) else { return reading.typed }
        if command.name == .export { reading.placeFormat() }
        try reading.placeJournals(place)
        return reading.typed
    }

    // MARK: Places

    /// A file before the query comes after it; a file alone is printed.
    private mutating func placeQuery() {
        guard !typed.has(.fromFile), let first = typed.operands.first, isFile(first) else { return }
        if let query = typed.operands.firstIndex(where: { !isFile($0) }) {
            typed.operands.insert(typed.operands.remove(at: query), at: 0)
        } else if typed.operands.count == 1, UTF8Order.begins(first, with: "/") || (try? Query(first)) == nil {
            typed.operands.insert(".", at: 0)
        }
    }

    /// The format of an export, after the journal or as an option.
    private mutating func placeFormat() {
        let known = ExportFormat.allCases.map(\.rawValue)
        func isFormat(_ word: String) -> Bool { known.contains(word) || FormatNames.format(word, known) != nil }
        if let format = typed.value(.format), isFormat(format), !typed.operands.contains(where: isFormat) {
            typed.remove(.format)
            typed.operands.insert(format, at: 0)
        } else if typed.has(.csv), typed.operands.count == 1, !isFormat(typed.operands[0]) {
            typed.remove(.csv)
            typed.operands.insert("csv", at: 0)
        } else if let place = typed.operands.firstIndex(where: { isFormat($0) && !isFile($0) }) {
            typed.operands.insert(typed.operands.remove(at: place), at: 0)
        }
    }

    /// Two runs, each at its end, are compared there.
    private mutating func placeEnds() {
        let runs = typed.operands.filter(isFile)
        guard runs.count == 2, typed.operands.count == 4, typed.operands.filter({ $0 == "end" }).count == 2 else {
            return
        }
        typed.operands = runs
        if !typed.has(.final) { typed.add(.final, Option.final.typed) }
    }

    private mutating func placeJournals(_ place: Int) throws(UsageError) {
        guard typed.operands.count > place else { return }
        if command.name == .diff { placeEnds() }
        if command.name == .bisect, CommandWords.isStep(typed.operands[0]), !isFile(typed.operands[0]) {
            throw .extraOperand(.bisect, typed.operands[0], journal: typed.operands.first(where: isFile))
        }
        let isRepeated = command.operands[place].isRepeated
        let journal = typed.operands[place...].firstIndex(where: isFile) ?? typed.operands.firstIndex(where: isFile)
        // The name of a journal that is not there stays in its place among others.
        let isMissing = isRepeated && typed.operands[place].contains(".jsonl")
        if let journal, !isFile(typed.operands[place]), !isMissing {
            typed.operands.insert(typed.operands.remove(at: journal), at: place)
        } else if journal == nil, let option = questionWithFile {
            // The journal stands where the question does, and the question where the journal does.
            let file = typed.value(option) ?? ""
            typed.remove(option)
            typed.add(option, typed.operands[place])
            typed.operands[place] = file
        } else if journal == nil, isNoJournal(typed.operands[place]) {
            throw .missingOperand(command.name, command.operands[place].name)
        }
        let before = Array(typed.operands[..<place])
        var journals = [typed.operands[place]]
        var others = Array(typed.operands[(place + 1)...])
        if isRepeated {
            journals += others.filter { !isNoJournal($0) }
            others.removeAll { !isNoJournal($0) }
        }
        typed.operands = before + journals
        try placeOthers(others, after: place)
    }

    private var questionWithFile: Option? {
        [Option.bad, .good, .select, .where, .invariant].first { typed.value($0).map(isFile) ?? false }
    }

    private mutating func placeOthers(_ others: [String], after place: Int) throws(UsageError) {
        var others = others
        for slot in command.operands[(place + 1)...] {
            repeat {
                guard let index = others.firstIndex(where: { fits($0, slot) }) else { break }
                let text = others.remove(at: index)
                if slot.completion == .path, let number = Int(text), number > 0 {
                    let line = Advice(typed.operands[place]).command(.show, [text])
                    throw .operand(
                        slot.name, text, expected: "a path: \(ShellQuoting.inSentence(line)) shows that commit")
                }
                typed.operands.append(text)
            } while slot.isRepeated
        }
        placeEnds(&others)
        for text in others {
            if let range = ends(of: text) {
                typed.add(.from, range.from)
                typed.add(.to, range.to)
            } else if let option = option(for: text) {
                typed.add(option, option == .select ? BarePath.pointer(text, typed) : text)
            } else {
                throw .extraOperand(command.name, text, journal: typed.operands[place])
            }
        }
    }

    private mutating func placeEnds(_ others: inout [String]) {
        let positions = others.filter(isPosition)
        guard positions.count == 2, command.options.contains(.from), !typed.has(.from), !typed.has(.to) else { return }
        typed.add(.from, positions[0])
        typed.add(.to, positions[1])
        others.removeAll(where: isPosition)
    }

    private func fits(_ text: String, _ slot: CommandDefinition.Operand) -> Bool {
        switch slot.completion {
        case .position where !isPosition(text): !command.options.contains(.select)
        case .path where isPosition(text) || isRange(text): option(for: text) == nil
        case .file where isPosition(text): !slot.isRequired && option(for: text) == nil || slot.isRequired
        default: true
        }
    }

    // MARK: Options

    /// Nil where no option is meant, or it cannot be repeated.
    private func option(for text: String) -> Option? {
        let free = command.options.filter { $0.isRepeatable || !typed.has($0) }
        func first(_ options: [Option]) -> Option? { options.first(where: free.contains) }
        if isFile(text) {
            return UTF8Order.ends(text, with: ".jq") ? first([.invariants, .definitions]) : nil
        }
        if isRange(text), let range = first([.range]) { return range }
        if isPosition(text) { return first([.at]) }
        // What a file is written to is typed with its option.
        if isOutput(text) { return nil }
        if text.firstMatch(of: /\.[a-z]+:\d+$/) != nil, let source = first([.source]) { return source }
        let isAsked = [Option.bad, .good, .run, .interactive].contains(where: typed.has)
        // They are counted by a command of their own.
        if command.name == .stats, text == "derived" { return nil }
        let isPlace = BarePath.isPlain(text)
        if Int(text) != nil { return nil }
        return first((isAsked ? [] : [.bad]) + [.invariant, .select] + (isPlace ? [.path] : []) + [.where])
    }

    /// The ends of a range, for a command that has an option for each.
    private func ends(of text: String) -> (from: String, to: String)? {
        guard isRange(text), command.options.contains(.from), !command.options.contains(.range), !typed.has(.from),
            !typed.has(.to), let dots = text.firstRange(of: "..")
        else { return nil }
        let (from, to) = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
        return (from.isEmpty ? "start" : from, to.isEmpty ? "end" : to)
    }

    // MARK: Kinds

    /// A folder is one too, but for the names that are also queries.
    private func isFile(_ text: String) -> Bool {
        ![".", "..", "/"].contains(text) && JournalFiles.isThere(text)
    }

    private func isPosition(_ text: String) -> Bool { (try? PositionText(parsing: text)) != nil }
    private func isRange(_ text: String) -> Bool { text.contains("..") && (try? RangeText(parsing: text)) != nil }

    private func isOutput(_ text: String) -> Bool {
        command.options.contains(.output) && !UTF8Order.begins(text, with: ".") && !UTF8Order.begins(text, with: "/")
            && [".jsonl", ".json", ".html", ".htm", ".csv", ".gz", ".zst"].contains { UTF8Order.ends(text, with: $0) }
    }

    /// Whether a text that leads to no file is more likely a query or a position than the name of a missing journal.
    private func isNoJournal(_ text: String) -> Bool {
        if JournalFiles.isThere(text) || text.contains(".jsonl") { return UTF8Order.ends(text, with: ".jq") }
        if isPosition(text) || isRange(text) || [".html", ".htm"].contains(where: { UTF8Order.ends(text, with: $0) }) {
            return true
        }
        if text.unicodeScalars.contains(where: { " <>=|()[]".unicodeScalars.contains($0) }) { return true }
        return UTF8Order.begins(text, with: ".") && !text.contains("/")
    }
}
