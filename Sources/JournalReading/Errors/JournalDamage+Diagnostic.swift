import Diagnostics
import JSONCore
import JournalFormat

extension JournalDamage {
    func diagnostic(in path: String) -> Diagnostic {
        let name = path == "-" ? "standard input" : "'\(path)'"
        let text = words
        return Diagnostic(
            code: text.code, text.message.isEmpty ? "\(name) is damaged" : "\(text.message) in \(name)",
            place: .file(path: path, line: line?.rawValue, byte: offset.rawValue, length: nil), notes: text.notes)
    }

    /// What a writer puts where its language has nothing of the sort.
    private static let replacements = [
        "at/column": "a language without columns writes 1", "at/function": "a language without functions writes \"\"",
    ]

    private struct Words {
        var code: String
        var message = ""
        var notes: [String] = []
    }

    private var words: Words {
        switch reason {
        case .jump, .wrongNumber, .secondHeader, .gapStart: orderWords
        case .record(let fault):
            Words(
                code: "journal.record", message: "a record lacks what its kind needs",
                notes: [fault.text] + (Self.replacements[fault.member].map { [$0] } ?? []))
        case .patch(let commit, let store, let error):
            Words(
                code: "journal.patch", message: "the patch of commit \(commit) does not apply to store '\(store)'",
                notes: [Self.text(of: error)])
        case .storeNotOpen(let commit, let store):
            Words(
                code: "journal.store-not-open", message: "commit \(commit) is of store '\(store)', which is not open",
                notes: ["a record of kind 'store' begins a store"])
        case .keyframe(let commit):
            Words(
                code: "journal.keyframe", message: "the keyframe after commit \(commit) differs from the replay",
                notes: ["what is read from it on differs from what is read through it"])
        case .end(let commit):
            Words(
                code: "journal.end", message: "the end after commit \(commit) names other open stores than there are",
                notes: ["a record that opens or closes a store is lost or damaged"])
        case .old(let commit, let store, let path):
            Words(
                code: "journal.old", message: "commit \(commit) claims another value than the replay has",
                notes: ["the 'old' of '\(path.text)' in store '\(store)' is not what was there"])
        default: lineWords
        }
    }

    private var lineWords: Words {
        switch reason {
        case .json(let fact):
            Words(
                code: "journal.damage", message: "a line is not JSON",
                notes: [JSONError(fact, at: 0).message])
        case .notAnObject:
            Words(code: "journal.damage", message: "a line is not a JSON object", notes: ["each line is one record"])
        case .noNumber:
            Words(
                code: "journal.damage", message: "a record has no number",
                notes: ["'seq' has to be an integer from 0 to \(CommitNumber.largest)"])
        case .noKind:
            Words(code: "journal.damage", message: "a record has no kind", notes: ["'kind' has to be a string"])
        case .sum(let written, let computed):
            Words(
                code: "journal.sum", message: "a line is not what was written",
                notes: ["its sum is \(LineSum.text(written)), should be \(LineSum.text(computed))"])
        case .twoRecords:
            Words(
                code: "journal.damage", message: "two records stand on one line",
                notes: ["the newline between them is lost"])
        case .blank: Words(code: "journal.damage", message: "a line is blank", notes: ["each line is one record"])
        case .byteOrderMark:
            Words(
                code: "journal.damage", message: "a line begins with a byte order mark",
                notes: ["files were put together that had one each"])
        default:
            Words(
                code: "journal.damage", message: "a line holds bytes of zero",
                notes: ["a machine that loses its power leaves such bytes where a write was not on the disk yet"])
        }
    }

    private var orderWords: Words {
        switch reason {
        case .jump(let found, let expected) where found == expected:
            Words(code: "journal.sequence", message: "the line of commit \(expected) is missing")
        case .jump(let found, let expected):
            Words(
                code: "journal.sequence", message: "the commits do not count up",
                notes: [
                    "the number is \(found), should be \(expected)", "lines are missing, or stand in another order",
                ])
        case .gapStart(let found, let expected):
            Words(
                code: "journal.sequence", message: "a gap does not begin where the commits before it end",
                notes: ["its 'first' is \(found), should be \(expected)"])
        case .wrongNumber(let kind, let found, let expected):
            Words(
                code: "journal.sequence", message: "a record of kind '\(kind.name)' has the number of another commit",
                notes: ["it is \(found), should be \(expected), the last commit's"])
        default:
            Words(
                code: "journal.second-header", message: "a second journal begins in the middle",
                notes: ["a file is one run: these two were put together"])
        }
    }

    private static func text(of error: PatchError) -> String {
        let text = error.diagnostic
        return ([text.message] + text.notes).joined(separator: "; ")
    }
}
