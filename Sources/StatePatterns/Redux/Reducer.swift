public import EntityTables

/// Answers an action with a change of the state, and does nothing else.
///
///     let counter = Reducer<Int, CounterAction> { count, action in
///         switch action {
///         case .increment: count += 1
///         case .set(let value): count = value
///         }
///     }
///
/// It runs inside the commit: a dispatch, or any other commit, made in it traps.
public struct Reducer<State, Action>: Sendable {
    @usableFromInline let change: @Sendable (inout State, Action) -> Void

    /// Makes a reducer of a function.
    ///
    /// - Parameter reduce: changes the state as the action says, from these two alone, so that the same actions always
    ///   lead to the same state.
    public init(_ reduce: @escaping @Sendable (_ state: inout State, _ action: Action) -> Void) { change = reduce }

    /// Changes a state as an action says.
    @inlinable
    public func reduce(_ state: inout State, _ action: Action) { change(&state, action) }

    /// Makes one reducer of several, each of which sees what the one before it has made of the state.
    public static func combine(_ reducers: Reducer...) -> Reducer {
        Reducer { state, action in for reducer in reducers { reducer.reduce(&state, action) } }
    }
}

extension Reducer {
    /// Makes a reducer of a larger state, for the actions of the larger kind that hold one of this reducer's.
    ///
    ///     counter.pullback(\.count) { (action: AppAction) in if case .counter(let inner) = action { inner } else { nil } }
    ///
    /// - Parameters:
    ///   - path: where this reducer's state is in the larger one.
    ///   - extract: the action inside a larger one; nil where it holds another kind.
    public func pullback<Whole, WholeAction>(
        _ path: any WritableKeyPath<Whole, State> & Sendable,
        extracting extract: @escaping @Sendable (WholeAction) -> Action?
    ) -> Reducer<Whole, WholeAction> {
        Reducer<Whole, WholeAction> { whole, action in
            guard let action = extract(action) else { return }
            reduce(&whole[keyPath: path], action)
        }
    }

    /// Makes a reducer of a larger state, for the actions of the larger kind whose property holds one of this reducer's.
    ///
    ///     counter.pullback(\AppState.counter, action: \AppAction.counter)
    ///
    /// - Parameters:
    ///   - path: where this reducer's state is in the larger one.
    ///   - action: a property of the larger action, nil for another kind; for an enum, a computed one.
    public func pullback<Whole, WholeAction>(
        _ path: any WritableKeyPath<Whole, State> & Sendable,
        action: any KeyPath<WholeAction, Action?> & Sendable
    ) -> Reducer<Whole, WholeAction> {
        pullback(path, extracting: { $0[keyPath: action] })
    }

    /// Makes a reducer of a larger state, for the same actions.
    ///
    /// - Parameter path: where this reducer's state is in the larger one.
    public func pullback<Whole>(_ path: any WritableKeyPath<Whole, State> & Sendable) -> Reducer<Whole, Action> {
        pullback(path, extracting: { $0 })
    }

    /// Makes a reducer of the rows of an array, for the actions of the larger kind that name a row and hold one of this
    /// reducer's.
    ///
    ///     row.forEach(\AppState.rows, action: \AppAction.row)
    ///
    /// An action that names a row that is not there does nothing.
    ///
    /// - Parameters:
    ///   - path: where the array is in the larger state.
    ///   - extract: the identity of the row and the action for it; nil where a larger action holds another kind. A key path
    ///     to a property of the action is one; for an enum, a computed one.
    /// - Complexity: O(*n*) to find the row.
    public func forEach<Whole, WholeAction>(
        _ path: any WritableKeyPath<Whole, [State]> & Sendable,
        action extract: @escaping @Sendable (WholeAction) -> (id: State.ID, action: Action)?
    ) -> Reducer<Whole, WholeAction> where State: Identifiable & Sendable, State.ID: Sendable {
        Reducer<Whole, WholeAction> { whole, action in
            guard let (id, action) = extract(action),
                let place = whole[keyPath: path].firstIndex(where: { $0.id == id })
            else { return }
            reduce(&whole[keyPath: path][place], action)
        }
    }

    /// Makes a reducer of the entities of a table, for the actions of the larger kind that name an entity and hold one of
    /// this reducer's.
    ///
    /// An action that names an entity that is not there does nothing.
    ///
    /// - Parameters:
    ///   - path: where the table is in the larger state.
    ///   - extract: the identity of the entity and the action for it; nil where a larger action holds another kind.
    /// - Complexity: O(log *n*) to find the entity.
    public func forEach<Whole, WholeAction>(
        _ path: any WritableKeyPath<Whole, EntityTable<State>> & Sendable,
        action extract: @escaping @Sendable (WholeAction) -> (id: State.ID, action: Action)?
    ) -> Reducer<Whole, WholeAction> {
        Reducer<Whole, WholeAction> { whole, action in
            guard let (id, action) = extract(action) else { return }
            whole[keyPath: path].update(id) { reduce(&$0, action) }
        }
    }

    /// Makes a reducer of an optional state, which does nothing for nil.
    public func optional() -> Reducer<State?, Action> {
        Reducer<State?, Action> { state, action in
            guard var value = state else { return }
            // Now only the copy refers to what the state holds, so that changing a collection in it does not copy that.
            state = nil
            reduce(&value, action)
            state = value
        }
    }
}
