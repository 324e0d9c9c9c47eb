internal import Observation
internal import Synchronization

/// The values of an object by their keys as the Observation framework sees them: a reader of one is notified of changes
/// of that one only.
///
/// It holds nothing of a key that is not tracked: the framework keeps tracked reads, by key path, and each key is one.
package final class KeyedObservation<Key: Hashable & Sendable>: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    /// Never notified: shows only whether anything is read under observation.
    private let tracking = ObservationPoint()
    private let subscription = Mutex<Subscription?>(nil)

    package init() {}

    private subscript(key: Key) -> Void { () }

    /// Registers a read of a key.
    ///
    /// - Parameter subscribe: makes what calls ``notify(_:)`` from then on; called at the first tracked read.
    /// - Complexity: outside of a tracked read, one look at a thread-local.
    package func registerAccess(to key: Key, _ subscribe: () -> Subscription) {
        guard tracking.registerAccess() else { return }
        registrar.access(self, keyPath: \.[key])
        // Made outside the lock: a subscription may end others, which are code of the app.
        if subscription.withLock({ $0 != nil }) { return }
        let made = subscribe()
        let isFirst = subscription.withLock { subscription in
            defer { if subscription == nil { subscription = made } }
            return subscription == nil
        }
        if !isFirst { made.cancel() }
    }

    /// Notifies what tracks a key that its value has changed.
    package func notify(_ key: Key) {
        registrar.willSet(self, keyPath: \.[key])
        registrar.didSet(self, keyPath: \.[key])
    }
}
