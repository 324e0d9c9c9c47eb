import CommandLine
import Diagnostics
import JSONCore
import TimeTravel

/// A story for each violated invariant, a line for each that holds.
struct CheckText: FindingReport {
    private static let mostNamed = 12

    private let context: CommandContext
    private let story: CommitStory
    private let hasSeveral: Bool
    private let arguments: TypedArguments
    private var isFirst = true
    /// The journals that violate an invariant, and those in which all hold, as far as a command can name them.
    private var (bad, good): ([String], [String]) = ([], [])

    init(_ context: CommandContext, hasSeveral: Bool, _ typed: TypedArguments) {
        (self.context, self.hasSeveral, arguments) = (context, hasSeveral, typed)
        story = CommitStory(context)
    }

    mutating func write(_ event: CheckedJournal.Event) throws {
        if !isFirst { try context.write("") }
        isFirst = false
        var finding = Finding(.bad, "is violated")
        (finding.invariant, finding.record) = (event.name, event.summary)
        try context.write(finding.lines(story))
    }

    mutating func write(_ found: FindingsOfJournal) throws {
        let isReported = found.checked?.isReported == true
        if isReported, !isFirst { try context.write("") }
        if hasSeveral { try context.write(found.heading(isFirst: isFirst)) }
        isFirst = !hasSeveral && isFirst
        var last: Finding?
        for finding in found.findings {
            let isStory = finding.result != nil
            // What fails at other positions is said of the violation.
            if isStory || finding.verdict?.violation == nil {
                _ = try context.citations?.cite(finding.position ?? found.checked?.lastCommit ?? 0, of: found.path)
            }
            if isStory, isReported {
                try context.write("\(finding.invariant ?? "", .heading)  \(finding.sentences[0])")
                try context.write(Advice.lookFurther(finding.commands))
            } else {
                if let last, isStory || last.result != nil { try context.write("") }
                try context.write(isStory ? finding.lines(story) : [finding.line])
            }
            last = finding
        }
        switch found.checked?.status {
        case .violated: bad.append(found.path)
        case .held: good.append(found.path)
        case .failed, .absent, .unreadable, nil: break
        }
    }

    mutating func finish(_ status: ExitStatus, _ summary: CheckSummary?) throws {
        guard hasSeveral, let summary else { return }
        let ranking = summary.ranking
        try context.write(["", "\(summary.text, .heading)"] + ranking.prefix(CheckSummary.mostListed).map(line))
        let left = max(0, ranking.count - CheckSummary.mostListed) + summary.more
        if left > 0 { try context.write("  and \(left) more") }
        guard !bad.isEmpty, bad.count + good.count <= Self.mostNamed,
            let command = SuspectsCommand.line(bad, good: good, arguments)
        else { return }
        try context.write(Advice.lookFurther([command]))
    }

    /// As `  total  2 journals  Shop/Cart.swift:42  applyDiscount(_:)  first in a.jsonl at 118`.
    private func line(_ location: CheckSummary.Location) -> StoryLine {
        let count = location.journals.counted("journal")
        let parts = [location.invariant, count, location.place?.text, location.place?.function].compactMap(\.self)
        return "  \(parts.joined(separator: "  "))  first in \(location.journal) at \(location.seq)"
    }
}

extension FindingsOfJournal {
    fileprivate func heading(isFirst: Bool) -> [StoryLine] {
        let note: StoryLine = problems.isEmpty ? "" : "  \("cannot be read", .error)"
        return (isFirst ? [] : [""]) + ["\(path, .heading)" + note]
    }
}

/// `check --counts`: how often each invariant was violated, and which lines of source began that.
struct CheckCounts: FindingReport {
    private static let mostPlaces = 10
    private static let head: [StoryLine] = ["invariant", "positions", "times", "first", "last"]

    private let context: CommandContext
    private let hasSeveral: Bool
    private var isFirst = true

    init(_ context: CommandContext, hasSeveral: Bool) {
        (self.context, self.hasSeveral) = (context, hasSeveral)
    }

    mutating func write(_ found: FindingsOfJournal) throws {
        try context.write(hasSeveral ? found.heading(isFirst: isFirst) : isFirst ? [] : [""])
        isFirst = false
        guard let verdicts = found.checked?.verdicts, !verdicts.isEmpty else { return }
        let lines = ([Self.head] + verdicts.map(Self.row)).aligned(right: 1...4).map(\.trimmed)
        try context.write(lines[0].all(.dim))
        for (verdict, line) in zip(verdicts, lines.dropFirst()) {
            let unanswered = verdict.unanswered > 0 ? "\(verdict.unanswered) have no answer" : nil
            let note = unanswered.map { "  \($0, .warning)" as StoryLine } ?? ""
            try context.write([line + note] + places(of: verdict))
        }
    }

    private static func row(_ verdict: CheckedJournal.InvariantVerdict) -> [StoryLine] {
        guard let found = verdict.violation else { return ["\(verdict.name)", "0", "0", "", ""] }
        return [
            "\(verdict.name)", "\(found.positions)", "\(found.ranges)", "\(found.position)", "\(found.last)",
        ]
    }

    /// As `    3 times  Shop/Cart.swift:42  applyDiscount(_:)  118 to 300`.
    private func places(of verdict: CheckedJournal.InvariantVerdict) -> [StoryLine] {
        guard let violation = verdict.violation else { return [] }
        var lines = violation.places.prefix(Self.mostPlaces).map { place -> StoryLine in
            let parts = [place.place?.text ?? "no place in the source", place.place?.function].compactMap(\.self)
            let ends = place.first == place.last ? "at \(place.first)" : "\(place.first) to \(place.last)"
            let times = place.times.counted("time")
            return "    \(times)  \(parts.joined(separator: "  "))  \(place.isStart ? "from the start" : ends)"
        }
        let left = violation.places.count - lines.count
        if left > 0 { lines.append("    and \(left.counted("more place"))") }
        return lines
    }
}

struct CheckLines: FindingReport {
    let context: CommandContext

    func write(_ event: CheckedJournal.Event) throws { try context.writeJSON(Self.violated(event), nil) }

    func write(_ found: FindingsOfJournal) throws {
        for finding in found.findings {
            guard let verdict = finding.verdict else { continue }
            let row =
                finding.failure.map { Self.failure((found.path, verdict.name, $0)) }
                ?? verdict.violation.map { Self.violation((found.path, verdict, $0)) }
                ?? Self.holds((found.path, verdict))
            let position = finding.position ?? found.checked?.lastCommit ?? 0
            try context.writeJSON(row, context.citations?.cite(position, of: found.path))
        }
    }

    func finish(_ status: ExitStatus, _ summary: CheckSummary?) throws {
        if let summary, summary.journals > 1 { try context.writeJSON(CheckSummary.answer(summary), nil) }
    }

    static let violation = AnswerKind<
        (journal: String, verdict: CheckedJournal.InvariantVerdict, violation: CheckedJournal.Violation)
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

    static let failure = AnswerKind<(journal: String, invariant: String, failure: CheckedJournal.EvaluationFailure)>(
        "failure", "an invariant that could not be evaluated at some positions",
        [
            .always("journal", "the journal, as it was named", \.journal),
            .always("invariant", "the name of the invariant", \.invariant),
            .always("seq", "the first such position", \.failure.seq),
            .always("message", "the error there", \.failure.message),
            .always("positions", "how many there are", \.failure.positions),
        ])

    static let holds = AnswerKind<(journal: String, verdict: CheckedJournal.InvariantVerdict)>(
        "holds", "an invariant that held wherever it was judged",
        [
            .always("journal", "the journal, as it was named", \.journal),
            .always("invariant", "the name of the invariant", \.verdict.name),
            .always("positions", "at how many positions it was judged and held", \.verdict.positions),
            .always("unanswered", "how many positions were lost in a gap or in damage", \.verdict.unanswered),
        ])
}
