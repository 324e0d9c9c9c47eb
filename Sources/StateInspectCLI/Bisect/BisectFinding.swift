import JSONCore
import JournalFormat
import TimeTravel

/// The commit that a bisection found, as other tools want to have it.
struct BisectFinding {
    /// The rule's name in a document.
    static let rule = "bisect"

    private let facts: BisectStory.Facts
    private let record: Record
    private let question: String
    private let history: [CheckedJournal.HistoryStep]

    /// What was found; nil where nothing was.
    ///
    /// - Parameter history: how the state came to be so.
    init?(
        _ answer: BisectAnswer, _ facts: BisectStory.Facts, question: String, history: [CheckedJournal.HistoryStep]
    ) throws {
        guard let record = try answer.firstBad.map({ try Record($0) }) else { return nil }
        self.facts = facts
        self.record = record
        self.question = question
        self.history = history
    }

    /// Annotates the commit's place.
    func annotate(_ annotations: inout Annotations) {
        annotations.add("first bad commit", at: SourcePlace(record), lines)
    }

    /// The commit as a SARIF result.
    var finding: SarifFinding {
        SarifFinding(
            rule: Self.rule, ruleIndex: 0, journal: facts.journal, message: lines.joined(separator: "\n"),
            place: SourcePlace(record), history: history,
            properties: .members([
                "journal": .string(facts.journal), "seq": .number(record.seq.rawValue),
                "lastGood": facts.lastGood.map { .number($0) }, "flips": facts.flips.map { .number($0) },
            ]))
    }

    /// What is said of it.
    private var lines: [String] {
        guard let summary = facts.firstBad else { return [] }
        var lines = ["\(ViolationText.title(summary)) of \(facts.journal) turned the state bad, \(summary.label)"]
        lines += ViolationText.changes(summary) + ["bad is: " + question]
        if let cause = facts.cause {
            let place = cause.location.map { " in \($0)" } ?? ""
            lines.append("caused by commit \(cause.title)\(place) \(cause.label)")
        }
        return lines
    }
}

extension BisectStory.Facts {
    /// The answer as a finding.
    ///
    /// - Parameter question: what bad is.
    func finding(of question: String, isConclusive: Bool) -> Finding {
        let isBad = firstBad != nil || badAtStart == true || badAtEnd == true
        let story = BisectStory(self, style: .plain, width: nil)
        var finding = Finding(
            tone: isBad ? .bad : isConclusive ? .good : .unknown,
            title: story.title, question: question)
        finding.record = firstBad
        finding.position = firstBad?.seq ?? (badAtStart == true ? from : nil)
        finding.last = badAtEnd == true ? to : nil
        finding.cause = cause
        finding.firings = firings
        finding.sentences = story.sentences
        finding.commands = story.commands
        return finding
    }
}
