public import JSONCore
public import JournalFormat
public import JournalReading

/// The last records that touched what a question reads, each with the state after it: how a position came to be.
public enum StateHistory {
    /// One record on the way.
    public struct Step: Sendable {
        /// The record: a commit, a store or a gap.
        public let record: OwnedRecord
        /// What is read of the state after it.
        public let state: JSONValue
    }

    /// The last steps up to a position, oldest first.
    ///
    /// Where the way to them is damaged or lost in a gap, those steps that are known.
    ///
    /// - Parameters:
    ///   - count: the most steps that are wanted.
    ///   - set: what is read of the state.
    /// - Complexity: the journal is read backwards as far as the steps lie, and forward again from there.
    public static func last(
        _ count: Int, through position: CommitNumber, reading set: PathSet, in journal: Journal
    ) -> [Step] {
        guard count > 0, position > journal.start else { return [] }
        let first = oldest(count, through: position, reading: set, in: journal)
        guard let range = PositionRange(first.previous, position) ?? PositionRange(first, position) else { return [] }
        return (try? steps(count, range, reading: set, in: journal)) ?? []
    }

    private static func oldest(
        _ count: Int, through position: CommitNumber, reading set: PathSet, in journal: Journal
    ) -> CommitNumber {
        var oldest = position
        var filter = RecordFilter(touching: set)
        do throws(JournalError) {
            var reader = try journal.recordsBackward(from: try journal.offset(firstAtLeast: position.next))
            var left = count
            while left > 0, let line = try reader.next(matching: &filter), line.seq > journal.start {
                guard RecordKinds.states.contains(line.kind) else { continue }
                if line.kind == .gap { break }
                oldest = line.seq
                left -= 1
            }
        } catch {
            // The damaged lines are left out; the steps after them are there.
        }
        return oldest
    }

    private static func steps(
        _ count: Int, _ range: PositionRange, reading set: PathSet, in journal: Journal
    ) throws(JournalError) -> [Step] {
        let run = try Run(journal, range, options: Run.Options(reading: set, keepsRecords: true))
        var steps: [Step] = []
        while let step = try run.next() {
            steps.append(Step(record: try run.record(of: step), state: run.state))
            // Twice as many are kept, so that the oldest go in one step.
            if steps.count >= 2 * count { steps.removeFirst(steps.count - count) }
        }
        return steps.suffix(count)
    }
}
