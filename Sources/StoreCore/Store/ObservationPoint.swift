public import Observation
internal import Synchronization

/// Something as the Observation framework sees it, one property of one object: a store's state, a property of that, a derived
/// value.
///
/// The framework does not say whether a read is tracked, and telling a registrar of each commit costs as much as the commit.
/// But it keeps what was read in tables by key path, and so hashes the key path of a tracked read, and of no other. Ours has an
/// argument whose hashing takes a note. The framework does not promise that, so it is tried once in each process; where it is
/// not so, every read counts as a tracked one.
@usableFromInline
final class ObservationPoint: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let flag: TrackingFlag
    private let path: any KeyPath<ObservationPoint, Void> & Sendable
    private let isNotifying = Synchronization.Atomic(false)

    init() {
        let flag = TrackingFlag()
        self.flag = flag
        path = \ObservationPoint[flag]
    }

    private subscript(flag: TrackingFlag) -> Void { () }

    /// Notes a read of the state, where it is tracked.
    ///
    /// - Returns: whether commits have to be told from now on.
    /// - Complexity: a look at a thread-local outside of a tracked read.
    @usableFromInline
    func registerAccess() -> Bool {
        registrar.access(self, keyPath: path)
        return !isNotifying.load(ordering: .acquiring) && (flag.isSet || !ObservationPoint.detectsTracking)
    }

    /// Notes that commits are told: not before they are, or another thread that reads meanwhile would miss one.
    func markNotifying() { isNotifying.store(true, ordering: .releasing) }

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

    /// Tells whoever tracks the state that it has changed.
    func notify() {
        // One-shot observers listen to the first, which the framework means to be called before a change. Ours hear it when
        // the new state can be read.
        registrar.willSet(self, keyPath: path)
        registrar.didSet(self, keyPath: path)
    }
}

/// The argument of a key path, which notes that the key path was put into a table.
private struct TrackingFlag: Hashable, Sendable {
    private final class Flag: Sendable {
        let isSet = Synchronization.Atomic(false)
    }

    private let flag = Flag()

    var isSet: Bool { flag.isSet.load(ordering: .relaxed) }

    static func == (left: TrackingFlag, right: TrackingFlag) -> Bool {
        left.flag.isSet.store(true, ordering: .relaxed)
        return left.flag === right.flag
    }

    func hash(into hasher: inout Hasher) {
        flag.isSet.store(true, ordering: .relaxed)
        hasher.combine(ObjectIdentifier(flag))
    }
}

/// Reads of ``Store/state`` are tracked; a commit that changes the state tells once the new state can be read. Reads of one
/// property, by ``Store/subscript(_:)`` or a ``Scope``, are told of changes of that property only.
///
/// Tracking begins with the read; as everywhere in the Observation framework, a change by another thread between the read and
/// the end of the tracking closure is not told. Track where the commits are made, or subscribe.
extension Store: Observable {
    /// Makes sure that commits are delivered, to observers of the state too, for as long as the store lives.
    @usableFromInline
    func notifyObservers() {
        observe()
        observation.markNotifying()
    }

    /// Makes sure that commits are delivered, to observers too, for as long as the store lives.
    private func observe() { listen { line, _ in line.isObserved = true } }

    /// A property of the state, from any thread; where it is tracked, it is told of its own changes only.
    ///
    ///     Text(cart[\.title])
    ///
    /// In `withObservationTracking`, or the `body` of a SwiftUI view, a commit that changes this property is reported, and no
    /// other. That needs a stored property that is `Equatable`, such as `\.title` or `\.user.name`. Whatever else a key path
    /// leads to (an element, what an optional holds, a computed property) is tracked like ``state``: it may not be there in
    /// the state after the next commit, so nothing but the reader may ask for it.
    ///
    /// - Complexity: that of ``state``; of a tracked read a look into a table besides. A commit compares each property that
    ///   was ever read under observation.
    @inlinable
    public subscript<Value>(path: any KeyPath<State, Value> & Sendable) -> Value { read(path) }

    /// A property of the state, tracked on its own.
    @inlinable
    func read<Value>(_ path: KeyPath<State, Value>) -> Value {
        if tracking.registerAccess() { track(path) }
        return published.state[keyPath: path]
    }

    /// Notes a read of a property that may be tracked.
    @usableFromInline
    func track<Value>(_ path: KeyPath<State, Value>) {
        if observedProperties.registerAccess(to: path, observe) { return }
        if observation.registerAccess() { notifyObservers() }
    }
}
