package import Platform
import Synchronization

/// Writes one journal: a file that it made, whole lines only, and an `end` when it is done.
///
/// Callers keep the order of the lines by a lock of their own; the calls themselves are safe from any thread. A
/// child that was forked off writes nothing: there every call returns at once.
///
/// What is appended is kept whole, or the call throws and the file is as it was. Each loss is thrown once. From then on the
/// journal can be written again, and the first thing to write is a `gap` from ``JournalWriteError/lastKept`` on.
public final class JournalWriter: Sendable {
    /// When the file is brought from the kernel to the disk, which guards against a crash of the machine, not of the app.
    public enum FileSync: Sendable, Equatable {
        /// When the system likes.
        case never
        /// At the first append after so many seconds; a recorder in the background does it also while nothing is committed.
        case interval(seconds: Int)
        /// Before `append` returns.
        case everyCommit
    }

    /// How a journal is written.
    public struct Options: Sendable, Equatable {
        /// Whether a regular file of that name is replaced: by a rename, once the new one has its first line.
        public var replace: Bool
        /// When it is on the disk.
        public var sync: FileSync

        /// By default a file is never replaced, and the system chooses when a line is on the disk.
        public init(replace: Bool = false, sync: FileSync = .never) {
            self.replace = replace
            self.sync = sync
        }
    }

    /// The file's path from the root on, with `%p` and `%t` filled in.
    public let path: String
    private let process = ProcessIdentity.current
    private let state: Mutex<State>
    private let exitHook = Mutex<ExitHooks.Token?>(nil)
    private let isOpen = Atomic(true)
    /// Which file it is; nil where the system does not say.
    package let identity: FileStatus.Identity?

    private struct State: ~Copyable, Sendable {
        /// Nil once closed.
        var file: AppendedFile?
        var totals: WrittenTotals
        let sync: FileSync
        var lastSync = Timestamp.now()
        var isSynced = true

        /// Appends whole lines, all of them or none.
        mutating func append(_ lines: borrowing LineBuilder) throws(SystemFailure) {
            guard !lines.bytes.isEmpty else { return }
            try file?.append(lines.bytes)
            isSynced = false
            totals.count(lines.records)
        }

        mutating func syncIfDue() throws(SystemFailure) {
            switch sync {
            case .never: return
            case .everyCommit: try syncNow()
            case .interval(let seconds):
                let passed = (Timestamp.now().microseconds - lastSync.microseconds) / 1_000_000
                if passed < 0 || passed >= seconds { try syncNow() }
            }
        }

        mutating func syncNow() throws(SystemFailure) {
            if isSynced { return }
            try file?.sync()
            isSynced = true
            lastSync = .now()
        }
    }

    /// Makes the file and writes its first line.
    ///
    /// - Parameters:
    ///   - path: where to make it; `%p` is the process's number, `%t` the time.
    ///   - header: the first line.
    /// - Throws: ``JournalWriteError`` where there is a file already, or it cannot be made or written; then there is no file.
    public convenience init(path: String, header: JournalHeader, options: Options = Options()) throws(JournalWriteError)
    {
        unsafe try self.init(path: path, header: header, options: options, calls: SystemCalls())
    }

    /// Makes the file, to be written by other calls than the system's own.
    ///
    /// - Parameters:
    ///   - temporaryPath: where to make it, if its owner moves it to `path` afterwards; what is left there is replaced.
    ///   - opening: lines that are written together with the first one, so that a crash leaves all or none.
    ///   - endsAtExit: whether a normal exit writes the `end`; false where the owner sees to that.
    package init(
        path: String, temporaryPath: String? = nil, header: JournalHeader, options: Options, calls: SystemCalls,
        opening: LineBuilder = LineBuilder(), endsAtExit: Bool = true
    ) throws(JournalWriteError) {
        let path = JournalPath.resolved(path)
        let start = header.after ?? .zero
        // Locked until the new file has taken its place.
        let replaced =
            options.replace && temporaryPath == nil
            ? try JournalCreation(path: path, start: start).lockExisting() : nil
        let isReplacing = replaced != nil
        let temporaryPath = temporaryPath ?? (isReplacing ? SegmentFiles.nextPath(path) : nil)
        let creation = JournalCreation(path: temporaryPath ?? path, start: start)
        let descriptor = temporaryPath == nil ? try creation.create() : try creation.createTemporary()
        identity = try? descriptor.status().identity
        var state = State(
            file: AppendedFile(descriptor, calls: calls), totals: WrittenTotals(start: start), sync: options.sync)
        var line = LineBuilder()
        line.journal(header)
        line.append(opening)
        do throws(SystemFailure) {
            try state.append(line)
            // What is replaced may be all that is left of a crash: a full disk may say so only now.
            if isReplacing { try state.syncNow() }
            if isReplacing { try FileSystem.rename(creation.path, path, calls) }
            self.state = Mutex(state)
        } catch {
            _ = calls.changeNames(.remove(creation.path))
            throw JournalWriteError(path: path, error, lastKept: start)
        }
        self.path = path
        guard endsAtExit else { return }
        let hook = ExitHooks.add { [weak self] in try? self?.close() }
        exitHook.withLock { $0 = hook }
    }

    deinit { try? close() }

    package var isForkedChild: Bool { ProcessIdentity.current != process }

    /// Appends the whole lines of a builder, and empties it whether it throws or not.
    ///
    /// - Throws: ``JournalWriteError``; none of the lines is kept then, unless the cause is `fsync`, where all are.
    /// - Complexity: one `write(2)` of all lines.
    public func append(_ lines: inout LineBuilder) throws(JournalWriteError) {
        defer { lines.removeAll() }
        if isForkedChild { return }
        try withFile { (state) throws(SystemFailure) in
            try state.append(lines)
            try state.syncIfDue()
        }
    }

    /// Whether a keyframe is due; to be asked directly after a commit's line was appended.
    public var needsKeyframe: Bool { isForkedChild ? false : state.withLock { $0.totals.needsKeyframe } }

    /// What the file holds: the totals that a keyframe needs.
    public var totals: Totals { isForkedChild ? Totals() : state.withLock { $0.totals.totals } }

    /// How many bytes the kernel has for sure.
    package var byteCount: Int { isForkedChild ? 0 : state.withLock { $0.totals.byteCount } }

    /// The last commit that was appended and not lost.
    public var lastCommit: CommitNumber { isForkedChild ? .zero : state.withLock { $0.totals.lastCommit } }

    /// The time of the last line that has one, of those that were appended and not lost; no later one is before it.
    package var lastTime: Timestamp { isForkedChild ? .earliest : state.withLock { $0.totals.lastTime } }

    /// Brings everything appended to the disk.
    ///
    /// - Throws: ``JournalWriteError`` where the disk cannot be reached, or the journal is closed.
    public func sync() throws(JournalWriteError) {
        if isForkedChild { return }
        try withFile { (state) throws(SystemFailure) in try state.syncNow() }
    }

    /// Writes the `end` and closes the file; a second time it does nothing.
    ///
    /// A normal exit of the process does it too.
    ///
    /// - Parameter time: when the run ended, by a clock of the caller's; never before the last line's time.
    /// - Throws: ``JournalWriteError`` where the `end` cannot be written; the file is closed all the same.
    public func close(at time: Timestamp? = nil) throws(JournalWriteError) {
        if isForkedChild { return }
        guard isOpen.exchange(false, ordering: .relaxed) else { return }
        if let hook = exitHook.withLock({ $0.take() }) { ExitHooks.remove(hook) }
        let moment = max(lastTime, time ?? .now())
        try withFile { (state) throws(SystemFailure) in
            defer { state.file = nil }
            var line = LineBuilder()
            line.end(seq: state.totals.lastCommit, time: moment, totals: state.totals.totals)
            try state.append(line)
        }
    }

    private func withFile(_ body: (inout State) throws(SystemFailure) -> Void) throws(JournalWriteError) {
        try state.withLock { (state) throws(JournalWriteError) in
            let path = path
            guard state.file != nil else {
                throw JournalWriteError(path: path, cause: .closed, lastKept: state.totals.lastCommit)
            }
            do throws(SystemFailure) { try body(&state) } catch {
                throw JournalWriteError(path: path, error, lastKept: state.totals.lastCommit)
            }
        }
    }
}
