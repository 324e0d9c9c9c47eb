import CommandLine
import Diagnostics
import JSONCore
import JournalReading
import TimeTravel

struct DebugLine: Equatable, Sendable {
    let verb: DebugVerb
    let rest: String

    /// Nil for a line without a command; a command may be abbreviated as long as it is the only one that begins so, or
    /// that is an abbreviation of its own.
    init?(parsing line: String) throws(CommandFailure) {
        let text = DebugLine.trimmed(line[...])
        guard let first = text.first, first != "#" else { return nil }
        let word = text.prefix { $0.isLetter || $0 == "-" || $0 == "_" }
        let isSign = "!/?".contains(first)
        let typed = isSign ? String(first) : String(word.isEmpty ? text.prefix { !$0.isWhitespace } : word)
        let rest = String(DebugLine.trimmed(text.dropFirst(typed.count)))
        do throws(CommandFailure) {
            verb = try DebugLine.verb(typed, before: rest)
            self.rest = DebugLine.plain(rest, after: verb, isAttached: text.dropFirst(typed.count).first == "/")
        } catch {
            // A position alone is one to go to.
            guard (try? PositionText(parsing: String(text))) != nil else { throw error }
            (verb, self.rest) = (.goto, String(text))
        }
    }

    /// Drops what gdb takes and this debugger does not need: the format of `print/x`, the `-l` of `watch -l`.
    private static func plain(_ rest: String, after verb: DebugVerb, isAttached: Bool) -> String {
        let words = rest.split(separator: " ", maxSplits: 1).map(String.init)
        let isFormat = isAttached && [.print, .display].contains(verb) && words.count == 2 && words[0].utf8.count <= 4
        let isLocation = verb == .watch && ["-l", "-location"].contains(words.first)
        return isFormat || isLocation ? String(trimmed(rest.dropFirst(words[0].count))) : rest
    }

    var words: [String] { rest.split(whereSeparator: \.isWhitespace).map(String.init) }

    /// - Parameter rest: what follows the word, for what to type instead.
    static func verb(_ typed: String, before rest: String = "") throws(CommandFailure) -> DebugVerb {
        if let verb = DebugVerb(rawValue: typed) { return verb }
        if let found = DebugVerbTable.all.first(where: { $0.short.contains(typed) }) { return found.verb }
        let names = DebugVerb.allCases.map(\.rawValue)
        let meant = typed.isEmpty ? [] : names.filter { UTF8Order.begins($0, with: typed) }
        if meant.count == 1, let verb = DebugVerb(rawValue: meant[0]) { return verb }
        if meant.isEmpty, let advice = DebugVerbTable.advice(for: typed, before: rest) {
            throw CommandFailure(
                .usage,
                Diagnostic(code: "debug.unknown-command", "there is no command '\(typed)'", help: [advice]))
        }
        if !meant.isEmpty {
            let listed = meant.map { "'\($0)'" }.joined(separator: ", ")
            throw CommandFailure(
                .usage, Diagnostic(code: "debug.ambiguous", "'\(typed)' may be any of \(listed)", help: []))
        }
        let nearest = SimilarNames.nearest(
            to: typed, in: names + DebugVerbTable.all.flatMap(\.short).filter { $0.count > 2 }
        ).map { "write '\($0)'" }
        throw CommandFailure(
            .usage,
            Diagnostic(
                code: "debug.unknown-command", "there is no command '\(typed)'",
                help: nearest.isEmpty ? ["'help' lists the commands"] : nearest))
    }

    static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    /// Both sides of the first sign that stands in no quotes and no brackets; nil where there is none.
    static func split(_ text: String, at sign: Character) -> (String, String)? {
        end(of: text[...], before: sign).map { index in
            (String(trimmed(text[..<index])), String(trimmed(text[text.index(after: index)...])))
        }
    }

    /// Where a query ends before a sign, which stands in no quotes and no brackets; nil where there is none.
    static func end(of text: Substring, before sign: Character) -> Substring.Index? {
        var depth = 0
        var isQuoted = false
        var isEscaped = false
        for index in text.indices {
            let character = text[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted {
                isEscaped = character == "\\"
                if character == "\"" { isQuoted = false }
            } else {
                switch character {
                case sign where depth <= 0: return index
                case "\"": isQuoted = true
                case "(", "[", "{": depth += 1
                case ")", "]", "}": depth -= 1
                default: break
                }
            }
        }
        return nil
    }
}

extension DebugLine {
    func usage(_ message: String, help: [String] = []) -> CommandFailure {
        CommandFailure(
            .usage,
            Diagnostic(
                code: "debug.argument", message,
                help: help.isEmpty ? ["write '\(DebugVerbTable.definition(of: verb).synopsis)'"] : help))
    }

    func condition(of text: String) throws(CommandFailure) -> (String, String?) {
        // Found with a space on both sides, wherever the text begins and ends.
        let padded = " " + text + " "
        guard let range = padded.firstRange(of: " if ") else { return (text, nil) }
        let condition = String(DebugLine.trimmed(padded[range.upperBound...]))
        if condition.isEmpty { throw usage("there is no query after 'if'") }
        return (String(DebugLine.trimmed(padded[..<range.lowerBound])), condition)
    }

    /// 1 unless it is typed.
    func count() throws(CommandFailure) -> Int {
        guard !rest.isEmpty else { return 1 }
        guard let count = Int(rest), count >= 1 else {
            throw usage("'\(rest)' is no number of times", help: ["write '\(verb.rawValue) 5', a number from 1"])
        }
        return count
    }

    func frame() throws(CommandFailure) -> Int {
        guard let number = Int(UTF8Order.begins(rest, with: "#") ? String(rest.dropFirst()) : rest), number >= 0 else {
            throw usage("'\(rest)' is not a number of 'bt'")
        }
        return number
    }

    func numbers() throws(CommandFailure) -> [Int] {
        var numbers: [Int] = []
        for word in words {
            guard let number = Int(word), number >= 1 else { throw usage("'\(word)' is no number of a stop") }
            numbers.append(number)
        }
        return numbers
    }

    func argument(_ name: String) throws(CommandFailure) -> String {
        if rest.isEmpty { throw usage("'\(verb.rawValue)' needs \(name)") }
        return rest
    }

    func checkAlone() throws(CommandFailure) {
        if !rest.isEmpty {
            throw usage("'\(verb.rawValue)' takes nothing after it", help: ["write '\(verb.rawValue)'"])
        }
    }
}

struct DebugSettings {
    /// Which way motions without `reverse` in their names go.
    var direction = SessionDirection.forward
    /// How many characters of a string, elements of an array and members of an object are printed; nil for all.
    var elements: Int?
    var isPaging = true

    /// How many are printed where a person reads, as in gdb.
    static let usualElements = 200
}

extension DebugInterpreter {
    func change(_ line: DebugLine) throws {
        let words = (line.verb == .set ? [] : ["exec-direction"]) + line.words
        switch (words.first, words.count) {
        case ("exec-direction", 1):
            try write("exec-direction is \(settings.direction == .forward ? "forward" : "reverse")")
        case ("exec-direction", 2) where words[1] == "forward": settings.direction = .forward
        case ("exec-direction", 2) where words[1] == "reverse": settings.direction = .backward
        case ("exec-direction", _): throw line.usage("a session goes 'forward' or 'reverse'")
        case ("print", 3) where words[1] == "elements", ("p", 3) where words[1] == "elements":
            if words[2] == "unlimited" || words[2] == "0" {
                settings.elements = nil
            } else if let count = Int(words[2]), count > 0 {
                settings.elements = count
            } else {
                throw line.usage("'\(words[2])' is not a number of elements")
            }
        case ("pagination", 2) where ["on", "off"].contains(words[1]): settings.isPaging = words[1] == "on"
        case ("var", _), ("variable", _):
            throw line.usage(
                "a run is recorded and cannot be changed", help: ["'skip N' leaves a commit out", "write 'print'"])
        default: throw line.usage("there is nothing of that name to set")
        }
    }
}
