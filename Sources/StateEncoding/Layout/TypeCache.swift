internal import Synchronization

/// What was found out about types, once in a process, apart for encoders that read layouts and those that do not.
final class TypeCache<Value: Sendable>: Sendable {
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let readsLayouts: Bool
    }

    private let known = Mutex<[Key: Value]>([:])

    /// What is known of a type; found where nothing is.
    ///
    /// Two threads may both find it, and then use what the first one found.
    func value(of type: Any.Type, _ readsLayouts: Bool, _ find: () -> Value) -> Value {
        let key = Key(type: ObjectIdentifier(type), readsLayouts: readsLayouts)
        if let value = known.withLock({ $0[key] }) { return value }
        let found = find()
        return known.withLock { known in
            if let other = known[key] { return other }
            known[key] = found
            return found
        }
    }
}
