public import Observation
internal import Synchronization

/// One property of one object as the Observation framework sees it: a store's state, a property of it, a derived value.
///
/// The framework does not say whether a read is tracked, and reporting each commit to a registrar costs as much as the
/// commit. But it keeps tracked reads in tables by key path, so it hashes the key path of a tracked read, and of no
/// other. This key path has an argument that sets a flag when it is hashed. The framework does not promise that, so it
/// is tried once in each process; where it does not hold, every read counts as tracked.
@usableFromInline
final class ObservationPoint: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let flag: TrackingFlag
    private let path: any KeyPath<ObservationPoint, Void> & Sendable
    private let isNotifying = Synchronization.Atomic(false)
    /// Versions that tracked reads saw, and were not notified of a difference since.
    ///
    /// Unsafe: touched by the thread that delivers, one at a time.
    @safe nonisolated(unsafe) private var seen: [VersionNode] = []
    /// With more versions than these, which no app has on purpose, a reader is notified once too often.
    private static let seenLimit = 16

    init() {
        let flag = TrackingFlag()
        self.flag = flag
        path = \ObservationPoint[flag]
    }

    private subscript(flag: TrackingFlag) -> Void { () }

    /// Registers a read with the framework.
    ///
    /// - Returns: whether the read is tracked and commits are not reported yet.
    /// - Complexity: outside of a tracked read, one look at a thread-local.
    @usableFromInline
    func registerAccess() -> Bool {
        registrar.access(self, keyPath: path)
        return !isNotifying.load(ordering: .acquiring) && (flag.isSet || !ObservationPoint.detectsTracking)
    }

    /// Says that commits are reported from now on.
    ///
    /// Called only once they are, or another thread that reads meanwhile
    /// would miss one.
    func markNotifying() { isNotifying.store(true, ordering: .releasing) }

    /// Notifies what tracks the property if it saw a value that differs from the one of a new version.
    ///
    /// A reader may have seen another version than the one before the new one: an app's comparison may take each of many
    /// small steps for none.
    ///
    /// - Parameters:
    ///   - previous: the version before, which reads since its delivery saw.
    ///   - isSame: whether the value is equal in two versions.
    func report(
        _ previous: VersionNode, _ current: VersionNode, _ isSame: (_ seen: VersionNode, VersionNode) -> Bool
    ) {
        // Before that nothing is tracked, and ``registerAccess()`` needs the flag.
        guard isNotifying.load(ordering: .acquiring) else { return }
        let wasRead = flag.takeIsSet() || !ObservationPoint.detectsTracking
        if wasRead, seen.last !== previous { seen.append(previous) }
        let isChanged =
            !isSame(previous, current) || seen.count > ObservationPoint.seenLimit
            || seen.contains { $0 !== previous && !isSame($0, current) }
        guard isChanged else { return }
        seen = []
        notify()
    }

    /// Whether the framework hashes the key path of a tracked read, and of no other.
    static let detectsTracking: Bool = {
        let point = ObservationPoint()
        point.registrar.access(point, keyPath: point.path)
        let isSetUntracked = point.flag.isSet
        withObservationTracking {
            point.registrar.access(point, keyPath: point.path)
        } onChange: {
        }
        return !isSetUntracked && point.flag.isSet
    }()

    /// Notifies what tracks the property that it has changed.
    func notify() {
        // One-shot observers listen to `willSet`, which the framework means to be called before a change. Here it is
        // called when the new state can be read.
        registrar.willSet(self, keyPath: path)
        registrar.didSet(self, keyPath: path)
    }
}

/// The argument of a key path, whose flag is set when the key path is put into a table.
private struct TrackingFlag: Hashable, Sendable {
    private final class Flag: Sendable {
        let isSet = Synchronization.Atomic(false)
    }

    private let flag = Flag()

    var isSet: Bool { flag.isSet.load(ordering: .relaxed) }

    /// Whether it was set since the last call.
    func takeIsSet() -> Bool { isSet && flag.isSet.exchange(false, ordering: .relaxed) }

    static func == (left: TrackingFlag, right: TrackingFlag) -> Bool {
        left.flag.isSet.store(true, ordering: .relaxed)
        return left.flag === right.flag
    }

    func hash(into hasher: inout Hasher) {
        flag.isSet.store(true, ordering: .relaxed)
        hasher.combine(ObjectIdentifier(flag))
    }
}

/// Reads of ``Store/state`` are tracked; a commit that changes the state notifies once the new state can be read. Reads
/// of one property, by ``Store/subscript(_:)`` or a ``Scope``, are notified of changes of that property only.
///
/// Tracking begins with the read; as everywhere in the Observation framework, a change by another thread between the
/// read and the end of the tracking closure is not reported. Track where the commits are made, or subscribe.
extension Store: Observable {
    /// Makes sure that commits are delivered, to observers of the state too, for as long as the store lives.
    @usableFromInline
    func notifyObservers() {
        observe()
        observation.markNotifying()
    }

    /// Makes sure that commits are delivered, to observers too, for as long as the store lives.
    private func observe() { listen { line, _ in line.isObserved = true } }

    /// A property of the state, from any thread; a tracked read is notified of changes of that property only.
    ///
    ///     Text(cart[\.title])
    ///     Text(cart.title)
    ///
    /// In `withObservationTracking`, or the `body` of a SwiftUI view, a commit that changes this property is reported,
    /// and no other, whatever the state's own `==` says. That needs a stored property that is `Equatable`, such as `\.title`
    /// or `\.user.name`. Of any other key path (to an element, to what an optional holds, to a computed property) each
    /// commit that changes any byte of the state is reported: in the state after the next commit its value may be
    /// missing, so only the reader may evaluate it.
    ///
    /// - Complexity: that of ``state``, and one table look-up for a tracked read. A commit compares each property that
    ///   was ever read under observation.
    @inlinable
    public subscript<Value>(path: any KeyPath<State, Value> & Sendable) -> Value { read(path) }

    /// A property of the state by its name alone: `cart.title` is `cart[\.title]`.
    ///
    /// A property that has the name of a member of ``Store`` is not found here.
    @inlinable
    public subscript<Value>(dynamicMember path: any KeyPath<State, Value> & Sendable) -> Value { read(path) }

    /// A property of the state, tracked on its own.
    ///
    /// - Parameter register: registers a tracked read, in place of that of the path; nil for the path's own.
    @inlinable
    func read<Value>(_ path: KeyPath<State, Value>, track register: ((Store) -> Void)? = nil) -> Value {
        if tracking.registerAccess() { if let register { register(self) } else { track(path) } }
        return published.state[keyPath: path]
    }

    /// Registers a read of a property that may be tracked.
    @usableFromInline
    func track<Value>(_ path: KeyPath<State, Value>) { observedProperties.registerAccess(to: path, observe) }

    /// Registers a read of what a property holds: it is compared by all of its content.
    func trackContent<Value>(of path: KeyPath<State, Value>) {
        observedProperties.registerAccess(to: path, byContent: true, observe)
    }
}
