internal import JournalFormat
internal import StateEncoding
internal import StoreCore

/// A part of a store's state, without the type of the whole: what repositories write.
protocol StatePart<Part>: AnyObject, Sendable {
    associatedtype Part: Sendable

    /// The current part, whose read is not tracked.
    var value: Part { get }

    func write<Result, Failure: Error>(
        _ body: (inout Part) throws(Failure) -> Result, named name: String?, at location: CommitLocation
    ) throws(Failure) -> (result: Result, commit: CommitReference)

    /// Calls a closure with a selection of the part, and whenever it differs from the one before.
    func observe<Selection: Equatable & Sendable>(
        _ select: @escaping @Sendable (Part) -> Selection, on context: DeliveryContext, buffering: ChangesBuffering?,
        _ receive: @escaping @Sendable (Selection) -> Void
    ) -> Subscription

    /// - Parameter hold: makes what keeps it from being removed, for as long as a derived value has it.
    func input<Selection: Equatable & Sendable>(
        _ path: any KeyPath<Part, Selection> & Sendable, holding hold: (() -> Subscription)?
    ) -> DerivedInput<Selection>

    /// Calls a closure with the part before and after each commit that changes the store.
    func observeChanges(_ receive: @escaping @Sendable (_ old: Part, _ new: Part) -> Void) -> Subscription

    /// - Parameter text: makes the text; given whether anything of the store is redacted, so that it must not quote values.
    /// - Returns: whether there is a journal.
    func warn(at location: CommitLocation, _ text: (_ isRedacted: Bool) -> String) -> Bool
}

final class StorePart<State: Sendable, Part: Sendable>: StatePart {
    private let store: Store<State>
    private let path: any WritableKeyPath<State, Part> & Sendable

    init(_ store: Store<State>, _ path: any WritableKeyPath<State, Part> & Sendable) {
        self.store = store
        self.path = path
    }

    var value: Part { store.untrackedState[keyPath: path] }

    func write<Result, Failure: Error>(
        _ body: (inout Part) throws(Failure) -> Result, named name: String?, at location: CommitLocation
    ) throws(Failure) -> (result: Result, commit: CommitReference) {
        let commit = try store.commit(named: name, at: location) { (state: inout State) throws(Failure) in
            try body(&state[keyPath: path])
        }
        return (commit.result, commit.reference)
    }

    func observe<Selection: Equatable & Sendable>(
        _ select: @escaping @Sendable (Part) -> Selection, on context: DeliveryContext, buffering: ChangesBuffering?,
        _ receive: @escaping @Sendable (Selection) -> Void
    ) -> Subscription {
        let path = path
        // By all that it holds: an origin's answer may differ in what the `==` of its type leaves out.
        return store.subscribe(
            { state in select(state[keyPath: path]) }, by: { ContentComparison.same($0, $1) }, on: context,
            buffering: buffering, receive)
    }

    func input<Selection: Equatable & Sendable>(
        _ selection: any KeyPath<Part, Selection> & Sendable, holding hold: (() -> Subscription)?
    ) -> DerivedInput<Selection> {
        let whole: KeyPath<State, Part> = path
        return store.input(
            sending: whole.appending(path: selection as KeyPath<Part, Selection>),
            by: { ContentComparison.same($0, $1) }, holding: hold)
    }

    func observeChanges(_ receive: @escaping @Sendable (_ old: Part, _ new: Part) -> Void) -> Subscription {
        let path = path
        return store.subscribeToEach({ changes in
            guard let previous = changes.previous else { return }
            receive(previous.current[keyPath: path], changes.current[keyPath: path])
        })
    }

    func warn(at location: CommitLocation, _ text: (_ isRedacted: Bool) -> String) -> Bool {
        guard let recorder = store.recorder else { return false }
        recorder.mark(text(store.isRedacted), level: .warning, at: location.source)
        return true
    }
}
