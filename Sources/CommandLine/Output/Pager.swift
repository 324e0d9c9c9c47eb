package import JSONCore
package import Platform

/// Only ever run for a person at a terminal.
///
/// What it was given is kept as long as it may not have been read: if the pager fails before it has shown anything,
/// that goes to the terminal itself.
package final class Pager: ByteSink {
    /// What is run where nothing else is asked for: quit if it fits, keep colours, leave the screen as it is.
    static let standard = "less -FRX"
    /// No pipe holds more than this, so a program that was given more has read some of it.
    private static let unreadLimit = 1 << 20

    private let process: ChildProcess
    private let terminal: any ByteSink
    private var input: FileDescriptor?
    private var token: SignalHandling.Token?
    /// What was written so far; nil once some of it was read.
    private var unread: [UInt8]? = []
    private var hasFailed = false

    /// Nil where no pager is wanted (an empty variable or `cat`), none can be started, or the terminal cannot move its
    /// cursor.
    package init?(_ environment: Environment, before terminal: any ByteSink) {
        let command = environment["STATE_INSPECT_PAGER"] ?? environment["PAGER"] ?? Self.standard
        guard !command.isEmpty, command != "cat", environment["TERM"] != "dumb" else { return nil }
        var environment = environment
        // Without these 'less' shows the colours as they are written.
        if environment["LESS"] == nil { environment["LESS"] = "FRX" }
        var output: FileDescriptor?
        do throws(SystemFailure) {
            try FileDescriptor.pipe(reading: &output, writing: &input)
            let process = try ChildProcess.start(
                ["/bin/sh", "-c", command], environment: environment, input: .descriptor(output?.number ?? -1))
            (self.process, self.terminal) = (process, terminal)
            token = SignalHandling.beforeEnd { _ = process.wait() }
        } catch {
            return nil
        }
    }

    package func write(_ bytes: ByteView) throws(OutputError) {
        if hasFailed { return try terminal.write(bytes) }
        if let count = unread?.count {
            if count + bytes.count > Self.unreadLimit { unread = nil } else { unread?.append(contentsOf: bytes) }
        }
        let failure: SystemFailure
        do throws(SystemFailure) {
            if let number = input?.number { try FileDescriptor.write(bytes, to: number) }
            return
        } catch { failure = error }
        try end()
        if !hasFailed { throw OutputError(failure) }
    }

    package func finish() throws(OutputError) { try end() }

    private func end() throws(OutputError) {
        guard input.take() != nil else { return }
        let ending = process.wait()
        if let token { SignalHandling.remove(token) }
        guard ending != .status(0), let unread else { return }
        hasFailed = true
        try unread.withBytes { (bytes) throws(OutputError) in try terminal.write(bytes) }
    }
}
