package import Diagnostics
import JSONCore

/// Writes a problem as a person reads it: what, where, the text with carets, why, and what to type.
///
/// ```
/// state-inspect: error: this '(' is never closed
///  --> query:1:7
/// 1 | select(.cart.total > 100
///   |       ^ opened here     ^ the query ends here
/// help: add ')' at the end
/// ```
package struct DiagnosticRenderer {
    private let width: Int?

    package init(width: Int?) { self.width = width }

    package func lines(_ diagnostic: Diagnostic) -> [StoryLine] {
        let role: Style.Role = diagnostic.severity == .error ? .error : .warning
        return ["state-inspect: \(diagnostic.severity.rawValue + ":", role) \(diagnostic.message, .heading)"]
            + (diagnostic.place.map(lines) ?? []) + diagnostic.notes.map { "\("note:", .note) \($0)" }
            + diagnostic.help.map { "\("help:", .help) \($0)" }
    }

    private func lines(of place: Place) -> [StoryLine] {
        switch place {
        case .file(let path, let line, let byte, let length):
            return ["\(" -->", .location) \(Self.file(path: path, line: line, byte: byte, length: length))"]
        case .source(let excerpt):
            let (line, column) = excerpt.lineAndColumn(of: excerpt.marks.first?.range.lowerBound ?? 0)
            return ["\(" -->", .location) \(excerpt.name):\(line):\(column)\(excerpt.suffix ?? "")"]
                + MarkedSource(excerpt, width: width).lines
        }
    }

    /// `shop.jsonl:415 (byte 90112, 37 bytes)`, as much of it as is known.
    package static func file(path: String, line: Int?, byte: Int?, length: Int?) -> String {
        var text = ControlCharacters.escaped(path)
        if let line { text += ":\(line)" }
        var details: [String] = []
        if let byte { details.append("byte \(byte)") }
        if let length { details.append(length.counted("byte")) }
        return details.isEmpty ? text : text + " (" + details.joined(separator: ", ") + ")"
    }
}

/// Writes a problem as one line of JSON: `{"kind":"error","code":…,"message":…,"place":{…},"notes":[…],"help":[…]}`.
enum DiagnosticJSON {
    static func line(_ diagnostic: Diagnostic) -> String {
        func texts(_ texts: [String]) -> JSONValue? { texts.isEmpty ? nil : .array(texts.map { .string($0) }) }
        return line([
            "kind": .string(diagnostic.severity.rawValue), "code": .string(diagnostic.code),
            "message": .string(diagnostic.message), "place": diagnostic.place.map(value),
            "notes": texts(diagnostic.notes), "help": texts(diagnostic.help),
        ])
    }

    static func note(_ text: String) -> String { line(["kind": "note", "message": .string(text)]) }

    /// Standard error is mostly a terminal or a log, so nothing acts on it; as JSON it means the same.
    private static func line(_ members: KeyValuePairs<String, JSONValue?>) -> String {
        LogLine.defused(ControlCharacters.escapedJSON(JSONValue.members(members).text())) + "\n"
    }

    private static func value(_ place: Place) -> JSONValue {
        switch place {
        case .file(let path, let line, let byte, let length):
            return .members([
                "file": .string(path), "line": line.map { .number($0) }, "byte": byte.map { .number($0) },
                "length": length.map { .number($0) },
            ])
        case .source(let excerpt):
            let (line, column) = excerpt.lineAndColumn(of: excerpt.marks.first?.range.lowerBound ?? 0)
            return .members([
                "source": .string(excerpt.name), "line": .number(line), "column": .number(column),
                "text": .string(excerpt.text), "marks": .array(excerpt.marks.map(value)),
            ])
        }
    }

    /// A mark by its byte offsets, as `{"from":6,"to":7,"label":…}`.
    private static func value(_ mark: SourceExcerpt.Mark) -> JSONValue {
        .members([
            "from": .number(mark.range.lowerBound), "to": .number(mark.range.upperBound),
            "label": mark.label.map { .string($0) },
        ])
    }
}

/// A message may quote a value, a name or a mark. These are not searched for, since a query can spell a value in any
/// way: whole parts of a message are left out instead, by its code. A code that is not in this table keeps its code and
/// its place alone, so that a new message cannot quote a value by mistake.
extension Diagnostic {
    var withoutQuotes: Diagnostic {
        let quoting = Quoting(code)
        var kept = self
        if let sentence = quoting.sentence { kept.message = sentence }
        if quoting.notes { kept.notes = [] }
        if quoting.help { kept.help = [] }
        if kept != self { kept.notes.append("more is left out, since it may quote a redacted value") }
        return kept
    }
}

private struct Quoting {
    /// What the message becomes; nil where it has numbers, file names and what was typed only.
    var sentence: String?
    var notes = false
    var help = false

    init(_ code: String) {
        switch code {
        // Its notes count positions.
        case "query.failed": sentence = "the query fails"
        case "query.no-such-path", "position.no-mark": help = true
        case "query.no-such-store", "store.unknown": (notes, help) = (true, true)
        case "journal.patch": (sentence, notes) = ("a patch does not apply to its store", true)
        case "journal.store-not-open": (sentence, notes) = ("a commit is of a store that is not open", false)
        case "journal.sequence": sentence = "the records do not count up"
        case "journal.record", "journal.old", "journal.not-a-journal": notes = true
        default:
            if Self.isFree(code) { return }
            self = Quoting(sentence: "a problem of the kind '\(code)'")
        }
    }

    private init(sentence: String) { (self.sentence, notes, help) = (sentence, true, true) }

    /// Whether the words of a code, or of all codes of an area, are made of numbers, file names and what was typed.
    private static func isFree(_ code: String) -> Bool {
        let area = code.prefix { $0 != "." }
        return freeAreas.contains(String(area)) || freeCodes.contains(code)
    }

    private static let freeAreas: Set<String> = [
        "bisect", "check", "commits", "output", "position", "positions", "redact", "report", "source", "usage",
    ]
    private static let freeCodes: Set<String> = [
        "definitions.unreadable", "input.unreadable", "journal.cut", "journal.damage", "journal.directory",
        "journal.empty", "journal.empty-folder", "journal.keyframe", "journal.line-too-long", "journal.missing",
        "journal.newer-version", "journal.no-unpacker", "journal.not-a-file", "journal.permission", "journal.pipe",
        "journal.second-header", "journal.shorter", "journal.sum", "journal.system", "journal.torn-tail",
        "journal.unpacking", "journal.unpacks-too-large", "journal.unreadable", "query.absent-path",
        "query.assignment", "query.constant", "query.empty", "query.limit", "query.store-twice",
        "query.text-for-number",
    ]
}
