#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

internal import Synchronization

/// A terminal whose keys are read one by one, without an echo, until it is given back as it was.
///
/// It is given back by ``leave()``, before a signal ends the program, and when the program traps. One at a time.
package final class RawTerminal: Sendable {
    private let input: Int32
    private let output: Int32
    private let settings: SavedSettings
    /// What is written to the terminal when it is given back.
    private let farewell: [UInt8]
    private let state = Mutex<SignalHandling.Token?>(nil)
    /// Locked by each writer, so that nothing is drawn once the terminal was given back.
    private let isEntered = Mutex(false)

    /// A terminal; nil where `input` is none.
    ///
    /// - Parameters:
    ///   - input: where keys come from; owned elsewhere.
    ///   - output: where what is shown goes; owned elsewhere.
    ///   - farewell: what undoes everything that may have been asked of the terminal.
    package init?(input: Int32, output: Int32, farewell: [UInt8]) {
        guard let settings = SavedSettings(of: input) else { return nil }
        self.input = input
        self.output = output
        self.settings = settings
        self.farewell = farewell
    }

    deinit { leave() }

    /// Takes the terminal; does nothing where it is taken already but to set it up again.
    package func enter(_ greeting: [UInt8]) {
        state.withLock { token in
            if token == nil { token = SignalHandling.beforeEnd { [weak self] in self?.giveBack() } }
        }
        isEntered.withLock { isEntered in
            isEntered = true
            FaultRestore.arm(input, output, settings, farewell)
            settings.makeRaw(input)
            put(greeting)
        }
    }

    package func leave() {
        giveBack()
        let token = state.withLock { $0.take() }
        if let token { SignalHandling.remove(token) }
    }

    /// Writes to the terminal, unless it was given back.
    ///
    /// - Returns: false where the terminal is gone.
    package func write(_ bytes: [UInt8]) -> Bool { isEntered.withLock { $0 ? put(bytes) : true } }

    /// Gives the terminal back, and takes it again, set up with `greeting`, when the program goes on.
    package func suspend(_ greeting: [UInt8]) {
        giveBack()
        TerminalSignals.stopProcess()
        enter(greeting)
    }

    private func giveBack() {
        // A writer may wait for a terminal that takes nothing any more: after a moment it is given back all the same.
        for _ in 0..<20 {
            let isDone: Void? = isEntered.withLockIfAvailable { isEntered in
                if isEntered { restore() }
                isEntered = false
            }
            if isDone != nil { return }
            SystemClock.sleep(microseconds: 10_000)
        }
        restore()
    }

    private func restore() {
        FaultRestore.disarm()
        put(farewell)
        settings.restore(input)
    }

    @discardableResult
    private func put(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            do throws(SystemFailure) {
                unsafe try FileDescriptor.write(bytes, to: output)
                return true
            } catch {
                return false
            }
        }
    }
}

private struct SavedSettings: @unchecked Sendable {
    // Unchecked: a struct of C, numbers only.
    let value: termios

    init?(of descriptor: Int32) {
        var value = termios()
        guard isatty(descriptor) == 1, unsafe tcgetattr(descriptor, &value) == 0 else { return nil }
        self.value = value
    }

    /// Every byte as it comes: no echo, no lines, no signals, no flow control, nothing translated.
    func makeRaw(_ descriptor: Int32) {
        var raw = value
        unsafe cfmakeraw(&raw)
        // Output keeps its line ends: what other code writes meanwhile stays readable.
        raw.c_oflag = value.c_oflag
        while unsafe tcsetattr(descriptor, TCSANOW, &raw) != 0, errno == EINTR {}
    }

    func restore(_ descriptor: Int32) {
        var value = value
        while unsafe tcsetattr(descriptor, TCSANOW, &value) != 0, errno == EINTR {}
    }
}

// MARK: Traps

/// Gives the terminal back when the program traps: what is called then must be safe in a signal handler, so everything it
/// needs lies ready in plain memory.
private enum FaultRestore {
    private static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]
    private static let stackSize = 1 << 16

    static func arm(_ input: Int32, _ output: Int32, _ settings: SavedSettings, _ farewell: [UInt8]) {
        if unsafe faultSettings == nil {
            unsafe faultSettings = .allocate(capacity: 1)
            unsafe faultFarewell = .allocate(capacity: farewell.count)
            unsafe faultPrevious = .allocate(capacity: signals.count)
            install()
        } else {
            unsafe faultInput = -1
            unsafe faultFarewell?.deallocate()
            unsafe faultFarewell = .allocate(capacity: farewell.count)
        }
        unsafe faultSettings?.initialize(to: settings.value)
        for (index, byte) in farewell.enumerated() { unsafe faultFarewell?[index] = byte }
        unsafe faultFarewellCount = farewell.count
        unsafe faultOutput = output
        unsafe faultInput = input
    }

    static func disarm() { unsafe faultInput = -1 }

    /// Catches what a trap raises, on a stack of its own: the thread's may be what overflowed.
    private static func install() {
        var stack = unsafe stack_t()
        unsafe stack.ss_sp = .allocate(byteCount: stackSize, alignment: 16)
        unsafe stack.ss_size = numericCast(stackSize)
        unsafe sigaltstack(&stack, nil)
        for (index, number) in signals.enumerated() {
            var action = sigaction()
            #if canImport(Glibc)
            unsafe action.__sigaction_handler.sa_handler = { giveBackAfterFault($0) }
            #elseif canImport(Musl)
            unsafe action.__sa_handler.sa_handler = { giveBackAfterFault($0) }
            #else
            unsafe action.__sigaction_u.__sa_handler = { giveBackAfterFault($0) }
            #endif
            action.sa_flags = Int32(bitPattern: UInt32(SA_ONSTACK))
            guard let previous = unsafe faultPrevious else { return }
            unsafe previous[index] = sigaction()
            unsafe sigaction(number, &action, previous + index)
        }
    }

    /// The place of a signal among those that are caught; written without a call that a handler may not make.
    static func index(of number: Int32) -> Int {
        switch number {
        case SIGILL: 0
        case SIGTRAP: 1
        case SIGSEGV: 2
        case SIGBUS: 3
        case SIGFPE: 4
        default: 5
        }
    }
}

/// The handler: it gives the terminal back, puts the handler of before in its place, and raises the signal again, which that
/// one gets when this one returns, at the same place.
private func giveBackAfterFault(_ number: Int32) {
    if unsafe faultInput >= 0, let settings = unsafe faultSettings, let farewell = unsafe faultFarewell {
        _ = unsafe systemWrite(faultOutput, farewell, faultFarewellCount)
        unsafe tcsetattr(faultInput, TCSANOW, settings)
        unsafe faultInput = -1
    }
    guard let previous = unsafe faultPrevious else { return }
    unsafe sigaction(number, previous + FaultRestore.index(of: number), nil)
    raise(number)
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    unsafe write(file, bytes, count)
}

/// What the handler reads; written before it is installed, and while no other thread draws.
private nonisolated(unsafe) var faultInput: Int32 = -1
private nonisolated(unsafe) var faultOutput: Int32 = -1
private nonisolated(unsafe) var faultSettings: UnsafeMutablePointer<termios>?
private nonisolated(unsafe) var faultFarewell: UnsafeMutablePointer<UInt8>?
private nonisolated(unsafe) var faultFarewellCount = 0
private nonisolated(unsafe) var faultPrevious: UnsafeMutablePointer<sigaction>?
