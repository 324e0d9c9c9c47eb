import Diagnostics
import JSONCore
import JournalFormat
import TimeTravel

/// `show J POS`: one commit, its changes and what fired.
struct ShowCommand: Command {
    static let definition = CommandDefinition(
        name: .show, summary: "one commit, its changes and what fired", synopsis: ["JOURNAL POS"],
        operands: [.required("JOURNAL", .file), .required("POS")],
        options: [.store],
        details: [
            "Shows one commit: where it was made, what it changed, which derived values fired, and its marks."
        ],
        examples: [.init(line: "state-inspect show samples/checkout.jsonl end", purpose: "the last commit")])

    private let path: String
    private let position: PositionText
    private let scope: StoreScope

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        position = try PositionText(parsing: typed.operands[1])
        scope = StoreScope(typed)
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.random(path, in: context)
        let position = try input.position(position)
        let details = try CommitDetails(position, in: input.journal)
        guard scope.includes(details.commit.store) else { throw otherStore(details, position) }
        switch context.format {
        case .json: try context.output.writeLine(try answer(details).line)
        case .human: try write(details, input.journal, context)
        }
        return .done
    }

    private func otherStore(_ details: CommitDetails, _ position: CommitNumber) -> CommandFailure {
        CommandFailure(
            .notThere,
            Diagnostic(
                code: "show.other-store",
                "commit \(position.rawValue) is one of the store '\(details.commit.store)', not of '\(scope.store ?? "")'",
                help: ["leave out '--store'"]))
    }

    private func answer(_ details: CommitDetails) throws -> Answer {
        var answer = Answer(.show)
        answer.set("commit", Answer.embedded(try details.record.object()))
        answer.set("derived", .array(try outcomes(details)))
        answer.set("marks", .array(try details.marks.map { Answer.embedded(try $0.object()) }))
        return answer
    }

    /// What the derived values did, as the journal has it.
    private func outcomes(_ details: CommitDetails) throws -> [JSONValue] {
        details.outcomes.map { outcome in
            var object = JSONObject()
            object["name"] = .string(outcome.name)
            object["outcome"] = .string(outcome.outcome.rawValue)
            if let value = outcome.value { object["value"] = value }
            return .object(object)
        }
    }

    private func write(_ details: CommitDetails, _ journal: Journal, _ context: CommandContext) throws {
        let record = RecordSummary(try details.record.object(), scope: scope)
        let block = CommitBlock(style: context.style, width: context.terminal.width)
        var lines = [block.heading("commit", record, of: try journal.lastCommit.rawValue), ""]
        lines += ChangeTable(style: context.style, width: context.terminal.width).lines(record.changes, indent: 2)
        if record.changes.isEmpty { lines.append("  changed nothing") }
        let told = try CommitFacts(details, journal, scope)
        let after = [told.cause.map(block.cause), block.firings(told.firings)].compactMap(\.self)
        if !after.isEmpty { lines += [""] + after }
        for mark in details.marks {
            lines.append("  mark        " + ControlCharacters.escaped(try mark.object()["text"]?.string ?? ""))
        }
        for line in lines { try context.output.writeLine(line) }
    }
}

extension AnswerDefinition {
    static let show = AnswerDefinition(
        "show", "one commit and what it made happen",
        [
            .always("commit", "the record of the commit"),
            .always(
                "derived",
                #"one object for each derived value that it reached: "name", "outcome", "old" and "value" where they were recorded"#
            ),
            .always("marks", "the records of the marks that stand behind it"),
        ])
}
