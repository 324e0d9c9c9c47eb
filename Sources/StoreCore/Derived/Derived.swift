internal import JournalFormat
public import Observation
public import StateEncoding
internal import Synchronization

/// A value computed from properties of stores, atoms and other derived values alone, and kept until one of them
/// changes.
///
///     let badge = cart.derived(\.items) { $0.count }
///     let canBuy = Derived(badge, session[\.user]) { count, user in count > 0 && user != nil }
///
/// It is memoized twice: equal inputs do not run the transform, and an equal output notifies no subscriber. It is kept
/// up to date once it is needed: from the first read of ``value`` on, while it has subscribers, and while a derived
/// value that reads it is needed. Before that its transform never runs, and the journal has only its declaration.
///
/// The transform runs at most once a commit, after all of its inputs are up to date, also over several stores. Each
/// store is at the version that it delivered last: in a subscriber the value is the one at the version being delivered,
/// even if the store is ahead. A transform never sees two properties of one store at different versions.
///
/// Do not use it for a plain property: `store.subscribe` with `changes.ifChanged(\.property)` does the same for less.
public final class Derived<Value: Sendable>: Sendable {
    /// Its name, unique in the journal: a second `badge` is `badge_2`; of one that was given none the place of its making.
    ///
    /// - Complexity: O(1). With a recorder in the background it waits until what was committed before this value was made is
    ///   encoded.
    public var name: String { vertex.declarations.name ?? wantedName }

    private let wantedName: String
    let vertex: TransformVertex<Value>
    /// The stores that it reads, directly or not.
    private let stores: [any DerivedStore]
    private let observation = ObservationPoint()
    /// The subscribers that notify it; more than one where several threads read first.
    private let observers = Mutex<[Subscriber]>([])

    /// - Parameter isDeclared: whether it is declared in the journal; false for helpers that only compare.
    @usableFromInline
    init(
        _ name: String, _ parts: DerivedParts, isDeclared: Bool = true,
        isEqual: @escaping @Sendable (Value, Value) -> Bool, at location: CommitLocation,
        compute: @escaping @Sendable () -> Value
    ) {
        let declarations = isDeclared ? JournalDeclarations(name, inputs: parts.origins, at: location) : .init()
        wantedName = name
        stores = parts.stores
        vertex = TransformVertex(
            TransformVertex.Definition(name: name, isSameValue: isEqual, compute: compute), inputs: parts.nodes,
            sources: stores.map(\.derivedSource), declarations: declarations)
    }

    deinit {
        let observers = observers.withLock(\.self)
        DeferredRelease.run { [vertex, stores] in
            vertex.change { vertex in
                vertex.forgetRead()
                for observer in observers { vertex.remove(observer) }
            }
            for store in stores { store.stopListeningIfUnused() }
        }
    }

    // MARK: Reading

    /// The value, with each store at the version that was delivered last.
    ///
    /// Read inside `withObservationTracking`, or in the `body` of a SwiftUI view, it is tracked: the next commit that
    /// leads to another value notifies the reader.
    ///
    /// - Complexity: one lock. The first read runs the transform, unless there are subscribers already.
    public var value: Value {
        ThreadActivity.requireOutsideTransform(reading: wantedName)
        if observation.registerAccess() { notifyObservers() }
        return (vertex.readValue ?? withActiveStores { vertex.read(at: $0) }).current
    }

    /// How often it was in each of the four cases, while it was needed.
    public var counters: DerivedCounters {
        ThreadActivity.requireOutsideTransform(reading: wantedName)
        return stores[0].derivedSource.exclusively { vertex.counters }
    }

    /// Calls a closure with the value now, and whenever it differs; the value keeps its stores, so there is no end.
    ///
    /// Inline it runs on the thread that delivers the commit, after the store's own subscribers, or on one of the system's,
    /// where two stores deliver at once.
    public func subscribe(
        on context: DeliveryContext, buffering: ChangesBuffering?, initially: Bool,
        onEnd: (@Sendable () -> Void)?, _ receive: @escaping @Sendable (Changes<Value>) -> Void
    ) -> Subscription {
        ThreadActivity.requireOutsideTransform(reading: wantedName)
        let outstanding = stores[0].outstandingDeliveries
        let (subscriber, node) = withActiveStores { version in
            vertex.add(
                {
                    Subscriber(
                        after: $0, isStarting: initially, on: context, buffering: buffering, outstanding: outstanding,
                        receive)
                },
                at: version)
        }
        if initially { subscriber.start(with: node) }
        return Subscription(of: subscriber) { [self] in
            subscriber.cancel()
            DeferredRelease.run { [self] in
                vertex.change { $0.remove(subscriber) }
                for store in stores { store.stopListeningIfUnused() }
            }
        }
    }

    private func notifyObservers() {
        let observation = observation
        let (observer, _) = withActiveStores { version in
            vertex.add(
                { Subscriber(after: $0, isStarting: false) { (_: Changes<Value>) in observation.notify() } },
                at: version
            )
        }
        observers.withLock { $0.append(observer) }
        observation.markNotifying()
    }

    /// Runs a closure under the network's lock, with all stores activated and in one network.
    private func withActiveStores<Result: Sendable>(_ body: (StateVersion) -> Result) -> Result {
        DerivedNetwork.joining(vertex.sources) { network in
            let versions = stores.map { $0.activateDerived() }
            defer { for store in stores { store.derivedSource.endActivation() } }
            return vertex.counting(in: network) { body(versions[0]) }
        }
    }
}

@usableFromInline
struct DerivedParts {
    private(set) var nodes: [DerivedNode] = []
    private(set) var origins: [DerivedInputOrigin] = []
    private(set) var stores: [any DerivedStore] = []

    @usableFromInline
    init() {}

    @usableFromInline
    mutating func add<Input>(_ input: DerivedInput<Input>) {
        nodes.append(input.node)
        origins += input.origins
        for store in input.stores where !stores.contains(where: { $0 === store }) { stores.append(store) }
    }
}

extension Derived: Subscribable {}

extension Derived {
    /// A binding that reads this value, and sets it by a change of a store.
    ///
    ///     let celsius = kelvin.binding(in: store) { state, value in state.kelvin = value + 273.15 }
    ///
    /// - Parameters:
    ///   - store: the store that a set commits to.
    ///   - name: the commits' name in the journal; by default the function that this is called in.
    ///   - set: changes the state so that this value becomes the given one.
    /// - Returns: a binding that holds this value and the store, whose commits have this place.
    public func binding<State: Sendable>(
        in store: Store<State>, name: String? = nil, fileID: StaticString = #fileID, line: Int = #line,
        column: Int = #column, function: StaticString = #function,
        _ set: @escaping @Sendable (inout State, Value) -> Void
    ) -> StoreBinding<Value> {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        return StoreBinding(
            read: { self.value },
            write: { body in
                var value = self.value
                body(&value)
                store.commit(asAt: location, name: name) { set(&$0, value) }
            })
    }
}

extension Derived: DerivedReadable {
    /// The value as an input of another derived value: it changes whenever this one fires.
    public var input: DerivedInput<Value> {
        let vertex = vertex
        return DerivedInput(node: vertex, read: { vertex.latest.current }, stores: stores, origins: origins)
    }

    /// The value as an input that changes by a comparison of the caller's.
    ///
    /// - Parameter isEqual: whether two values count as equal; the first is the one that last counted as a change.
    public func input(by isEqual: @escaping @Sendable (Value, Value) -> Bool) -> DerivedInput<Value> {
        let location = CommitLocation(file: #fileID, line: #line, column: #column, function: #function)
        var parts = DerivedParts()
        parts.add(input)
        let compared = Derived(
            wantedName, parts, isDeclared: false, isEqual: isEqual, at: location, compute: input.read)
        let inner = compared.input
        return DerivedInput(node: inner.node, read: inner.read, stores: stores, origins: origins)
    }

    private var origins: [DerivedInputOrigin] { [.derived(vertex.declarations)] }
}

/// Reads of ``Derived/value`` are tracked.
extension Derived: Observable {}

extension Derived: OpaqueToDump {}

/// How often a derived value was, after a commit, in each of the four cases.
public struct DerivedCounters: Sendable, Hashable {
    /// No input was touched.
    public var untouched = 0
    /// An input was touched and is equal: the transform did not run.
    ///
    /// A recorded store knows what a commit touched by the commit's patch, any other by the bytes of the property.
    public var unchanged = 0
    /// The transform ran, and its result is equal: no subscriber was notified.
    public var same = 0
    /// The result differs: subscribers were notified.
    public var fired = 0

    /// Makes counts, to compare with.
    public init(untouched: Int = 0, unchanged: Int = 0, same: Int = 0, fired: Int = 0) {
        (self.untouched, self.unchanged, self.same, self.fired) = (untouched, unchanged, same, fired)
    }

    /// How often the transform ran after a commit.
    public var transforms: Int { same + fired }
}
