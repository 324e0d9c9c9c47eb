public import Diagnostics
import JournalFormat
import Platform

extension JournalError: DiagnosticConvertible {
    /// The error as a message: what, where, why, and what to type next.
    public var diagnostic: Diagnostic {
        switch fact {
        case .damage(let damage): damage.diagnostic(in: path)
        case .lineTooLong(let line, let offset):
            Diagnostic(
                code: "journal.line-too-long", "a line of \(name) is longer than \(Journal.lineLengthLimit) bytes",
                place: .file(path: path, line: line?.rawValue, byte: offset.rawValue, length: nil),
                notes: ["a journal's line is one record; no record that this program writes is that long"])
        case .programMissing, .programFailed, .unpacksTooLarge, .notSeekable: unpackingDiagnostic
        case .pastEnd, .beforeStart, .noCommitAtStart, .insideGap, .noSuchStore: positionDiagnostic
        default: fileDiagnostic
        }
    }

    var name: String { path == "-" ? "standard input" : "'\(path)'" }

    private var place: Place { .file(path: path, line: 1, byte: 0, length: nil) }

    private var fileDiagnostic: Diagnostic {
        switch fact {
        case .missing:
            Diagnostic(code: "journal.missing", "there is no file \(name)")
        case .directory:
            Diagnostic(
                code: "journal.directory", "\(name) is a directory", help: ["name one of the '.jsonl' files in it"])
        case .notPermitted:
            Diagnostic(
                code: "journal.permission", "\(name) may not be read",
                notes: ["journals are made for their owner only (mode 0600)"])
        case .system(let operation, let code):
            Diagnostic(
                code: "journal.system", "\(name) cannot be read: \(SystemFailure.text(of: code))",
                notes: ["the system call was '\(operation)'"])
        case .empty:
            Diagnostic(
                code: "journal.empty", "\(name) is empty",
                notes: ["a journal begins with a line of kind 'journal'"])
        case .cut(let size, let end):
            Diagnostic(
                code: "journal.cut", "\(name) was cut while it was read",
                place: .file(path: path, line: nil, byte: end, length: nil),
                notes: ["it had \(size) bytes when it was opened, and has \(end) now"],
                help: ["ask again: the answer is that of the file as it is then"])
        case .shortened(let size, let read):
            Diagnostic(
                code: "journal.shorter", "\(name) became shorter while it was followed",
                notes: ["\(read) bytes of it were read, now it has \(size)"])
        case .stopped:
            Diagnostic(code: "journal.stopped", "the reading of \(name) was stopped")
        case .newerVersion(let version):
            Diagnostic(
                code: "journal.newer-version",
                "\(name) is of version \(version), this program reads version \(JournalHeader.currentVersion)",
                place: place)
        case .notAJournal(let line): notAJournal(line)
        default: Diagnostic(code: "journal.unreadable", "\(name) cannot be read")
        }
    }

    private func notAJournal(_ line: FirstLine) -> Diagnostic {
        let note: String
        var help = ["a journal is what a recorder writes: see state-journal(5)"]
        switch line {
        case .notJSON: note = "its first line is not JSON"
        case .tooLong:
            note = "its first line is longer than the \(Journal.headerLengthLimit >> 20) MiB that one may have"
        case .byteOrderMark:
            note = "it begins with a byte order mark"
            help = ["save it as UTF-8 without a byte order mark"]
        case .notARecord: note = "its first line is JSON, but has no integer 'seq' and string 'kind'"
        case .otherKind(let kind):
            note = "its first line is of kind '\(kind)', the one of kind 'journal' is missing"
            help = []
        case .noVersion: note = "its first line has no integer 'version'"
        case .torn:
            note = "its first line is cut off before its end"
            help = ["the program stopped before it recorded anything: record the run again"]
        }
        return Diagnostic(
            code: "journal.not-a-journal", "\(name) is not a journal", place: place, notes: [note], help: help)
    }

    private var unpackingDiagnostic: Diagnostic {
        switch fact {
        case .programMissing(let program):
            Diagnostic(
                code: "journal.no-unpacker", "\(name) is packed, and '\(program)' is not on PATH",
                notes: ["its first bytes are those of a \(program) file"],
                help: ["install '\(program)', or unpack the file and name that"])
        case .programFailed(let program, let status):
            Diagnostic(
                code: "journal.unpacking", "'\(program) -dc' could not unpack the whole of \(name)",
                notes: ["it ended with status \(status): the packed file is cut or damaged"],
                help: ["'\(program) -dc' on the file shows how far it comes"])
        case .unpacksTooLarge(let limit):
            Diagnostic(
                code: "journal.unpacks-too-large", "\(name) unpacks to more than \(limit) bytes",
                notes: ["what is packed is unpacked into a temporary file, to be read at any place"])
        default:
            Diagnostic(
                code: "journal.pipe", "\(name) is a pipe, which is read once from front to back",
                help: ["write it to a file first"])
        }
    }

    private var positionDiagnostic: Diagnostic {
        switch fact {
        case .pastEnd(let asked, let first, let last):
            Diagnostic(
                code: "position.past-end", "position '\(asked)' is past the end of \(name)",
                notes: ["it holds commits \(first) to \(last)"])
        case .beforeStart(let asked, let first, let last):
            Diagnostic(
                code: "position.before-start", "position '\(asked)' is before the start of \(name)",
                notes: [
                    first == .zero
                        ? "it holds commits \(first) to \(last)"
                        : "it is a segment of a longer run: it begins after commit \(first) and holds commits up to \(last)"
                ])
        case .noCommitAtStart(let asked, let last):
            Diagnostic(
                code: "position.no-commit",
                "\(name) has no commit '\(asked)': that is the position before its first one",
                notes: [last == asked ? "it holds no commit at all" : "its commits are \(asked.next) to \(last)"])
        case .insideGap(let asked, let first, let last):
            Diagnostic(
                code: "position.inside-gap", "position '\(asked)' is inside a gap of \(name)",
                notes: ["commits \(first) to \(last) could not be kept while the app ran"],
                help: ["the nearest positions with a state are \(first.previous) and \(last)"])
        case .noSuchStore(let store, let commit, let known):
            noSuchStore(store, commit, known)
        default: fileDiagnostic
        }
    }

    private func noSuchStore(_ store: String, _ commit: CommitNumber, _ known: [String]) -> Diagnostic {
        let names = known.map { "'\($0)'" }.joined(separator: ", ")
        let nearest = SimilarNames.nearest(to: store, in: known).first
        return Diagnostic(
            code: "store.unknown", "\(name) has no store '\(store)' at commit \(commit)",
            notes: [known.isEmpty ? "no store is open there" : "the open ones are \(names)"],
            help: nearest.map { ["write '\($0)'"] } ?? [])
    }
}

extension TornTail {
    /// The warning that a journal breaks off.
    public func diagnostic(path: String) -> Diagnostic {
        let name = path == "-" ? "standard input" : "'\(path)'"
        return Diagnostic(
            .warning, code: "journal.torn-tail", "the last record of \(name) is incomplete and was left out",
            place: .file(path: path, line: line?.rawValue, byte: offset.rawValue, length: length),
            notes: ["the program stopped while writing it; commits up to \(lastCommit) are whole"])
    }
}
