import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

struct WhyCommand: JournalCommand {
    static let definition = CommandDefinition(
        name: .why, summary: "what made a commit happen", synopsis: ["JOURNAL POS"],
        operands: [.required("JOURNAL", .file), .required("POS", .position)], options: [.cite],
        details: [
            """
            Prints the chain of causes: the commit, the one whose delivery made it (a subscriber, a derived value, \
            a task that it started), what made that one, and so on.
            """,
            """
            '--format mermaid' draws it as a sequence diagram, in which the stores take part, 'markdown' puts the diagram \
            into a text for a page or a comment.
            """,
        ],
        examples: [
            .init(line: "state-inspect why samples/checkout.jsonl 118", purpose: "what led to commit 118"),
            .init(
                line: "state-inspect why samples/checkout.jsonl 118 --format markdown",
                purpose: "the same as a picture, for a comment on a pull request"),
        ],
        answers: [answer.definition])

    let subject: JournalSubject
    private let scope = StoreScope(store: nil)

    init(_ typed: TypedArguments) throws {
        let position = try Self.position(typed.operands[1], in: typed.operands[0])
        subject = try JournalSubject(typed, .position(position, isState: false))
    }

    /// The commit that is asked about; a path is asked about by other commands.
    private static func position(_ text: String, in journal: String) throws -> PositionText {
        do throws(PositionError) { return try PositionText(parsing: text) } catch {
            guard BarePath.isPlain(text), text.contains(where: { "./[".contains($0) }) else { throw error }
            var diagnostic = error.diagnostic
            let advice = Advice(journal)
            diagnostic.help =
                advice.help(.blame, [text], to: "says which commit wrote that")
                + advice.help(.origin, [text], to: "says where that value comes from")
            throw CommandFailure(.usage, diagnostic)
        }
    }

    func answer(_ asked: AskedJournal) throws -> Answered {
        let (input, context) = (asked.input, asked.context)
        let chain = try CauseChain(of: asked.position, in: input.journal)
        switch (context.report, context.format) {
        case (.mermaid, _), (.markdown, _): try draw(chain, context)
        case (_, .json):
            for (depth, record) in chain.commits.enumerated() {
                let citation = try context.cite(record.seq, of: input.journal)
                try context.writeJSON(Self.answer((depth, Record(record))), citation)
            }
        case (_, .human):
            for record in chain.commits { _ = try context.cite(record.seq, of: input.journal) }
            try write(chain, context)
        }
        return .lookedUp(reportEnd(of: chain, context.messages))
    }

    private func draw(_ chain: CauseChain, _ context: CommandContext) throws {
        let records = try chain.commits.map { RecordSummary(try Record($0), scope: scope) }
        guard let asked = records.first else { return }
        let diagram = CauseDiagram(records)
        for line in context.report == .markdown ? diagram.markdown(of: asked) : diagram.lines {
            try context.output.writeLine(line)
        }
    }

    /// As wide as `caused by `.
    private static let margin = String(repeating: " ", count: 10)
    private static let leastRoom = 32

    private func write(_ chain: CauseChain, _ context: CommandContext) throws {
        let records = try chain.commits.map { RecordSummary(try Record($0), scope: scope) }
        let width = context.terminal.width
        var columns = CommitLine(style: context.style, width: width.map { $0 - Self.margin.count })
        for record in records { columns.measure(record.withoutCause) }
        let table = ChangeTable(style: context.style, width: width)
        for (depth, record) in records.enumerated() {
            let margin = depth == 0 ? Self.margin : context.style(.dim, "caused by ")
            let line = margin + columns.padded(record.withoutCause) + "  "
            // What is changed stands beside it where there is room, else below.
            let action = record.action.map { table.line($0, indent: Self.margin.count + 2, column: 9) }
            if let width, DisplayWidth.of(line) + Self.leastRoom > width {
                try context.writeText(margin + columns.text(record.withoutCause))
                if let action { try context.output.writeLine(action) }
                let below = Self.margin + "  "
                try context.output.writeLine(
                    DisplayWidth.clipped(below + table.summary(record.changes, after: below.count), to: width))
            } else {
                try context.writeText(line + table.summary(record.changes, after: DisplayWidth.of(line)))
                if let action { try context.output.writeLine(action) }
            }
        }
        if records.count == 1, chain.end == .complete {
            try context.writeText(context.style(.dim, Self.margin + "no commit's delivery made it"))
        }
    }

    /// Says why the chain goes no further, unless nothing made its last commit.
    ///
    /// - Returns: the status that this comes to.
    private func reportEnd(of chain: CauseChain, _ messages: MessageWriter) -> ExitStatus {
        let last = chain.commits.last?.seq ?? .zero
        switch chain.end {
        case .complete: return .done
        case .beforeFile(let cause):
            messages.note("commit \(last) was caused by \(cause), which lies before this file")
            return .done
        case .tooLong:
            messages.note("the chain goes on after \(chain.commits.count) commits")
            return .inconclusive
        case .lost(let cause):
            messages.report(unknown("commit \(last) was caused by \(cause), which was lost"))
            return .inconclusive
        case .notEarlier(let cause):
            messages.report(unknown("commit \(last) names \(cause) as its cause, which is not earlier"))
            return .inconclusive
        case .damaged(let cause, let error):
            var diagnostic = error.diagnostic
            diagnostic.notes.append("that is commit \(cause), which caused \(last): what caused that is not known")
            messages.report(diagnostic)
            return .unreadable
        }
    }

    private func unknown(_ message: String) -> Diagnostic {
        Diagnostic(.warning, code: "why.unknown-cause", message, notes: ["what caused that is not known"])
    }
}

extension WhyCommand {
    static let answer = AnswerKind<(depth: Int, commit: Record)>(
        "cause", "a commit in the chain of causes",
        [
            .always("depth", "0 for the commit itself, 1 for its cause, and so on", \.depth),
            .always("commit", "the record of the commit", \.commit),
        ])
}
