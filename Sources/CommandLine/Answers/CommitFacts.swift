package import Diagnostics
package import JSONCore
import JournalFormat
package import JournalReading
package import TimeTravel

/// What caused a commit and what the derived values did; what cannot be read is left out, and reported.
package struct CommitFacts {
    package let warnings: [Diagnostic]

    /// How many records before the commit are looked through for what a derived value was before.
    static let lookBack = 4096

    /// The commit whose delivery made this one; nil where none did, or it is outside the file.
    package let cause: RecordSummary?
    package let firings: CommitStory.Firings
    /// What the values that fired were before, as far as that was recorded nearby.
    package let before: [(name: String, value: JSONValue)]

    package init(_ details: CommitDetails, _ journal: Journal, _ scope: StoreScope) {
        let seq = details.commit.seq
        let (cause, causeDamage) = Self.cause(of: seq, in: journal, scope)
        self.cause = cause
        let fired = details.outcomes.filter { $0.outcome == .fired }
        let (before, beforeDamage) = Self.values(of: fired.map(\.name), before: details.record, in: journal)
        self.before = before
        warnings = [
            details.damage.map { Self.warning(of: $0, "what the derived values did after commit \(seq) is not known") },
            causeDamage.map { Self.warning(of: $0, "what caused commit \(seq) is not known") },
            beforeDamage.map { Self.warning(of: $0, "what a derived value was before commit \(seq) is not known") },
        ].compactMap(\.self)
        var firings = CommitStory.Firings()
        firings.fired = fired.map { outcome in
            let old = before.first { UTF8Order.equal($0.name, outcome.name) }?.value
            return .init(name: outcome.name, change: outcome.value.map { .replaced($0, old: old) })
        }
        firings.unchanged = details.outcomes.filter { $0.outcome == .unchanged }.map(\.name)
        firings.same = details.outcomes.filter { $0.outcome == .same }.map(\.name)
        self.firings = firings
    }

    package static func warning(of error: JournalError, _ consequence: String) -> Diagnostic {
        var warning = error.warning
        warning.notes.insert(warning.message, at: 0)
        warning.message = consequence
        return warning
    }

    private static func cause(
        of commit: CommitNumber, in journal: Journal, _ scope: StoreScope
    ) -> (RecordSummary?, damage: JournalError?) {
        do throws(JournalError) {
            let chain = try CauseChain(of: commit, in: journal, limit: 2)
            if case .damaged(_, let error) = chain.end { return (nil, error) }
            guard chain.commits.count > 1 else { return (nil, nil) }
            return (RecordSummary(try Record(chain.commits[1]), scope: scope), nil)
        } catch {
            return (nil, journal.numbered(error))
        }
    }

    package static func values(
        of names: [String], before record: OwnedRecord, in journal: Journal
    ) -> (found: [(name: String, value: JSONValue)], damage: JournalError?) {
        var found: [(name: String, value: JSONValue)] = []
        do throws(JournalError) {
            try collect(names, before: record, in: journal, &found)
        } catch {
            return (found, journal.numbered(error))
        }
        return (found, nil)
    }

    private static func collect(
        _ names: [String], before record: OwnedRecord, in journal: Journal,
        _ found: inout [(name: String, value: JSONValue)]
    ) throws(JournalError) {
        var wanted = names
        if wanted.isEmpty { return }
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
    }
}
