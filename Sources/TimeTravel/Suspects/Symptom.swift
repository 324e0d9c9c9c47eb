import JSONCore
package import JournalFormat
package import JournalReading
package import QueryLanguage

/// What shows that a run went wrong, and where it does so first.
package struct Symptom: Sendable {
    /// How it shows.
    package enum Kind: Sendable, Equatable {
        /// A condition does not hold; its name.
        case condition(String)
        /// A commit's closure threw; the error's text.
        case abort(String)
        /// The app said so, with a mark of level error; its text.
        case mark(String)
        /// Nothing was asked, and what held through so many changes does not hold any more.
        case broken(String, changes: Int)
        /// The run as a whole is said to be bad.
        case run
    }

    /// How it shows.
    package let kind: Kind
    /// The last commit before it shows, or the one with which it does.
    package let position: CommitNumber
    /// Where in the source it shows; nil where nothing says so.
    package let place: CommitPlace?
    /// Whether it was there from the start, before any commit.
    package let isAtStart: Bool

    /// A symptom that is known.
    package init(_ kind: Kind, _ position: CommitNumber, _ place: CommitPlace?, isAtStart: Bool = false) {
        self.kind = kind
        self.position = position
        self.place = place
        self.isAtStart = isAtStart
    }

    /// What symptoms have in common that may have one cause: the condition that does not hold, or the place where it shows.
    struct Appearance: Hashable {
        private let condition: ByteName?
        private let place: CommitPlace?
        /// Whether nothing shows: the run is only said to be bad.
        let isNone: Bool

        init(_ symptom: Symptom?) {
            isNone = symptom?.kind == .run
            switch symptom?.kind {
            case .condition(let name), .broken(let name, _): (condition, place) = (ByteName(name), nil)
            case .abort, .mark, .run, nil: (condition, place) = (nil, symptom?.place)
            }
        }
    }

    /// A condition of a run, and what it is called.
    package struct Question: Sendable {
        package let name: String
        let condition: Condition

        /// What must hold.
        package init(_ invariant: Invariant) {
            name = invariant.name
            condition = Condition(good: invariant.query)
        }

        /// What must not be.
        package init(bad query: Query, named name: String) {
            self.name = name
            condition = Condition(bad: query)
        }
    }

    /// The first position that is bad by any of several questions; nil where none is.
    ///
    /// - Returns: it, and what has no answer of the question that has least.
    /// - Throws: `JournalError` at damage.
    /// - Complexity: one pass over the run for all of them.
    package static func first(
        of questions: [Question], in journal: Journal, _ range: PositionRange
    ) throws(JournalError) -> (symptom: Symptom?, unanswered: Unanswered) {
        let tracks = try ConditionScan.run(
            journal, range, questions.map(\.condition), options: BisectOptions()
        ).tracks
        let unanswered = tracks.map(\.tracker.unanswered).max { $0.count < $1.count } ?? Unanswered()
        var first: Symptom?
        for (question, track) in zip(questions, tracks) {
            guard let (position, author) = track.tracker.firstBad, position < first?.position ?? position.next else {
                continue
            }
            let isAtStart = position == range.lower
            let place = isAtStart ? nil : CommitPlace(try Record(journal.record(of: author)))
            first = Symptom(.condition(question.name), position, place, isAtStart: isAtStart)
        }
        return (first, unanswered)
    }

    /// The first mark of level error or commit that threw; nil where there is neither.
    ///
    /// - Throws: `JournalError` at damage.
    /// - Complexity: one pass over the lines' heads.
    package static func recorded(in journal: Journal) throws(JournalError) -> Symptom? {
        var reader = journal.records()
        while let line = try reader.next() {
            switch line.kind {
            case .abort:
                let record = try Record(line)
                return Symptom(.abort(record.string(.error) ?? ""), line.seq, CommitPlace(record))
            case .mark:
                let record = try Record(line)
                guard record.string(.level) == MarkLevel.error.rawValue else { continue }
                return Symptom(.mark(record.text ?? ""), line.seq, CommitPlace(record))
            default: continue
            }
        }
        return nil
    }

    /// What broke first of all that had held through many changes of a run; nil where nothing did.
    ///
    /// - Throws: `JournalError` at damage.
    /// - Complexity: as ``BrokenInvariant/all(in:)``.
    package static func broken(in journal: Journal) throws(JournalError) -> Symptom? {
        try BrokenInvariant.all(in: journal).first.map { broken in
            Symptom(
                .broken(broken.invariant.condition, changes: broken.invariant.samples), broken.position, broken.place)
        }
    }

    /// The end of a run that is said to be bad.
    ///
    /// - Throws: `JournalError` at damage.
    package static func end(of journal: Journal) throws(JournalError) -> Symptom {
        Symptom(.run, try journal.lastCommit, nil)
    }
}
