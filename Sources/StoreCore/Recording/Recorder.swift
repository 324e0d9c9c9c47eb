public import JournalFormat
package import Platform
public import StateEncoding
internal import Synchronization

/// Writes what stores do to a journal: one file for any number of stores.
///
/// A commit takes its number under its store's lock and is put into a queue; the holder of the writing lock then
/// encodes and writes the queue from its front, for other threads too. So the journal has one order of all commits,
/// several lines go out with one `write(2)`, and no store's lock is held while anything is encoded.
///
/// The recorder keeps a copy of the last written state of every store, which shares its storage with the store's own until
/// that changes. It is closed by ``close()``, by the end of its last reference, and by a normal exit of the process.
public final class Recorder: Sendable {
    /// The recorder of stores that are made without naming one.
    ///
    /// Unless it is set for a task, it is the process's own, which the environment turns on: see ``fromEnvironment``.
    @TaskLocal public static var current: Recorder? = .fromEnvironment

    /// The journal's path from the root on, with `%p` and `%t` filled in.
    ///
    /// With a limit, it is that of the newest segment.
    public let path: String
    let identity: Int

    private static let recorders = Synchronization.Atomic(0)
    private let process = ProcessIdentity.current
    let protection: Protection
    let queue: ContendedLock<RecordingQueue>
    private let composer: ContendedLock<JournalComposer>
    private let writtenTicket = Synchronization.Atomic(0)
    private let takenTicket = Synchronization.Atomic(0)
    private let backgroundThread: EncodingThread?
    /// The thread that encodes in the background; nil where committing threads do, also since the system has no thread left.
    private var thread: EncodingThread? { backgroundThread.flatMap { $0.isRunning ? $0 : nil } }
    let encoding: EncodingOptions
    /// What writes the file now, for an exit in the middle of an encoding.
    private let writer: Mutex<JournalWriter>
    private let clock: @Sendable () -> Timestamp
    /// The trace that the calling thread is in; nil where nothing asks for it.
    let context: (@Sendable () -> TraceContext?)?
    private let onError: @Sendable (RecorderError) -> Void
    let unrecordable = Mutex<Set<ObjectIdentifier>>([])
    private let exitHook = Mutex<ExitHooks.Token?>(nil)

    /// Makes a journal.
    ///
    /// - Parameters:
    ///   - path: where; `%p` is the process's number, `%t` the time.
    ///   - durability: whether a commit returns when its line is with the kernel (the default), or when its state is in a queue in
    ///     memory, which a thread encodes and writes. Then a commit costs its copy and an entry in that queue. Where about a
    ///     thousand entries wait, it waits for room, for a second at most, since a disk may stand still. A crash of the process
    ///     loses what waits; an exit writes all of it.
    ///   - redact: the parts of states that are written as keyed hashes.
    ///   - labels: what is known about the run, for its readers: `["branch": "main"]`.
    ///   - limit: how many bytes the journal may have. Then it is a flight recorder: the newest commits are kept, in files of
    ///     about a quarter of that; the newest is always at `path`, the ones before it are `run.1.jsonl`, `run.2.jsonl` and so
    ///     on. Nil for one whole file.
    ///   - options: settings that most apps leave alone.
    ///   - onError: called once when the file cannot be written, once for each store whose state cannot be
    ///     encoded, and once for each type of state that is not Encodable.
    ///     By default a message goes to standard error. It must not commit to a recorded store.
    ///   - context: the trace that a commit is made in. It is called with each commit, on the thread that commits and under the
    ///     store's lock, and must not commit: that traps.
    /// - Throws: `JournalWriteError` if there is a file already, or it cannot be made.
    public convenience init(
        _ path: String, durability: Durability = .synchronous, redact: [Redaction] = [],
        labels: [String: String] = [:], limit: Int? = nil, options: Options = Options(),
        onError: (@Sendable (RecorderError) -> Void)? = nil, context: (@Sendable () -> TraceContext?)? = nil
    ) throws(JournalWriteError) {
        unsafe try self.init(
            path, durability: durability, redact: redact, labels: labels, limit: limit, options: options,
            calls: SystemCalls(), onError: onError, context: context)
    }

    /// Makes a journal that is written by system calls of the caller's.
    package init(
        _ path: String, durability: Durability = .synchronous, redact: [Redaction] = [],
        labels: [String: String] = [:], limit: Int? = nil, options: Options, calls: SystemCalls,
        onError: (@Sendable (RecorderError) -> Void)? = nil, context: (@Sendable () -> TraceContext?)? = nil
    ) throws(JournalWriteError) {
        let start = options.clock()
        let names = labels.sorted { $0.key < $1.key }.map { JournalHeader.Label(name: $0.key, value: $0.value) }
        let header = JournalHeader(
            id: options.id ?? JournalHeader.freshID(), time: start, app: options.app, build: options.build,
            recorder: "state-store", labels: names)
        let plan = JournalPlan(
            header: header,
            options: JournalWriter.Options(
                replace: options.replacesFile, sync: options.sync),
            calls: calls)
        protection = Protection(redact, key: Recorder.key(options.redactionKey), valueLimit: options.valueLimit)
        let writer = try plan.make(at: path)
        self.path = writer.path
        var encoding = EncodingOptions(verifyIncrementalEncoding: options.verifiesEncoding)
        encoding.readsLayouts = encoding.readsLayouts && options.readsLayouts
        encoding.checksSteadiness = true
        self.encoding = encoding
        self.context = context
        self.onError = onError ?? Recorder.printToStandardError
        identity = Recorder.recorders.add(1, ordering: .relaxed).newValue
        clock = options.clock
        self.writer = Mutex(writer)
        queue = ContendedLock(RecordingQueue(start: start))
        composer = ContendedLock(
            JournalComposer(
                writer, plan: plan, protection: protection, limit: limit, retryInterval: options.retryInterval))
        backgroundThread = durability == .background ? EncodingThread(options.sync) : nil
        backgroundThread?.start { [weak self] isIdle in self?.writeWaiting(isIdle: isIdle) != nil }
        let hook = ExitHooks.add { [weak self] in self?.end() }
        exitHook.withLock { $0 = hook }
    }

    private static func key(_ bytes: [UInt8]?) -> RedactionKey {
        guard let bytes else { return .random() }
        // A short key can be guessed, and with it every value.
        if bytes.count < 16 { fatalError("'redactionKey' has \(bytes.count) bytes, at least 16 are needed") }
        return RedactionKey(bytes)
    }

    deinit { end() }

    /// Writes a remark of the app or a test at this point of the journal: "tapped Buy".
    ///
    ///     recorder.mark("search results shown", ["count": 12])
    ///
    /// - Parameters:
    ///   - text: the remark.
    ///   - payload: what an event that is not part of a state carries. It is encoded when the mark is written, and redacted as
    ///     the payload of an action is; one that cannot be encoded is left out and reported to `onError`.
    ///   - level: how serious it is.
    public func mark(
        _ text: String, _ payload: (any Encodable & Sendable)? = nil, level: MarkLevel? = nil, fileID: String = #fileID,
        line: Int = #line, column: Int = #column, function: String = #function
    ) {
        mark(
            text, level: level, payload: payload,
            at: SourceLocation(file: fileID, line: line, column: column, function: function))
    }

    package func mark(
        _ text: String, level: MarkLevel? = nil, payload: (any Encodable & Sendable)? = nil, at location: SourceLocation
    ) {
        let carried = payload.map { CommitAction(of: $0) }
        record("mark") { queue in
            queue.append(.mark(queue.time, location, text: text, level: level, payload: carried))
        }
    }

    /// Writes what is in the queue and an end, and closes the file.
    ///
    /// Its stores continue unrecorded. A second call does nothing, and neither does one in a child that was forked off. Inside
    /// an `encode(to:)` the call traps, as a commit does.
    public func close() {
        ThreadActivity.requireOutsideEncoding("'close'")
        end()
    }

    /// Ends the journal, also at an exit from code of the app that the recorder called.
    private func end() {
        // Another thread may have held the locks when the child was made: there they stay locked.
        if isForkedChild { return }
        guard let hook = exitHook.withLock({ $0.take() }) else { return }
        ExitHooks.remove(hook)
        // The clock may be what exits.
        let reading = ThreadActivity.current == nil ? readClock() : nil
        let time = queue.withLock { queue in
            queue.close()
            if let reading { queue.advance(to: reading) }
            return queue.time
        }
        let written =
            isEncoding
            ? withFreeComposer { composer in writeEnd(on: &composer, at: time) }
            : composer.withLock { composer in writeEnd(on: &composer, at: time) }
        if let written {
            written.problems.forEach(onError)
        } else {
            // The process exits from an `encode(to:)`, under the writing lock: what was passed to the file is whole.
            try? writer.withLock(\.self).close(at: time)
        }
        thread?.end()
    }

    private func writeEnd(on composer: inout JournalComposer, at time: Timestamp) -> Written {
        var written = writeQueue(on: &composer)
        composer.end(at: time)
        written.records += composer.postponed.takeFinished()
        written.problems += composer.takeProblems()
        return written
    }

    /// Whether this thread is in an `encode(to:)`, and so may hold the writing lock.
    private var isEncoding: Bool {
        if case .encoding = ThreadActivity.current { return true }
        return false
    }

    /// Takes the writing lock, unless this very thread seems to hold it.
    private func withFreeComposer(_ body: (inout JournalComposer) -> Written) -> Written? {
        for _ in 0..<Spin.limit {
            if let written = composer.withLockIfAvailable(body) { return written }
            Spin.yield()
        }
        return nil
    }

    /// Whether this process is a child that was forked off: there nothing is recorded, and no lock is taken, since another
    /// thread of the parent may have held it.
    var isForkedChild: Bool { process != ProcessIdentity.current }

    /// What is left to do after a turn at the writing lock, once that is released: code of the app runs then.
    private struct Written: Sendable {
        /// The records, and with them states to be released.
        var records: [QueuedRecord] = []
        var problems: [RecorderError] = []
    }

    // MARK: The queue

    /// - Parameter isSmall: whether it holds no state, and so never waits for room in the background.
    func record(
        _ call: String, isSmall: Bool = false, isTimed: Bool = true, _ append: (inout RecordingQueue) -> Int
    ) {
        ThreadActivity.requireOutsideEncoding("'\(call)'")
        guard let ticket = withQueue(isTimed: isTimed, append) else { return }
        waitUntilWritten(ticket, isSmall: isSmall)
    }

    private func readClock() -> Timestamp { ThreadActivity.during(.readingClock) { clock() } }

    /// Puts something into the queue at the present time.
    ///
    /// The clock is code of the app: it is called outside of the lock, and once more where what it says is so early that it
    /// seems to be set back, since this thread may have stood still.
    ///
    /// - Returns: nil once the recorder is closed, and in a forked child.
    func withQueue<Result: Sendable>(
        isTimed: Bool = true, _ body: (inout RecordingQueue) -> Result
    ) -> Result? {
        if isForkedChild { return nil }
        var isSure = false
        while true {
            let reading = isTimed ? readClock() : nil
            let answer = queue.withLock { queue -> Result?? in
                guard queue.isOpen else { return .some(nil) }
                if let reading {
                    if queue.isSetBack(reading), !isSure { return nil }
                    queue.advance(to: reading)
                }
                return body(&queue)
            }
            if let answer { return answer }
            isSure = true
        }
    }

    var isOpen: Bool { !isForkedChild && queue.withLock(\.isOpen) }

    func report(_ problem: RecorderError) { onError(problem) }

    /// The caller holds its store's lock.
    ///
    /// - Returns: false once the recorder is closed.
    func enqueue(_ commit: PendingCommit) -> Bool { withQueue { $0.append(commit) } != nil }

    /// Whether everything up to a ticket is written, or known to be lost.
    func isWritten(_ ticket: Int) -> Bool { writtenTicket.load(ordering: .acquiring) >= ticket }

    /// Whether commits return before they are encoded.
    var isInBackground: Bool { thread != nil }

    /// Returns when a ticket's record is written; in the background at once, unless too many wait.
    func waitUntilWritten(_ ticket: Int, isSmall: Bool = false) {
        guard let thread else { return writeNow(ticket) }
        thread.wake()
        let limit = EncodingThread.limit
        if !isSmall, ticket - takenTicket.load(ordering: .relaxed) > limit {
            thread.waitForRoom { ticket - takenTicket.load(ordering: .acquiring) > limit }
        }
    }

    private func writeWaiting(isIdle: Bool) {
        let written = composer.withLock { composer in
            // An end in the meantime has closed the file.
            if isIdle, queue.withLock(\.isOpen) { composer.sync() }
            return writeQueue(on: &composer)
        }
        written.problems.forEach(onError)
    }

    /// Returns when a ticket's record is written; this thread writes it, unless another one does.
    func writeNow(_ ticket: Int) {
        var turns = 0
        while !isWritten(ticket) {
            let written =
                turns < Spin.limit
                ? composer.withLockIfAvailable { composer in write(ticket, on: &composer) }
                : composer.withLock { composer in write(ticket, on: &composer) }
            if let written {
                written.problems.forEach(onError)
            } else {
                // A child may have been forked off in the clock, while another thread held the lock.
                if isForkedChild { return }
                // The holder of the lock most likely writes this record too, and then the lock is not needed.
                Spin.yield()
                turns += 1
            }
        }
    }

    /// Writes the queue, unless another thread did.
    private func write(_ ticket: Int, on composer: inout JournalComposer) -> Written {
        isWritten(ticket) ? Written(problems: composer.takeProblems()) : writeQueue(on: &composer)
    }

    private func writeQueue(on composer: inout JournalComposer) -> Written {
        var records: [QueuedRecord] = []
        let ticket = queue.withLock { queue -> Int in
            queue.takeAll(into: &records)
            return queue.ticket
        }
        takenTicket.store(ticket, ordering: .releasing)
        thread?.signalRoom()
        composer.write(records)
        let file = composer.writer
        writer.withLock { if $0 !== file { $0 = file } }
        writtenTicket.store(ticket, ordering: .releasing)
        records += composer.postponed.takeFinished()
        return Written(records: records, problems: composer.takeProblems())
    }

    /// Puts a record into the queue, on any thread and under any lock.
    func recordWithoutWaiting(isTimed: Bool, _ record: (inout RecordingQueue) -> QueuedRecord) {
        guard withQueue(isTimed: isTimed, { $0.append(record(&$0)) }) != nil else { return }
        if let thread { return thread.wake() }
        // Writing may encode other stores' states, by code of the app that must not run inside a commit's closure or a
        // transform. This very thread may also hold the writing lock, and release a value that held the store. Both
        // times the line is written with the next ones.
        if ThreadActivity.current != nil { return }
        let written = composer.withLockIfAvailable { composer in writeQueue(on: &composer) }
        written?.problems.forEach(onError)
    }
}

extension Recorder: OpaqueToDump {}
