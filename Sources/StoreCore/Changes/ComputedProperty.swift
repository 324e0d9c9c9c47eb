internal import Synchronization

/// A property that is computed from a state, and remembered by the ``Changes`` that it is asked of.
///
///     enum Total: ComputedProperty {
///         static func input(of state: CartState) -> [Item] { state.items }
///         static func value(of items: [Item]) -> Int { items.reduce(0) { $0 + $1.price } }
///     }
///     extension Changes where State == CartState {
///         var total: Int { computed(Total.self) }
///     }
///
/// Use it where several subscribers need a value that is expensive to compute. For a value with subscribers of its own,
/// or for the journal, make a ``Derived``; for a cheap value, an extension of the state.
public protocol ComputedProperty<State> {
    /// The state that it belongs to.
    associatedtype State: Sendable
    /// What it is computed from.
    associatedtype Input: Sendable
    /// What it is.
    associatedtype Value: Sendable

    /// Reads what the property is computed from; cheap, since it runs for each `Changes` that is asked.
    static func input(of state: State) -> Input
    /// Computes the property from its input, and from nothing else.
    static func value(of input: Input) -> Value
    /// Whether two inputs have the same value; by default, whether they are equal.
    static func isSame(_ first: Input, _ second: Input) -> Bool
}

extension ComputedProperty where Input: Equatable {
    /// Whether two inputs are equal.
    public static func isSame(_ first: Input, _ second: Input) -> Bool { first == second }
}

extension Changes {
    /// A computed property of the current state.
    ///
    /// It is computed at most once for each `Changes` object, however many threads ask, and not at all if its input is
    /// the one that it was computed from last, even some versions before.
    ///
    /// - Complexity: two locks if this object was asked before; one comparison of the input if the value is carried
    ///   over. One value and its input are kept for each property, besides those of the objects that are kept.
    public func computed<Property: ComputedProperty>(_ property: Property.Type) -> Property.Value
    where Property.State == State {
        ThreadActivity.requireOutsideComputing(property)
        let memory = memory(of: property)
        return memory.result.withLock { result in
            if let result { return result.value }
            let found = ThreadActivity.during(.computing(property)) { find(property, for: memory) }
            result = found
            return found.value
        }
    }
}

/// The values of computed properties: those of one version, or the latest ones of all versions of a store or derived value.
///
/// A version takes what is carried over from the latest ones and not from the version before it. So it is also carried over
/// versions that were never asked, and no version keeps another one alive.
final class ComputedMemories: Sendable {
    let memories = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    func last<Property: ComputedProperty>(_ property: Property.Type) -> ComputedMemory<Property>? {
        memories.withLock { $0[ObjectIdentifier(property)] } as? ComputedMemory<Property>
    }

    func remember<Property: ComputedProperty>(_ memory: ComputedMemory<Property>) {
        // The one before is released outside the lock.
        _ = memories.withLock { $0.updateValue(memory, forKey: ObjectIdentifier(Property.self)) }
    }
}

/// What a computed property of one version is, and what it was computed from; nil until it was computed.
///
/// Its lock is held while the property is computed, so that other threads that ask for it wait for the result.
final class ComputedMemory<Property: ComputedProperty>: Sendable {
    let result = Mutex<(input: Property.Input, value: Property.Value)?>(nil)
}

extension Changes {
    private func memory<Property: ComputedProperty>(of property: Property.Type) -> ComputedMemory<Property> {
        let key = ObjectIdentifier(property)
        let extras = extras.object ?? extras.add(VersionExtras())
        return extras.memories.memories.withLock { memories in
            if let memory = memories[key] as? ComputedMemory<Property> { return memory }
            let memory = ComputedMemory<Property>()
            memories[key] = memory
            return memory
        }
    }

    private func find<Property: ComputedProperty>(
        _ property: Property.Type, for memory: ComputedMemory<Property>
    ) -> (input: Property.Input, value: Property.Value) where Property.State == State {
        let input = property.input(of: current)
        if let last = computed?.last(property)?.result.withLock(\.self), property.isSame(last.input, input) {
            return last
        }
        let value = property.value(of: input)
        // A thread that finds it there waits for the lock that is held here, and then for nothing else.
        computed?.remember(memory)
        return (input, value)
    }
}
