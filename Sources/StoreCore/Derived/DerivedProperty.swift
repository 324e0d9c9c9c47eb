internal import StateEncoding

/// A property of a store that derived values read, without its type: shared by all of them that read the same key path.
class DerivedProperty: DerivedNode, @unchecked Sendable {
    // Unchecked: adds constants to what its superclass explains, and a place that is touched under the network's lock
    // only.

    enum Refresh {
        /// Its bytes are the same.
        case same
        /// It was written to, and is equal to its earlier value.
        case equal
        case changed
    }

    final let pointer: InputPointer
    /// Its place among the active properties of its store, while it is one of them.
    final var place = 0

    init(pointer: InputPointer) { self.pointer = pointer }

    /// Updates the property from a new state.
    ///
    /// - Parameter isPreviousHeld: whether the caller holds the state that the current value was taken from, so that no
    ///   part of it is released here.
    /// - Complexity: a comparison of its bytes; of the values only where those differ, or it is a computed property.
    func refresh(from state: Address, isPreviousHeld: Bool) -> Refresh { .same }
}

@safe
final class StateProperty<State: Sendable, Input: Sendable>: DerivedProperty, @unchecked Sendable {
    // Unchecked: `storage` and `accepted` are touched under the network's lock only.

    private unowned let source: StateSource<State>
    private let path: any KeyPath<State, Input> & Sendable
    /// The offset of a stored property in the state; nil for a computed one, which has to be read.
    private let offset: Int?
    private let layout = ByteLayout.of(Input.self)
    private let isEqual: @Sendable (Input, Input) -> Bool

    /// In memory of its own, so that its bytes can be compared without a copy.
    private let storage = UnsafeMutablePointer<Input>.allocate(capacity: 1)
    // No variable is accessed while another access changes it, and each commit comes here: no checks of exclusive access.
    @safe @exclusivity(unchecked) private var isFilled = false
    @safe @exclusivity(unchecked) private var hasAccepted = false
    /// The current value, which is there once it is filled.
    private var value: Input {
        unsafeAddress { unsafe UnsafePointer(storage) }
        unsafeMutableAddress { unsafe storage }
    }
    /// The value that last counted as a change, if that is not the current one: what a next one is compared with, so that
    /// many small steps add up.
    @safe @exclusivity(unchecked) private var accepted: Input?
    /// What keeps the owner of the state from removing the property while derived values have it.
    private let hold: Subscription?

    init(
        _ path: any KeyPath<State, Input> & Sendable, of source: StateSource<State>,
        holding hold: Subscription? = nil, isEqual: @escaping @Sendable (Input, Input) -> Bool
    ) {
        self.path = path
        self.source = source
        self.isEqual = isEqual
        self.hold = hold
        offset = MemoryLayout<State>.offset(of: path)
        super.init(pointer: InputPointer(path))
    }

    deinit {
        if isFilled { unsafe storage.deinitialize(count: 1) }
        unsafe storage.deallocate()  // of this property alone
        if let hold { DeferredRelease.run { hold.cancel() } }
    }

    /// The caller keeps the property alive, holds the network's lock, and has activated the property.
    var read: @Sendable () -> Input {
        nonisolated(unsafe) let storage = unsafe storage  // a counted reference for each read would be half of its cost
        return { unsafe storage.pointee }
    }

    override func activate(at version: StateVersion) { source.activate(self) }

    override func deactivate() { source.deactivate(self) }

    override func refresh(from state: Address, isPreviousHeld: Bool) -> Refresh {
        if let offset {
            let place = state + offset
            if isFilled, layout.same(address, place) { return .same }
            return take(place.value(as: Input.self), isPreviousHeld: isPreviousHeld)
        }
        let new = state.value(as: State.self)[keyPath: path]
        if isFilled, withAddress(of: new, { layout.same(address, $0) }) { return .same }
        return take(new, isPreviousHeld: false)
    }

    /// In memory that lives as long as the property.
    private var address: Address { unsafe Address(storage) }

    private func take(_ new: Input, isPreviousHeld: Bool) -> Refresh {
        guard isFilled else {
            unsafe storage.initialize(to: new)  // empty until now
            isFilled = true
            stamp += 1
            return .changed
        }
        let isSame = hasAccepted ? isEqualToAccepted(new) : isEqual(value, new)
        if !isSame {
            if hasAccepted { forgetAccepted() }
            stamp += 1
        } else if !hasAccepted {
            acceptValue()
        }
        // An equal value is kept as well: a transform that runs for another input reads the latest one.
        if !isPreviousHeld { DeferredRelease.keep(value) }
        value = new
        return isSame ? .equal : .changed
    }

    // Not inlined: generic code takes hundreds of instructions to ask for the type of the optional.
    @inline(never) private func isEqualToAccepted(_ new: Input) -> Bool { isEqual(accepted ?? value, new) }

    @inline(never)
    private func forgetAccepted() {
        if let last = accepted { DeferredRelease.keep(last) }
        (accepted, hasAccepted) = (nil, false)
    }

    @inline(never) private func acceptValue() { (accepted, hasAccepted) = (value, true) }
}
