package import CommandLine
package import Diagnostics
package import JSONCore
import JournalFormat
package import JournalReading
import TimeTravel

/// Everything that is said of one journal under `check`, and nothing that holds the file.
package struct CheckedJournal: Sendable {
    package struct Violation: Sendable {
        /// Nil if the invariant did not hold from the start and no record shows why.
        package var record: Record?
        package var facts: CommitFacts?
        /// The first position, the last, how many there are, and how often the invariant stopped to hold.
        package let position: Int
        package let last: Int
        package let positions: Int
        package let ranges: Int
        /// The query's first output there that is false or null; nil where it has none.
        package var value: JSONValue?
        /// Commits that may have begun it as well, where positions next to it could not be judged.
        package let candidates: [Int]
        /// A path that the record changed and the invariant reads.
        package var changed: String?
        /// The places in the source that began it, the most frequent first; only where that was asked for.
        package var places: [CountedPlace] = []
        /// How the state came to be what it is there; only where that was asked for.
        package var history: [Finding.HistoryStep] = []
        package var summary: RecordSummary? { record.map { RecordSummary($0, scope: StoreScope(store: nil)) } }
    }

    package struct CountedPlace: Sendable {
        let place: SourcePlace?
        let isStart: Bool
        let times: Int
        /// The first and the last position that it began.
        let first: Int
        let last: Int
    }

    package struct Event: Sendable {
        let path: String
        let name: String
        let position: Int
        let record: Record?
        let value: JSONValue?
        var summary: RecordSummary? { record.map { RecordSummary($0, scope: StoreScope(store: nil)) } }
    }

    package struct EvaluationFailure: Sendable {
        package let seq: Int
        let message: String
        package let positions: Int

        package init(seq: Int, message: String, positions: Int) {
            (self.seq, self.message, self.positions) = (seq, message, positions)
        }
    }

    package struct InvariantVerdict: Sendable {
        let name: String
        /// At how many positions it was judged, and how many have no answer.
        let positions: Int
        let unanswered: Int
        package var violation: Violation?
        package var failure: EvaluationFailure?

        /// Whether it held wherever it was judged, and could be evaluated everywhere.
        var holds: Bool { violation == nil && failure == nil }
    }

    package let path: String
    /// The number of its last commit, and how many positions it has.
    package var lastCommit = 0
    package var positions = 0
    /// Verdicts are in the order of the invariants; none where the journal cannot be read.
    package var verdicts: [InvariantVerdict] = []
    package var messages: [Diagnostic] = []
    package var failures: [Diagnostic] = []
    package var allMessages: [Diagnostic] { messages + failures }
    package var problem: (status: ExitStatus, diagnostics: [Diagnostic])?
    /// What the run never has, by the place of the invariant that names it.
    package var absent: [Int: String] = [:]
    /// Whether its violations were reported as they were found.
    var isReported = false

    package init(path: String) { self.path = path }

    /// The verdict of an invariant that names what the run never has: it is about null everywhere, and no answer.
    package func unanswered(_ name: String, _ message: String) -> InvariantVerdict {
        var verdict = InvariantVerdict(name: name, positions: 0, unanswered: positions)
        verdict.failure = .init(seq: lastCommit - positions + 1, message: message, positions: positions)
        return verdict
    }

    package var status: CheckStatus {
        if problem != nil { return .unreadable }
        if !absent.isEmpty { return .absent }
        if verdicts.contains(where: { $0.violation != nil }) { return .violated }
        return verdicts.contains { $0.unanswered > 0 } ? .failed : .held
    }
}

/// What one journal, or all of them, came to; the later, the worse.
package enum CheckStatus: Int, Sendable, Comparable {
    case held, failed, violated, absent, unreadable

    package static func < (left: CheckStatus, right: CheckStatus) -> Bool { left.rawValue < right.rawValue }

    /// A violation counts for more than a failed evaluation, a name that the run never has for more than a violation.
    package var exit: ExitStatus {
        switch self {
        case .held: .done
        case .failed: .inconclusive
        case .violated: .negative
        case .absent: .notThere
        case .unreadable: .unreadable
        }
    }
}

extension CheckedJournal {
    package func findings(_ definitions: InvariantDefinitions, _ scope: StoreScope) -> FindingsOfJournal {
        let findings = zip(definitions.entries, verdicts).enumerated().flatMap { index, asked in
            var findings: [Finding] = []
            if let violation = asked.1.violation { findings.append(finding(asked.1, violation, scope)) }
            if let failure = asked.1.failure { findings.append(finding(failure)) }
            if asked.1.holds { findings.append(finding(asked.1)) }
            return findings.map { finding in
                var finding = finding
                finding.question = asked.0.description
                (finding.invariant, finding.rule, finding.verdict) = (asked.1.name, index, asked.1)
                return finding
            }
        }
        return FindingsOfJournal(path: path, findings: findings, checked: self)
    }

    private func finding(_ verdict: InvariantVerdict, _ violation: Violation, _ scope: StoreScope) -> Finding {
        var finding = Finding(.bad, "is violated", [course(violation, verdict)] + violation.candidateWords)
        finding.record = violation.summary
        (finding.position, finding.last, finding.lastCommit) = (violation.position, violation.last, lastCommit)
        finding.cause = violation.facts?.cause
        finding.firings = violation.facts?.firings ?? finding.firings
        finding.value = violation.value
        finding.commands = violation.commands(Advice(path, scope))
        let place = violation.summary.map { $0.designation + " of \(path)" + ($0.label.isEmpty ? "" : ", " + $0.label) }
        finding.result = Finding.Result(
            place: violation.record.flatMap { SourcePlace($0) },
            heading: "'\(verdict.name)' is violated " + (place.map { "at " + $0 } ?? "from the start of \(path)"),
            details: (violation.summary.map(Finding.changes) ?? []) + [course(violation, verdict).text]
                + [violation.value.map(Finding.text), finding.cause.map(Finding.text(cause:))].compactMap(\.self)
                + violation.candidateWords.map(\.text),
            history: violation.history,
            properties: .members([
                "journal": .string(path), "seq": .number(violation.position), "lastSeq": .number(violation.last),
                "positions": .number(violation.positions), "stretches": .number(violation.ranges),
                "value": violation.value.map { .string(FittedValue.shortened($0, to: JournalCheck.partLength)) },
            ]))
        return finding
    }

    /// For how long, and how often, of the positions that have an answer.
    private func course(_ violation: Violation, _ verdict: InvariantVerdict) -> StoryLine {
        let (first, last) = (violation.position, violation.last)
        let reach = last == lastCommit ? "the end" : "\(last)"
        let range = first == last ? ", \(first)" : ", from \(first) to \(reach)"
        let ranges = violation.ranges > 1 ? " in \(violation.ranges) ranges" : ""
        let unanswered = verdict.unanswered > 0 ? "; \(verdict.unanswered) have no answer" : ""
        return "violated at \(violation.positions) of \(verdict.positions) positions\(range + ranges + unanswered)"
    }

    private func finding(_ failure: EvaluationFailure) -> Finding {
        let first = failure.positions == 1 ? "at" : "at \(failure.positions) positions, first at"
        var finding = Finding(
            .unknown, "\("cannot be evaluated", .warning)", ["\(first) \(failure.seq): \(failure.message)"])
        (finding.position, finding.failure) = (failure.seq, failure)
        return finding
    }

    private func finding(_ verdict: InvariantVerdict) -> Finding {
        if verdict.unanswered == 0 { return Finding(.good, "holds", ["at all \(verdict.positions) positions"]) }
        let unanswered: StoryLine = "\("\(verdict.unanswered) have no answer", .warning)"
        return Finding(.unknown, "holds", ["at \(verdict.positions) positions, \(unanswered)"])
    }
}

extension CheckedJournal.Violation {
    fileprivate var candidateWords: [StoryLine] {
        let shown = candidates.prefix(12).map(String.init).joined(separator: ", ")
        let reason = "positions before it gave no answer, so the first may be any of"
        return candidates.isEmpty ? [] : ["\(reason) \(shown)\(candidates.count > 12 ? ", …" : "")"]
    }

    /// None where the journal cannot be read again.
    package func commands(_ advice: Advice) -> [String] {
        guard advice.isPossible else { return [] }
        var commands: [String] = []
        if let record = summary, record.kind == .commit {
            commands.append(advice.command(.show, ["\(record.seq)"]))
            if let changed, !changed.isEmpty {
                commands.append(advice.command(.history, [changed], [(.range, "..\(position)")]))
            }
            if record.cause != nil { commands.append(advice.command(.why, ["\(record.seq)"])) }
        }
        if commands.isEmpty { commands.append(advice.command(.state, [], [(.at, "\(position)")])) }
        return commands
    }
}
