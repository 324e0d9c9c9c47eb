#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What happens to a terminal besides keys: another size, a stop, going on.
///
/// A handler only writes a byte into a pipe; the thread that waits for keys waits for that too. A thousand changes of
/// the size are one when they are examined.
package enum TerminalSignals {
    package struct Notices: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Bytes can be read, or the terminal is gone.
        package static let input = Notices(rawValue: 1)
        /// The terminal may have another size.
        package static let resized = Notices(rawValue: 2)
        /// Ctrl-Z, or a signal, asks the program to stop for a while.
        package static let stopped = Notices(rawValue: 4)
        /// The program goes on; the terminal may have been used by others.
        package static let resumed = Notices(rawValue: 8)
    }

    /// Begins to notice; what is ignored stays so.
    package static func install() {
        guard unsafe noticeReader < 0 else { return }
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            // A full pipe has news enough.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        unsafe (noticeReader, noticeWriter) = (ends[0], ends[1])
        signal(SIGWINCH) { _ in note(TerminalSignals.Notices.resized.rawValue) }
        signal(SIGCONT) { _ in note(TerminalSignals.Notices.resumed.rawValue) }
        catchStops()
    }

    /// Waits for bytes on `input`, or for a notice.
    ///
    /// - Parameter milliseconds: how long at the most; negative for ever.
    package static func wait(for input: Int32, milliseconds: Int32) -> Notices {
        var requests = unsafe [
            pollfd(fd: input, events: Int16(POLLIN), revents: 0),
            pollfd(fd: noticeReader, events: Int16(POLLIN), revents: 0),
        ]
        guard unsafe poll(&requests, nfds_t(requests.count), milliseconds) > 0 else { return [] }
        var notices: Notices = requests[0].revents != 0 ? .input : []
        if requests[1].revents != 0 { notices.formUnion(taken()) }
        return notices
    }

    /// Stops the program, and the others that the shell started with it, as Ctrl-Z does; returns when it goes on.
    static func stopProcess() {
        signal(SIGTSTP, SIG_DFL)
        kill(0, SIGTSTP)
        // The stop may come a moment later, to another thread, or not at all where no shell would let the program go on.
        if unsafe noticeReader >= 0 {
            var request = unsafe pollfd(fd: noticeReader, events: Int16(POLLIN), revents: 0)
            for _ in 0..<10 {
                if unsafe poll(&request, 1, 20) > 0, taken().contains(.resumed) { break }
            }
        }
        catchStops()
    }

    private static func catchStops() {
        let previous = signal(SIGTSTP) { _ in note(TerminalSignals.Notices.stopped.rawValue) }
        if unsafe unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
            signal(SIGTSTP, SIG_IGN)
        }
    }

    private static func taken() -> Notices {
        var notices: Notices = []
        var bytes: [UInt8] = Array(repeating: 0, count: 256)
        while true {
            let count = unsafe read(noticeReader, &bytes, bytes.count)
            guard count > 0 else { return notices }
            for byte in bytes[..<count] { notices.formUnion(Notices(rawValue: byte)) }
        }
    }
}

private func note(_ notice: UInt8) {
    let code = errno
    var byte = notice
    _ = unsafe write(noticeWriter, &byte, 1)
    errno = code
}

/// The ends of the pipe between handlers and the waiting thread; written once, before the handlers are installed.
private nonisolated(unsafe) var noticeReader: Int32 = -1
private nonisolated(unsafe) var noticeWriter: Int32 = -1
