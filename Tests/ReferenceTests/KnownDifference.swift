/// What is known to differ from the contract, until it is mended: then its entry goes.
struct KnownDifference: Sendable {
    let reason: String
    let matches: @Sendable (ReferenceCase, ReferenceCase.Difference) -> Bool

    static let all: [KnownDifference] = [
        KnownDifference(reason: "'minimize' does not go on with whole states where a patch needs them") {
            pair, difference in
            pair.question.command == .minimize
                && difference.run.messages.contains("cannot be applied to a part of the state")
        },
        KnownDifference(reason: "changes that come to nothing make no commit idle") { pair, difference in
            pair.question.command == .stats && difference.fault.hasPrefix("'idle'")
        },
        KnownDifference(
            reason:
                "a numeral as a key of an object is taken for an index, and what is only moved to a path for nothing"
        ) {
            pair, _ in
            pair.question.filterPath != nil && pair.draft.hasCommit { $0.op != "replace" && $0.op != "test" }
        },
        KnownDifference(reason: "'replay --reverse' does not tell that a query fails") { pair, difference in
            pair.rephrasing == .reversed && difference.fault.contains("the status is 0, not 5")
        },
        KnownDifference(reason: "an ignored element is an addition or a removal of null") { pair, _ in
            pair.question.ignoredPath != nil
        },
        KnownDifference(reason: "'derived' and 'history' read something without '--recover'") { pair, difference in
            pair.question.recovers && difference.run.status == 3
                && (pair.question.command == .derived || pair.question.command == .history)
        },
    ]

    /// The known difference that this is, nil where it is a new one.
    static func of(_ pair: ReferenceCase, _ difference: ReferenceCase.Difference) -> KnownDifference? {
        all.first { $0.matches(pair, difference) }
    }
}

extension Draft {
    /// Whether a commit has an operation of some kind.
    fileprivate func hasCommit(where matches: (Operation) -> Bool) -> Bool {
        events.contains {
            if case .commit(let commit) = $0 { commit.operations.contains(where: matches) } else { false }
        }
    }
}
