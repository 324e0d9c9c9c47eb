internal import Synchronization

/// The values of computed properties that were found last, in all versions of one store or derived value.
///
/// What a version carries over comes from here and not from the version before it, so that it also comes over versions that
/// nobody asked, and no version keeps another one alive.
final class ComputedLineage: Sendable {
    private let memories = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    func last<Property: ComputedProperty>(_ property: Property.Type) -> ComputedMemory<Property>? {
        memories.withLock { $0[ObjectIdentifier(property)] } as? ComputedMemory<Property>
    }

    func remember<Property: ComputedProperty>(_ memory: ComputedMemory<Property>) {
        // The one before goes away outside the lock.
        _ = memories.withLock { $0.updateValue(memory, forKey: ObjectIdentifier(Property.self)) }
    }
}

/// What a computed property of one version is, and what it was computed from; nil until it was computed.
///
/// Its lock is held while the property is computed, so that other threads that ask for it wait for the result.
final class ComputedMemory<Property: ComputedProperty>: Sendable {
    let result = Mutex<(input: Property.Input, value: Property.Value)?>(nil)
}

extension StateNode {
    func computed<Property: ComputedProperty>(_ property: Property.Type) -> Property.Value
    where Property.State == State {
        let memory = memory(of: property)
        return memory.result.withLock { result in
            if let result { return result.value }
            let found = ThreadActivity.during(.computing(property)) { find(property, for: memory) }
            result = found
            return found.value
        }
    }

    private func memory<Property: ComputedProperty>(of property: Property.Type) -> ComputedMemory<Property> {
        let key = ObjectIdentifier(property)
        return memories.withLock { memories in
            if let memory = memories[key] as? ComputedMemory<Property> { return memory }
            let memory = ComputedMemory<Property>()
            memories[key] = memory
            return memory
        }
    }

    private func find<Property: ComputedProperty>(
        _ property: Property.Type, for memory: ComputedMemory<Property>
    ) -> (input: Property.Input, value: Property.Value) where Property.State == State {
        let input = property.input(of: state)
        if let last = computed.last(property)?.result.withLock(\.self), property.isSame(last.input, input) {
            return last
        }
        let value = property.value(of: input)
        // A thread that finds it there waits for the lock that is held here, and then for nothing else.
        computed.remember(memory)
        return (input, value)
    }
}
