package import CommandLine
import JSONCore

/// Writes what `check` found, journal by journal as it comes.
protocol CheckPrinter {
    /// Writes what stands before the first journal.
    mutating func begin() throws

    /// Writes that an invariant does not hold any more, of a journal that is followed.
    mutating func write(_ event: CheckedJournal.Event) throws

    /// Writes what became of a journal.
    mutating func write(_ checked: CheckedJournal) throws

    /// Writes what follows the last journal.
    mutating func finish(_ summary: CheckSummary) throws
}

extension CheckPrinter {
    mutating func begin() throws {}

    mutating func write(_ event: CheckedJournal.Event) throws {}
}

/// The answers as JSON, one line each.
struct CheckLines: CheckPrinter {
    private let context: CommandContext

    /// Lines on a context's output.
    init(_ context: CommandContext) { self.context = context }

    mutating func write(_ event: CheckedJournal.Event) throws {
        var answer = Answer(.violated)
        answer.set("journal", event.path)
        answer.set("invariant", event.name)
        answer.set("seq", event.position)
        answer.set("record", event.record)
        if let value = event.value { answer.set("value", value) }
        try write(answer, nil)
    }

    mutating func write(_ checked: CheckedJournal) throws {
        for verdict in checked.verdicts {
            if let violation = verdict.violation { try write(violation, of: verdict, in: checked.path) }
            if let failure = verdict.failure { try write(failure, of: verdict.name, in: checked.path) }
            if verdict.holds { try write(verdict, in: checked.path, to: checked.lastCommit) }
        }
    }

    mutating func finish(_ summary: CheckSummary) throws {
        if summary.journals > 1 { try write(summary.answer, nil) }
    }

    private func write(
        _ verdict: CheckedJournal.Verdict, in path: String, to lastCommit: Int
    ) throws {
        var answer = Answer(.holds)
        answer.set("journal", path)
        answer.set("invariant", verdict.name)
        answer.set("positions", verdict.positions)
        answer.set("unanswered", verdict.unanswered)
        try write(answer, context.citations?.cite(lastCommit, of: path))
    }

    private func write(
        _ violation: CheckedJournal.Violation, of verdict: CheckedJournal.Verdict, in path: String
    ) throws {
        var answer = Answer(.violation)
        answer.set("journal", path)
        answer.set("invariant", verdict.name)
        answer.set("first", violation.record)
        answer.set("lastSeq", violation.last)
        answer.set("positions", violation.positions)
        answer.set("stretches", violation.ranges)
        if let value = violation.value { answer.set("value", value) }
        if !violation.places.isEmpty { answer.set("places", .array(violation.places.map(Self.json))) }
        if verdict.unanswered > 0 { answer.set("unanswered", verdict.unanswered) }
        if !violation.candidates.isEmpty { answer.set("candidates", .array(violation.candidates.map { .number($0) })) }
        try write(answer, context.citations?.cite(violation.position, of: path))
    }

    private static func json(_ place: CheckedJournal.CountedPlace) -> JSONValue {
        .members([
            "at": place.place?.json ?? .null, "times": .number(place.times), "first": .number(place.first),
            "last": .number(place.last),
        ])
    }

    private func write(_ failure: CheckedJournal.Failure, of name: String, in path: String) throws {
        var answer = Answer(.failure)
        answer.set("journal", path)
        answer.set("invariant", name)
        answer.set("seq", failure.seq)
        answer.set("message", failure.message)
        answer.set("positions", failure.positions)
        try write(answer, context.citations?.cite(failure.seq, of: path))
    }

    private func write(_ answer: Answer, _ citation: Citation?) throws { try context.writeJSON(answer, citation) }
}

extension AnswerDefinition {
    package static let violation = AnswerDefinition(
        "violation", "an invariant that does not hold everywhere",
        [
            .always("journal", "the journal, as it was named"),
            .always("invariant", "the name of the invariant"),
            .always("first", "the record that began it, null where it is violated from the start"),
            .always("lastSeq", "the last position at which it is violated"),
            .always("positions", "how many positions violate it"),
            .always("stretches", "how often it became violated"),
            .sometimes("value", "what the invariant gave at the first such position, missing where it has no output"),
            .sometimes(
                "places",
                #"with '--counts', the places in the source that began it, up to 20,000 beginnings, the most frequent first: "at", "times", and the "first" and "last" position that it began"#
            ),
            .sometimes(
                "unanswered",
                "how many positions have no answer: those lost in a gap or in damage, and those at which it could not be evaluated"
            ),
            .sometimes("candidates", "the commits of which one began it, where positions before it have no answer"),
        ])

    static let violated = AnswerDefinition(
        "violated",
        "an invariant that does not hold any more, reported as the journal is written; a 'violation' sums up at the end",
        [
            .always("journal", "the journal, as it was named"),
            .always("invariant", "the name of the invariant"),
            .always("seq", "the position at which it does not hold"),
            .always("record", "the record that began it, null where it is violated from the start"),
            .sometimes("value", "what the invariant gives there, missing where it has no output"),
        ])

    package static let failure = AnswerDefinition(
        "failure", "an invariant that could not be evaluated at some positions",
        [
            .always("journal", "the journal, as it was named"),
            .always("invariant", "the name of the invariant"),
            .always("seq", "the first such position"),
            .always("message", "the error there"),
            .always("positions", "how many there are"),
        ])

    package static let holds = AnswerDefinition(
        "holds", "an invariant that held wherever it was judged",
        [
            .always("journal", "the journal, as it was named"),
            .always("invariant", "the name of the invariant"),
            .always("positions", "at how many positions it was judged and held"),
            .always("unanswered", "how many positions were lost in a gap or in damage"),
        ])
}
