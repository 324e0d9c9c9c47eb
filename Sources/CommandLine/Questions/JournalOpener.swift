import JSONCore
package import JournalReading
package import Platform
import Synchronization

/// Opens the journals of one command.
///
/// What a pipe holds can be read once only. The opener keeps the journal that it made of a pipe for the parts of the command
/// that look at it later: what caused a violation, which run a citation is of, what broke.
package final class JournalOpener: Sendable {
    private let progress: Progress
    private let spoolLimit: Int
    private let pipes = Mutex<NameTable<Journal>>(NameTable())

    package init(_ environment: Environment, _ progress: Progress) {
        self.progress = progress
        spoolLimit = Self.spoolLimit(environment)
    }

    /// Opens a journal, or returns the one that was made of a pipe.
    package func open(_ path: String, _ access: Journal.Access, recovers: Bool = false) throws -> Journal {
        let isPipe = JournalFiles.isReadOnce(path)
        var journal = isPipe ? pipes.withLock { $0[path] } : nil
        if access == .random, journal?.isSeekable == false { throw JournalError(path: path, .notSeekable) }
        if journal == nil {
            journal = try progress.reading(size: \.byteCount) {
                try Journal.open(
                    path, access: access, spoolLimit: spoolLimit, recover: recovers, until: progress.stop, progress: $0)
            }
        }
        guard let journal else { throw JournalError(path: path, .missing) }
        if isPipe { keep(journal) }
        return journal
    }

    /// Opens a journal that is read from front to back as it is written, up to the record that ends the run.
    package func follow(_ path: String, awaitsFile: Bool, until stop: StopRequest) throws -> Journal {
        let journal = try progress.reading(size: \.byteCount) {
            try Journal.follow(path, awaitsFile: awaitsFile, until: stop, progress: $0)
        }
        if JournalFiles.isReadOnce(path) { keep(journal) }
        return journal
    }

    private func keep(_ journal: Journal) { pipes.withLock { $0[journal.path] = journal } }

    package static let spoolLimitVariable = "STATE_INSPECT_SPOOL_LIMIT"

    package static func spoolLimit(_ environment: Environment) -> Int {
        environment[spoolLimitVariable].flatMap { Int($0) }.map { max(0, $0) } ?? Journal.defaultSpoolLimit
    }
}
