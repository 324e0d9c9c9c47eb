import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage

/// The opening of a store with which a run that is bad from its start turned so.
///
/// Only stores that the query reads count. Where it reads several and was bad with the first of them already, for want of
/// the others or not, no single record is to blame.
struct StoreOpening {
    /// The record that is to blame; nil where none alone is.
    private(set) var turned: OwnedRecord?

    private let condition: Condition
    private var state: PositionState
    private var wasBad: Bool?

    /// Before the first store.
    init(_ condition: Condition, at start: CommitNumber) {
        self.condition = condition
        state = PositionState(start: start, pruning: condition.query.footprint.paths)
    }

    /// Takes the next store that opens before the first commit.
    mutating func note(_ line: RecordLine) throws(JournalError) {
        guard try state.apply(line) != .none else { return }
        let context = QueryContext(seq: line.seq.rawValue)
        let isBad = condition.verdict(on: state.value, context: context).isBad ?? false
        if isBad, wasBad != true { turned = line.owned() }
        if isBad, wasBad == true { turned = nil }
        wasBad = isBad
    }
}
