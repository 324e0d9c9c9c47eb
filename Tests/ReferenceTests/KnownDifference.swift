/// What is known to differ from the contract, until it is mended: then its entry goes.
struct KnownDifference: Sendable {
    let reason: String
    let matches: @Sendable (ReferenceCase, ReferenceCase.Difference) -> Bool

    static let all: [KnownDifference] = [
        KnownDifference(reason: "a look-up beside the pass reads without '--recover'") { pair, difference in
            pair.question.recovers && difference.run.status == 3
        },
        KnownDifference(reason: "'stats --recover' does not say by its status that commits were lost") {
            pair, difference in
            pair.question.recovers && pair.question.command == .stats
                && difference.fault.hasPrefix("the status is 0, should be [5]")
        },
    ]

    /// The known difference that this is, nil where it is a new one.
    static func of(_ pair: ReferenceCase, _ difference: ReferenceCase.Difference) -> KnownDifference? {
        all.first { $0.matches(pair, difference) }
    }
}
