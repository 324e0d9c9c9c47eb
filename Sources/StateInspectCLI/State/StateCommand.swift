import JSONCore
import JournalFormat
import QueryLanguage
import TimeTravel

/// `state J [--at POS] [--select QUERY]`: the state at a position.
struct StateCommand: Command {
    static let definition = CommandDefinition(
        name: .state, summary: "the state at a position", synopsis: ["JOURNAL [POS] [--select QUERY]"],
        operands: [.required("JOURNAL", .file), .optional("POS")],
        options: [.at, .select, .rawOutput, .exitStatus, .store] + .queryValues,
        details: [
            """
            Prints the state after a commit as one JSON value: an object with a member for each open store. It \
            reads a bounded stretch of the journal, however long that is.
            """
        ],
        examples: [
            .init(
                line: "state-inspect state samples/checkout.jsonl --at end-1 --select .cart.total",
                purpose: "the total before the last commit")
        ])

    private let path: String
    private let position: PositionText
    private let select: ScopedQuery?
    private let scope: StoreScope
    private let typed: TypedArguments

    init(_ typed: TypedArguments) throws {
        self.typed = typed
        path = typed.operands[0]
        position = try typed.position(operand: 1) ?? .end
        scope = try StoreScope(typed)
        select = try typed.value(.select).map { [scope] in
            try ScopedQuery($0, name: OptionName.select.typed, scope: scope)
        }
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.random(path, in: context)
        let position = try input.position(position)
        var output = try QueryOutput(typed, isTree: context.format == .human, in: context)
        try StoreNames(input.journal).check(scope, isOpenAt: position)
        guard let select else {
            try output.writeOne(scope.part(of: try input.journal.state(at: position, pruning: scope.paths).value))
            return output.status
        }
        QueryWarnings(input.journal, at: position, scope).tell(of: select, context.messages)
        let state = try input.journal.state(at: position, pruning: select.footprint.paths).value
        let footprint = select.footprint
        let variables = try QueryContext(
            at: position, in: input.journal, usesCommit: footprint.usesCommit,
            oldReading: footprint.usesOld ? footprint.paths : nil)
        try output.writeAll(of: select.whole, state, variables) { error in
            error.diagnostic(of: select, at: position)
        }
        return output.status
    }
}
