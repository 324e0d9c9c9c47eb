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

    /// The nearest commit after or before a position that has the text; nil if none has.
    ///
    /// - Parameter isInterrupted: asked along the way; true ends the search.
    /// - Complexity: each line on the way is read.
    func next(
        from position: CommitNumber, _ direction: SessionDirection, isInterrupted: () -> Bool
    ) throws(JournalError) -> CommitNumber? {
        if direction == .forward {
            var reader = journal.records(from: try journal.offset(firstAtLeast: position.next), recover: true)
            while let line = try reader.next(), !isInterrupted() {
                if line.seq > position, matches(line) { return line.seq }
            }
        } else {
            guard position > journal.start else { return nil }
            var found: CommitNumber?
            try journal.readSlices(upTo: position.previous, length: 64) { reader throws(JournalError) in
                while let line = try reader.next(), !isInterrupted() {
                    if matches(line) { found = line.seq }
                }
                return found == nil && !isInterrupted()
            }
            return found
        }
        return nil
    }

    private func matches(_ line: RecordLine) -> Bool {
        guard line.kind == .commit || line.kind == .mark || line.kind == .gap, let read = try? Record(line) else {
            return false
        }
        if line.kind == .mark { return text.matches(read.text ?? "") }
        let record = RecordSummary(read, scope: StoreScope(store: nil))
        let names = [record.store, record.name, record.function, record.location, record.label].compactMap(\.self)
        return names.contains(where: text.matches)
            || record.changes.contains { change in
                text.matches(change.path) || values(of: change).contains { text.matches($0.text()) }
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
