import JSONCore
package import JournalFormat
package import JournalReading

/// The commits with which a store ended: a `close` takes effect with the next commit, whichever store that is of.
///
/// It is a class because a filter is handed around by value, and the ends are looked up once for all copies.
package final class StoreEnds {
    private let store: String
    private var find: (() -> Set<CommitNumber>)?
    private var found: Set<CommitNumber> = []

    package init(of store: String) { self.store = store }

    /// Says where they are to be looked up once one is asked about.
    ///
    /// What lies in damage is left out: the answer reports that.
    package func follow(_ journal: Journal, _ range: PositionRange, recovers: Bool) {
        find = { [store] in
            var paths = PathSet.nothing
            paths.insert(JSONPointer([store]))
            var filter = RecordFilter(touching: paths, kinds: [.store, .close])
            // A store that was closed directly before the range ends with its first commit.
            let lower = range.lower
            guard
                var reader = lower == journal.start
                    ? journal.records(recover: recovers)
                    : try? journal.records(after: lower.previous, through: range.upper, recover: recovers)
            else { return [] }
            var ends: Set<CommitNumber> = []
            while let line = try? reader.next(matching: &filter), line.seq < range.upper {
                guard let name = try? line.storeName(), UTF8Order.equal(name, store) else { continue }
                if line.kind == .close { ends.insert(line.seq.next) }
                // Opened again before the next commit, it did not end.
                if line.kind == .store { ends.remove(line.seq.next) }
            }
            return ends
        }
    }

    /// Whether the store ended with a commit.
    ///
    /// - Complexity: a scan of the range's bytes, once.
    package func contains(_ commit: CommitNumber) -> Bool {
        if let find = find.take() { found = find() }
        return found.contains(commit)
    }
}
