import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

/// `derived --check`: what the app recorded of its derived values, held against their definitions.
struct DerivedCheck {
    private let context: CommandContext
    private let table: ChangeTable
    private var counts: [Count]

    typealias Count = (name: String, compared: Int, differences: Int, incomparable: Int)

    private var list: LineList<DerivedFiring>

    init(_ values: [DerivedValue], _ order: ListOrder, _ context: CommandContext) {
        self.context = context
        list = LineList(order, lookAhead: 1)
        table = ChangeTable(style: context.style, width: context.terminal.width)
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
            try context.write(Self.difference((firing, Record(firing.record))), or: text(firing))
        }
    }

    mutating func note(incomparable count: Int, of name: String) {
        guard let index = counts.firstIndex(where: { UTF8Order.equal($0.name, name) }) else { return }
        counts[index].incomparable = count
    }

    func finish(_ path: String) throws -> ExitStatus {
        for count in counts {
            let name = context.style(.heading, ControlCharacters.escaped(count.name))
            try context.write(
                Self.answer(count), or: "\(name)  compared \(count.compared)  differences \(count.differences)")
        }
        let incomparable = counts.reduce(0) { $0 + $1.incomparable }
        if incomparable > 0 {
            context.messages.note(
                "\(incomparable) outcome\(incomparable == 1 ? " was" : "s were") not compared: which versions of other stores "
                    + "\(incomparable == 1 ? "it" : "they") saw is not known")
        }
        if counts.allSatisfy({ $0.compared == 0 }) {
            context.messages.report(
                Diagnostic(
                    .warning, code: "derived.nothing-compared", "nothing was compared",
                    notes: ["'\(path)' has no outcome of a value that is defined"],
                    help: ["'--define NAME=QUERY' defines a value that the app recorded"]))
            return .inconclusive
        }
        return counts.contains { $0.differences > 0 } ? .negative : .done
    }

    /// As `118  total  recorded fired -3, by its definition same 12  Shop/Cart.swift:42`.
    private func text(_ firing: DerivedFiring) throws -> String {
        let summary = RecordSummary(try Record(firing.record))
        let recorded = firing.recorded.map { entry in
            entry.outcome.rawValue + (entry.value.map { " " + table.value($0, after: 0) } ?? "")
        }
        let own = firing.outcome.rawValue + (firing.value.map { " " + table.value($0, after: 0) } ?? "")
        var parts = [
            context.style(.commit, "\(firing.seq.rawValue)"),
            context.style(.heading, ControlCharacters.escaped(firing.name)),
            "recorded \(recorded ?? ""), by its definition \(own)",
        ]
        if let location = summary.location {
            parts.append(context.style(.location, ControlCharacters.escaped(location)))
        }
        return parts.joined(separator: "  ")
    }
}

extension DerivedCheck {
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
