import JSONCore
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
        var options: [Advice.TypedOption] = []
        if let query = typed.value(.bad) { options.append((.bad, query)) }
        for text in typed.all(.invariant) { options.append((.invariant, text)) }
        for file in typed.all(.invariants) { options.append((.invariants, file)) }
        if let query = typed.value(.good) { options.append((.invariant, "good=" + query)) }
        let files = bad + good
        guard !options.isEmpty, !bad.isEmpty, typed.named.isEmpty, !otherQuestions.contains(where: typed.has),
            !files.contains("-"), !good.contains(where: { UTF8Order.begins($0, with: "-") })
        else { return nil }
        for file in typed.all(.definitions) { options.append((.definitions, file)) }
        let runs = good.isEmpty ? [] : [Option.goodRuns.typed] + good
        return Advice.line(.suspects, bad, options.flatMap(Advice.words) + runs)
    }

    /// Options that make the question one that 'suspects' cannot be asked.
    private static let otherQuestions: [Option] = [.store, .path, .from, .to, .range, .skip, .recover]
}
