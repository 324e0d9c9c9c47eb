#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

internal import Synchronization

/// Ends the program in order when a signal asks for it (Ctrl-C, a closed terminal, `kill`).
///
/// A signal handler may call next to nothing, so it only writes the signal's number into a pipe; a thread that waits there
/// runs the clean-ups, newest first, and raises the signal again with its default action, so that the shell sees what
/// ended the program. Handlers, unlike ignored or blocked signals, are not inherited by the programs that we start.
package enum SignalHandling {
    /// A clean-up that is waiting; hand it back with `remove`.
    package struct Token: Sendable, Equatable {
        fileprivate let number: Int
    }

    /// The work that the next Ctrl-C ends in the place of the program, and whether other signals do, too.
    private static let interruptible = Mutex<(work: StopRequest, byAny: Bool)?>(nil)

    /// Takes each Ctrl-C in the place of the program; nil where Ctrl-C ends the program.
    private static let interruptTaker = Mutex<(@Sendable () -> Bool)?>(nil)

    private static let cleanups = Mutex(Cleanups())

    private struct Cleanups {
        var next = 0
        var actions: [(number: Int, run: @Sendable () -> Void)] = []
        /// Whether a signal ends the program: what is made from now on would be left over.
        var isEnding = false
    }

    /// Catches the signals from here on.
    ///
    /// SIGPIPE and SIGXFSZ do nothing any more: a write without a reader, or past the largest size of a file, fails and
    /// is reported.
    package static func install() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        unsafe wakeDescriptor = ends[1]
        unsafe waitDescriptor = ends[0]
        for number in [SIGPIPE, SIGXFSZ] { signal(number) { _ in } }
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU] {
            let previous = signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                _ = unsafe write(wakeDescriptor, &byte, 1)
            }
            if isIgnored(previous) { signal(number, SIG_IGN) }
        }
        (try? SystemThread.start { waitForSignal() })?.detach()
    }

    /// Makes something, and clears it away should a signal end the program before the token is handed back.
    ///
    /// - Parameter make: returns what was made and what clears it away. No signal comes in between; once one has come, nothing
    ///   is made any more.
    package static func making<Made: Sendable, Failure: Error>(
        _ make: () throws(Failure) -> (made: Made, cleanup: @Sendable () -> Void)
    ) throws(Failure) -> (made: Made, token: Token) {
        while true {
            let result = try cleanups.withLock { (state) throws(Failure) -> (made: Made, token: Token)? in
                guard !state.isEnding else { return nil }
                let (made, cleanup) = try make()
                state.next += 1
                state.actions.append((state.next, cleanup))
                return (made, Token(number: state.next))
            }
            if let result { return result }
            pause()
        }
    }

    /// Runs `action` should a signal end the program before the token is handed back.
    package static func beforeEnd(_ action: @escaping @Sendable () -> Void) -> Token {
        making { ((), action) }.token
    }

    /// Lets the next Ctrl-C end a work, which then reports what it found; one more ends the program.
    ///
    /// - Parameter byAny: whether `kill` and a closed terminal do the same.
    package static func interruptOnce(_ work: StopRequest, byAny: Bool = false) {
        interruptible.withLock { $0 = (work, byAny) }
    }

    /// Gives each Ctrl-C to a session that outlives it, until nil takes that back.
    ///
    /// - Parameter taker: false where it cannot do anything with it: then the program ends.
    package static func giveInterrupts(to taker: (@Sendable () -> Bool)?) {
        interruptTaker.withLock { $0 = taker }
    }

    /// Whether a signal has done its work without ending the program.
    private static func isTaken(_ number: Int32) -> Bool {
        if number == SIGINT, let taker = interruptTaker.withLock({ $0 }) { return taker() }
        let work = interruptible.withLock { state -> StopRequest? in
            guard let found = state, number == SIGINT || found.byAny else { return nil }
            state = nil
            return found.work
        }
        work?.make()
        return work != nil
    }

    /// The work is done: its clean-up is no longer needed.
    package static func remove(_ token: Token) {
        cleanups.withLock { state in state.actions.removeAll { $0.number == token.number } }
    }

    /// Ends as a program does that nothing has caught this signal for.
    private static func raiseAgain(_ number: Int32) {
        signal(number, SIG_DFL)
        kill(getpid(), number)
    }

    package static func endProcess(_ status: Int32) -> Never { exit(status) }

    /// Ends the process as SIGPIPE ends a program whose output has no reader.
    package static func endOutputClosed() -> Never {
        raiseAgain(SIGPIPE)
        _exit(128 + SIGPIPE)
    }

    private static func waitForSignal() {
        guard var number = nextSignal() else { return }
        while isTaken(number) {
            guard let next = nextSignal() else { return }
            number = next
        }
        let actions = cleanups.withLock { state in
            state.isEnding = true
            return state.actions
        }
        for action in actions.reversed() { action.run() }
        raiseAgain(number)
    }

    private static func nextSignal() -> Int32? {
        var byte: UInt8 = 0
        while unsafe read(waitDescriptor, &byte, 1) != 1 {
            guard errno == EINTR else { return nil }
        }
        return Int32(byte)
    }

    /// Whether the process that started this one wants the signal ignored (`nohup`).
    private static func isIgnored(_ handler: sighandler_t?) -> Bool {
        unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// The ends of the pipe between handler and thread; written once, before the handlers are installed.
private nonisolated(unsafe) var wakeDescriptor: Int32 = -1
private nonisolated(unsafe) var waitDescriptor: Int32 = -1

#if !canImport(Glibc)
private typealias sighandler_t = @convention(c) (Int32) -> Void
#endif

/// Asks a work that would go on for ever to come to its end.
package final class StopRequest: Sendable {
    private let flag = Atomic(false)

    package init() {}

    package var isMade: Bool { flag.load(ordering: .relaxed) }

    package func make() { flag.store(true, ordering: .relaxed) }
}
