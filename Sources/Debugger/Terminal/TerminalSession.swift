import CommandLine
import Platform
import QueryLanguage

/// A thin shell around the types that decide: `KeyDecoder` and the caller, which asks for the keys.
final class TerminalSession {
    enum Use {
        case line
        case fullScreen
    }

    enum News: Equatable {
        case input([TerminalInput])
        /// It has another size, or was used by others: all has to be drawn anew.
        case redraw
        case closed
        case nothing
    }

    private let input: Int32
    private let output: Int32
    /// The terminal itself, where keys do not come from standard input.
    private let ownInput: FileDescriptor?
    private let terminal: RawTerminal
    private let greeting: [UInt8]
    private var decoder = KeyDecoder()
    private var isMouseOn = false
    private let clock = ContinuousClock()
    private var lastRead: ContinuousClock.Instant

    /// Terminals ignore sequences that are longer; xterm's limit.
    private static let copyLimit = 74_994

    private static let pasteOn = "\u{1B}[?2004h"
    private static let pasteOff = "\u{1B}[?2004l"
    private static let mouseOn = "\u{1B}[?1000h\u{1B}[?1006h"
    private static let mouseOff = "\u{1B}[?1006l\u{1B}[?1000l"
    /// The alternate screen, which wraps no lines.
    private static let screenOn = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l"
    private static let screenOff = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// Nil where there is no terminal to read keys from: `input`, if that is one, else the one that the process belongs
    /// to.
    init?(_ use: Use, input: Int32, output: Int32) {
        let farewell: String
        switch use {
        case .line: (greeting, farewell) = (Array(Self.pasteOn.utf8), Self.pasteOff + "\u{1B}[0m\u{1B}[?25h")
        case .fullScreen:
            greeting = Array((Self.screenOn + Self.pasteOn).utf8)
            farewell = Self.mouseOff + Self.pasteOff + Self.screenOff
        }
        var number = input
        if TerminalDevice.isTerminal(input) {
            ownInput = nil
        } else {
            guard let own = try? FileDescriptor.reading("/dev/tty") else { return nil }
            number = own.number
            ownInput = consume own
        }
        self.input = number
        self.output = output
        guard let terminal = RawTerminal(input: self.input, output: output, farewell: Array(farewell.utf8)) else {
            return nil
        }
        self.terminal = terminal
        lastRead = clock.now
    }

    func begin() {
        TerminalSignals.install()
        terminal.enter(greeting)
    }

    func end() { terminal.leave() }

    var size: ScreenSize {
        let known = TerminalDevice.size(of: output)
        return ScreenSize(columns: known?.columns ?? Terminal.defaultWidth, rows: known.map { max(1, $0.rows) } ?? 24)
    }

    /// False if the terminal was closed.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool { bytes.isEmpty || terminal.write(bytes) }

    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    func setMouse(_ isOn: Bool) {
        isMouseOn = isOn
        write(isOn ? Self.mouseOn : Self.mouseOff)
    }

    /// OSC 52 of xterm, which also works over ssh; false where the text is too long for it.
    func copy(_ text: String) -> Bool {
        guard text.utf8.count <= Self.copyLimit else { return false }
        return write("\u{1B}]52;c;\(Base64.encode(Array(text.utf8)))\u{7}")
    }

    /// Gives the terminal to the shell until the program is resumed, as Ctrl-Z does.
    func suspend() { terminal.suspend(wholeGreeting) }

    /// Takes the terminal back at a key, so that the output can be read; Ctrl-C is the program's, and then a key like
    /// others.
    func release(untilSeen body: () throws -> Void) throws {
        terminal.leave()
        SignalHandling.giveInterrupts { true }
        defer {
            SignalHandling.giveInterrupts(to: nil)
            terminal.enter(wholeGreeting)
        }
        try body()
        FileDescriptor.writeToStandardError("-- Enter goes back --")
        terminal.enter([])
        while case .nothing = next(waiting: nil) {}
    }

    /// Nil where the terminal was closed; `answer` gives nil for a key that means nothing.
    func ask<Answer>(_ question: String, _ answer: (Key) -> Answer?) -> Answer? {
        begin()
        write(question)
        defer {
            write("\r\u{1B}[K")
            end()
        }
        while true {
            switch next(waiting: nil) {
            case .input(let inputs):
                for case .key(let key) in inputs { if let meant = answer(key) { return meant } }
            case .redraw: write("\r" + question)
            case .closed: return nil
            case .nothing: break
            }
        }
    }

    /// - Parameter milliseconds: how long at the most; nil for ever.
    func next(waiting milliseconds: Int32?) -> News {
        let patience = [decoderPatience, milliseconds].compactMap(\.self).min() ?? -1
        let notices = TerminalSignals.wait(for: input, milliseconds: patience)
        if notices.contains(.stopped) {
            suspend()
            return .redraw
        }
        if notices.contains(.resumed) {
            terminal.enter(wholeGreeting)
            return .redraw
        }
        if notices.contains(.resized) { return .redraw }
        if notices.contains(.input) { return read() }
        if decoderPatience == 0 {
            let keys = decoder.timeOut()
            if !keys.isEmpty { return .input(keys) }
        }
        return .nothing
    }

    /// Lets long work be left without reading the key.
    var isKeyWaiting: Bool { TerminalDevice.hasInput(input) }

    /// Nil where nothing was begun.
    private var decoderPatience: Int32? {
        decoder.patience.map { max(0, $0 - Int32(min((clock.now - lastRead) / .milliseconds(1), 10_000))) }
    }

    private var wholeGreeting: [UInt8] { greeting + (isMouseOn ? Array(Self.mouseOn.utf8) : []) }

    private func read() -> News {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var room = bytes.mutableSpan
        let count = (try? FileDescriptor.read(from: input, into: &room)) ?? 0
        guard count > 0 else { return .closed }
        lastRead = clock.now
        return .input(decoder.feed(bytes[..<count]))
    }
}
