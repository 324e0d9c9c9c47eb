import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

struct StateCommand: Command {
    static let definition = CommandDefinition(
        name: .state, summary: "the state at a position", synopsis: ["JOURNAL [POS] [PATH|QUERY] [OPTIONS]"],
        operands: [.required("JOURNAL", .file), .optional("POS", .position)],
        options: [.at, .select, .rawOutput, .exitStatus, .store, .recover, .cite] + .queryValues,
        details: [
            """
            Prints the state after a commit as one JSON value: an object with a member for each open store. It \
            reads a bounded part of the journal, however long that is.
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
        ],
        answers: [answer.definition])

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
            try ScopedQuery($0, name: Option.select.typed, scope: scope)
        }
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input =
            try scope.recovers ? JournalInput.whole(path, recovers: true, in: context) : .random(path, in: context)
        var output = try QueryOutput(typed, in: context)
        do {
            let position = try input.position(position)
            try write(input.journal, position, nil, &output, context)
            return output.status
        } catch let error where scope.recovers && error.isDamage {
            let journal = input.journal.recovering()
            let asked = try journal.position(position)
            let known = try journal.lastKnownState(through: asked)
            guard position == .end || known.position == asked else { throw error }
            var warning = ExitStatus.diagnostics(of: error, in: nil)[0]
            warning.severity = .warning
            if position == .end {
                warning.notes.append("the state at \(known.position) is the last one before it that is known")
            }
            context.messages.report(warning)
            try write(journal, known.position, known.value, &output, context)
            // After damage, the end and a time may mean another commit, so the answer is not certain.
            if case .commit = position { return output.status }
            return output.status.or(.inconclusive)
        }
    }

    private func write(
        _ journal: Journal, _ position: CommitNumber, _ known: JSONValue?, _ output: inout QueryOutput,
        _ context: CommandContext
    ) throws {
        try scope.checkStore(in: journal, near: position)
        let paths = select?.footprint.paths ?? scope.paths
        let state = try known ?? journal.state(at: position, pruning: paths).value
        if let citation = try citation(of: state, position, journal, context), context.format == .json {
            output.answer = { Citations.line(Self.answer((position, $0)), with: citation) }
        }
        guard let select else { return try output.writeOne(scope.part(of: state)) }
        if known == nil { QueryWarnings(journal, at: position, scope).report(of: select, context.messages) }
        let footprint = select.footprint
        let variables = try QueryContext(
            at: position, in: journal, usesCommit: footprint.usesCommit,
            oldReading: footprint.usesOld ? footprint.paths : nil)
        try output.writeAll(of: select.whole, state, variables) { error in
            error.diagnostic(of: select, at: position)
        }
    }

    /// What the answer rests on: the part of the state that is asked for, or that the query reads.
    private func citation(
        of state: JSONValue, _ position: CommitNumber, _ journal: Journal, _ context: CommandContext
    ) throws -> Citation? {
        guard select == nil else { return try context.cite(position, reading: select, of: journal) }
        let pointer = JSONPointer(scope.store.map { [$0] } ?? [])
        return try context.cite(position, pointer, pointer.value(in: state), of: journal)
    }

    static let answer = AnswerKind<(seq: CommitNumber, value: JSONValue)>(
        "value", "with --cite: the state at a position, or an output of a query of it",
        [.always("seq", "the position", \.seq), .always("value", "the state, or the output", \.value)])
}

extension Error {
    fileprivate var isDamage: Bool {
        if case PositionError.journal(let error)? = self as? PositionError { return error.isDamage }
        return (self as? JournalError)?.isDamage ?? false
    }
}
