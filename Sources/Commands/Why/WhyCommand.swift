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
    private static let margin = StoryLine(margin: 10)
    private static let leastRoom = 32

    private func write(_ chain: CauseChain, _ context: CommandContext) throws {
        let records = try chain.commits.map { RecordSummary(try Record($0), scope: scope) }
        let width = context.terminal.width
        var columns = CommitLine(width: width.map { $0 - Self.margin.columns })
        for record in records { columns.measure(record.withoutCause) }
        let story = CommitStory(context)
        for (depth, record) in records.enumerated() {
            let margin = depth == 0 ? Self.margin : "\("caused by ", .dim)"
            let line = margin + columns.padded(record.withoutCause) + "  "
            // What is changed stands beside it where there is room, else below.
            let action = record.action.map { story.line($0, indent: Self.margin.columns + 2, column: 9) }
            if let width, line.columns + Self.leastRoom > width {
                try context.write(margin + columns.text(record.withoutCause))
                if let action { try context.writeRow(action) }
                let below = Self.margin + "  "
                try context.writeRow(below + story.summary(record.changes, after: below.columns))
            } else {
                try context.write(line + story.summary(record.changes, after: line.columns))
                if let action { try context.writeRow(action) }
            }
        }
        if records.count == 1, chain.end == .complete {
            try context.write(Self.margin + "\("no commit's delivery made it", .dim)")
        }
    }

    /// Says why the chain goes no further, unless nothing made its last commit.
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

    static let answer = AnswerKind<(depth: Int, commit: Record)>(
        "cause", "a commit in the chain of causes",
        [
            .always("depth", "0 for the commit itself, 1 for its cause, and so on", \.depth),
            .always("commit", "the record of the commit", \.commit),
        ])
}

/// The stores take part; each commit is a message from the store whose commit caused it, the first one on top.
struct CauseDiagram {
    /// The commits next to the one that was asked about are drawn.
    static let mostCommits = 100
    private static let nameWidth = 60
    private static let changeWidth = 80

    private let records: [RecordSummary]
    /// Commits of the chain that are not drawn.
    private let left: Int

    init(_ records: [RecordSummary]) {
        self.records = records.prefix(Self.mostCommits).reversed()
        left = records.count - self.records.count
    }

    var lines: [String] {
        var stores: [String] = []
        for record in records {
            let store = record.store ?? ""
            if !stores.contains(where: { $0.utf8.elementsEqual(store.utf8) }) { stores.append(store) }
        }
        func participant(_ record: RecordSummary) -> String {
            "s\((stores.firstIndex { $0.utf8.elementsEqual((record.store ?? "").utf8) } ?? 0) + 1)"
        }
        var lines = ["sequenceDiagram"]
        for (index, store) in stores.enumerated() {
            lines.append("    participant s\(index + 1) as \(Mermaid.name(store, width: Self.nameWidth))")
        }
        if left > 0, let first = records.first {
            lines.append("    Note over \(participant(first)): \(left) causes before it are not drawn")
        }
        var cause: RecordSummary?
        for record in records {
            let here = participant(record)
            lines.append("    \(participant(cause ?? record))->>\(here): \(Self.text(of: record))")
            lines.append("    Note over \(here): \(Self.changes(of: record))")
            cause = record
        }
        return lines
    }

    /// As `118 applyDiscount(_:) Shop/Cart.swift:42`.
    private static func text(of record: RecordSummary) -> String {
        let parts = [record.label, record.location ?? ""].filter { !$0.isEmpty }
        return (["\(record.seq)"] + parts.map { Mermaid.label($0, width: nameWidth) }).joined(separator: " ")
    }

    private static func changes(of record: RecordSummary) -> String {
        Mermaid.label(
            CommitStory(width: changeWidth).summary(record.changes, after: 0).text, width: changeWidth)
    }

    func markdown(of asked: RecordSummary) -> [String] {
        let rows = records.reversed().map { record in
            let parts = [record.store, record.label, record.location, record.clock].compactMap(\.self)
            return "- \(record.seq) " + parts.filter { !$0.isEmpty }.map(Markdown.code).joined(separator: " · ")
        }
        return ["### What caused commit \(asked.seq)", "", "```mermaid"] + lines + ["```", ""] + rows
            + (left > 0 ? ["", "and \(left) more"] : [])
    }
}

/// No text of an untrusted journal ends a line, a label or the diagram.
///
/// Mermaid's manual, "Entity codes to escape characters": `#` and the number of a character stand for it. Before it
/// reads a diagram Mermaid cuts what looks like a style, so that word is broken too; `end` ends a block.
enum Mermaid {
    /// A text as a label; what is longer than so many columns is cut.
    static func label(_ text: String, width: Int) -> String {
        let scalars = Array(DisplayWidth.clipped(ControlCharacters.escaped(text), to: width).unicodeScalars)
        return scalars.indices.map { place in
            isPlain(scalars[place]) && !beginsWord(scalars[place...])
                ? String(scalars[place]) : "#\(scalars[place].value);"
        }.joined()
    }

    /// A name, which is never nothing.
    static func name(_ text: String, width: Int) -> String {
        label(text.contains { !$0.isWhitespace } ? text : "\"\(text)\"", width: width)
    }

    private static let words = ["end", "style", "classdef"].map { Array($0.unicodeScalars) }

    private static func beginsWord(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
        words.contains { word in
            rest.count >= word.count && zip(rest, word).allSatisfy { $0.properties.lowercaseMapping == String($1) }
        }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return true }
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", " ", "_", ".", ",", "/", "(", ")", "+": return true
        default: return false
        }
    }
}
