import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import TimeTravel

/// `diff LEFT RIGHT`: where two runs part.
struct RunDiff {
    let left: String
    let right: String
    let scope: StoreScope
    let ignored: [PathPattern]
    let isFinal: Bool

    func divergence(in context: CommandContext) throws -> Divergence {
        let left = try JournalInput.whole(left, in: context)
        let right = try JournalInput.whole(right, in: context)
        var options = Divergence.Options()
        options.store = scope.store
        options.ignored = PathMatcher(ignored.map(\.steps))
        options.findsOthers = true
        let found =
            try isFinal
            ? Divergence.ofLastStates(left.journal, right.journal, options)
            : Divergence.first(of: left.journal, and: right.journal, options)
        left.report(found.tornTails.left)
        right.report(found.tornTails.right)
        return found
    }

    func status(of found: Divergence, _ context: CommandContext) -> ExitStatus {
        guard found.isEqual else { return .negative }
        guard let gap = found.gap else { return .done }
        context.messages.report(
            Diagnostic(
                .warning, code: "diff.across-gap",
                "the runs are equal as far as they can be compared: up to commit \(gap.first.previous) of "
                    + "'\(gap.isLeft ? left : right)'",
                notes: ["the commits from \(gap.first) on were lost, and how many each store made of them is not known"]
            ))
        return .inconclusive
    }

    func changes(_ found: Divergence) -> [Change] {
        StateChange.all(in: found.patch).map { Change($0, scope: scope) }
    }
}

/// Where two runs part, written for a person: what they share, what each did then, what differs after it, how to look
/// further.
struct DivergenceStory {
    /// One of the runs.
    struct Side {
        var journal: String
        /// What it did there; nil where it ends.
        var record: RecordSummary?
    }

    struct Other {
        var store: String
        var left: Side
        var right: Side
    }

    let left: Side
    let right: Side
    var scope = StoreScope(store: nil)
    let store: String?
    let common: Int
    let isFinal: Bool
    let changes: [Change]
    var others: [Other] = []
    let style: Style
    let width: Int?

    var lines: [String] {
        let shared = common.counted("commit")
        guard !changes.isEmpty || store != nil else {
            return [isFinal ? "the runs end in equal states" : "the runs are equal: \(shared)"]
        }
        let table =
            changes.isEmpty
            ? ["  the states after it are equal"]
            : ChangeTable(style: style, width: width, of: .leftAndRight).lines(changes, indent: 2)
        if isFinal { return [style(.heading, "the runs end in different states"), ""] + table }
        var lines = [
            style(.heading, "the runs part") + " after \(shared) that both have, in the store "
                + ControlCharacters.escaped(store ?? ""), "",
        ]
        var columns = CommitLine(style: style)
        let sides = [left, right] + others.flatMap { [$0.left, $0.right] }
        for record in sides.compactMap({ $0.record?.withoutCause }) { columns.measure(record) }
        lines += side("left ", left, &columns)
        lines += side("right", right, &columns)
        lines += [""] + table
        for other in others {
            lines += ["", style(.heading, "they part in the store \(ControlCharacters.escaped(other.store)) too"), ""]
            lines += side("left ", other.left, &columns) + side("right", other.right, &columns)
        }
        return lines + [""] + lookFurther
    }

    private func side(_ name: String, _ side: Side, _ columns: inout CommitLine) -> [String] {
        let text = side.record.map { columns.text($0.withoutCause) } ?? "has no further commit of it"
        let start = "  " + style(.dim, name) + "   "
        let table = ChangeTable(style: style, width: width)
        let action = side.record?.action.map { table.line($0, indent: DisplayWidth.of(start), column: 9) }
        return [start + text, action].compactMap(\.self)
    }

    private var lookFurther: [String] {
        let commands = [left, right].compactMap { side -> String? in
            let advice = Advice(side.journal, scope)
            guard advice.isPossible, let record = side.record, record.kind == .commit else { return nil }
            return advice.command(.show, ["\(record.seq)"])
        }
        return Advice.lookFurther(commands, style)
    }
}
