import JSONCore
import JournalFormat
import JournalReading

/// What a segment that begins at a position has to begin with: the open stores with the records that opened them, and
/// the derived values declared so far.
///
/// The records are searched for from the keyframe before the position, then from the front, where most of them are. A
/// name that was opened again in between keeps the type and place of an earlier opening; its state is that of the
/// position in any case.
struct SliceOpening {
    let state: PositionState
    private(set) var stores: [(name: String, record: JSONObject?, state: JSONValue)] = []
    private(set) var derived: [JSONObject] = []
    private(set) var closes: [OwnedRecord] = []
    let time: Timestamp

    private var opened = NameTable<JSONObject>()
    private var declared = NameTable<JSONObject>()
    private var names: [String]?

    init(_ journal: Journal, at position: CommitNumber) throws(JournalError) {
        // First of all: what leads there is read line by line, where a search passes over what has no number.
        state = try journal.state(at: position)
        let first = try journal.record(at: try journal.offset(firstAtLeast: position)).object()
        guard case .string(let text)? = first["time"], let time = Timestamp(text) else {
            throw JournalError(path: journal.path, .noCommitAtStart(position, last: try journal.lastCommit))
        }
        self.time = time
        let base = try journal.base(for: position)
        let end = try journal.offset(firstAtLeast: position.next)
        try readRange(journal, from: base, to: end)
        let front = try readFront(journal, to: base, stores: state.stores.keys)
        for (name, record) in front.opened where opened[name] == nil { opened[name] = record }
        derived = front.declared.map(\.value) + declared.map(\.value)
        stores = state.stores.map { ($0.key, opened[$0.key], $0.value) }
        closes.removeAll { close in
            let name = (try? close.object()["store"])?.string
            return !state.closing.contains { UTF8Order.equal($0, name ?? "") }
        }
    }

    private mutating func readRange(
        _ journal: Journal, from base: ByteOffset, to end: ByteOffset
    ) throws(JournalError) {
        guard base < end else { return }
        var reader = journal.records(from: base, to: end)
        var isFirst = true
        while let line = try reader.next() {
            switch line.kind {
            case .store:
                let name = try line.storeName()
                opened[name] = try line.object()
                closes.removeAll { UTF8Order.equal((try? $0.object()["store"])?.string ?? "", name) }
            case .derived: note(try line.object(), in: &declared)
            case .close: closes.append(line.owned())
            case .commit: closes.removeAll()
            case .keyframe where isFirst:
                let totals = try line.decode(KeyframeRecord.init).totals
                // Where some are not named, all before them is read.
                names = totals.flatMap { $0.moreDerived == 0 ? $0.derived : nil }
            default: break
            }
            isFirst = false
        }
    }

    private func readFront(
        _ journal: Journal, to base: ByteOffset, stores: [String]
    ) throws(JournalError) -> (opened: NameTable<JSONObject>, declared: NameTable<JSONObject>) {
        var found = (opened: NameTable<JSONObject>(), declared: NameTable<JSONObject>())
        guard base > .zero else { return found }
        var missing = stores.filter { opened[$0] == nil }
        var wanted = names?.filter { declared[$0] == nil }
        var reader = journal.records(to: base)
        var filter = RecordFilter(touching: .everything, kinds: [.store, .derived])
        while !missing.isEmpty || wanted?.isEmpty != true, let line = try reader.next(matching: &filter) {
            if line.kind == .store {
                let name = try line.storeName()
                found.opened[name] = try line.object()
                missing.removeAll { UTF8Order.equal($0, name) }
            } else {
                let object = try line.object()
                note(object, in: &found.declared)
                wanted?.removeAll { UTF8Order.equal($0, object["name"]?.string ?? "") }
            }
        }
        return found
    }

    private func note(_ record: JSONObject, in names: inout NameTable<JSONObject>) {
        if let name = record["name"]?.string { names[name] = record }
    }
}
