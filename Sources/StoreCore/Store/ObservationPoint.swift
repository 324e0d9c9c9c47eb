internal import Platform
public import Observation
internal import Synchronization

/// One property of one object as the Observation framework sees it: a store's state, a property of it, a derived value.
///
/// The framework does not say whether a read is tracked, and reporting each commit to a registrar costs as much as the
/// commit. But it keeps tracked reads in tables by key path, so it hashes the key path of a tracked read, and of no
/// other. These key paths have an argument that marks the thread when it is hashed. The framework does not promise that, so
/// it is tried once in each process; where it does not hold, every read counts as tracked.
@usableFromInline
final class ObservationPoint: Observable, Sendable {
    /// Made by the first read: to make one costs as much as a commit, and many stores are only subscribed to.
    private let registrar = LazyReference<Registrar>()
    private let isNotifying = Synchronization.Atomic(false)
    /// Whether a tracked read came since the last version.
    private let wasRead = Synchronization.Atomic(false)
    /// Versions that tracked reads saw, and were not notified of a difference since.
    ///
    /// Unsafe: touched by the thread that delivers, one at a time.
    @safe nonisolated(unsafe) private var seen: [StateVersion] = []
    /// With more versions than these, which no app has on purpose, a reader is notified once too often.
    private static let seenLimit = 16
    // Shared by all points: to make a key path costs as much as a dozen commits.
    private static let path: any KeyPath<ObservationPoint, Void> & Sendable = \ObservationPoint[TrackingMark.property]
    /// Never notified: shows only whether reads are tracked.
    private static let probe: any KeyPath<ObservationPoint, Void> & Sendable = \ObservationPoint[TrackingMark.probe]

    private final class Registrar: Sendable { let content = ObservationRegistrar() }

    private subscript(mark: TrackingMark) -> Void { () }

    /// - Returns: whether the read is tracked and commits are not reported yet.
    /// - Complexity: outside of a tracked read, three looks at thread-locals.
    @usableFromInline
    func registerAccess() -> Bool {
        guard access(ObservationPoint.path) || !ObservationPoint.detectsTracking else { return false }
        wasRead.store(true, ordering: .relaxed)
        return !isNotifying.load(ordering: .acquiring)
    }

    /// Whether a read that is made now is tracked, of whatever property.
    @usableFromInline
    var isTracking: Bool { access(ObservationPoint.probe) || !ObservationPoint.detectsTracking }

    /// Registers a read with the framework, and says whether that hashed the key path.
    private func access(_ path: any KeyPath<ObservationPoint, Void> & Sendable) -> Bool {
        TrackingMark.clear()
        registrar.withObject(Registrar()) { $0.content.access(self, keyPath: path) }
        return TrackingMark.isSet
    }

    /// Says that commits are reported from now on.
    ///
    /// Called only once they are, or another thread that reads meanwhile would miss one.
    func markNotifying() { isNotifying.store(true, ordering: .releasing) }

    /// Notifies what tracks the property if it saw a value that differs from the one of a new version.
    ///
    /// A reader may have seen another version than the one before the new one: an app's comparison may take each of many
    /// small steps for none.
    ///
    /// - Parameter previous: the version before, which reads since its delivery saw.
    func report(
        _ previous: StateVersion, _ current: StateVersion, _ isSame: (_ seen: StateVersion, StateVersion) -> Bool
    ) {
        // Before that nothing is tracked.
        guard isNotifying.load(ordering: .acquiring) else { return }
        let wasRead = wasRead.exchange(false, ordering: .relaxed)
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
        let isHashedUntracked = point.access(path)
        var isHashed = false
        withObservationTracking {
            isHashed = point.access(path)
        } onChange: {
        }
        return !isHashedUntracked && isHashed
    }()

    func notify() {
        guard let registrar = registrar.object?.content else { return }
        // One-shot observers listen to `willSet`, which the framework means to be called before a change. Here it is
        // called when the new state can be read.
        registrar.willSet(self, keyPath: ObservationPoint.path)
        registrar.didSet(self, keyPath: ObservationPoint.path)
    }
}

/// The argument of a key path, which marks the thread that puts the key path into a table.
private enum TrackingMark: Hashable, Sendable {
    case property, probe

    private static let present: ThreadLocal = {
        guard let place = ThreadLocal() else { fatalError("no thread-local storage is left for StateStore") }
        return place
    }()

    static var isSet: Bool { present.number != 0 }

    static func clear() { if isSet { present.set(number: 0) } }

    static func == (left: TrackingMark, right: TrackingMark) -> Bool {
        present.set(number: 1)
        return left.isProbe == right.isProbe
    }

    func hash(into hasher: inout Hasher) {
        TrackingMark.present.set(number: 1)
        hasher.combine(isProbe)
    }

    private var isProbe: Bool { if case .probe = self { true } else { false } }
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

    /// For the compiler's message alone: `store.title = "x"` would be a commit that no line of source made.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember path: any WritableKeyPath<State, Value> & Sendable) -> Value {
        get { read(path) }
        @available(*, unavailable, message: "use 'commit { $0.… = … }', which records where it is called")
        set { commit { $0[keyPath: path] = newValue } }
    }

    /// - Parameter register: registers a tracked read, in place of that of the path; nil for the path's own.
    @inlinable
    func read<Value>(_ path: KeyPath<State, Value>, track register: ((Store) -> Void)? = nil) -> Value {
        if observation.isTracking { if let register { register(self) } else { track(path) } }
        return published.state[keyPath: path]
    }

    @usableFromInline
    func track<Value>(_ path: KeyPath<State, Value>) { delivery.observedProperties.registerAccess(to: path, observe) }

    /// Registers a read of what a property holds: it is compared by all of its content.
    func trackContent<Value>(of path: KeyPath<State, Value>) {
        delivery.observedProperties.registerAccess(to: path, byContent: true, observe)
    }
}
