internal import Synchronization

/// Asks a work that would go on for ever to come to its end.
package final class StopRequest: Sendable {
    private let flag = Atomic(false)

    /// Nobody has asked yet.
    package init() {}

    /// Whether somebody has asked.
    package var isMade: Bool { flag.load(ordering: .relaxed) }

    /// Asks.
    package func make() { flag.store(true, ordering: .relaxed) }
}
