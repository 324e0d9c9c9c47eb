public import StateReplay
public import StateStore
public import Testing

extension ReducerStore where State: Codable & Equatable, Action: Decodable {
    /// Dispatches the actions of a recorded run, one by one, and compares the state after each with the recorded one.
    ///
    ///     let search = ReducerStore(Store(Search()), reducer: searchReducer)
    ///     try search.replay(JournalReader("run.jsonl"), of: "search")
    ///
    /// The store begins with the state that the run began with. Give it no middleware that starts effects: their actions are in
    /// the journal. The first state that differs is an issue of the test, and ends the replay; a recorded commit that answered
    /// no action of this type is made by its state.
    ///
    /// - Parameters:
    ///   - reader: the journal.
    ///   - name: the name that the store has in that journal; by default its own.
    /// - Throws: `JournalReaderError`.
    /// - Returns: how many actions were dispatched.
    @discardableResult
    public func replay(
        _ reader: JournalReader, of name: String? = nil, sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws -> Int {
        var dispatched = 0
        var hasDiffered = false
        try reader.forEachCommit(of: name ?? store.name, as: State.self) { recorded in
            if hasDiffered { return }
            guard let action = try recorded.action(as: Action.self) else {
                return store.commit(name: recorded.name) { $0 = recorded.state }
            }
            dispatch(action)
            dispatched += 1
            guard state != recorded.state else { return }
            hasDiffered = true
            let patch = try? StatePatch(from: recorded.state, to: state)
            Issue.record(
                "after the action of commit \(recorded.number) the state differs from the recorded one: \(patch?.json ?? "")",
                sourceLocation: sourceLocation)
        }
        return dispatched
    }
}
