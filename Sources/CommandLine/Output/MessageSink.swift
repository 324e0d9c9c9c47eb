import Synchronization

/// Standard error: messages, and below the last of them the status line, which shows how far the work is.
///
/// Several threads may renew that line, so everything is written under one lock. Unchecked because a sink need not be
/// `Sendable`: it is written to under the lock only.
package final class MessageSink: @unchecked Sendable {
    private let sink: any ByteSink
    private let state = Mutex(State())

    private struct State {
        var isPlain = false
        var isLineShown = false
        var hasEnded = false
    }

    package init(_ sink: any ByteSink) { self.sink = sink }

    package var isPlain: Bool {
        get { state.withLock { $0.isPlain } }
        set { state.withLock { $0.isPlain = newValue } }
    }

    /// Writes a message; one that cannot be written is lost.
    package func write(_ text: String) {
        state.withLock { state in
            hide(&state)
            put(text, state)
        }
    }

    package func show(_ line: String) {
        state.withLock { state in
            guard !state.hasEnded else { return }
            state.isLineShown = true
            put("\r" + line + "\u{1B}[K", state)
        }
    }

    package func hide() { state.withLock { hide(&$0) } }

    /// Takes the line away for good: the screen is somebody else's.
    package func end() {
        state.withLock { state in
            hide(&state)
            state.hasEnded = true
        }
    }

    private func hide(_ state: inout State) {
        guard state.isLineShown else { return }
        state.isLineShown = false
        put("\r\u{1B}[K", state)
    }

    private func put(_ text: String, _ state: borrowing State) {
        var text = state.isPlain ? PlainSigns.text(text) : text
        text.withUTF8 { try? sink.write(UnsafeRawBufferPointer($0)) }
    }
}
