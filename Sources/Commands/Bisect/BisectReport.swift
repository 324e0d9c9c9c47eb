package import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
package import JournalReading
import QueryLanguage
package import TimeTravel

package struct BisectReport {
    package struct AskedQuery {
        package let query: ScopedQuery
        package let isBad: Bool

        package init(_ typed: TypedArguments, _ option: Option, _ scope: StoreScope) throws {
            let text = typed.value(option) ?? ""
            guard text.contains(where: { !$0.isWhitespace }) else {
                throw UsageError.value(option, text, expected: "a query, such as '.cart.total < 0'")
            }
            query = try ScopedQuery(text, name: option.typed, scope: scope, asks: .condition)
            isBad = option == .bad
        }

        /// Of whole states.
        package var condition: Condition { isBad ? Condition(bad: query.whole) : Condition(good: query.whole) }
        package var text: String { isBad ? query.typed.text : "not (\(query.typed.text))" }
    }

    private let found: BisectAnswer
    let journal: Journal
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

    var cited: CommitNumber { found.firstBad?.seq ?? range.upper }

    package func finding(_ path: String, of question: String, _ messages: MessageWriter) throws -> Finding {
        let firstBad = try summary(found.firstBad)
        let isBad = firstBad != nil || found.isBadAtStart == true || found.isBadAtEnd == true
        let (lower, upper) = (range.lower.rawValue, range.upper.rawValue)
        let isToEnd = upper == (try journal.lastCommit.rawValue)
        var finding = Finding(isBad ? .bad : found.isConclusive ? .good : .unknown, title(firstBad))
        finding.question = question
        finding.record = firstBad
        finding.lastCommit = try journal.lastCommit.rawValue
        finding.position = firstBad?.seq ?? (found.isBadAtStart == true ? lower : nil)
        finding.last = found.isBadAtEnd == true ? upper : nil
        if let record = found.firstBad, record.kind == .commit {
            let commit = CommitFacts(try CommitDetails(record.seq, in: journal), journal, scope)
            for warning in commit.warnings { messages.reportOnce(warning) }
            (finding.cause, finding.firings) = (commit.cause, commit.firings)
        }
        if let firstBad {
            finding.sentences = [course(firstBad, isToEnd)] + (try lasting(firstBad, isToEnd)) + (try before(firstBad))
        } else {
            finding.sentences = [nothingFound]
        }
        finding.sentences += unanswered
        finding.commands = commands(firstBad, Advice(path, scope))
        guard let firstBad, let author = found.firstBad else { return finding }
        finding.result = Finding.Result(
            place: SourcePlace(try Record(author)),
            heading: "\(firstBad.designation) of \(path) turned the state bad, \(firstBad.label)",
            details: Finding.changes(firstBad) + ["bad is: " + question]
                + [finding.cause.map(Finding.text(cause:))].compactMap(\.self),
            properties: .members([
                "journal": .string(path), "seq": .number(firstBad.seq),
                "lastGood": found.lastGood.map { .number($0.rawValue) }, "flips": found.flips.map { .number($0) },
            ]))
        return finding
    }

    private func summary(_ record: OwnedRecord?) throws -> RecordSummary? {
        try record.map { RecordSummary(try Record($0), scope: scope) }
    }

    private func title(_ firstBad: RecordSummary?) -> StoryLine {
        guard let firstBad else { return found.isBadAtStart == true ? "bad from the start" : "not bad" }
        if !found.candidates.isEmpty { return "first bad commit, or one near it:" }
        return firstBad.kind == .commit ? "first bad commit" : "first bad record"
    }

    // MARK: For how long it was so, and what stands in the way of believing it

    private var commits: String { (range.upper.rawValue - range.lower.rawValue).counted("commit") }

    private func positions(_ count: Int) -> String { count.counted("position") }

    /// As `good up to 117, bad from 118 to the end; 1 flip in 412 commits`.
    private func course(_ firstBad: RecordSummary, _ isToEnd: Bool) -> StoryLine {
        let mended = found.isBadAtStart == true ? found.firstMended : nil
        let start = mended.map { "bad from the start up to \($0.rawValue - 1), " } ?? ""
        let good = start + "good up to \(found.lastGood?.rawValue ?? firstBad.seq - 1), bad from \(firstBad.seq)"
        guard let flips = found.flips else { return "\(good); \(positions(found.tested)) tested" }
        let reach = flips <= (mended == nil ? 1 : 2) ? " to " + (isToEnd ? "the end" : "\(range.upper)") : ""
        return "\(good)\(reach); \(flips.counted("flip")) in \(commits)"
    }

    /// Where good and bad took turns: when it went bad for good, or that it did not stay bad.
    private func lasting(_ firstBad: RecordSummary, _ isToEnd: Bool) throws -> [StoryLine] {
        guard let flips = found.flips, flips > 1 else { return [] }
        let place = isToEnd ? "at the end" : "at \(range.upper)"
        if let last = try summary(found.lastFlip), last != firstBad {
            let details = [last.store, last.location, last.label].compactMap(\.self).filter { !$0.isEmpty }
            let start: StoryLine = "it did not stay bad: the bad range that is still there \(place) began with "
            return [start + "\(last.title, .commit)  \(details.joined(separator: "  "))"]
        }
        return found.isBadAtEnd == false ? ["it did not stay bad: the state is good \(place)"] : []
    }

    private func before(_ firstBad: RecordSummary) throws -> [StoryLine] {
        guard let before = try summary(found.badBefore) else { return [] }
        let start: StoryLine = "the state was bad already before \(firstBad.seq): "
        return [start + "\(before.title, .commit) made it so, which touches none of the paths"]
    }

    private var unanswered: [StoryLine] {
        var lines: [StoryLine] = []
        let lost = found.unanswered.lost
        let verb = lost == 1 ? "was lost and has" : "were lost and have"
        if lost > 0 { lines.append("\(positions(lost)) \(verb) no answer") }
        guard found.skipped > 0 else { return lines }
        let candidates = found.candidates.prefix(12).map { "\($0)" }.joined(separator: ", ")
        let more = found.candidates.count > 12 ? ", …" : ""
        return lines + [
            "\(positions(found.skipped)) gave no answer"
                + (candidates.isEmpty ? "" : ", so the first bad one may be any of \(candidates)\(more)")
        ]
    }

    private var nothingFound: StoryLine {
        guard found.flips != nil else { return endsOnly }
        let range = "in \(commits), positions \(range.lower) to \(range.upper)"
        if found.isBadAtStart == true {
            let mended = found.firstMended.map { "; bad up to \($0.rawValue - 1), good from \($0) on" } ?? ""
            let start = "bad from the start: the state at \(self.range.lower) is bad already"
            return "\(start), and nothing turned bad \(range)\(mended)"
        }
        if found.isBadAtStart == nil, found.isBadAtEnd == true {
            return "bad where there is an answer, from which position on is not known \(range)"
        }
        let isPartial = found.skipped + found.unanswered.lost > 0
        let never = isPartial ? "not bad where there is an answer" : "never bad"
        return "\(never) \(range); \(positions(found.tested)) tested"
    }

    /// What a search by halves has found out where its ends are not what they should be.
    private var endsOnly: StoryLine {
        func word(_ isBad: Bool?) -> String { isBad.map { $0 ? "bad" : "good" } ?? "without a verdict" }
        let (start, end) = (word(found.isBadAtStart), word(found.isBadAtEnd))
        let ends =
            start == end
            ? "\(start) at both ends, \(range.lower) and \(range.upper)"
            : "\(start) at \(range.lower) and \(end) at \(range.upper)"
        return "\(ends); nothing between was asked"
    }

    private func commands(_ firstBad: RecordSummary?, _ advice: Advice) -> [String] {
        guard advice.isPossible else { return [] }
        guard let firstBad else {
            let isBad = found.flips != nil && found.isBadAtStart == true
            return isBad ? [advice.command(.state, [], [(.at, "\(range.lower)")])] : []
        }
        var commands: [String] = []
        if firstBad.kind == .commit { commands.append(advice.command(.show, ["\(firstBad.seq)"])) }
        // 'diff' does not go on after damage, which may lie between the two.
        if !advice.recovers {
            let before = "\(found.lastGood?.rawValue ?? max(0, firstBad.seq - 1))"
            commands.append(advice.command(.diff, [before, "\(firstBad.seq)"]))
        }
        if let path = firstBad.changes.first?.path, !path.segments.isEmpty {
            commands.append(advice.command(.log, [], [(.patch, nil), (.path, path.text)]))
        }
        return commands
    }

    // MARK: Warnings

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

    private static func word(_ verdict: Bisection.Verdict) -> String { verdict == .skip ? "skipped" : verdict.rawValue }

    /// Not there in the state of the start where it is bad, or in the one that turned bad.
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
