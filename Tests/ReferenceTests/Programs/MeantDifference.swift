/// What is meant to be answered in another way than by the other program; an entry goes when that program is built anew.
struct MeantDifference: Sendable {
    let reason: String
    let matches: @Sendable (Trial, Trial.Difference) -> Bool

    static let all = [
        MeantDifference(
            reason: """
                A line is taken apart strictly as soon as anything of it is read, in any form. Before, a damaged one of another form was \
                followed by its brackets: other things of it were counted, and the damage was met later, at its front, or never.
                """
        ) { trial, difference in !trial.journal.isJSON && !difference.isGreener }
    ]

    /// The difference that is meant, nil where it is a fault.
    static func of(_ trial: Trial, _ difference: Trial.Difference) -> MeantDifference? {
        all.first { $0.matches(trial, difference) }
    }
}
