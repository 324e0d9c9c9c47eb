import CommandLine
import JSONCore

protocol CheckPrinter {
    mutating func begin() throws

    /// Writes that an invariant does not hold any more, of a journal that is followed.
    mutating func write(_ event: CheckedJournal.Event) throws

    mutating func write(_ checked: CheckedJournal) throws

    mutating func finish(_ summary: CheckSummary) throws
}

extension CheckPrinter {
    mutating func begin() throws {}

    mutating func write(_ event: CheckedJournal.Event) throws {}
}

struct CheckLines: CheckPrinter {
    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    mutating func write(_ event: CheckedJournal.Event) throws { try context.writeJSON(Self.violated(event), nil) }

    mutating func write(_ checked: CheckedJournal) throws {
        func cite(_ position: Int) throws -> Citation? { try context.citations?.cite(position, of: checked.path) }
        for verdict in checked.verdicts {
            if let violation = verdict.violation {
                try context.writeJSON(
                    Self.violation((checked.path, verdict, violation)), cite(violation.position))
            }
            if let failure = verdict.failure {
                try context.writeJSON(Self.failure((checked.path, verdict.name, failure)), cite(failure.seq))
            }
            if verdict.holds { try context.writeJSON(Self.holds((checked.path, verdict)), cite(checked.lastCommit)) }
        }
    }

    mutating func finish(_ summary: CheckSummary) throws {
        if summary.journals > 1 { try context.writeJSON(CheckSummary.answer(summary), nil) }
    }
}

extension CheckLines {
    static let violation = AnswerKind<
        (journal: String, verdict: CheckedJournal.Verdict, violation: CheckedJournal.Violation)
    >(
        "violation", "an invariant that does not hold everywhere",
        [
            .always("journal", "the journal, as it was named", \.journal),
            .always("invariant", "the name of the invariant", \.verdict.name),
            .always(
                "first", "the record that began it, null where it is violated from the start", \.violation.record),
            .always("lastSeq", "the last position at which it is violated", \.violation.last),
            .always("positions", "how many positions violate it", \.violation.positions),
            .always("stretches", "how often it became violated", \.violation.ranges),
            .sometimes(
                "value", "what the invariant gave at the first such position, missing where it has no output",
                \.violation.value),
            .sometimes(
                "places",
                #"with '--counts', the places in the source that began it, up to 20,000 beginnings, the most frequent first: "at", "times", and the "first" and "last" position that it began"#
            ) { row in row.violation.places.isEmpty ? nil : row.violation.places.map(json) },
            .sometimes(
                "unanswered",
                "how many positions have no answer: those lost in a gap or in damage, and those at which it could not be evaluated"
            ) { row in row.verdict.unanswered > 0 ? row.verdict.unanswered : nil },
            .sometimes(
                "candidates", "the commits of which one began it, where positions before it have no answer"
            ) { row in row.violation.candidates.isEmpty ? nil : row.violation.candidates },
        ])

    private static func json(_ place: CheckedJournal.CountedPlace) -> JSONValue {
        .members([
            "at": place.place?.json ?? .null, "times": .number(place.times), "first": .number(place.first),
            "last": .number(place.last),
        ])
    }

    static let violated = AnswerKind<CheckedJournal.Event>(
        "violated",
        "an invariant that does not hold any more, reported as the journal is written; a 'violation' sums up at the end",
        [
            .always("journal", "the journal, as it was named", \.path),
            .always("invariant", "the name of the invariant", \.name),
            .always("seq", "the position at which it does not hold", \.position),
            .always("record", "the record that began it, null where it is violated from the start", \.record),
            .sometimes("value", "what the invariant gives there, missing where it has no output", \.value),
        ])

    static let failure = AnswerKind<(journal: String, invariant: String, failure: CheckedJournal.Failure)>(
        "failure", "an invariant that could not be evaluated at some positions",
        [
            .always("journal", "the journal, as it was named", \.journal),
            .always("invariant", "the name of the invariant", \.invariant),
            .always("seq", "the first such position", \.failure.seq),
            .always("message", "the error there", \.failure.message),
            .always("positions", "how many there are", \.failure.positions),
        ])

    static let holds = AnswerKind<(journal: String, verdict: CheckedJournal.Verdict)>(
        "holds", "an invariant that held wherever it was judged",
        [
            .always("journal", "the journal, as it was named", \.journal),
            .always("invariant", "the name of the invariant", \.verdict.name),
            .always("positions", "at how many positions it was judged and held", \.verdict.positions),
            .always("unanswered", "how many positions were lost in a gap or in damage", \.verdict.unanswered),
        ])
}
