public import JournalReading
public import StoreCore

extension Store where State: Decodable {
    /// Puts a recorded state back into the running store, in one commit.
    ///
    ///     try cart.restore(from: JournalReader("run.jsonl"), at: 117)
    ///
    /// Subscribers, derived values and an undo history follow it as they follow any other commit. It changes no other store of
    /// that run.
    ///
    /// - Parameters:
    ///   - reader: the journal.
    ///   - position: the number of a commit, `.start`, `.end`, `.end(minus: 3)`, `.time(…)` or `.mark("tapped Buy")`.
    ///   - store: the name that the store has in that journal; by default its own.
    ///   - replacements: values for what the journal does not hold because it was redacted or too large, by JSON Pointer
    ///     into the state (`/user/token`).
    ///   - name: the commit's name in this run's journal.
    /// - Throws: what ``JournalReader/state(at:of:as:substituting:)`` throws; then the store is as it was, and nothing is
    ///   recorded.
    /// - Complexity: that of reading the state, and of a commit.
    public func restore(
        from reader: JournalReader, at position: PositionText = .end, of store: String? = nil,
        substituting replacements: [String: any Encodable & Sendable] = [:], name: String = "restore",
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column, function: StaticString = #function
    ) throws(JournalReaderError) {
        let recorded = try reader.state(
            at: position, of: store ?? self.name, as: State.self, substituting: replacements)
        commit(name: name, fileID: fileID, line: line, column: column, function: function) { $0 = recorded }
    }
}
