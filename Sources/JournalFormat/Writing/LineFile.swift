#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file of whole lines: what is handed over in one piece is in it whole, or not at all.
struct LineFile: ~Copyable, Sendable {
    private let descriptor: FileDescriptor
    private let calls: SystemCalls
    private let sync: JournalWriter.FileSync
    /// How many bytes of whole lines the file holds.
    private(set) var size = 0
    /// Whether a part of lines lies behind `size`, which must be cut off before anything else is written.
    private var hasFragment = false
    private var lastSync = Timestamp.now()
    private var isSynced = true

    init(_ descriptor: consuming FileDescriptor, calls: SystemCalls, sync: JournalWriter.FileSync) {
        self.descriptor = descriptor
        self.calls = calls
        self.sync = sync
    }

    /// Appends whole lines with one `write(2)`; one that takes in only a part is gone on with, and cut off again if the rest
    /// cannot be written.
    mutating func append(_ lines: [UInt8]) throws(SystemFailure) {
        try lines.withUnsafeBufferPointer { (bytes) throws(SystemFailure) in
            try append(UnsafeRawBufferPointer(bytes))
        }
    }

    private mutating func append(_ lines: UnsafeRawBufferPointer) throws(SystemFailure) {
        guard let base = lines.baseAddress, !lines.isEmpty else { return }
        if hasFragment { try cutFragment() }
        var done = 0
        while done < lines.count {
            let count = calls.write(descriptor.number, base + done, lines.count - done)
            if count > 0 {
                done += min(count, lines.count - done)
            } else {
                let code = count == 0 ? ENOSPC : errno
                if code == EINTR { continue }
                if code == EAGAIN {
                    waitUntilWritable()
                    continue
                }
                hasFragment = done > 0
                if hasFragment { try? cutFragment() }
                throw SystemFailure("write", code: code)
            }
        }
        size += lines.count
        isSynced = false
    }

    private mutating func cutFragment() throws(SystemFailure) {
        guard calls.truncate(descriptor.number, size) >= 0 else { throw SystemFailure("ftruncate") }
        hasFragment = false
    }

    private borrowing func waitUntilWritable() {
        var request = pollfd(fd: descriptor.number, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, 100)
    }

    /// Brings the file to the disk where the chosen rule says that it is time.
    mutating func syncIfDue() throws(SystemFailure) {
        switch sync {
        case .never: return
        case .everyCommit: try syncNow()
        case .interval:
            if secondsUntilSync() == 0 { try syncNow() }
        }
    }

    /// Seconds until the interval is over, nil where there is nothing to bring to the disk or no interval.
    borrowing func secondsUntilSync() -> Int? {
        guard case .interval(let seconds) = sync, !isSynced else { return nil }
        let passed = (Timestamp.now().microseconds - lastSync.microseconds) / 1_000_000
        return passed < 0 ? 0 : max(0, seconds - passed)
    }

    /// Brings the file to the disk.
    mutating func syncNow() throws(SystemFailure) {
        guard !isSynced else { return }
        while calls.sync(descriptor.number) < 0 {
            if errno == EINTR { continue }
            throw SystemFailure("fsync")
        }
        isSynced = true
        lastSync = .now()
    }
}
