import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

struct DerivedPrinter {
    private let context: CommandContext
    private let story: CommitStory
    private var counts = NameTable<[DerivedFiring.Outcome: Int]>()
    private var list: LineList<(json: [UInt8], line: StoryLine)>?
    var cite: ((DerivedFiring) throws -> Citation?)?

    /// Nil prints how often each value fired, in place of lines.
    init(_ order: ListOrder?, _ context: CommandContext) {
        self.context = context
        list = order.map { LineList($0, lookAhead: 1) }
        story = CommitStory(context)
    }

    var isFull: Bool { list?.isFull == true }

    mutating func take(_ firing: DerivedFiring) throws {
        guard list != nil else { return count(firing) }
        let record = try Record(firing.record)
        let citation = try cite?(firing)
        let bare = context.format == .json ? Self.answer((firing, record)) : []
        let line = context.format == .json ? "" : line(firing, record)
        try write(list?.take((citation.map { Citations.line(bare, with: $0) } ?? bare, line)))
    }

    private func write(_ lines: [(json: [UInt8], line: StoryLine)]?) throws {
        for line in lines ?? [] { try context.write(line.json, or: line.line) }
    }

    mutating func finish(_ values: [DerivedValue], positions: Int?, lost: Int) throws {
        if list == nil { return try printSummary(values, positions, lost) }
        try write(list?.flush())
    }

    /// As `118  fired  total  12 → -3  Shop/Cart.swift:42`.
    private func line(_ firing: DerivedFiring, _ record: Record) -> StoryLine {
        let start: StoryLine = "\(firing.seq, .commit)  \(firing.outcome.rawValue)  \(firing.name, .heading)"
        let place = RecordSummary(record).location.map { "  \($0, .location)" as StoryLine } ?? ""
        let room = context.terminal.width.map { min(48, $0 - start.columns - place.columns - 2) } ?? 48
        let value = firing.value.map { firing.outcome == .fired ? $0 : nil } ?? firing.recorded?.value
        let change = value.map { story.effect(.replaced($0, old: firing.old), room: room) }
        return start + (change.map { "  " + $0 } ?? "") + place
    }

    private mutating func count(_ firing: DerivedFiring) {
        counts.update(firing.name, default: [:]) { $0[firing.counted, default: 0] += 1 }
    }

    private func printSummary(_ values: [DerivedValue], _ positions: Int?, _ lost: Int) throws {
        let width = values.map { DisplayWidth.of(ControlCharacters.escaped($0.name)) }.max() ?? 0
        for value in values {
            var outcomes = counts[value.name] ?? [:]
            if let positions {
                let counted = outcomes.values.reduce(0, +)
                outcomes[.untouched, default: 0] += max(0, positions - counted)
            }
            let name = DisplayWidth.padded(ControlCharacters.escaped(value.name), to: width)
            var parts = kinds(of: value).map { "\($0.rawValue) \(outcomes[$0] ?? 0)" }
            if lost > 0 { parts.append("unanswered \(lost)") }
            try context.write(
                Self.summary((value, kinds(of: value).map { ($0, outcomes[$0] ?? 0) }, lost)),
                or: "\(name, .heading)  \(parts.joined(separator: "  "))")
        }
    }

    /// The outcomes that a value can have: without a formula it is only known that it was computed anew.
    private func kinds(of value: DerivedValue) -> [DerivedFiring.Outcome] {
        let all: [DerivedFiring.Outcome] = [.fired, .same, .unchanged, .untouched]
        if case .recorded = value.formula { return [.fired, .same, .unchanged, .untouched, .recomputed] }
        return all
    }

    static func members<Row>(
        _ seq: String, _ firing: @escaping @Sendable (Row) -> DerivedFiring
    ) -> [AnswerKind<Row>.Field] {
        [
            .always("seq", seq) { firing($0).seq },
            .always("name", "the name of the derived value") { firing($0).name },
            .always("outcome", #""fired", "same", "unchanged", "untouched" or "recomputed""#) { row in
                firing(row).outcome.rawValue
            },
            .sometimes("old", "the value before, missing where it is not known") { firing($0).old },
            .sometimes("value", "the value after, missing where it is not known") { firing($0).value },
        ]
    }

    static func recorded<Row>(_ firing: @escaping @Sendable (Row) -> DerivedFiring) -> AnswerKind<Row>.Field {
        .sometimes("recorded", #"what the app itself recorded: "outcome", and "value" where it is known"#) { row in
            firing(row).recorded.map {
                JSONValue.members(["outcome": .string($0.outcome.rawValue), "value": $0.value])
            }
        }
    }

    static let answer = AnswerKind<(firing: DerivedFiring, record: Record)>(
        "derived", "what a commit did to a derived value",
        members("the number of the record", \.firing) + [
            .always("at", "the place in the source of the record, null where it has none", .at, of: \.record),
            recorded(\.firing),
        ])

    static let summary = AnswerKind<(value: DerivedValue, counts: [(DerivedFiring.Outcome, Int)], lost: Int)>(
        "derived.summary", "how often a derived value fired and did not",
        [
            .always("name", "the name of the derived value", \.value.name),
            .always("fired", "how often its output differed") { count(.fired, $0.counts) },
            .always("same", "how often it was computed and its output was equal") { count(.same, $0.counts) },
            .always("unchanged", "how often its input was written, but was equal") { count(.unchanged, $0.counts) },
            .always("untouched", "how often nothing of its input was written") { count(.untouched, $0.counts) },
            .sometimes(
                "recomputed",
                "of a value that the app recorded without a formula: how often an input changed where its outcome was not recorded"
            ) { count(.recomputed, $0.counts) },
            .sometimes(
                "unanswered", "how many positions were lost in a gap or in damage, and count as none of these"
            ) { $0.lost > 0 ? $0.lost : nil },
        ])

    private static func count(_ outcome: DerivedFiring.Outcome, _ counts: [(DerivedFiring.Outcome, Int)]) -> Int? {
        counts.first { $0.0 == outcome }?.1
    }
}

/// `derived --check`: what the app recorded of its derived values, held against their definitions.
struct DerivedCheck {
    private let context: CommandContext
    private let story: CommitStory
    private var counts: [Count]

    typealias Count = (name: String, compared: Int, differences: Int, incomparable: Int)

    private var list: LineList<DerivedFiring>

    init(_ values: [DerivedValue], _ order: ListOrder, _ context: CommandContext) {
        self.context = context
        list = LineList(order, lookAhead: 1)
        story = CommitStory(context)
        counts = values.compactMap { value in
            guard case .query = value.formula else { return nil }
            return (value.name, 0, 0, 0)
        }
    }

    mutating func take(_ firing: DerivedFiring) throws {
        guard let differs = firing.differsFromRecorded,
            let index = counts.firstIndex(where: { UTF8Order.equal($0.name, firing.name) })
        else { return }
        counts[index].compared += 1
        guard differs else { return }
        counts[index].differences += 1
        for firing in list.take(firing) {
            try context.write(Self.difference((firing, Record(firing.record))), or: line(firing))
        }
    }

    mutating func note(incomparable count: Int, of name: String) {
        guard let index = counts.firstIndex(where: { UTF8Order.equal($0.name, name) }) else { return }
        counts[index].incomparable = count
    }

    func finish(_ path: String) throws -> ExitStatus {
        for count in counts {
            try context.write(
                Self.answer(count),
                or: "\(count.name, .heading)  compared \(count.compared)  differences \(count.differences)")
        }
        let incomparable = counts.reduce(0) { $0 + $1.incomparable }
        if incomparable > 0 {
            context.messages.note(
                "\(incomparable) outcome\(incomparable == 1 ? " was" : "s were") not compared: which versions of other stores "
                    + "\(incomparable == 1 ? "it" : "they") saw is not known")
        }
        if counts.allSatisfy({ $0.compared == 0 }) {
            context.messages.warn(
                code: "derived.nothing-compared", "nothing was compared",
                notes: ["'\(path)' has no outcome of a value that is defined"],
                help: ["'--define NAME=QUERY' defines a value that the app recorded"])
            return .inconclusive
        }
        return counts.contains { $0.differences > 0 } ? .negative : .done
    }

    /// As `118  total  recorded fired -3, by its definition same 12  Shop/Cart.swift:42`.
    private func line(_ firing: DerivedFiring) throws -> StoryLine {
        func text(_ outcome: String, _ value: JSONValue?) -> String {
            outcome + (value.map { " " + story.value($0, after: 0) } ?? "")
        }
        let recorded = firing.recorded.map { text($0.outcome.rawValue, $0.value) } ?? ""
        let own = text(firing.outcome.rawValue, firing.value)
        let place = RecordSummary(try Record(firing.record)).location.map { "  \($0, .location)" as StoryLine } ?? ""
        return "\(firing.seq, .commit)  \(firing.name, .heading)  recorded \(recorded), by its definition \(own)"
            + place
    }

    static let difference = AnswerKind<(firing: DerivedFiring, record: Record)>(
        "derived.difference", "a commit at which the app recorded other than the definition says",
        DerivedPrinter.members("the number of the commit", \.firing) + [
            DerivedPrinter.recorded(\.firing),
            .always("at", "the place in the source of the record, null where it has none", .at, of: \.record),
        ])

    static let answer = AnswerKind<Count>(
        "derived.check", "how many recorded outcomes were held against a definition",
        [
            .always("name", "the name of the derived value", \.name),
            .always("compared", "how many were compared", \.compared),
            .always("differences", "how many differ", \.differences),
            .always(
                "incomparable", "how many could not be compared, as it is not known what they saw of other stores",
                \.incomparable),
        ])
}
