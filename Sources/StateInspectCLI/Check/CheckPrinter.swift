import JSONCore

/// Writes what `check` found, journal by journal as it comes.
protocol CheckPrinter {
    /// Writes what stands before the first journal.
    mutating func begin() throws

    /// Writes what became of a journal.
    mutating func write(_ checked: CheckedJournal) throws

    /// Writes what stands behind the last one.
    mutating func finish(_ summary: CheckSummary) throws
}

extension CheckPrinter {
    mutating func begin() throws {}
}

/// The answers as JSON, one line each.
struct CheckLines: CheckPrinter {
    private let output: OutputWriter

    /// Lines on an output.
    init(_ output: OutputWriter) { self.output = output }

    mutating func write(_ checked: CheckedJournal) throws {
        for verdict in checked.verdicts {
            if let violation = verdict.violation { try write(violation, of: verdict.name, in: checked.path) }
            if let failure = verdict.failure { try write(failure, of: verdict.name, in: checked.path) }
        }
    }

    mutating func finish(_ summary: CheckSummary) throws {
        if summary.journals > 1 { try write(summary.answer) }
    }

    private func write(_ violation: CheckedJournal.Violation, of name: String, in path: String) throws {
        var answer = Answer(.violation)
        answer.set("journal", path)
        answer.set("invariant", name)
        answer.set("first", Answer.embedded(violation.record))
        answer.set("last", violation.last)
        answer.set("commits", violation.positions)
        answer.set("stretches", violation.stretches)
        if let value = violation.value { answer.set("value", value) }
        if !violation.candidates.isEmpty { answer.set("candidates", .array(violation.candidates.map { .number($0) })) }
        try write(answer)
    }

    private func write(_ failure: CheckedJournal.Failure, of name: String, in path: String) throws {
        var answer = Answer(.failure)
        answer.set("journal", path)
        answer.set("invariant", name)
        answer.set("position", failure.position)
        answer.set("message", failure.message)
        answer.set("count", failure.count)
        try write(answer)
    }

    private func write(_ answer: Answer) throws {
        try output.writeLine(answer.line)
    }
}

extension AnswerDefinition {
    static let violation = AnswerDefinition(
        "violation", "an invariant that does not hold everywhere",
        [
            .always("journal", "the journal, as it was named"),
            .always("invariant", "the name of the invariant"),
            .always("first", "the record that began it"),
            .always("last", "the last position at which it is violated"),
            .always("commits", "how many positions violate it"),
            .always("stretches", "how often it became violated"),
            .sometimes("value", "what the invariant gave at the first such position, missing where it has no output"),
            .sometimes("candidates", "the commits of which one began it, where positions before it have no answer"),
        ])

    static let failure = AnswerDefinition(
        "failure", "an invariant that could not be evaluated at some positions",
        [
            .always("journal", "the journal, as it was named"),
            .always("invariant", "the name of the invariant"),
            .always("position", "the first such position"),
            .always("message", "the error there"),
            .always("count", "how many there are"),
        ])
}
