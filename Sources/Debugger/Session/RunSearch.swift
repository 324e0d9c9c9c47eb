import CommandLine
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// Looks for a text in the commits of a run: in what names them, and in the paths and values that they change; and in marks.
struct RunSearch {
    private let text: StateSearch
    private let journal: Journal

    init(_ text: String, in journal: Journal) {
        self.text = StateSearch(text)
        self.journal = journal
    }

    /// What a search comes to.
    enum Outcome {
        /// The commit, and whether the search went on at the other end of the run.
        case found(CommitNumber, isWrapped: Bool)
        case nowhere, interrupted
    }

    /// The nearest commit that has the text, also beyond the end of the run: there it goes on at the other end.
    ///
    /// - Parameter isInterrupted: asked along the way; true ends the search.
    /// - Complexity: each line on the way is read.
    func find(
        from position: CommitNumber, _ direction: SessionDirection, bounds: PositionRange, isInterrupted: () -> Bool
    ) throws(JournalError) -> Outcome {
        var hasEnded = false
        func ends() -> Bool {
            hasEnded = hasEnded || isInterrupted()
            return hasEnded
        }
        let found = try next(from: position, direction, isInterrupted: ends)
        if let found { return .found(found, isWrapped: false) }
        if hasEnded { return .interrupted }
        let end = direction == .forward ? bounds.lower : bounds.upper.next
        let again = try next(from: end, direction, isInterrupted: ends)
        if let again, direction == .forward ? again <= position : again >= position {
            return .found(again, isWrapped: true)
        }
        return hasEnded ? .interrupted : .nowhere
    }

    /// What there is to say where a search went on at the other end.
    static func wrapped(_ direction: SessionDirection) -> String {
        direction == .forward
            ? "the search passed the end and went on from the start"
            : "the search passed the start and went on from the end"
    }

    /// The nearest commit after or before a position that has the text; nil if none has.
    ///
    /// - Parameter isInterrupted: asked along the way; true ends the search.
    /// - Complexity: each line on the way is read.
    func next(
        from position: CommitNumber, _ direction: SessionDirection, isInterrupted: () -> Bool
    ) throws(JournalError) -> CommitNumber? {
        try journal.nearest(from: position, direction, isInterrupted: isInterrupted) { matches($0) }
    }

    private func matches(_ line: RecordLine) -> Bool {
        guard line.kind == .commit || line.kind == .mark || line.kind == .gap, let read = try? Record(line) else {
            return false
        }
        if line.kind == .mark { return text.matches(read.text ?? "") }
        let record = RecordSummary(read, scope: StoreScope(store: nil))
        let names = [record.store, record.name, record.function, record.location, record.label].compactMap(\.self)
        if let action = read.action,
            text.matches(action.type ?? "") || action.payload.map({ text.matches($0.text()) }) ?? false
        {
            return true
        }
        return names.contains(where: text.matches)
            || record.changes.contains { change in
                text.matchesPath(change.path) || values(of: change).contains { text.matches($0.text()) }
            }
    }

    private func values(of change: Change) -> [JSONValue] {
        switch change.effect {
        case .added(let value): [value]
        case .removed(let old): old.map { [$0] } ?? []
        case .replaced(let old, let new): (old.map { [$0] } ?? []) + [new]
        case .moved: []
        }
    }
}
