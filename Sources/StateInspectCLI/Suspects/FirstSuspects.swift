import JournalFormat
import JournalReading
import TimeTravel

/// The first suspects of a run, beside the answer to another question: only where looking for them is cheap.
struct FirstSuspects: Sendable {
    /// So many are kept.
    private static let most = 3
    /// A run with more bytes up to the symptom is not searched: so many take about a tenth of a second.
    private static let byteLimit = 8 << 20

    /// A suspect, and its first commit.
    struct Entry: Sendable {
        let suspect: Suspect
        let record: RecordSummary
    }

    /// The most suspicious first; never empty.
    let entries: [Entry]

    /// What looking for them came to.
    enum Search: Sendable {
        case found(FirstSuspects)
        /// Nothing stands out.
        case nothing
        /// It would take too long.
        case skipped
    }

    /// Looks for the suspects of a run that went bad with a record.
    ///
    /// - Parameters:
    ///   - name: what was asked.
    ///   - record: the record that made the run bad; nil where no record did.
    static func search(_ journal: Journal, _ name: String, _ position: Int, _ record: Record?) -> Search {
        guard let record, journal.isSeekable else { return .nothing }
        let position = CommitNumber(position)
        // The answer itself reports damage.
        guard let end = try? journal.offset(firstAtLeast: position.next) else { return .nothing }
        guard end.rawValue <= byteLimit else { return .skipped }
        let symptom = Symptom(.condition(name), position, CommitPlace(record))
        return (try? FirstSuspects(symptom, journal)).map(Search.found) ?? .nothing
    }

    private init?(_ symptom: Symptom, _ journal: Journal) throws {
        var search = SuspectSearch(checks: Set([symptom.place].compactMap(\.self)))
        guard try search.add(journal, symptom, run: 0) else { return nil }
        let found = search.suspects()
        // A false trail that was not asked for is worse than none.
        guard !found.isAbstaining, found.trials.passed >= SuspectSearch.fewTrials else { return nil }
        entries = try found.ranking.prefix(Self.most).map { suspect in
            let record = try Record(journal.record(of: suspect.first.commit))
            return Entry(suspect: suspect, record: RecordSummary(record, scope: StoreScope(store: nil)))
        }
        if entries.isEmpty { return nil }
    }
}

extension FirstSuspects {
    /// The command that looks for the suspects of runs, by what was typed; nil where that cannot be asked so.
    ///
    /// - Parameters:
    ///   - bad: the runs, as they were typed.
    ///   - typed: has the question: `--bad`, invariants, or as `--good` a query that is true of what is good.
    static func command(_ bad: [String], good: [String] = [], _ typed: TypedArguments) -> String? {
        var options: [String] = []
        func add(_ option: Option, _ value: String) {
            let name = option.short.map { "-" + String($0) } ?? option.typed
            options += value.hasPrefix("-") ? [option.typed + "=" + value] : [name, value]
        }
        if let query = typed.value(.bad) { add(.bad, query) }
        for option in [Option.invariant, .invariants, .definitions] {
            for value in typed.all(option) { add(option, value) }
        }
        if let query = typed.value(.good) { add(.invariant, "good=" + query) }
        let hasQuestion = [Option.bad, .good, .invariant, .invariants].contains(where: typed.has)
        let canBeAsked = typed.value(.store) == nil && typed.named.isEmpty && typed.value(.path) == nil
        let files = bad + good
        guard hasQuestion, canBeAsked, !bad.isEmpty, !files.contains(where: { $0.hasPrefix("-") }) else { return nil }
        let runs = good.isEmpty ? [] : [Option.goodRuns.typed] + good
        return ShellQuoting.line(["state-inspect", CommandName.suspects.rawValue] + bad + options + runs)
    }
}
