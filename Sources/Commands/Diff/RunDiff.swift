import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
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
        context.messages.warn(
            code: "diff.across-gap",
            "the runs are equal as far as they can be compared: up to commit \(gap.first.previous) of "
                + "'\(gap.isLeft ? left : right)'",
            notes: ["the commits from \(gap.first) on were lost, and how many each store made of them is not known"]
        )
        return .inconclusive
    }

    func changes(_ found: Divergence) -> [StateChange] {
        StateChange.all(in: found.patch).map { $0.shown(in: scope) }
    }

    func story(_ found: Divergence, _ changes: [StateChange], _ context: CommandContext) throws -> [StoryLine] {
        let shared = found.common.counted("commit")
        guard !changes.isEmpty || found.store != nil else {
            return [isFinal ? "the runs end in equal states" : "the runs are equal: \(shared)"]
        }
        let story = CommitStory(context, of: .leftAndRight)
        let differing = changes.isEmpty ? ["  the states after it are equal"] : story.lines(changes, indent: 2)
        if isFinal { return ["\("the runs end in different states", .heading)", ""] + differing }
        func summary(_ record: OwnedRecord?) throws -> RecordSummary? {
            try record.map { RecordSummary(try Record($0), scope: scope) }
        }
        let first = (left: try summary(found.left), right: try summary(found.right))
        let others = try found.others.map {
            (store: $0.store, left: try summary($0.left), right: try summary($0.right))
        }
        var columns = CommitLine()
        let records = [first.left, first.right] + others.flatMap { [$0.left, $0.right] }
        for record in records.compactMap({ $0?.withoutCause }) { columns.measure(record) }
        func sides(_ left: RecordSummary?, _ right: RecordSummary?) -> [StoryLine] {
            [("left ", left), ("right", right)].flatMap { name, record -> [StoryLine] in
                let text = record.map { columns.text($0.withoutCause) } ?? "has no further commit of it"
                let action = record?.action.map { story.line($0, indent: 10, column: 9) }
                return ["  \(name, .dim)   \(text)"] + (action.map { [$0] } ?? [])
            }
        }
        var lines: [StoryLine] = [
            "\("the runs part", .heading) after \(shared) that both have, in the store \(found.store ?? "")", "",
        ]
        lines += sides(first.left, first.right) + [""] + differing
        for other in others {
            lines += ["", "\("they part in the store \(other.store) too", .heading)", ""]
            lines += sides(other.left, other.right)
        }
        let commands = [(left, first.left), (right, first.right)].compactMap { journal, record -> String? in
            let advice = Advice(journal, scope)
            guard advice.isPossible, let record, record.kind == .commit else { return nil }
            return advice.command(.show, ["\(record.seq)"])
        }
        return lines + Advice.lookFurther(commands)
    }
}
