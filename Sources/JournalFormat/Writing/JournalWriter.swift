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
    /// When an appended line is with the kernel.
    public enum Durability: Sendable, Equatable {
        /// When `append` returns.
        case synchronous
        /// Soon: a thread writes a queue that holds at most `capacity` bytes.
        case background(capacity: Int = 1 << 20, whenFull: WhenFull = .wait)
    }

    /// What `append` does when the background queue is full.
    public enum WhenFull: Sendable, Equatable {
        /// The caller waits for room.
        case wait
        /// The call throws, and the lines are lost.
        case lose
    }

    /// When the file is brought from the kernel to the disk, which guards against a crash of the machine, not of the app.
    public enum FileSync: Sendable, Equatable {
        /// When the system likes.
        case never
        /// At the first append after so many seconds; with `.background` also while nothing is appended.
        case interval(seconds: Int)
        /// Before `append` returns; with `.background` after each write of the queue.
        case everyCommit
    }

    /// How a journal is written.
    public struct Options: Sendable, Equatable {
        /// Whether a regular file of that name is replaced: by a rename, once the new one has its first line.
        public var replace: Bool
        /// When a line is with the kernel.
        public var durability: Durability
        /// When it is on the disk.
        public var sync: FileSync

        /// By default a file is never replaced, each line is with the kernel at once, and the system chooses when it is on disk.
        public init(
            replace: Bool = false, durability: Durability = .synchronous, sync: FileSync = .never
        ) {
            self.replace = replace
            self.durability = durability
            self.sync = sync
        }
    }

    /// The file's path from the root on, with `%p` and `%t` filled in.
    public let path: String
    private let process = ProcessIdentity.current
    private let writer: Writer
    private let isKeyframeDue = Atomic(false)
    private let exitHook = Mutex<ExitHooks.Token?>(nil)
    private let isOpen = Atomic(true)
    /// Which file it is; nil where the system does not say.
    package let identity: FileStatus.Identity?

    private enum Writer: Sendable {
        case direct(DirectWriter)
        case background(BackgroundWriter)

        func close(at moment: Timestamp) throws(WriteFailure) {
            switch self {
            case .direct(let writer): try writer.close(at: moment)
            case .background(let writer): try writer.close(at: moment)
            }
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
        var file = LineFile(descriptor, calls: calls, sync: options.sync)
        var totals = WrittenTotals(start: start)
        var line = LineBuilder()
        line.journal(header)
        line.append(opening)
        totals.count(line.records)
        do throws(SystemFailure) {
            try file.append(line.bytes)
            // What is replaced may be all that is left of a crash: a full disk may say so only now.
            if isReplacing { try file.syncNow() }
            let writer = try JournalWriter.writer(file, totals, options.durability)
            if isReplacing { try JournalWriter.move(writer, from: creation.path, to: path, calls) }
            self.writer = writer
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

    private static func writer(
        _ file: consuming LineFile, _ totals: WrittenTotals, _ durability: Durability
    ) throws(SystemFailure) -> Writer {
        switch durability {
        case .synchronous: .direct(DirectWriter(file, totals: totals))
        case .background(let capacity, let whenFull):
            .background(try BackgroundWriter(file, totals: totals, capacity: capacity, whenFull: whenFull))
        }
    }

    /// Puts a new file in the place of the one that it replaces; what writes it ends where that cannot be.
    private static func move(
        _ writer: Writer, from temporaryPath: String, to path: String, _ calls: SystemCalls
    ) throws(SystemFailure) {
        do throws(SystemFailure) { try FileSystem.rename(temporaryPath, path, calls) } catch {
            try? writer.close(at: .now())
            throw error
        }
    }

    package var isForkedChild: Bool { ProcessIdentity.current != process }

    /// Appends the whole lines of a builder, and empties it whether it throws or not.
    ///
    /// - Throws: ``JournalWriteError``; none of the lines is kept then, unless the cause is `fsync`, where all are.
    /// - Complexity: one `write(2)` of all lines, or a copy into the queue.
    public func append(_ lines: inout LineBuilder) throws(JournalWriteError) {
        defer { lines.removeAll() }
        if isForkedChild { return }
        do throws(WriteFailure) {
            let due =
                switch writer {
                case .direct(let writer): try writer.append(lines)
                case .background(let writer): try writer.append(lines)
                }
            isKeyframeDue.store(due, ordering: .relaxed)
        } catch {
            isKeyframeDue.store(false, ordering: .relaxed)
            throw JournalWriteError(path: path, cause: error.cause, lastKept: error.lastKept)
        }
    }

    /// Whether a keyframe is due; to be asked directly after a commit's line was appended.
    public var needsKeyframe: Bool { isKeyframeDue.load(ordering: .relaxed) }

    /// What the file holds, once everything appended is written: the totals that a keyframe needs.
    public var totals: Totals {
        if isForkedChild { return Totals() }
        return switch writer {
        case .direct(let writer): writer.written.totals
        case .background(let writer): writer.accepted.totals
        }
    }

    /// How many bytes were appended and not lost.
    package var byteCount: Int {
        if isForkedChild { return 0 }
        return switch writer {
        case .direct(let writer): writer.written.byteCount
        case .background(let writer): writer.accepted.byteCount
        }
    }

    /// The last commit that was appended and not lost.
    public var lastCommit: CommitNumber {
        if isForkedChild { return .zero }
        return switch writer {
        case .direct(let writer): writer.written.lastCommit
        case .background(let writer): writer.accepted.lastCommit
        }
    }

    /// How many bytes the kernel has for sure.
    package var writtenByteCount: Int {
        if isForkedChild { return 0 }
        return switch writer {
        case .direct(let writer): writer.written.byteCount
        case .background(let writer): writer.writtenByteCount
        }
    }

    /// The time of the last line that has one, of those that were appended and not lost; no later one is before it.
    package var lastTime: Timestamp {
        if isForkedChild { return .earliest }
        return switch writer {
        case .direct(let writer): writer.written.lastTime
        case .background(let writer): writer.accepted.lastTime
        }
    }

    /// Waits until everything appended is with the kernel.
    ///
    /// - Throws: ``JournalWriteError`` where some of it was lost.
    public func flush() throws(JournalWriteError) {
        try withBackgroundWriter { (writer) throws(WriteFailure) in try writer.flush(andSync: false) }
    }

    /// Waits until everything appended is on the disk.
    ///
    /// - Throws: ``JournalWriteError`` where some of it was lost, or the disk cannot be reached.
    public func sync() throws(JournalWriteError) {
        if case .direct(let writer) = writer, !isForkedChild {
            do throws(WriteFailure) { try writer.sync() } catch {
                throw JournalWriteError(path: path, cause: error.cause, lastKept: error.lastKept)
            }
        }
        try withBackgroundWriter { (writer) throws(WriteFailure) in try writer.flush(andSync: true) }
    }

    /// Writes the `end` and closes the file; a second time it does nothing.
    ///
    /// A normal exit of the process does it too.
    ///
    /// - Parameter time: when the run ended, by a clock of the caller's; never before the last line's time.
    /// - Throws: ``JournalWriteError`` where something appended was lost and no call has thrown it yet, or the `end`
    ///   cannot be written; the file is closed all the same. Call ``flush()`` first, to write a `gap` while that is
    ///   possible.
    public func close(at time: Timestamp? = nil) throws(JournalWriteError) {
        if isForkedChild { return }
        guard isOpen.exchange(false, ordering: .relaxed) else { return }
        if let hook = exitHook.withLock({ $0.take() }) { ExitHooks.remove(hook) }
        let moment = max(lastTime, time ?? .now())
        do throws(WriteFailure) { try writer.close(at: moment) } catch {
            throw JournalWriteError(path: path, cause: error.cause, lastKept: error.lastKept)
        }
    }

    private func withBackgroundWriter(
        _ body: (BackgroundWriter) throws(WriteFailure) -> Void
    ) throws(JournalWriteError) {
        guard case .background(let writer) = writer, !isForkedChild else { return }
        do throws(WriteFailure) { try body(writer) } catch {
            throw JournalWriteError(path: path, cause: error.cause, lastKept: error.lastKept)
        }
    }
}

/// Why a writer lost lines, or could not bring them to the disk.
struct WriteFailure: Error {
    var cause: JournalWriteError.Cause
    var lastKept: CommitNumber

    init(_ cause: JournalWriteError.Cause, lastKept: CommitNumber) {
        self.cause = cause
        self.lastKept = lastKept
    }

    init(_ failure: SystemFailure, lastKept: CommitNumber) {
        self.init(.system(operation: failure.operation, code: failure.code), lastKept: lastKept)
    }
}
