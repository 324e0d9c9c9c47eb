import Platform

/// A journal's file while it is written: whole lines, brought to the disk by the chosen rule.
struct LineFile: ~Copyable, Sendable {
    private var file: AppendedFile
    private let sync: JournalWriter.FileSync
    private var lastSync = Timestamp.now()
    private var isSynced = true

    init(_ descriptor: consuming FileDescriptor, calls: SystemCalls, sync: JournalWriter.FileSync) {
        file = AppendedFile(descriptor, calls: calls)
        self.sync = sync
    }

    /// Appends whole lines, all of them or none.
    mutating func append(_ lines: [UInt8]) throws(SystemFailure) {
        guard !lines.isEmpty else { return }
        try file.append(lines)
        isSynced = false
    }

    mutating func syncIfDue() throws(SystemFailure) {
        switch sync {
        case .never: return
        case .everyCommit: try syncNow()
        case .interval(let seconds):
            if isSynced { return }
            let passed = (Timestamp.now().microseconds - lastSync.microseconds) / 1_000_000
            if passed < 0 || passed >= seconds { try syncNow() }
        }
    }

    mutating func syncNow() throws(SystemFailure) {
        guard !isSynced else { return }
        try file.sync()
        isSynced = true
        lastSync = .now()
    }
}
