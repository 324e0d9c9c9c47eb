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
