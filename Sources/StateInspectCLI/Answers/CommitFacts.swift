import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// What stories report of a commit besides its changes: what caused it and what the derived values did.
struct CommitFacts {
    /// How many records before the commit are looked through for what a derived value was before.
    static let lookBack = 4096

    /// The commit whose delivery made this one; nil where none did, or it is outside the file.
    let cause: RecordSummary?

    /// What the derived values did.
    let firings: CommitBlock.Firings

    /// Looks up the cause of a commit and what the derived values did.
    init(_ details: CommitDetails, _ journal: Journal, _ scope: StoreScope) throws {
        let chain = try CauseChain(of: details.commit.seq, in: journal, limit: 2)
        cause = try chain.commits.dropFirst().first.map { RecordSummary(try Record($0), scope: scope) }
        let fired = details.outcomes.filter { $0.outcome == .fired }
        let before = try Self.values(of: fired.map(\.name), before: details.record, in: journal)
        var firings = CommitBlock.Firings()
        firings.fired = fired.map { outcome in
            let old = before.first { UTF8Order.equal($0.name, outcome.name) }?.value
            return .init(name: outcome.name, change: outcome.value.map { .replaced(old: old, new: $0) })
        }
        firings.unchanged = details.outcomes.filter { $0.outcome == .unchanged }.map(\.name)
        firings.same = details.outcomes.filter { $0.outcome == .same }.map(\.name)
        self.firings = firings
    }

    /// The values that were recorded last before a record, for those names that have one nearby.
    static func values(
        of names: [String], before record: OwnedRecord, in journal: Journal
    ) throws -> [(name: String, value: JSONValue)] {
        var wanted = names
        var found: [(name: String, value: JSONValue)] = []
        var reader = try journal.recordsBackward(from: record.offset)
        var looked = 0
        while !wanted.isEmpty, looked < lookBack, let line = try reader.next() {
            looked += 1
            guard line.kind == .outcome else { continue }
            let outcome = try line.decode { (object) throws(RecordFault) in try OutcomeRecord(object) }
            for derived in outcome.derived {
                guard let value = derived.value,
                    let index = wanted.firstIndex(where: { UTF8Order.equal($0, derived.name) })
                else { continue }
                found.append((derived.name, value))
                wanted.remove(at: index)
            }
        }
        return found
    }
}
