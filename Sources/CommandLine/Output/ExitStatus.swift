package import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

package enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case negative = 1
    case usage = 2
    case unreadable = 3
    case notThere = 4
    case inconclusive = 5

    package func or(_ other: ExitStatus) -> ExitStatus {
        self == .done ? other : self
    }

    package var meaning: String {
        switch self {
        case .done: "found, equal, healthy"
        case .negative: "the answer is negative: no bad state, states differ, invariant violated, damage found"
        case .usage: "the command line or a query does not parse"
        case .unreadable: "a journal that cannot be read, or output that cannot be written"
        case .notThere: "no such commit, store, path, mark or derived value, or inside a gap"
        case .inconclusive: "inconclusive: a query or a program had no answer where it mattered"
        }
    }

    /// Usage before unreadable before missing before inconclusive before negative before done.
    package func worse(_ other: ExitStatus) -> ExitStatus { gravity < other.gravity ? other : self }

    private var gravity: Int {
        switch self {
        case .done: 0
        case .negative: 1
        case .inconclusive: 2
        case .notThere: 3
        case .unreadable: 4
        case .usage: 5
        }
    }
}

/// How a run of the program ended.
public enum ProgramOutcome: Sendable, Equatable {
    case exit(status: Int32)

    /// The reader of the output has gone: the program ends as if by SIGPIPE.
    case outputClosed
}

extension ExitStatus {
    package static func of(_ error: any Error) -> ExitStatus {
        switch error {
        case let failure as CommandFailure: failure.status
        case is UsageError, is QuerySyntaxErrors, is JSONPointerError: .usage
        case let error as PositionError: of(error)
        case let error as JournalError: error.category == .noSuchPosition ? .notThere : .unreadable
        default: .unreadable
        }
    }

    private static func of(_ error: PositionError) -> ExitStatus {
        switch error.category {
        case .usage: .usage
        case .noSuchPosition: .notThere
        case .unreadable: .unreadable
        }
    }

    package static func diagnostics(
        of error: any Error, in command: CommandName?, recovers: Bool = false
    ) -> [Diagnostic] {
        let help = ErrorAdvice(command: command, recovers: recovers).help(for: error)
        return facts(of: error).map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.help += help
            return diagnostic
        }
    }

    private static func facts(of error: any Error) -> [Diagnostic] {
        switch error {
        case let failure as CommandFailure: [failure.diagnostic]
        case let errors as QuerySyntaxErrors: errors.diagnostics
        case let diagnostic as Diagnostic: [diagnostic]
        case let error as JournalError: [diagnostic(of: error)]
        case let convertible as any DiagnosticConvertible: [convertible.diagnostic]
        default: [Diagnostic(code: "internal", "an error that has no words: \(error)")]
        }
    }

    /// A missing file gets a suggestion: the one with the nearest name.
    private static func diagnostic(of error: JournalError) -> Diagnostic {
        var diagnostic = error.diagnostic
        diagnostic.help = JournalFiles.help(for: error) + diagnostic.help
        if case .notAJournal(let line) = error.fact, !line.isRecord, let look = FileLook(ofNoJournal: error.path) {
            if look.isForeign { (diagnostic.place, diagnostic.notes) = (nil, []) }
            diagnostic.notes.append("it looks like \(look.what)")
            if !look.help.isEmpty || look.isForeign { diagnostic.help = look.help }
        }
        if case .directory = error.fact {
            let content = FolderLook(error.path)
            (diagnostic.notes, diagnostic.help) = ([content.note], content.help)
        }
        return diagnostic
    }
}

extension JournalError.FirstLine {
    fileprivate var isRecord: Bool {
        if case .otherKind = self { return true }
        return false
    }
}
