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

/// What a computed property was found to be, and of what.
final class ComputedMemory<Property: ComputedProperty>: Sendable {
    let input: Property.Input
    let value: Property.Value

    init(input: Property.Input, value: Property.Value) {
        self.input = input
        self.value = value
    }
}

/// Where one version keeps one computed property; who asks while it is being computed waits.
final class ComputedSlot<Property: ComputedProperty>: Sendable {
    let value = Mutex<Property.Value?>(nil)
}

extension StateNode {
    func computed<Property: ComputedProperty>(_ property: Property.Type) -> Property.Value
    where Property.State == State {
        slot(of: property).value.withLock { value in
            if let value { return value }
            let found = ThreadActivity.during(.computing(property)) { find(property) }
            value = found
            return found
        }
    }

    private func slot<Property: ComputedProperty>(of property: Property.Type) -> ComputedSlot<Property> {
        let key = ObjectIdentifier(property)
        return slots.withLock { slots in
            if let slot = slots[key] as? ComputedSlot<Property> { return slot }
            let slot = ComputedSlot<Property>()
            slots[key] = slot
            return slot
        }
    }

    private func find<Property: ComputedProperty>(_ property: Property.Type) -> Property.Value
    where Property.State == State {
        let input = property.input(of: state)
        if let last = computed.last(property), property.isSame(last.input, input) { return last.value }
        let value = property.value(of: input)
        computed.remember(ComputedMemory<Property>(input: input, value: value))
        return value
    }
}
