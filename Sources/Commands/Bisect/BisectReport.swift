package import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
package import JournalReading
import QueryLanguage
package import TimeTravel

/// The answer of a bisection on its way out: as JSON, as the facts of a story, as warnings and as a status.
package struct BisectReport {
    package struct AskedQuery {
        package let query: ScopedQuery
        package let isBad: Bool

        package init(query: ScopedQuery, isBad: Bool) { (self.query, self.isBad) = (query, isBad) }
    }

    private let found: BisectAnswer
    private let journal: Journal
    private let range: PositionRange
    private let scope: StoreScope
    private let question: AskedQuery?

    package init(
        _ found: BisectAnswer, _ journal: Journal, _ range: PositionRange, _ scope: StoreScope, query: AskedQuery?
    ) {
        (self.found, self.journal, self.range, self.scope) = (found, journal, range, scope)
        question = query
    }

    package var status: ExitStatus {
        guard found.isConclusive else { return .inconclusive }
        return found.firstBad == nil ? .negative : .done
    }

    /// The position that the answer rests on.
    var cited: CommitNumber { found.firstBad?.seq ?? range.upper }

    package func facts(_ path: String, _ messages: MessageWriter) throws -> BisectStory.Facts {
        var facts = BisectStory.Facts(
            journal: path, scope: scope, from: range.lower.rawValue, to: range.upper.rawValue,
            lastCommit: try journal.lastCommit.rawValue, tested: found.tested)
        facts.firstBad = try found.firstBad.map { RecordSummary(try Record($0), scope: scope) }
        facts.lastFlip = try found.lastFlip.map { RecordSummary(try Record($0), scope: scope) }
        facts.lastGood = found.lastGood?.rawValue
        facts.flips = found.flips
        facts.badAtStart = found.isBadAtStart
        facts.badAtEnd = found.isBadAtEnd
        facts.mended = found.firstMended?.rawValue
        facts.skipped = found.skipped
        facts.lost = found.unanswered.lost
        facts.badBefore = try found.badBefore.map { RecordSummary(try Record($0), scope: scope) }
        facts.candidates = found.candidates.map(\.rawValue)
        if let record = found.firstBad, record.kind == .commit {
            let commit = CommitFacts(try CommitDetails(record.seq, in: journal), journal, scope)
            for warning in commit.warnings { messages.reportOnce(warning) }
            facts.cause = commit.cause
            facts.firings = commit.firings
        }
        return facts
    }

    package func warn(_ messages: MessageWriter) {
        let unanswered = found.unanswered
        var warnings = found.damages.map(\.warning)
        if let lost = unanswered.lostWarning(in: journal.path, "they are neither good nor bad") {
            warnings.append(lost)
        }
        if let question,
            let failed = unanswered.failureWarning(
                of: question.query, one: "that position was skipped", several: "positions that were skipped")
        {
            warnings.append(failed)
        }
        warnings += found.surprises.map(warning)
        if found.crossesGap {
            warnings.append(
                Diagnostic(
                    .warning, code: "bisect.gap", "commits were lost between the last good and the first bad position",
                    notes: ["which of the lost commits it was is not known"]))
        }
        if let before = found.badBefore, let first = found.firstBad {
            warnings.append(
                Diagnostic(
                    .warning, code: "bisect.bad-before", "the state was bad already before \(first.seq)",
                    notes: ["\(before.seq) made it so, and does not touch what '--path' names"],
                    help: ["leave out '--path' to have the commit that turned it bad"]))
        }
        for warning in warnings + absentPaths { messages.report(warning) }
    }

    private func warning(of surprise: BisectAnswer.Surprise) -> Diagnostic {
        let position = surprise.position
        let end = position == range.lower ? "the good end, " : position == range.upper ? "the bad end, " : ""
        return Diagnostic(
            .warning, code: "bisect.surprise",
            "\(end)position \(position.rawValue), is \(Self.word(surprise.found)), should be \(Self.word(surprise.expected))",
            notes: ["a search by halves holds only where the state turns bad once"],
            help: [
                question == nil
                    ? "'--from' and '--to' name the ends"
                    : "leave out '--monotone' to see every change between good and bad"
            ])
    }

    private static func word(_ verdict: Bisection.Verdict) -> String {
        switch verdict {
        case .good: "good"
        case .bad: "bad"
        case .skip: "skipped"
        }
    }

    /// The paths of the query that are not there in the first bad state: in that of the start where it is bad, and in the one
    /// that turned bad.
    private var absentPaths: [Diagnostic] {
        guard let question else { return [] }
        func state(_ position: CommitNumber) -> JSONValue? {
            try? journal.state(at: position, pruning: question.query.footprint.paths).value
        }
        let first = found.isBadAtStart == true ? state(range.lower) : nil
        let turned = found.firstBad.flatMap { found.firstBadState ?? state($0.seq) }
        var warnings: [Diagnostic] = []
        for state in [first, turned].compactMap(\.self) {
            let found = AbsentPaths(of: question.query, isBad: question.isBad, in: state, scope).warnings
            warnings += found.filter { !warnings.contains($0) }
        }
        return warnings
    }

    /// What a form of search cannot know is null.
    static let answer = AnswerKind<(found: BisectAnswer, firstBad: Record?, lastFlip: Record?)>(
        "bisect", "which commit made the state bad",
        [
            .always(
                "firstBad",
                "the record that made the first position bad whose position before was good, null where nothing turned bad",
                \.firstBad),
            .always("lastGood", "the position before it, null where there is none", \.found.lastGood),
            .always(
                "lastFlip",
                "the record that began the bad positions in which the range ends, null where it ends good or that was not looked at",
                \.lastFlip),
            .always("flips", "how often good and bad changed, null where that was not looked at", \.found.flips),
            .always(
                "monotone", "whether they changed at most once, null where that was not looked at", \.found.isMonotone),
            .always(
                "badAtStart", "whether the start of the range is bad, null where it was not judged",
                \.found.isBadAtStart),
            .always(
                "badAtEnd", "whether the end of the range is bad, null where it was not judged", \.found.isBadAtEnd),
            .always("tested", "how many positions were judged", \.found.tested),
            .sometimes(
                "unanswered",
                "how many positions have no answer: those lost in a gap or in damage, and those at which the query failed"
            ) { $0.found.unanswered.count > 0 ? $0.found.unanswered.count : nil },
            .sometimes(
                "skipped",
                "how many positions were not judged: because of '--skip', of status 125, or because the query failed there"
            ) { $0.found.skipped > 0 ? $0.found.skipped : nil },
            .sometimes(
                "candidates",
                "the commits of which one is the first bad one, where positions next to the answer have no verdict"
            ) { $0.found.candidates.isEmpty ? nil : $0.found.candidates },
        ])
}
