import JSONCore
import JournalFormat
import JournalReading

/// A run as steps that can be replayed without some of its commits.
///
/// A commit whose patch no longer applies is a conflict, and left out too; those that stay are numbered anew, as in the
/// journal that is made of them.
struct CommitReplay {
    private enum StoreEvent {
        case open(JSONValue)
        case close
        case commit(JSONPatch)
    }

    private let start: PositionState
    private var steps: [(store: String, step: StoreEvent)] = []
    private(set) var numbers: [CommitNumber] = []
    private var records: [OwnedRecord] = []

    /// - Parameter torn: set to what the file ends in that is not whole.
    init(
        _ journal: Journal, after position: CommitNumber, only chosen: Set<CommitNumber>? = nil,
        keepsRecords: Bool = false, torn: inout TornTail?
    ) throws(JournalError) {
        start = try journal.state(at: position)
        var reader = try journal.records(after: position)
        while let line = try reader.next() {
            guard line.seq > position else { continue }
            switch line.kind {
            case .commit where chosen?.contains(line.seq) ?? true:
                let record = try line.decode(order: .ascending, CommitRecord.init)
                steps.append((record.store, .commit(record.patch)))
                numbers.append(record.seq)
                if keepsRecords { records.append(line.owned()) }
            case .store:
                let record = try line.decode(order: .ascending, StoreRecord.init)
                steps.append((record.store, .open(record.state)))
            case .close: steps.append((try line.storeName(), .close))
            default: break
            }
        }
        torn = reader.tornTail
    }

    /// `kept` are places of commits, ascending.
    ///
    /// The state is numbered as the journal of what was kept, and a store that closed last is still there; `last` and
    /// `old`, where they are kept, are the last commit and the state before it.
    func end(
        keeping kept: [Int], keepsOld: Bool = false
    ) -> (state: PositionState, last: OwnedRecord?, old: JSONValue) {
        var (state, last, old) = (start, OwnedRecord?.none, JSONValue.null)
        var (next, index) = (kept[...], -1)
        for (store, step) in steps {
            switch step {
            case .open(let value): state.open(store, value)
            case .close: state.close(store)
            case .commit(let patch):
                index += 1
                guard next.first == index else { continue }
                next.removeFirst()
                let before = keepsOld ? state.value : .null
                // A store that is about to end is gone when the commit begins, and a commit that does not fit does not begin.
                guard state.isOpen(store), (try? state.apply(patch, to: store)) != nil else { continue }
                state.begin(state.position.next)
                if !records.isEmpty { last = records[index] }
                old = before
            }
        }
        return (state, last, old)
    }
}
