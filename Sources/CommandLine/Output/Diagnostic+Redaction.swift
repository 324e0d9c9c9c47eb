import Diagnostics

/// What is left of a problem where some values of a journal are redacted.
///
/// A message may quote what it found: a value, in the words of a query that fails; the name of a member or of a store; the text
/// of a mark. Nothing of that is searched for secrets, since a query can spell a value in any way. Whole parts of a message are
/// left out instead, by what its code says of them. A code that is not in this table keeps its code and its place alone, so
/// that a new message cannot quote a value before somebody has thought of it.
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
