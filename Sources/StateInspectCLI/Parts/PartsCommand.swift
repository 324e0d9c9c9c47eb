import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

/// A command with `--parts`: joins the answers of parts into the one that the whole would have had, byte for byte.
struct PartsCommand: Command {
    static let definition = LogCommand.definition

    private let typed: TypedArguments

    init(_ typed: TypedArguments) throws {
        self.typed = typed
        if let format = typed.value(.format), format != OutputFormat.json.rawValue {
            throw UsageError.value(.format, format, expected: "'json', in which parts are joined")
        }
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        let files = try open(context)
        try check(files)
        let parts = files.sorted { $0.head.number < $1.head.number }
        switch typed.command {
        case .bisect: return try bisect(parts, context)
        case .check: return try check(parts, context)
        default: return try lines(parts, context)
        }
    }

    // MARK: Which parts

    /// Opens the parts; the operands after them are the question's.
    private func open(_ context: CommandContext) throws -> [PartFile] {
        let first = try PartFile(typed.operands[0], standardInput: context.input)
        let count = typed.operands.count - first.head.question.operandCount
        guard count >= 1, first.head.question == (try PartQuestion(typed, journals: count)) else {
            throw CommandFailure(
                .usage,
                Diagnostic(
                    code: "parts.question", "'\(typed.operands[0])' is a part of another question",
                    notes: ["it was asked \(first.head.question.value.text())"],
                    help: ["type what was typed for the part, with '--parts' and the parts in the place of the journal"]
                ))
        }
        return try [first] + typed.operands[1..<count].map { try PartFile($0, standardInput: context.input) }
    }

    /// Refuses parts that do not make one whole.
    private func check(_ files: [PartFile]) throws(CommandFailure) {
        let first = files[0].head
        for (file, path) in zip(files, typed.operands) {
            guard file.head.question == first.question else {
                throw CommandFailure(
                    .usage, Diagnostic(code: "parts.question", "'\(path)' is a part of another question"))
            }
            guard UTF8Order.equal(file.head.id, first.id) else {
                throw file.fault("'\(path)' is a part of another run", "its id is '\(file.head.id)', not '\(first.id)'")
            }
            guard file.head.count == first.count else {
                throw file.fault("'\(path)' is one of \(file.head.count) parts", "the first is one of \(first.count)")
            }
        }
        let sorted = files.map(\.head).sorted { $0.number < $1.number }
        for (number, head) in zip(1..., sorted) where head.number != number {
            let isDouble = number > 1 && sorted[number - 2].number == head.number
            throw PartFile.fault(
                isDouble ? "part \(head.number) is there twice" : "part \(number) of \(first.count) is missing",
                "each part is joined once")
        }
        guard sorted.count == first.count else {
            throw PartFile.fault("part \(sorted.count + 1) of \(first.count) is missing", "each part is joined once")
        }
        for (head, next) in zip(sorted, sorted.dropFirst()) where head.to != next.from {
            throw unmet(head, next)
        }
    }

    /// Refuses parts that end and begin with other states.
    private func meet(_ head: PartFile.Head, _ next: PartFile.Head) throws(CommandFailure) {
        guard next.isEmpty || (head.end != nil && head.end == next.start) else { throw unmet(head, next) }
    }

    private func unmet(_ head: PartFile.Head, _ next: PartFile.Head) -> CommandFailure {
        PartFile.fault(
            "parts \(head.number) and \(next.number) do not meet",
            head.to == next.from
                ? "the state at \(head.to) is not the same in both"
                : "one ends at \(head.to), the other begins at \(next.from)")
    }

    // MARK: Lines

    /// Joins answers that are lists: what stands before damage is part of the answer.
    private func lines(_ parts: [PartFile], _ context: CommandContext) throws -> ExitStatus {
        var joiner = try joiner(parts[0], context)
        var (status, lost) = (ExitStatus.done, 0)
        var absent: Set<Int>?
        for (index, part) in parts.enumerated() {
            let end: PartFile.End
            do {
                end = try part.end { try joiner.take($0, context.output) }
                if end.status == .unreadable { throw damaged(part.head) }
                try joiner.endPart(isEmpty: part.head.isEmpty)
            } catch is PartLineFault {
                throw nonsense(part)
            }
            status = status.worse(end.status)
            if !part.head.isEmpty { absent = absent.map { $0.intersection(end.absent) } ?? Set(end.absent) }
            lost += end.lost
            if index + 1 < parts.count { try meet(part.head, parts[index + 1].head) }
        }
        return status.worse(try joiner.finish(absent: lost == 0 ? absent?.min() : nil, context.output))
    }

    private func joiner(_ first: PartFile, _ context: CommandContext) throws -> any PartJoiner {
        switch typed.command {
        case .history: HistoryLines(operands: first.head.question.value.member("operands")?.array ?? [])
        case .replay where typed.has(.changed): ChangedValues()
        case .derived where typed.has(.summary): DerivedSummaries()
        case .derived: DerivedLines()
        case .stats: try StatisticsLines(typed, context.messages)
        case .verify: VerifiedLines(first.head.journal, context)
        default: SameLines()
        }
    }

    private func nonsense(_ part: PartFile) -> CommandFailure {
        part.fault("a line of part \(part.head.number) says nothing", "'--part' writes none like it")
    }

    private func damaged(_ head: PartFile.Head) -> CommandFailure {
        CommandFailure(
            .unreadable,
            Diagnostic(
                code: "parts.damaged", "the journal is damaged in part \(head.number)",
                notes: ["positions \(head.from) to \(head.to) are in it, and the part's own message says where"]))
    }

    // MARK: Conditions

    private func bisect(_ parts: [PartFile], _ context: CommandContext) throws -> ExitStatus {
        var joined = try join(parts, [try BisectCommand.condition(typed).condition])
        let answer = try joined.bisectAnswer()
        try context.output.writeLine(try BisectReport.answer(of: answer).line)
        return BisectReport.status(of: answer)
    }

    private func check(_ parts: [PartFile], _ context: CommandContext) throws -> ExitStatus {
        let invariants = try InvariantDefinitions(typed).invariants
        var joined = try join(parts, invariants.map { Condition(good: $0.query) })
        var checked = CheckedJournal(path: parts[0].head.journal)
        checked.lastCommit = joined.range.upper.rawValue
        checked.positions = joined.range.count + 1
        checked.absent = joined.absent
        checked.verdicts = try joined.answers(of: invariants).enumerated().map { index, answer in
            try joined.absent[index].map { checked.unanswered(answer.invariant.name, $0) }
                ?? CheckedJournal.Verdict(answer)
        }
        var printer = CheckLines(context)
        try printer.write(checked)
        return checked.status.exit
    }

    private func join(_ parts: [PartFile], _ conditions: [Condition]) throws -> JoinedConditions {
        guard
            let range = PositionRange(
                CommitNumber(parts[0].head.from), CommitNumber(parts[parts.count - 1].head.to))
        else { throw unmet(parts[0].head, parts[0].head) }
        var joined = JoinedConditions(conditions, range, path: parts[0].head.journal)
        for (index, part) in parts.enumerated() {
            let end = try part.end { line in
                guard let object = try? JSONParser.parse(line, order: .ascending).object else {
                    throw part.fault("a line of part \(part.head.number) is not JSON", "'--part' writes none like it")
                }
                do { try joined.take(object) } catch { throw nonsense(part) }
            }
            if typed.command == .bisect, let message = joined.absent[0] {
                throw CommandFailure(.notThere, Diagnostic(code: "parts.absent", message))
            }
            guard end.status == .done else { throw damaged(part.head) }
            if index + 1 < parts.count { try meet(part.head, parts[index + 1].head) }
            joined.endPart()
        }
        return joined
    }
}

extension CheckedJournal.Verdict {
    /// What became of an invariant, without what only its journal knows.
    init(_ answer: InvariantAnswer) throws {
        self.init(
            name: answer.invariant.name, positions: answer.positions, unanswered: answer.unanswered.count)
        if let failure = answer.unanswered.firstFailure {
            self.failure = .init(
                seq: failure.position.rawValue, message: failure.error.diagnostic.message,
                positions: answer.unanswered.failed)
        }
        guard let found = answer.violation else { return }
        violation = CheckedJournal.Violation(
            record: try found.first.map { (record) throws(JournalError) in try Record(record) }, summary: nil,
            facts: nil, position: found.position.rawValue, last: found.last.rawValue, positions: found.positions,
            ranges: found.ranges, value: found.value, candidates: found.candidates.map(\.rawValue), changed: nil)
    }
}
