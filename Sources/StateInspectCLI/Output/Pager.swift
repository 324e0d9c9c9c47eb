import Platform

/// A program that shows a long answer page by page; only ever run for a person at a terminal.
final class Pager: ByteSink {
    /// What is run where nothing else is asked for: quit if it fits, keep colours, leave the screen as it is.
    static let standard = "less -FRX"

    private let process: ChildProcess
    /// Nil once everything was written.
    private var input: FileDescriptor?
    private var token: SignalHandling.Token?

    /// Starts the pager that the environment names.
    ///
    /// - Returns: nil where none is wanted (an empty variable or `cat`) or none can be started.
    init?(_ environment: Environment) {
        let command = environment["STATE_INSPECT_PAGER"] ?? environment["PAGER"] ?? Self.standard
        guard !command.isEmpty, command != "cat" else { return nil }
        var output: FileDescriptor?
        do throws(SystemFailure) {
            try FileDescriptor.pipe(reading: &output, writing: &input)
            let process = try ChildProcess.start(
                ["/bin/sh", "-c", command], environment: environment,
                input: .descriptor(output?.number ?? -1))
            self.process = process
            token = SignalHandling.beforeEnd { _ = process.wait() }
        } catch {
            return nil
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
        do throws(SystemFailure) { try input?.write(bytes) } catch { throw OutputError(error) }
    }

    /// Says that this was all, and waits until the person has read it.
    func finish() {
        guard input.take() != nil else { return }
        _ = process.wait()
        if let token { SignalHandling.remove(token) }
    }
}
