package import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// `origin J PATH`: where a value comes from, hop by hop.
struct OriginCommand: Command {
    static let definition = CommandDefinition(
        name: .origin, summary: "where a value comes from", synopsis: ["JOURNAL PATH [OPTIONS]"],
        operands: [.required("JOURNAL", .file), .required("PATH", .path)],
        options: [.at, .store, .maxHops, .cite],
        details: [
            """
            Follows a value back to where it came in: the commit that wrote it, the place where it stood before that, \
            the commit that wrote it there, and so on. An array that shifts is followed too.
            """,
            """
            A hop is recorded where the journal says so: the action's payload, an undo, the cause, an operation 'move' \
            or 'copy'. It is inferred where one other place held an equal value before the commit. The way ends where \
            several did, which are listed, and at values that stand anywhere: null, booleans, 0, 1, -1, texts of up to \
            four bytes and empty containers.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect origin samples/checkout.jsonl /cart/items/0/price",
                purpose: "where the price of what is in the cart comes from")
        ],
        answers: [.origin])

    private let path: String
    private let pattern: PathPattern
    private let place: JSONPointer
    private let position: PositionText
    private let limit: Int
    private let scope: StoreScope
    private let advice: Advice

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        scope = try StoreScope(typed)
        advice = Advice(path, scope)
        pattern = try scope.patterns(operands: [typed.operands[1]])[0]
        guard let place = pattern.pointer else {
            throw UsageError.operand("PATH", typed.operands[1], expected: "the path of one value, without '*'")
        }
        self.place = place
        position = try typed.value(.at).map { try PositionText(parsing: $0) } ?? .end(minus: 0)
        limit = try typed.number(.maxHops, atLeast: 1) ?? Origin.hopLimit
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.random(path, in: context)
        let position = try input.position(position)
        try StoreNames(input.journal).check(scope, isOpenAt: position)
        guard let origin = try Origin(of: place, at: position, in: input.journal, limit: limit) else {
            throw try input.nothing(at: pattern, position, .origin, advice, scope)
        }
        switch context.format {
        case .json: try writeJSON(origin, input.journal, context)
        case .human:
            for hop in origin.hops { _ = try cite(hop, origin, input.journal, context) }
            try writeStory(origin, context)
        }
        return reportEnd(of: origin, context.messages)
    }

    private func cite(
        _ hop: Origin.Hop, _ origin: Origin, _ journal: Journal, _ context: CommandContext
    ) throws -> Citation? {
        try context.cite(hop.record.seq, hop.path, origin.value, of: journal)
    }

    private func writeJSON(_ origin: Origin, _ journal: Journal, _ context: CommandContext) throws {
        for (index, hop) in origin.hops.enumerated() {
            var answer = Answer(.origin)
            answer.set("hop", index)
            answer.set("path", scope.text(of: hop.path))
            answer.set("seq", hop.record.seq.rawValue)
            answer.set("at", try Record(hop.record)[.at] ?? .null)
            answer.set("how", hop.how.rawValue)
            answer.set("basis", hop.basis.rawValue)
            answer.set("value", origin.value)
            if !hop.candidates.isEmpty {
                answer.set("candidates", .array(hop.candidates.map { .string(scope.text(of: $0)) }))
            }
            try context.writeJSON(answer, cite(hop, origin, journal, context))
        }
    }

    // MARK: The story

    /// How many commands are suggested.
    private static let suggestions = 5

    private func writeStory(_ origin: Origin, _ context: CommandContext) throws {
        let story = try OriginStory(origin, of: place, scope)
        for line in story.lines(context.style, width: context.terminal.width) { try context.output.writeLine(line) }
        guard advice.isPossible else { return }
        try context.writeText("")
        let commands = commits(origin).prefix(Self.suggestions).map { advice.command(.show, ["\($0.rawValue)"]) }
        for line in Advice.lookFurther(commands, context.style) { try context.writeText(line) }
    }

    /// The commits on the way, each once.
    private func commits(_ origin: Origin) -> [CommitNumber] {
        var commits: [CommitNumber] = []
        for hop in origin.hops where hop.record.kind == .commit && commits.last != hop.record.seq {
            commits.append(hop.record.seq)
        }
        return commits
    }

    /// Says why the way goes no further, unless the last hop is where the value came in.
    ///
    /// - Returns: the status that this comes to.
    private func reportEnd(of origin: Origin, _ messages: MessageWriter) -> ExitStatus {
        func warn(_ code: String, _ message: String, _ notes: [String], help: [String] = []) -> ExitStatus {
            messages.report(Diagnostic(.warning, code: "origin.\(code)", message, notes: notes, help: help))
            return .inconclusive
        }
        switch origin.end {
        case .complete: return .done
        case .limit:
            messages.note("the value goes further back: '\(Option.maxHops.typed) \(limit * 2)' follows it twice as far")
            return .done
        case .lost:
            return warn(
                "across-gap", "the value was written by a commit that was lost",
                ["a gap stands for it: where the value comes from is not in the journal"])
        case .unknown:
            return warn(
                "no-author", "no record of the journal wrote '\(scope.text(of: pattern))'",
                ["the one that opened its store is missing"], help: advice.help(.verify, to: "lists all damage"))
        case .damaged(let error):
            var diagnostic = error.diagnostic
            diagnostic.notes.append("where the value comes from before that is not known")
            messages.report(diagnostic)
            return .unreadable
        }
    }
}

extension AnswerDefinition {
    package static let origin = AnswerDefinition(
        "origin", "a record that put a value where it stood, on the way back to where it came in",
        [
            .always(
                "hop", "0 for the record that wrote the value that was asked about, 1 for the one before, and so on"),
            .always("path", "where the record put the value"),
            .always("seq", "the number of the record"),
            .always("at", "the place in the source of the record, null where it has none"),
            .always(
                "how",
                "\"written\", \"copied\", \"payload\", \"moved\", \"computed\" or \"initial\": see 'origin' in state-inspect(1)"
            ),
            .always("basis", "\"recorded\" where the journal says so, \"inferred\" from equal values"),
            .always("value", "the value"),
            .sometimes(
                "candidates", "the places at which an equal value stood before, at most 20, where there are several"),
        ])
}
