/// What is known to differ from the contract, until it is mended: then its entry goes.
struct KnownDifference: Sendable {
    let reason: String
    let matches: @Sendable (ReferenceCase, ReferenceCase.Difference) -> Bool

    static let all: [KnownDifference] = [
        KnownDifference(reason: "'diff' of two positions across a gap says nothing of it (F9)") { pair, difference in
            pair.question.command == .diff && difference.fault.hasPrefix("the status is 0, should be [")
        }
    ]

    /// The known difference that this is, nil where it is a new one.
    static func of(_ pair: ReferenceCase, _ difference: ReferenceCase.Difference) -> KnownDifference? {
        all.first { $0.matches(pair, difference) }
    }
}
