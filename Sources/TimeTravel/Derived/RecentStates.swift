import JSONCore
import JournalFormat
import JournalReading

/// The states after the latest records of a pass, by which an outcome that the app recorded can be held against the versions that
/// it was made of, which several threads may have committed before and after.
struct RecentStates {
    private static let limit = 512

    private struct RecordedState {
        let record: OwnedRecord
        let state: JSONValue
    }

    private var base: (seq: CommitNumber, state: JSONValue)
    private var entries: [RecordedState] = []
    private var start = 0

    init(at seq: CommitNumber, _ state: JSONValue) { base = (seq, state) }

    mutating func note(_ record: OwnedRecord, _ state: JSONValue) {
        entries.append(RecordedState(record: record, state: state))
        guard entries.count - start > Self.limit else { return }
        base = (entries[start].record.seq, entries[start].state)
        start += 1
        if start > Self.limit {
            entries.removeFirst(start)
            start = 0
        }
    }

    /// Nil where the versions are not known any more.
    func seen(
        at commit: CommitNumber, _ versions: [EncodedOutcome.SeenVersion]
    ) throws(JournalError) -> (before: JSONValue, after: JSONValue, record: OwnedRecord)? {
        guard let place = entries[start...].lastIndex(where: { $0.record.seq == commit }), commit > base.seq,
            let record = entries[start...].first(where: { $0.record.seq == commit && $0.record.kind == .commit })?
                .record
        else { return nil }
        var after = entries[place].state
        guard
            var before = entries[start..<place].last(where: { $0.record.seq < commit })?.state
                ?? (base.seq < commit ? base.state : nil)
        else { return nil }
        for seen in versions {
            guard let state = try state(of: seen.store, at: seen.version) else { return nil }
            _ = after.modifyObject { $0.insertAscending(state, forKey: seen.store) }
            _ = before.modifyObject { $0.insertAscending(state, forKey: seen.store) }
        }
        return (before, after, record)
    }

    private func state(of store: String, at version: Int) throws(JournalError) -> JSONValue? {
        var before = base.state
        for entry in entries[start...] {
            defer { before = entry.state }
            guard entry.record.kind == .commit else { continue }
            let record = try Record(entry.record)
            guard let name = record.store, UTF8Order.equal(name, store), let found = record.version else { continue }
            if found == version { return entry.state.member(store) ?? .null }
            if found > version { return found == version + 1 ? before.member(store) ?? .null : nil }
        }
        return nil
    }
}
