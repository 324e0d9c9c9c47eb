import JSONCore
package import JournalFormat
package import JournalReading
package import QueryLanguage

/// What shows that a run went wrong, and where it began to for good.
package struct Symptom: Sendable {
    package enum Source: Sendable, Equatable {
        /// A condition does not hold; its name.
        case condition(String)
        /// The app said so, with a mark of level error; its text.
        case mark(String)
        /// The run as a whole is said to be bad.
        case run
    }

    package let kind: Source
    /// The last commit before it shows, or the one with which it does.
    package let position: CommitNumber
    /// Where in the source it shows; nil where nothing says so.
    package let place: CommitPlace?
    let writers: [CommitPlace]
    /// Whether its place is the only one that writes the stores that the question reads: then it says what others did.
    let isReport: Bool
    /// The positions of which `bisect` asks whether a path is absent: a start that is bad, and the first that turned bad.
    package let firstBad: [CommitNumber]
    var isCondition: Bool { if case .condition = kind { true } else { false } }

    package init(
        _ kind: Source, _ position: CommitNumber, _ place: CommitPlace?, writers: [CommitPlace] = [],
        isReport: Bool = false, firstBad: [CommitNumber] = []
    ) {
        (self.kind, self.position, self.place) = (kind, position, place)
        (self.writers, self.isReport, self.firstBad) = (writers, isReport, firstBad)
    }

    package struct Question: Sendable {
        package let name: String
        let condition: Condition

        package init(_ invariant: Invariant) {
            name = invariant.name
            condition = Condition(good: invariant.query)
        }

        package init(bad query: Query, named name: String) {
            self.name = name
            condition = Condition(bad: query)
        }
    }

    package struct Answer: Sendable {
        /// Of the first that turned bad; nil where none did.
        package var symptom: Symptom?
        /// Whether one is bad from the start, and was never good before it was bad.
        package var isBadAtStart = false
        /// What has no answer, of the question that has least.
        package var unanswered = Unanswered()
    }

    /// Where a run turned bad by the first of several questions: to stay, or where it ends good, for the first time.
    ///
    /// - Complexity: one pass over the run for all of them, and one over the commits up to the first.
    package static func first(
        of questions: [Question], in journal: Journal, _ range: PositionRange
    ) throws(JournalError) -> Answer {
        let found = try ConditionScan(journal, range, questions.map(\.condition)).run().answers
        var answer = Answer()
        answer.unanswered = found.map(\.unanswered).max { $0.count < $1.count } ?? Unanswered()
        var first: (question: Question, record: Record, firstBad: [CommitNumber])?
        for (question, answers) in zip(questions, found) {
            guard let turn = answers.firstTurn else {
                if answers.isBadAtStart == true { answer.isBadAtStart = true }
                continue
            }
            let stays = answers.isBadAtEnd != false ? answers.lastTurn : nil
            let record = try Record(journal.record(of: (stays ?? turn).author))
            guard record.seq < first?.record.seq ?? record.seq.next else { continue }
            let turned = try Record(journal.record(of: turn.author)).seq
            first = (question, record, (answers.isBadAtStart == true ? [range.lower] : []) + [turned])
        }
        guard let first else { return answer }
        let place = CommitPlace(first.record)
        let query = first.question.condition.query
        let writers = try query.writers(in: journal, upTo: first.record.seq)
        // A question about the state before, or about the commit, is about that commit itself.
        let isAlone = place.map { writers.ofStores == [$0] } ?? false
        answer.symptom = Symptom(
            .condition(first.question.name), first.record.seq, place, writers: writers.ofPaths,
            isReport: isAlone && !query.footprint.usesOld && !query.footprint.usesCommit, firstBad: first.firstBad)
        return answer
    }

    /// The first mark of level error; reads the lines' heads only.
    package static func recorded(in journal: Journal) throws(JournalError) -> Symptom? {
        var reader = journal.records()
        while let line = try reader.next() {
            guard line.kind == .mark else { continue }
            let record = try Record(line)
            guard record.string(.level) == MarkLevel.error.rawValue else { continue }
            return Symptom(.mark(record.text ?? ""), line.seq, CommitPlace(record))
        }
        return nil
    }

    package static func end(of journal: Journal) throws(JournalError) -> Symptom {
        Symptom(.run, try journal.lastCommit, nil)
    }
}

extension Query {
    /// The places that write what it reads, the last one first, and all that write its stores; none where it reads everything.
    fileprivate func writers(
        in journal: Journal, upTo position: CommitNumber
    ) throws(JournalError) -> (ofPaths: [CommitPlace], ofStores: Set<CommitPlace>) {
        let paths = footprint.paths
        guard !paths.isEverything else { return ([], []) }
        var last: [CommitPlace: CommitNumber] = [:]
        var ofStores: Set<CommitPlace> = []
        var reader = journal.records()
        while let line = try reader.next(), line.seq <= position {
            guard line.kind == .commit else { continue }
            let record = try Record(line)
            let store = record.store ?? ""
            guard paths.relation(of: [store]) != .outside, let place = CommitPlace(record) else { continue }
            ofStores.insert(place)
            let isWriting = record.patch?.operations.contains {
                paths.relation(of: [store] + $0.path.segments) != .outside
            }
            if isWriting ?? true { last[place] = record.seq }
        }
        return (last.sorted { $0.value > $1.value }.map(\.key), ofStores)
    }
}
