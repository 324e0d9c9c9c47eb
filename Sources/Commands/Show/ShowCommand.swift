import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

struct ShowCommand: JournalCommand {
    static let definition = CommandDefinition(
        name: .show, summary: "one commit, its changes and what fired", synopsis: ["JOURNAL POS|A..B..."],
        operands: [.required("JOURNAL", .file), .anyNumber("POS", .position)],
        options: [.at, .store, .cite],
        details: [
            """
            Shows a commit: where it was made, the action that made it, what it changed, which derived values fired, \
            and its marks. Of a range it shows each commit, under '--store' those of that store.
            """
        ],
        examples: [
            .init(line: "state-inspect show samples/checkout.jsonl end", purpose: "the last commit"),
            .init(
                line: "state-inspect show samples/checkout.jsonl 117..119", purpose: "the commits after 117 up to 119"),
        ],
        answers: [answer.definition])

    private enum Shown {
        case commit(PositionText)
        case range(RangeText)
    }

    private(set) var subject: JournalSubject
    private let shown: [Shown]
    private var scope: StoreScope { subject.scope }

    init(_ typed: TypedArguments) throws {
        subject = try JournalSubject(typed, .whole)
        subject.filterUse = .none
        let positions = typed.operands.dropFirst() + typed.all(.at)
        guard !positions.isEmpty else { throw UsageError.missingOperand(.show, "POS") }
        shown = try positions.map { text in
            if let range = try? RangeText(parsing: text) { return .range(range) }
            return .commit(try PositionText(parsing: text))
        }
    }

    private struct Progress {
        var isFirst = true
        var lost = Unanswered()
        /// Whether what a commit made happen could not be read.
        var isDamaged = false
    }

    func answer(_ asked: AskedJournal) throws -> Answered {
        let (input, context) = (asked.input, asked.context)
        var shown = Progress()
        for part in self.shown {
            switch part {
            case .commit(let position):
                let details = try CommitDetails(try input.position(position), in: input.journal)
                guard scope.includes(details.commit.store) else { throw otherStore(details) }
                try write(details, input.journal, &shown, context)
            case .range(let range):
                let range = try input.range(range)
                try write(range, input.journal, &shown, context)
            }
        }
        if shown.isDamaged { return .lookedUp(.unreadable) }
        guard let first = shown.lost.firstLost else { return .lookedUp(.done) }
        context.messages.warn(
            code: "show.across-gap",
            "\(shown.lost.lost) of the commits could not be kept, the first is \(first)",
            notes: ["a gap stands for them"])
        return .lookedUp(.inconclusive)
    }

    private func write(
        _ range: PositionRange, _ journal: Journal, _ shown: inout Progress, _ context: CommandContext
    ) throws {
        var position = range.lower
        while position < range.upper {
            position = position.next
            do {
                let details = try CommitDetails(position, in: journal)
                if scope.includes(details.commit.store) { try write(details, journal, &shown, context) }
            } catch let error as JournalError {
                guard case .insideGap(_, _, let last) = error.fact else { throw error }
                let end = max(position, min(last, range.upper))
                shown.lost.lose(position...end)
                position = end
            }
        }
    }

    private func otherStore(_ details: CommitDetails) -> CommandFailure {
        CommandFailure(
            .notThere, code: "show.other-store",
            "commit \(details.commit.seq) is one of the store '\(details.commit.store)', not of '\(scope.store ?? "")'",
            help: ["leave out '--store'"])
    }

    private func write(
        _ details: CommitDetails, _ journal: Journal, _ shown: inout Progress, _ context: CommandContext
    ) throws {
        let citation = try context.cite(details.commit.seq, of: journal)
        let facts = CommitFacts(details, journal, scope)
        switch context.format {
        case .json:
            try context.writeJSON(
                Self.answer((Record(details.record), details.marks.map { try Record($0).json }, details, facts)),
                citation)
        case .human:
            if !shown.isFirst { try context.write("") }
            try write(details, facts, journal, context)
        }
        shown.isFirst = false
        for warning in facts.warnings { context.messages.reportOnce(warning) }
        // What it made happen is part of the answer.
        if details.damage != nil { shown.isDamaged = true }
    }

    /// What the derived values did, as the journal has it; of one that fired, what it was before, if that is nearby.
    private static func outcomes(_ details: CommitDetails, _ facts: CommitFacts) -> [JSONValue] {
        details.outcomes.map { outcome in
            .members([
                "name": .string(outcome.name), "outcome": .string(outcome.outcome.rawValue),
                "old": facts.before.first { UTF8Order.equal($0.name, outcome.name) }?.value, "value": outcome.value,
            ])
        }
    }

    private func write(
        _ details: CommitDetails, _ facts: CommitFacts, _ journal: Journal, _ context: CommandContext
    ) throws {
        let commit = try Record(details.record)
        let record = RecordSummary(commit, scope: scope)
        let story = CommitStory(context)
        try context.write(story.head("commit", record, of: try journal.lastCommit.rawValue) + [""])
        try context.write(story.lines(record.changes, most: .all))
        let after = [facts.cause.map(story.cause), story.trace(commit), story.firings(facts.firings)].compactMap(\.self)
        if !after.isEmpty { try context.write([""] + after) }
        try context.write(details.marks.map { "  mark        \(try Record($0).text ?? "")" })
    }

    static let answer = AnswerKind<(commit: Record, marks: [JSONValue], details: CommitDetails, facts: CommitFacts)>(
        "show", "one commit and what it made happen",
        [
            .always("commit", "the record of the commit", \.commit),
            .always(
                "derived",
                #"one object for each derived value that it reached: "name", "outcome", "old" and "value" where they were recorded"#
            ) { outcomes($0.details, $0.facts) },
            .always("marks", "the records of the marks that follow it", \.marks),
        ])
}
