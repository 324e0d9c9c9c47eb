#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A program that shows a long answer page by page; only ever run for a person at a terminal.
final class Pager: ByteSink {
    /// What is run where nothing else is asked for: quit if it fits, keep colours, leave the screen as it is.
    static let standard = "less -FRX"

    private let process: ChildProcess
    private var descriptor: Int32
    private var token: Interruption.Token?

    /// Starts the pager that the environment names.
    ///
    /// - Returns: nil where none is wanted (an empty variable or `cat`) or none can be started.
    init?(_ environment: Environment) {
        let command = environment["STATE_INSPECT_PAGER"] ?? environment["PAGER"] ?? Self.standard
        guard !command.isEmpty, command != "cat" else { return nil }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let started = ChildProcess.start(["/bin/sh", "-c", command], environment: environment, input: ends[0])
        guard case .success(let process) = started else {
            close(ends[1])
            return nil
        }
        self.process = process
        descriptor = ends[1]
        token = Interruption.onInterrupt { _ = process.wait() }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
        try SystemCall.writeAll(bytes, to: descriptor)
    }

    /// Says that this was all, and waits until the person has read it.
    func finish() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
        _ = process.wait()
        if let token { Interruption.remove(token) }
    }
}
