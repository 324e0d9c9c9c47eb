package import CommandLine
import Diagnostics
import JSONCore
import Platform

/// `dap`: the Debug Adapter Protocol on standard input and output.
package struct DapCommand: Command {
    package static let definition = CommandDefinition(
        name: .dap, summary: "serve a run to an editor's debugger",
        synopsis: ["[--log FILE]"], operands: [], options: [.dapLog],
        details: [
            """
            Speaks the Debug Adapter Protocol on standard input and output: the editor's own buttons go back in time. A run \
            is the program, a commit a step, a store a thread, a cause a frame, the state the variables. The editor starts it; \
            'launch' opens a journal, 'attach' one that is still written.
            """,
            """
            Where an editor has no button for a way back, 'restart frame' goes to a cause, 'goto' to the commits of a line, and \
            the console takes every line of 'debug': 'exec-direction reverse' turns the other buttons around.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect log samples/checkout.jsonl --by-place",
                purpose: "the lines at which breakpoints stop")
        ],
        isAnswer: false)

    private let log: String?

    package init(_ typed: TypedArguments) throws {
        log = typed.value(.dapLog)
        if typed.has(.format), typed.value(.format) != OutputFormat.human.rawValue {
            throw UsageError.value(.format, typed.value(.format) ?? "", expected: "left out: the editor has a protocol")
        }
    }

    package func run(in context: CommandContext) throws -> ExitStatus {
        let file: FileDescriptor?
        do throws(SystemFailure) {
            file = if let log { try FileDescriptor.appending(log) } else { nil }
        } catch {
            throw CommandFailure(
                .unreadable, Diagnostic(code: "dap.log", "'\(log ?? "")' cannot be written: \(error.text)"))
        }
        let server = DapServer(input: context.input, output: 1, log: file) { text in
            context.messages.report(Diagnostic(code: "dap.message", text))
        }
        return try server.run(context.environment) ? .done : .unreadable
    }
}

/// One thread reads frames, another one carries them out and writes.
final class DapServer {
    private let input: Int32
    private let output: Int32
    private let log: FileDescriptor?
    private let report: (String) -> Void
    private let inbox = ThreadCondition(Inbox())

    private struct Inbox {
        var texts: [[UInt8]] = []
        /// Nil while more may come.
        var end: Result<Void, DapFrames.Fault>?
    }

    /// No more requests wait: a client that sends more waits itself.
    private static let limit = 1000

    /// `log` gets what goes both ways, a line each; `report` gets what is wrong with what came.
    init(input: Int32, output: Int32, log: consuming FileDescriptor?, report: @escaping (String) -> Void) {
        self.input = input
        self.output = output
        self.log = log
        self.report = report
    }

    /// - Returns: whether every frame could be read.
    func run(_ environment: Environment) throws -> Bool {
        let inbox = inbox
        let input = input
        try SystemThread.start { DapServer.read(input, into: inbox) }.detach()
        var failure: SystemFailure?
        let adapter = DapAdapter(
            DapAdapter.Link(
                send: { message in
                    do throws(SystemFailure) { try self.write(message) } catch { failure = failure ?? error }
                },
                next: { self.takeNow() }, pause: { DapServer.pause($0, inbox) },
                isClosed: { inbox.wait(for: { .some($0.end != nil && $0.texts.isEmpty) }) }),
            environment: environment)
        refuse = { adapter.refuse($0, $1, $2) }
        defer { refuse = { _, _, _ in } }
        while adapter.phase != .ended, failure == nil {
            if let request = takeNow() {
                adapter.receive(request)
            } else if !adapter.readOn() {
                guard inbox.wait(for: { DapServer.hasCome($0) ? !$0.texts.isEmpty : nil }) else { break }
            }
        }
        if let failure { throw OutputError(failure) }
        guard
            case .failure(let fault)? = inbox.wait(for: {
                adapter.phase == .ended ? .some($0.end) : $0.end.map { .some($0) }
            })
        else { return true }
        report(DapServer.words(for: fault))
        return false
    }

    private var refuse: (Int, String, DapError) -> Void = { _, _, _ in }

    private static func hasCome(_ inbox: Inbox) -> Bool { !inbox.texts.isEmpty || inbox.end != nil }

    /// What is not a request is answered, or reported.
    private func takeNow() -> DapRequest? {
        while let text = inbox.wait(for: { inbox in
            .some(inbox.texts.isEmpty ? [UInt8]?.none : inbox.texts.removeFirst())
        }) {
            note("<-", text)
            do throws(DapRequest.Fault) { return try DapRequest(text) } catch {
                switch error {
                case .noNumber(let text): report(text)
                case .notRequest(let seq, let command, let text): refuse(seq, command, DapError(text))
                case .other: break
                }
            }
        }
        return nil
    }

    private static func pause(_ milliseconds: Int32, _ inbox: ThreadCondition<Inbox>) {
        // The inbox has no wait with an end; what waits here polls a few times a second.
        for _ in 0..<max(1, milliseconds / 10) {
            if inbox.wait(for: { .some(hasCome($0) && !$0.texts.isEmpty) }) { return }
            SystemClock.sleep(microseconds: Double(min(10, milliseconds)) * 1000)
        }
    }

    // MARK: Reading and writing

    private static func read(_ input: Int32, into inbox: ThreadCondition<Inbox>) {
        var frames = DapFrames()
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count: Int
            do throws(SystemFailure) {
                var room = block.mutableSpan
                count = try FileDescriptor.read(from: input, into: &room)
            } catch {
                return inbox.change { $0.end = .failure(.unreadable(error)) }
            }
            frames.add(block[..<count])
            do throws(DapFrames.Fault) {
                while let text = try frames.next() {
                    inbox.wait { $0.texts.count < limit ? $0.texts.append(text) : nil }
                }
                if count > 0 { continue }
                try frames.end()
                return inbox.change { $0.end = .success(()) }
            } catch {
                return inbox.change { $0.end = .failure(error) }
            }
        }
    }

    private func write(_ message: JSONValue) throws(SystemFailure) {
        let text = Array(message.text().utf8)
        note("->", text)
        try FileDescriptor.write(DapFrames.frame(text), to: output)
    }

    private func note(_ direction: String, _ text: [UInt8]) {
        guard log != nil else { return }
        let line = String(decoding: text, as: UTF8.self).replacing("\n", with: " ").replacing("\r", with: " ")
        try? log?.write(Array((direction + " " + line + "\n").utf8))
    }

    private static func words(for fault: DapFrames.Fault) -> String {
        switch fault {
        case .head: "standard input is not the Debug Adapter Protocol: a frame has no 'Content-Length' that is a number"
        case .tooLong(let length): "a frame of \(length) bytes is longer than \(DapFrames.lengthLimit)"
        case .cut: "the input ends within a frame"
        case .unreadable(let failure): "standard input cannot be read: \(failure.text)"
        }
    }
}
