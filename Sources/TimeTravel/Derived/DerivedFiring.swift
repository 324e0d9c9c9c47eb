public import JSONCore
public import JournalFormat
public import JournalReading

/// What a derived value does at a position.
public struct DerivedFiring: Sendable {
    /// How far the change got.
    public enum Outcome: String, Sendable, CaseIterable {
        /// No path that the derived value reads was written.
        case untouched
        /// Something was written, but what it reads is equal to what it was.
        case unchanged
        /// The value was computed anew, with an equal result.
        case same
        /// The value differs: subscribers would have been called.
        case fired
        /// What it reads differs; its formula is unknown, and so is its value.
        case recomputed
    }

    /// The position.
    public let seq: CommitNumber
    /// The derived value's name.
    public let name: String
    /// How far the change got.
    public let outcome: Outcome
    /// The value at the position before; where the formula is unknown, the one that the app recorded last, nil for none.
    public let old: JSONValue?
    /// The value at this position; nil where the formula is unknown.
    public let value: JSONValue?
    /// The record that made the difference: a commit, a store or a gap.
    public let record: OwnedRecord
    /// What the app recorded of this value after this commit, if it did.
    public let recorded: OutcomeRecord.Entry?

    var withoutRecorded: DerivedFiring {
        DerivedFiring(
            seq: seq, name: name, outcome: outcome, old: old, value: value, record: record, recorded: nil)
    }

    /// What it counts as: where the formula is unknown and the app recorded what came of it, that.
    public var counted: Outcome {
        guard value == nil, let recorded else { return outcome }
        return switch recorded.outcome {
        case .fired: .fired
        case .same: .same
        case .unchanged: .unchanged
        }
    }

    /// Whether the app recorded another firing or another value.
    ///
    /// Nil where there is nothing to compare: nothing recorded, or no formula.
    public var differsFromRecorded: Bool? {
        guard let recorded, let value else { return nil }
        if (outcome == .fired) != (recorded.outcome == .fired) { return true }
        return recorded.value.map { $0 != value } ?? false
    }
}
