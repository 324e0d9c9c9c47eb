public import JSONCore
public import JournalFormat
public import JournalReading
public import QueryLanguage

/// A derived value that is followed through a run: by its definition, or by what the journal says that it reads.
public struct DerivedValue: Sendable {
    /// Where its value comes from.
    public enum Formula: Sendable {
        /// The first output of a query; null where there is none or it fails.
        case query(Query)
        /// Unknown: the app recorded the inputs only, or not even them.
        case recorded
    }

    /// The name of the value.
    public let name: String
    /// Where its value comes from.
    public let formula: Formula
    /// What it reads of the state; nil where that is unknown.
    public let inputs: PathSet?
    /// The values that it reads besides, which have to come before it in a list of values.
    public let from: [String]

    /// What has to be at hand to compute it: its own inputs, and those of the values that its definition calls.
    public var reads: PathSet {
        guard case .query(let query) = formula else { return inputs ?? .nothing }
        return query.footprint.paths.union(inputs ?? .nothing)
    }

    /// A value with a definition.
    ///
    /// - Parameters:
    ///   - inputs: what the definition itself reads, without what those that it calls read.
    ///   - from: the values that the definition calls.
    public init(name: String, query: Query, inputs: PathSet? = nil, from: [String] = []) {
        self.name = name
        formula = .query(query)
        self.inputs = inputs ?? query.footprint.paths
        self.from = from
    }

    /// A value that the app declared in its journal.
    public init(_ record: DerivedRecord) {
        name = record.name
        formula = .recorded
        from = record.from
        inputs = record.inputs.map { pointers in
            var set = PathSet.nothing
            for pointer in pointers { set.insert(pointer) }
            return set
        }
    }
}

extension Journal {
    /// The derived values that the app declared, in the order of their records; of a repeated name the last one.
    ///
    /// - Parameter last: the last position whose declarations count; nil for all of them.
    /// - Returns: the values, and the damage that was jumped over.
    /// - Throws: `JournalError` at damage up to there, and where there is no such position.
    /// - Complexity: one pass over the journal up to there that reads nothing else.
    public func declaredDerivedValues(
        through last: CommitNumber? = nil, recover: Bool = false
    ) throws(JournalError) -> (values: [DerivedValue], damages: [JournalError]) {
        var reader =
            if let last { try records(after: start, through: last, recover: recover) } else {
                records(recover: recover)
            }
        var filter = RecordFilter(touching: .nothing, kinds: .derived)
        var values = NameTable<DerivedValue>()
        var malformed: [JournalError] = []
        while let line = try reader.next(matching: &filter) {
            guard line.kind == .derived else { continue }
            do throws(JournalError) {
                let value = DerivedValue(try line.decode(DerivedRecord.init))
                values[value.name] = nil
                values[value.name] = value
            } catch {
                // No state depends on it: reading can go on without a keyframe after it.
                guard recover else { throw error }
                malformed.append(error)
            }
        }
        return (values.map(\.value), reader.damages + malformed)
    }
}

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
        DerivedFiring(seq: seq, name: name, outcome: outcome, old: old, value: value, record: record, recorded: nil)
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
