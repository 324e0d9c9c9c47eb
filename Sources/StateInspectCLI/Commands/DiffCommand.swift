import Diagnostics
import JSONCore
import JournalFormat
import TimeTravel

/// `diff J A B`: what differs between two positions.
struct DiffCommand: Command {
    private let path: String
    private let from: PositionText
    private let to: PositionText
    private let scope: StoreScope
    private let ignored: [PathPattern]
    private let detail: Detail

    /// What is said of a difference.
    private enum Detail {
        case changes, names, counts
    }

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        from = try PositionText(parsing: typed.operands[1])
        to = try PositionText(parsing: typed.operands[2])
        scope = StoreScope(typed)
        ignored = try scope.patterns(typed, .ignore)
        if typed.has(.nameOnly), typed.has(.stat) { throw UsageError.exclusive([.nameOnly, .stat]) }
        detail = typed.has(.nameOnly) ? .names : typed.has(.stat) ? .counts : .changes
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.random(path, in: context)
        let from = try input.position(from)
        let to = try input.position(to)
        try checkStore(input.journal, from, to)
        let patch = JSONPatch.difference(from: try state(input.journal, from), to: try state(input.journal, to))
        let changes = StateChange.all(in: patch).map { Change($0, scope: StoreScope(store: nil)) }
        switch context.format {
        case .json: try context.output.writeLine(answer(from, to, patch, changes).line)
        case .human: try write(changes, context)
        }
        return patch.operations.isEmpty ? .done : .negative
    }

    /// A store must be open at one of the positions, or there is nothing to compare.
    private func checkStore(_ journal: Journal, _ from: CommitNumber, _ to: CommitNumber) throws {
        if (try? StoreNames(journal, at: to).check(scope)) == nil { try StoreNames(journal, at: from).check(scope) }
    }

    /// The part of the state that is compared.
    private func state(_ journal: Journal, _ position: CommitNumber) throws -> JSONValue {
        var state = try journal.state(at: position, pruning: scope.paths).value
        for pattern in ignored { state = pattern.removing(from: state) }
        return scope.part(of: state)
    }

    private func answer(_ from: CommitNumber, _ to: CommitNumber, _ patch: JSONPatch, _ changes: [Change]) -> Answer {
        var answer = Answer("diff")
        answer.set("from", from.rawValue)
        answer.set("to", to.rawValue)
        switch detail {
        case .changes: answer.set("patch", patch.json)
        case .names: answer.set("paths", .array(changes.map { .string($0.path) }))
        case .counts: answer.set("stat", ChangeCounts(changes).json)
        }
        return answer
    }

    private func write(_ changes: [Change], _ context: CommandContext) throws {
        switch detail {
        case .changes:
            let table = ChangeTable(style: context.style, width: context.terminal.width)
            for line in table.lines(changes, indent: 0) { try context.output.writeLine(line) }
        case .names:
            for change in changes { try context.output.writeLine(ControlCharacters.escaped(change.path)) }
        case .counts: try context.output.writeLine(LogList.counts(changes))
        }
    }
}
