import Platform

/// Writes appends on a thread of its own, from a queue of bounded size.
///
/// The thread takes the whole queue, writes it with one `write(2)` while the next one fills, and comes back. When a write
/// fails, everything appended since is lost with it: lines after a hole would not be a journal. The next call throws
/// it.
final class BackgroundWriter: @unchecked Sendable {
    // Unchecked: `queue`, `failure` and the flags are touched under `signal` only, `work` only by the thread.

    private struct Queue {
        var bytes: [UInt8] = []
        var records: [CountedRecord] = []
        var totals: WrittenTotals

        mutating func removeAll() {
            bytes.removeAll(keepingCapacity: true)
            records.removeAll(keepingCapacity: true)
        }
    }

    private let signal = ThreadSignal()
    private let capacity: Int
    private let whenFull: JournalWriter.WhenFull
    private var queue: Queue
    private var failure: WriteFailure?
    private var isWriting = false
    private var wantsSync = false
    private var isClosing = false
    private var hasEnded = false
    private var writtenBytes: Int
    private var work: Work

    /// What the thread has for itself.
    private struct Work: ~Copyable {
        /// Nil once closed.
        var file: LineFile?
        var bytes: [UInt8] = []
        var records: [CountedRecord] = []
        var written: WrittenTotals

        mutating func write(andSync: Bool) -> WriteFailure? {
            defer {
                bytes.removeAll(keepingCapacity: true)
                records.removeAll(keepingCapacity: true)
            }
            do throws(SystemFailure) {
                try file?.append(bytes)
                written.count(records)
                if andSync { try file?.syncNow() } else { try file?.syncIfDue() }
                return nil
            } catch {
                return WriteFailure(error, lastKept: written.lastCommit)
            }
        }
    }

    init(_ file: consuming LineFile, totals: WrittenTotals, capacity: Int, whenFull: JournalWriter.WhenFull)
        throws(SystemFailure)
    {
        self.capacity = max(capacity, 1)
        self.whenFull = whenFull
        queue = Queue(totals: totals)
        writtenBytes = totals.byteCount
        work = Work(file: file, written: totals)
        try SystemThread.start(takesSignals: false) { self.run() }.detach()
    }

    /// What was appended and not lost.
    var accepted: WrittenTotals { signal.locked { queue.totals } }

    var writtenByteCount: Int { signal.locked { writtenBytes } }

    /// Puts lines into the queue, and says whether a keyframe is due.
    ///
    /// Lines longer than the whole queue go in when it is empty.
    func append(_ lines: borrowing LineBuilder) throws(WriteFailure) -> Bool {
        let count = lines.bytes.count
        signal.lock()
        defer { signal.unlock() }
        if whenFull == .wait {
            while failure == nil, !isClosing, isTooFull(for: count) { signal.wait() }
        }
        try throwFailure()
        guard !isClosing else { throw WriteFailure(.closed, lastKept: queue.totals.lastCommit) }
        guard !isTooFull(for: count) else {
            throw WriteFailure(.queueFull(capacity: capacity), lastKept: queue.totals.lastCommit)
        }
        if queue.bytes.isEmpty { signal.wakeAll() }
        queue.bytes += lines.bytes
        queue.records += lines.records
        queue.totals.count(lines.records)
        return queue.totals.needsKeyframe
    }

    private func isTooFull(for count: Int) -> Bool {
        !queue.bytes.isEmpty && count > capacity - queue.bytes.count
    }

    /// Waits until everything appended is with the kernel, or on the disk.
    func flush(andSync: Bool) throws(WriteFailure) {
        signal.lock()
        defer { signal.unlock() }
        if andSync, !hasEnded {
            wantsSync = true
            signal.wakeAll()
        }
        while failure == nil, !hasEnded, !queue.bytes.isEmpty || isWriting || wantsSync { signal.wait() }
        try throwFailure()
    }

    /// Writes what is left and the `end`, closes the file and waits for the thread to finish.
    func close(at moment: Timestamp) throws(WriteFailure) {
        signal.lock()
        defer { signal.unlock() }
        // A loss that no call has thrown yet is thrown now, after the `end`, which counts only what is in the file.
        while failure == nil, !queue.bytes.isEmpty || isWriting { signal.wait() }
        let loss = failure
        failure = nil
        var line = LineBuilder()
        line.end(seq: queue.totals.lastCommit, time: moment, totals: queue.totals.totals)
        queue.bytes += line.bytes
        queue.records += line.records
        queue.totals.count(line.records)
        isClosing = true
        signal.wakeAll()
        while !hasEnded { signal.wait() }
        if let loss { throw loss }
        try throwFailure()
    }

    /// Throws what went wrong since the last call, once.
    private func throwFailure() throws(WriteFailure) {
        guard let failure else { return }
        self.failure = nil
        throw failure
    }

    // MARK: The thread

    private func run() {
        signal.lock()
        while true {
            while queue.bytes.isEmpty, !isClosing, !wantsSync, !isSyncDue() { waitForWork() }
            let isLast = isClosing
            let mustSync = wantsSync
            swap(&queue.bytes, &work.bytes)
            swap(&queue.records, &work.records)
            isWriting = true
            signal.unlock()
            let result = work.write(andSync: mustSync)
            signal.lock()
            isWriting = false
            writtenBytes = work.written.byteCount
            if mustSync { wantsSync = false }
            if let result { lose(result) }
            signal.wakeAll()
            if isLast { break }
        }
        hasEnded = true
        work.file = nil
        signal.wakeAll()
        signal.unlock()
    }

    private func isSyncDue() -> Bool { work.file?.secondsUntilSync() == 0 }

    private func waitForWork() {
        if let seconds = work.file?.secondsUntilSync() { signal.wait(.seconds(max(seconds, 1))) } else { signal.wait() }
    }

    /// Forgets what was appended after a failed write, so that the totals are those of the file.
    private func lose(_ loss: WriteFailure) {
        failure = loss
        if case .system(operation: "fsync", _) = loss.cause { return }
        queue.removeAll()
        queue.totals = work.written
    }
}
