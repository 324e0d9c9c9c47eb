import Interchange
import JSONCore
import JournalFormat
import JournalReading

/// `import jsonl FILE --suggest`: a first guess at what the lines of a log mean, as a command to paste.
struct ImportSuggestion {
    private let path: String

    /// Of a file, or of `-`.
    init(_ path: String) { self.path = path }

    /// How much of a file is looked at.
    private static let limit = 8 << 20

    /// Prints the command.
    func report(in context: CommandContext) throws -> ExitStatus {
        var (suggestion, first) = (LineSuggestion(), JSONValue?.none)
        var cutsPrefix = false
        let lines = try Self.lines(of: path)
        guard !lines.isEmpty else { throw ImportError(file: path, line: nil, fault: .empty) }
        for line in lines {
            let start = line.firstIndex(of: UInt8(ascii: "{"))
            if let value = try? JSONParser.parse(line) {
                suggestion.note(value)
                first = first ?? value
            } else if let start, let value = try? JSONParser.parse(Array(line[start...])) {
                cutsPrefix = true
                suggestion.note(value)
            }
        }
        if let first, let likeness = ImportFormat.likeness(of: first),
            let text = ImportAdvice(path).sentence(for: likeness)
        {
            context.messages.note(text)
        }
        let guesses = suggestion.guesses
        guard !guesses.isEmpty else {
            guard suggestion.lines > 0 else {
                context.messages.note("no line of '\(path)' is JSON, or has any after other text")
                return .negative
            }
            context.messages.note(
                "no member of the first \(suggestion.lines) lines of '\(path)' looks like a state: '--state .' takes each line "
                    + "whole, '--set /total=.sum' single values")
            return .negative
        }
        var words = ["state-inspect", CommandName.import.rawValue, ImportFormat.jsonl.rawValue]
        if path != "-" { words.append(path) }
        if cutsPrefix { words.append(Option.prefix.typed) }
        for guess in guesses { words += ["--" + guess.option, guess.value] }
        try context.output.writeLine(ShellQuoting.line(words + ["-o", Self.journalName(path)]))
        for guess in guesses { context.messages.note("--\(guess.option) \(guess.value): \(guess.reason)") }
        return .done
    }

    /// What a file that was typed in the place of a format looks like; nil where it is none.
    static func likeness(ofFile path: String) -> String? {
        guard path != "-", let lines = try? lines(of: path), let first = lines.first else { return nil }
        let advice = ImportAdvice(path)
        guard let value = try? JSONParser.parse(first), let likeness = ImportFormat.likeness(of: value) else {
            return "a format stands before the file: '\(advice.suggestion)'"
        }
        return advice.sentence(for: likeness)
    }

    private static func lines(of path: String) throws -> [[UInt8]] {
        let input = try ByteInput(path)
        var bytes: [UInt8] = []
        while bytes.count < limit, try input.read(commits: 0, { bytes.append(contentsOf: $0) }) {}
        let lines = bytes.split(separator: UInt8(ascii: "\n")).prefix(LineSuggestion.lineCount)
        return lines.map(Array.init)
    }

    private static func journalName(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? "run"
        let stem = name.split(separator: ".").first.map(String.init) ?? "run"
        let journal = (path == "-" ? "run" : stem) + ".jsonl"
        return journal == name ? stem + ".journal.jsonl" : journal
    }
}
