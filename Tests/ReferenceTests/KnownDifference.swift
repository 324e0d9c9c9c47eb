/// What is known to differ from the contract, until it is mended: then its entry goes.
struct KnownDifference: Sendable {
    let reason: String
    let matches: @Sendable (ReferenceCase, ReferenceCase.Difference) -> Bool

    static let all: [KnownDifference] = [
        KnownDifference(reason: "'blame --reverse' does not report commits of a store whose record is missing") {
            pair, _ in
            pair.question.command == .blame && pair.question.isReverse && !pair.draft.damages.isEmpty
        },
        KnownDifference(
            reason: "a commit directly before damage is counted as lost where the keyframe behind that has its number"
        ) {
            pair, difference in
            pair.question.command == .replay && pair.question.recovers && pair.draft.damages.first?.kind == .garbage
                && difference.fault.hasPrefix("the status is 5")
        },
        KnownDifference(reason: "'show' has only the marks that stand behind their commit") { pair, difference in
            pair.question.command == .show && pair.draft.damages.first?.kind == .swap
                && difference.fault.hasPrefix("'marks' of line")
        },
    ]

    /// The known difference that this is, nil where it is a new one.
    static func of(_ pair: ReferenceCase, _ difference: ReferenceCase.Difference) -> KnownDifference? {
        all.first { $0.matches(pair, difference) }
    }
}
