package import CommandLine
import Diagnostics
package import JSONCore
import JournalFormat
import JournalReading
package import TimeTravel

struct OriginCommand: JournalCommand {
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
        answers: [answer.definition])

    let subject: JournalSubject
    private let pattern: PathPattern
    private let place: JSONPointer
    private let limit: Int
    private var scope: StoreScope { subject.scope }
    private var advice: Advice { Advice(subject.path, scope) }

    init(_ typed: TypedArguments) throws {
        let position = try typed.value(.at).map { try PositionText(parsing: $0) } ?? .end(minus: 0)
        subject = try JournalSubject(typed, .position(position, isState: true))
        pattern = try subject.scope.patterns(operands: [typed.operands[1]])[0]
        guard let place = pattern.pointer else {
            throw UsageError.operand("PATH", typed.operands[1], expected: "the path of one value, without '*'")
        }
        self.place = place
        limit = try typed.number(.maxHops, atLeast: 1) ?? Origin.hopLimit
    }

    func answer(_ asked: AskedJournal) throws -> Answered {
        let (input, context, position) = (asked.input, asked.context, asked.position)
        guard let origin = try Origin(of: place, at: position, in: input.journal, limit: limit) else {
            throw try input.nothing(at: pattern, position, .origin, advice, scope)
        }
        switch context.format {
        case .json: try writeJSON(origin, input.journal, context)
        case .human:
            for hop in origin.hops { _ = try cite(hop, origin, input.journal, context) }
            try writeStory(origin, context)
        }
        return .lookedUp(reportEnd(of: origin, context.messages))
    }

    private func cite(
        _ hop: Origin.Hop, _ origin: Origin, _ journal: Journal, _ context: CommandContext
    ) throws -> Citation? {
        try context.cite(hop.record.seq, hop.path, origin.value, of: journal)
    }

    private func writeJSON(_ origin: Origin, _ journal: Journal, _ context: CommandContext) throws {
        for (index, hop) in origin.hops.enumerated() {
            try context.writeJSON(
                Self.answer((index, hop, Record(hop.record), origin.value, scope)),
                cite(hop, origin, journal, context))
        }
    }

    private static let suggestions = 5

    private func writeStory(_ origin: Origin, _ context: CommandContext) throws {
        let story = try OriginStory(origin, of: place, scope)
        for line in story.lines(CommitStory(context), width: context.terminal.width) { try context.writeRow(line) }
        guard advice.isPossible else { return }
        let commands = commits(origin).prefix(Self.suggestions).map { advice.command(.show, ["\($0.rawValue)"]) }
        try context.write(Advice.lookFurther(commands))
    }

    private func commits(_ origin: Origin) -> [CommitNumber] {
        var commits: [CommitNumber] = []
        for hop in origin.hops where hop.record.kind == .commit && commits.last != hop.record.seq {
            commits.append(hop.record.seq)
        }
        return commits
    }

    /// Says why the way goes no further, unless the last hop is where the value came in.
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

    static let answer = AnswerKind<(index: Int, hop: Origin.Hop, record: Record, value: JSONValue, scope: StoreScope)>(
        "origin", "a record that put a value where it stood, on the way back to where it came in",
        [
            .always(
                "hop", "0 for the record that wrote the value that was asked about, 1 for the one before, and so on",
                \.index),
            .always("path", "where the record put the value") { $0.scope.text(of: $0.hop.path) },
            .always("seq", "the number of the record", \.hop.record.seq),
            .always("at", "the place in the source of the record, null where it has none", .at, of: \.record),
            .always(
                "how",
                "\"written\", \"copied\", \"payload\", \"moved\", \"computed\" or \"initial\": see 'origin' in state-inspect(1)",
                \.hop.how.rawValue),
            .always(
                "basis", "\"recorded\" where the journal says so, \"inferred\" from equal values",
                \.hop.basis.rawValue),
            .always("value", "the value", \.value),
            .sometimes(
                "candidates", "the places at which an equal value stood before, at most 20, where there are several"
            ) { row in
                row.hop.candidates.isEmpty ? nil : row.hop.candidates.map { row.scope.text(of: $0) }
            },
        ])
}

package struct OriginStory {
    /// As wide as `computed` and the space after it.
    package static let margin = 10
    private static let pathRoom = 24

    package let origin: Origin
    private let place: JSONPointer
    private let scope: StoreScope
    package let records: [RecordSummary]

    package init(_ origin: Origin, of place: JSONPointer, _ scope: StoreScope) throws {
        (self.origin, self.place, self.scope) = (origin, place, scope)
        records = try origin.hops.map { RecordSummary(try Record($0.record), scope: scope) }
    }

    /// The newest hop first.
    package func lines(_ story: CommitStory, width: Int?) -> [StoryLine] {
        let title: StoryLine = "\(scope.text(of: place), .path)   "
        var lines = [(title + "\(story.value(origin.value, after: title.columns))").clipped(to: width), ""]
        for (hop, line) in zip(origin.hops, hopLines(width: width)) {
            lines.append(line)
            if !hop.candidates.isEmpty { lines.append("\(candidates(hop, width), .dim)") }
        }
        return lines
    }

    /// A line of at most `width` columns for each hop, the newest first, without the places where an equal value stood.
    package func hopLines(width: Int?) -> [StoryLine] {
        let records = records.map(\.withoutCause)
        var columns = CommitLine(width: width.map { $0 - Self.margin }, rest: width.map { $0 / 2 } ?? 0)
        for (hop, record) in zip(origin.hops, records) {
            let path = DisplayWidth.of(ControlCharacters.escaped(scope.text(of: hop.path)))
            columns.measure(record, followedBy: path)
        }
        return zip(origin.hops, records).map { hop, record in
            let how = DisplayWidth.padded(hop.how.rawValue, to: Self.margin)
            let start = "\(how, hop.basis == .recorded ? .heading : .dim)" + columns.padded(record) + "  "
            let path = ControlCharacters.escaped(scope.text(of: hop.path))
            let room = width.map { max(Self.pathRoom, $0 - start.columns) } ?? .max
            return (start + "\(DisplayWidth.shortenedInMiddle(path, to: room), .path)").clipped(to: width)
        }
    }

    private func candidates(_ hop: Origin.Hop, _ width: Int?) -> String {
        let places = hop.candidates.map { ControlCharacters.escaped(scope.text(of: $0)) }.joined(separator: ", ")
        let text = "an equal value stood at " + places
        return String(repeating: " ", count: Self.margin)
            + DisplayWidth.clipped(text, to: width.map { $0 - Self.margin } ?? .max)
    }
}

extension Origin.End {
    /// Why the way goes no further, where the last hop does not say it.
    package var words: String? {
        switch self {
        case .complete: nil
        case .limit: "the value goes further back"
        case .lost: "it was written by a commit that was lost"
        case .unknown: "no record of the journal wrote it"
        case .damaged(let error): ControlCharacters.escaped(error.diagnostic.message)
        }
    }
}
