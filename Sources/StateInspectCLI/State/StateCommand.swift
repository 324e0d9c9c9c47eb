import Diagnostics
import JSONCore
import JournalFormat
import QueryLanguage
import TimeTravel

/// `state J [--at POS] [--select QUERY]`: the state at a position.
struct StateCommand: Command {
    static let definition = CommandDefinition(
        name: .state, summary: "the state at a position", synopsis: ["JOURNAL [POS] [--select QUERY]"],
        operands: [.required("JOURNAL", .file), .optional("POS", .position)],
        options: [.at, .select, .rawOutput, .exitStatus, .store, .recover] + .queryValues,
        details: [
            """
            Prints the state after a commit as one JSON value: an object with a member for each open store. It \
            reads a bounded stretch of the journal, however long that is.
            """,
            """
            Where damage hides the end of the run, '--recover' prints the last state before it that is known, says which \
            that is, and the status is 5.
            """,
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
        let input = try scope.recovers ? JournalInput.whole(path, in: context) : .random(path, in: context)
        let (position, status) = try known(position, input, context.messages)
        var output = try QueryOutput(typed, isTree: context.format == .human, in: context)
        try StoreNames(input.journal).check(scope, isOpenAt: position)
        guard let select else {
            try output.writeOne(scope.part(of: try input.journal.state(at: position, pruning: scope.paths).value))
            return output.status.or(status)
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
        return output.status.or(status)
    }

    /// The position that was typed, or the last one that is known where damage hides the end.
    ///
    /// - Returns: also the status that this comes to.
    private func known(
        _ text: PositionText, _ input: JournalInput, _ messages: MessageWriter
    ) throws -> (CommitNumber, ExitStatus) {
        do {
            let position = try input.position(text)
            if scope.recovers { _ = try input.journal.state(at: position, pruning: .nothing) }
            return (position, .done)
        } catch let error as JournalError {
            guard scope.recovers, text == .end, case .damage = error.fact else { throw error }
            let position = try lastKnown(in: input.journal)
            var warning = error.warning
            warning.notes.append("the state at \(position) is the last one before it that is known")
            messages.tell(warning)
            return (position, .inconclusive)
        }
    }

    /// The last position that has a state.
    private func lastKnown(in journal: Journal) throws(JournalError) -> CommitNumber {
        var options = PositionPass.Options()
        options.recover = true
        options.everyCommit = true
        var pass = try PositionPass(journal, nil, reading: .everything, options: options)
        while try pass.next() != nil {}
        return pass.lostEnd?.lowerBound.previous ?? pass.lastCommit
    }
}
