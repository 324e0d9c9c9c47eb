public import Diagnostics
import JSONCore
public import JournalFormat

/// Why a typed position names no place in a journal.
public enum PositionError: DiagnosticConvertible {
    /// The text is not a position.
    case syntax(String)
    /// The text is not a range `A..B`.
    case rangeSyntax(String)
    /// A part of a list of commits is neither a number nor a range.
    case listSyntax(String)
    /// The range ends before it begins.
    case reversed(from: CommitNumber, to: CommitNumber)
    /// No mark contains the text.
    case noMark(String, nearest: String?, journal: String)
    /// Fewer marks contain the text than the number that was asked for.
    case fewerMarks(String, asked: Int, count: Int, journal: String)
    /// A position that many commits before the end lies before the journal's first one.
    case tooFarBack(Int, first: CommitNumber, last: CommitNumber, journal: String)
    /// The time is before the journal's first record.
    case beforeFirstTime(TypedTime, first: Timestamp, journal: String)
    /// The journal has no such position, or cannot be read.
    case journal(JournalError)

    /// Whether the text, the journal's contents or the journal itself is to blame.
    public enum Category: Sendable, Equatable {
        case usage
        case noSuchPosition
        case unreadable
    }

    /// Whether the text, the journal's contents or the journal itself is to blame.
    public var category: Category {
        switch self {
        case .syntax, .rangeSyntax, .listSyntax, .reversed: .usage
        case .noMark, .fewerMarks, .tooFarBack, .beforeFirstTime: .noSuchPosition
        case .journal(let error): error.category == .noSuchPosition ? .noSuchPosition : .unreadable
        }
    }

    /// The error in words.
    public var diagnostic: Diagnostic {
        switch self {
        case .syntax, .rangeSyntax, .listSyntax: return syntaxDiagnostic
        case .reversed(let from, let to):
            return Diagnostic(
                code: "position.reversed",
                "the range ends at commit \(to.rawValue), before it begins at \(from.rawValue)",
                help: ["name the earlier position first: \(to.rawValue), then \(from.rawValue)"])
        case .noMark(let text, let nearest, let journal):
            return Diagnostic(
                code: "position.no-mark", "no mark of '\(journal)' contains '\(text)'",
                help: nearest.map { ["write 'mark:\($0)'"] } ?? [])
        case .fewerMarks(let text, let asked, let count, let journal):
            return Diagnostic(
                code: "position.no-mark",
                "\(count) \(count == 1 ? "mark" : "marks") of '\(journal)' \(count == 1 ? "contains" : "contain") "
                    + "'\(text)', there is no number \(asked)",
                help: ["write 'mark:\(text)#\(count)' for the last"])
        case .tooFarBack(let back, let first, let last, let journal):
            return Diagnostic(
                code: "position.before-start", "position 'end-\(back)' is before the start of '\(journal)'",
                notes: ["it holds commits \(first) to \(last)"],
                help: ["write 'start' for the state before its first commit"])
        case .beforeFirstTime(let time, let first, let journal):
            return Diagnostic(
                code: "position.before-first-time", "'\(time.text)' is before the first record of '\(journal)'",
                notes: ["it begins at \(first.text)"], help: ["write 'start' for the state before the first commit"])
        case .journal(let error): return error.diagnostic
        }
    }

    private var syntaxDiagnostic: Diagnostic {
        switch self {
        case .rangeSyntax(let text):
            var help = ["a range is 'A..B', the commits after A up to B; 'A..' goes on to the end"]
            if case .commit(let number)? = try? PositionText(parsing: text), number > 0 {
                help.insert("write '\(number - 1)..\(number)' for commit \(number) alone", at: 0)
            }
            return Diagnostic(code: "position.range-syntax", "'\(text)' is not a range of commits", help: help)
        case .listSyntax(let part):
            return Diagnostic(
                code: "position.list-syntax", "'\(part)' is neither a commit nor a range of commits",
                help: ["a list is numbers and ranges with commas between them, as '3,5,10..20'"])
        case .syntax(let text):
            return Diagnostic(
                code: "position.syntax", "'\(text)' is not a position",
                help: PositionError.hints(for: text) + [
                    "a position is '12', 'start', 'end', 'end-3', a time as '12:00:03' or '2026-11-21T12:00:03Z', or 'mark:TEXT'"
                ])
        default: return diagnostic
        }
    }

    private static func hints(for text: String) -> [String] {
        if (try? RangeText(parsing: text)) != nil { return ["one position is wanted here, not a range"] }
        if TypedTime(parsing: text + "T00:00") != nil { return ["write '\(text)T00:00' for that day's beginning"] }
        if let back = PositionText.number(text.dropFirst()), UTF8Order.begins(text, with: "-") {
            return ["write 'end-\(back)'"]
        }
        // As git shows a file of a commit.
        if let colon = text.firstIndex(of: ":"), (try? PositionText(parsing: String(text[..<colon]))) != nil {
            return [
                "write 'state JOURNAL \(text[..<colon]) \(text[text.index(after: colon)...])' for what is there then"
            ]
        }
        let words = ["last": "end", "first": "start", "begin": "start", "beginning": "start", "head": "end"]
        let word = words[text.lowercased()] ?? SimilarNames.nearest(to: text, in: ["start", "end"]).first
        return word.map { ["write '\($0)'"] } ?? []
    }
}
