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
/// Use it where several subscribers need what is dear to compute. For a value with subscribers of its own, or for the
/// journal, make a ``Derived``; for what is cheap, an extension of the state.
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
    /// It is computed at most once for each `Changes` object, whatever the threads that ask, and not at all where its input is
    /// that of the version it was computed for last, be that some versions away.
    ///
    /// - Complexity: two locks where it was asked of this object; one comparison of the input where it is carried over. What
    ///   is kept is one value and its input a property, besides those of the objects that are kept.
    public func computed<Property: ComputedProperty>(_ property: Property.Type) -> Property.Value
    where Property.State == State {
        node.computed(property)
    }
}
