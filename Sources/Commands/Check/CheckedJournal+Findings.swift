package import CommandLine
import JSONCore

extension CheckedJournal {
    package func findings(_ definitions: InvariantDefinitions, _ scope: StoreScope) -> [Finding] {
        zip(definitions.entries, verdicts).enumerated().flatMap { index, asked in
            let (entry, verdict) = asked
            var findings: [Finding] = []
            if let violation = verdict.violation { findings.append(finding(verdict, violation, scope)) }
            if verdict.failure != nil || verdict.violation == nil { findings.append(finding(verdict)) }
            return findings.map { finding in
                var finding = finding
                finding.question = entry.description
                finding.invariant = verdict.name
                finding.rule = index
                return finding
            }
        }
    }

    private func finding(_ verdict: Verdict, _ violation: Violation, _ scope: StoreScope) -> Finding {
        var finding = Finding(tone: .bad, title: "'\(verdict.name)' is violated", question: "")
        finding.record = violation.summary
        finding.position = violation.position
        finding.last = violation.last
        finding.positions = violation.positions
        finding.cause = violation.facts?.cause
        if let firings = violation.facts?.firings { finding.firings = firings }
        if violation.summary == nil { finding.sentences.append("violated from the start") }
        finding.sentences.append(ViolationText.course(violation, verdict, self))
        if let value = violation.value {
            finding.sentences.append("its value there is " + ValuePreview.shortened(value, to: ViolationText.width))
        }
        if !violation.candidates.isEmpty { finding.sentences.append(ViolationText.candidates(violation)) }
        finding.commands = violation.commands(Advice(path, scope))
        finding.result = Finding.Result(
            place: violation.record.flatMap { SourcePlace($0) },
            heading: ViolationText.heading(verdict.name, violation, in: path),
            details: ViolationText.details(violation, verdict, self), history: violation.history,
            properties: .members([
                "journal": .string(path), "seq": .number(violation.position), "lastSeq": .number(violation.last),
                "positions": .number(violation.positions), "stretches": .number(violation.ranges),
                "value": violation.value.map { .string(ValuePreview.shortened($0, to: JournalCheck.partLength)) },
            ]))
        return finding
    }

    /// An invariant that was not seen violated.
    private func finding(_ verdict: Verdict) -> Finding {
        guard let failure = verdict.failure else {
            var finding = Finding(tone: .good, title: "'\(verdict.name)' holds", question: "")
            if verdict.unanswered == 0 {
                finding.sentences.append("at all \(verdict.positions) positions")
            } else {
                finding.tone = .unknown
                finding.sentences.append("at \(verdict.positions) positions, \(verdict.unanswered) have no answer")
            }
            return finding
        }
        var finding = Finding(tone: .unknown, title: "'\(verdict.name)' cannot be evaluated", question: "")
        finding.position = failure.seq
        finding.failure = failure
        finding.sentences.append(
            failure.positions == 1
                ? "at \(failure.seq): \(failure.message)"
                : "at \(failure.positions) positions, first at \(failure.seq): \(failure.message)")
        return finding
    }
}

extension CheckedJournal.Violation {
    /// Commands to look further with; none where the journal cannot be read again.
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
