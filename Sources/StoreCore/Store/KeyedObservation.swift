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

    /// A key in a key path, which the framework holds until the tracked read is notified or ends; the hold ends with it.
    private struct TrackedKey: Hashable {
        let key: Key
        var hold: Subscription?

        static func == (left: TrackedKey, right: TrackedKey) -> Bool { left.key == right.key }
        func hash(into hasher: inout Hasher) { hasher.combine(key) }
    }

    private subscript(key: TrackedKey) -> Void { () }

    /// - Parameters:
    ///   - hold: keeps the key for as long as the read is tracked. It ends under a lock of the framework, so its end must
    ///     run no code of the app.
    ///   - subscribe: makes what calls ``notify(_:)`` from then on; called at the first tracked read.
    /// - Complexity: outside of a tracked read, one look at a thread-local.
    package func registerAccess(
        to key: Key, holding hold: () -> Subscription? = { nil }, _ subscribe: () -> Subscription
    ) {
        guard tracking.isTracking else { return }
        registrar.access(self, keyPath: \.[TrackedKey(key: key, hold: hold())])
        // Made outside the lock: a subscription may end others, which are code of the app.
        if subscription.withLock({ $0 != nil }) { return }
        let made = subscribe()
        let isFirst = subscription.withLock { subscription in
            defer { if subscription == nil { subscription = made } }
            return subscription == nil
        }
        if !isFirst { made.cancel() }
    }

    package func notify(_ key: Key) {
        let path: KeyPath<KeyedObservation, Void> = \.[TrackedKey(key: key)]
        registrar.willSet(self, keyPath: path)
        registrar.didSet(self, keyPath: path)
    }
}
