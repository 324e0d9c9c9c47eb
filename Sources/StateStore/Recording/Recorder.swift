internal import Diagnostics
public import JournalFormat
internal import Synchronization

/// Writes what stores do to a journal: one file for any number of stores.
///
/// A commit takes its number under its store's lock and is put into a queue; whoever holds the writing lock then encodes and
/// writes the queue from its front, for other threads too. So the journal has one order of all commits, several lines go out
/// with one `write(2)`, and a store's lock is never held while anything is encoded.
///
/// The recorder keeps a copy of the last written state of every store, which shares its storage with the store's own until
/// that changes. It is closed by ``close()``, by the end of its last reference, and by a normal exit of the process.
public final class Recorder: Sendable {
    /// The recorder of stores that are made without naming one.
    @TaskLocal public static var current: Recorder?

    /// How a journal is made and written.
    public struct Options: Sendable {
        /// Whether a commit returns when its line is with the kernel (the default), or when it is in a queue in memory.
        public var durability = JournalWriter.Durability.synchronous
        /// When the file is brought to the disk.
        public var sync = JournalWriter.FileSync.never
        /// Whether a file of that name is replaced; without it, such a file is an error.
        public var replacesFile = false
        /// The run's name; a random UUID if nil.
        public var id: String?
        /// The app's name.
        public var app: String?
        /// The app's build.
        public var build: String?
        /// Free labels of the run.
        public var labels: [String: String] = [:]
        /// Where the times come from.
        ///
        /// With a fixed clock and a fixed `id`, two equal runs write the same bytes.
        public var clock: @Sendable () -> Timestamp = Timestamp.now
        /// How long the recorder waits after a failed write before it tries again.
        public var retryInterval = Duration.seconds(1)

        /// The defaults: synchronous, a new file, the system's clock.
        public init() {}
    }

    /// The journal's path, with `%p` and `%t` filled in.
    public let path: String
    /// Tells recorders of a process apart.
    let identity: Int

    private static let recorders = Synchronization.Atomic(0)
    private let queue: Mutex<RecordingQueue>
    private let desk: Mutex<WritingDesk>
    private let settled = Synchronization.Atomic(0)
    private let onError: @Sendable (RecorderError) -> Void
    private let exitHook = Mutex<ExitHooks.Token?>(nil)

    /// Makes a journal.
    ///
    /// - Parameters:
    ///   - path: where; `%p` is the process's number, `%t` the time.
    ///   - onError: told once when the file cannot be written, and once for each store whose state cannot be encoded. By
    ///     default a message goes to standard error.
    /// - Throws: ``JournalWriteError`` where there is a file already, or it cannot be made.
    public convenience init(
        _ path: String, options: Options = Options(), onError: (@Sendable (RecorderError) -> Void)? = nil
    ) throws(JournalWriteError) {
        try self.init(path, options: options, calls: SystemCalls(), onError: onError)
    }

    /// Makes a journal that is written by other calls than the system's own.
    package init(
        _ path: String, options: Options, calls: SystemCalls, onError: (@Sendable (RecorderError) -> Void)? = nil
    ) throws(JournalWriteError) {
        let start = options.clock()
        let labels = options.labels.sorted { $0.key < $1.key }
        let header = JournalHeader(
            id: options.id ?? JournalHeader.freshID(), time: start, app: options.app, build: options.build,
            recorder: "state-store", labels: labels.map { JournalHeader.Label(name: $0.key, value: $0.value) })
        let writer = try JournalWriter(
            path: path, header: header,
            options: JournalWriter.Options(
                replace: options.replacesFile, durability: options.durability, sync: options.sync),
            calls: calls)
        self.path = writer.path
        self.onError = onError ?? Recorder.printToStandardError
        identity = Recorder.recorders.add(1, ordering: .relaxed).newValue
        queue = Mutex(RecordingQueue(clock: options.clock, start: start))
        desk = Mutex(WritingDesk(writer, start: start, retryInterval: options.retryInterval))
        let hook = ExitHooks.add { [weak self] in self?.close() }
        exitHook.withLock { $0 = hook }
    }

    deinit { close() }

    /// Writes a remark of the app or a test at this point of the journal: "tapped Buy".
    ///
    /// - Parameters:
    ///   - text: what there is to say.
    ///   - level: how grave it is.
    public func mark(
        _ text: String, level: MarkLevel? = nil, fileID: String = #fileID, line: Int = #line, column: Int = #column,
        function: String = #function
    ) {
        let location = SourceLocation(file: fileID, line: line, column: column, function: function)
        record("mark") { queue in queue.append(.mark(queue.now(), location, text: text, level: level)) }
    }

    /// Writes what is in the queue and an end, and closes the file.
    ///
    /// Its stores go on unrecorded. A second call does nothing.
    public func close() {
        guard let hook = exitHook.withLock({ $0.take() }) else { return }
        ExitHooks.remove(hook)
        queue.withLock { $0.close() }
        let problems = desk.withLock { desk -> [RecorderError] in
            writeQueue(on: &desk)
            desk.end(at: queue.withLock { $0.now() })
            return desk.takeProblems()
        }
        problems.forEach(onError)
    }

    // MARK: The queue

    /// Puts a record into the queue and sees it written.
    private func record(_ call: String, _ append: (inout RecordingQueue) -> Int) {
        ThreadActivity.requireOutsideEncoding("'\(call)'")
        if let ticket = queue.withLock({ $0.isOpen ? append(&$0) : nil }) { settle(ticket) }
    }

    /// Gives a commit its number.
    ///
    /// The caller holds its store's lock.
    ///
    /// - Returns: false once the recorder is closed.
    func enqueue(_ commit: PendingCommit) -> Bool {
        queue.withLock { queue in
            guard queue.isOpen else { return false }
            queue.append(commit)
            return true
        }
    }

    /// Whether everything up to a ticket is written, or known to be lost.
    func isSettled(_ ticket: Int) -> Bool { settled.load(ordering: .acquiring) >= ticket }

    /// Returns when a ticket's record is written; this thread writes it, unless another one does.
    func settle(_ ticket: Int) {
        while !isSettled(ticket) {
            let problems = desk.withLock { desk -> [RecorderError] in
                if !isSettled(ticket) { writeQueue(on: &desk) }
                return desk.takeProblems()
            }
            problems.forEach(onError)
        }
    }

    private func writeQueue(on desk: inout WritingDesk) {
        var batch: [QueuedRecord] = []
        let ticket = queue.withLock { queue -> Int in
            queue.takeAll(into: &batch)
            return queue.ticket
        }
        desk.write(batch)
        settled.store(ticket, ordering: .releasing)
    }

    // MARK: Stores

    /// Begins to record a store.
    ///
    /// - Returns: nil once the recorder is closed.
    func open<State: Encodable & Sendable>(
        _ initial: State, wanted name: String, at location: SourceLocation
    ) -> StateTrack<State>? {
        ThreadActivity.requireOutsideEncoding("making the store '\(name)'")
        let opened = queue.withLock { queue -> (track: StateTrack<State>, ticket: Int)? in
            guard queue.isOpen else { return nil }
            let track = StateTrack(name: queue.takeStoreName(name), location: location, initial: initial)
            return (track, queue.append(.open(track, queue.now())))
        }
        guard let opened else { return nil }
        settle(opened.ticket)
        return opened.track
    }

    /// Ends the record of a store that goes away, on whatever thread and in whatever lock that happens.
    func close(_ track: any StoreTrack) {
        let isOpen = queue.withLock { queue -> Bool in
            guard queue.isOpen else { return false }
            _ = queue.append(.close(track, queue.now()))
            queue.giveBack(storeName: track.name)
            return true
        }
        guard isOpen else { return }
        // The writing lock may be held by this very thread, which then has a value go that held the store; the line is
        // written with the next ones.
        let problems = desk.withLockIfAvailable { desk -> [RecorderError] in
            writeQueue(on: &desk)
            return desk.takeProblems()
        }
        problems?.forEach(onError)
    }

    /// Declares a derived value, and finds out what it reads.
    func declare(_ declaration: DerivedDeclaration) -> DerivedDeclaration {
        record("derived") { queue in
            declaration.name = queue.takeDerivedName(declaration.name)
            return queue.append(.derived(declaration))
        }
        return declaration
    }

    /// Records what derived values did after a commit.
    func record(_ reports: [DerivedReport], of commit: PendingCommit) {
        if reports.isEmpty { return }
        let outcomes = reports.compactMap { $0.encoded(for: self) }
        if outcomes.isEmpty { return }
        record("delivery") { queue in queue.append(.outcome(commit, outcomes)) }
    }

    /// Records that a commit's closure threw.
    func recordAbort(of track: any StoreTrack, at location: SourceLocation, name: String, error: any Error) {
        let text = String(describing: error)
        record("commit") { queue in
            queue.append(.abort(track, queue.now(), location, name: name, error: text))
        }
    }
}
