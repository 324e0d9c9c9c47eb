import Platform
import Synchronization

/// Lets a Ctrl-C end what a session does, and not the session.
final class DebugInterruption: Sendable {
    /// What ends the work in hand; nil where there is none.
    private let request = Mutex<StopRequest?>(nil)

    /// Whether somebody wants it to end.
    var isMade: Bool { request.withLock { $0?.isMade ?? false } }

    /// Begins something that may be ended.
    func arm() { request.withLock { $0 = StopRequest() } }

    /// It has ended.
    func disarm() { request.withLock { $0 = nil } }

    /// Ends the running command; false if an earlier interrupt has not ended it.
    func interrupt() -> Bool {
        guard let request = request.withLock({ $0 }) else { return true }
        if request.isMade { return false }
        request.make()
        return true
    }
}
