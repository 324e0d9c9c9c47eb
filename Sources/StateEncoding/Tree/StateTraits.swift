/// What is found out of a type of state at run time, so that it is the same in code that is generic over the state.
///
/// Found once for each type in a process: conditional casts of types take microseconds.
package final class StateTraits<State: Sendable>: Sendable {
    /// Whether two states are equal: by `==`, else by their bytes where equal bytes mean equal values; else none are.
    package let isEqual: @Sendable (State, State) -> Bool
    /// How states become JSON; nil for a type that is not Encodable.
    package let form: EncodableForm<State>?

    private init() {
        isEqual = StateTraits.comparison()
        form = (State.self as? any Encodable.Type).flatMap { EncodableForm<State>.make(of: $0) }
    }

    package static var known: StateTraits<State> {
        let known = stateTraits.value(of: State.self, LayoutReading.isOnByDefault) { StateTraits<State>() }
        return unsafe unsafeDowncast(known, to: StateTraits<State>.self)
    }

    private static func comparison() -> @Sendable (State, State) -> Bool {
        func make<Known: Equatable>(_: Known.Type) -> EquatableForm<State>? {
            EquatableForm<Known>() as? EquatableForm<State>
        }
        if let form = (State.self as? any Equatable.Type).flatMap({ make($0) }) {
            return { left, right in form.isEqual(left, right) }
        }
        guard PlainTypes.contains(State.self) else { return { _, _ in false } }
        let layout = ByteLayout.of(State.self)
        return { left, right in
            layout.holdsSame(left, right)
        }
    }
}

private let stateTraits = TypeCache<any AnyObject & Sendable>()

/// How the values of an Encodable type become a tree, for code that does not know that the type is Encodable.
package struct EncodableForm<Value>: @unchecked Sendable {
    // Unchecked: the closure captures the type alone, of which the compiler does not know that any thread may use it.

    let tree: (_ pass: EncodingPass, _ value: Value, _ base: EncodedTree?) -> EncodedTree

    fileprivate static func make<Known: Encodable>(of type: Known.Type) -> EncodableForm<Value>? {
        EncodableForm<Known>() as? EncodableForm<Value>
    }
}

extension EncodableForm where Value: Encodable {
    package init() {
        tree = { pass, value, base in pass.child(of: value, base: base) }
    }
}

/// How the values of an Equatable type are compared, for code that does not know that the type is Equatable.
private struct EquatableForm<Value>: @unchecked Sendable {
    // Unchecked: as of an `EncodableForm`.

    let isEqual: (Value, Value) -> Bool
}

extension EquatableForm where Value: Equatable {
    init() { isEqual = { $0 == $1 } }
}
