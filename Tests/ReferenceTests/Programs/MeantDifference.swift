/// What is meant to be answered in another way than by the other program; an entry goes when that program is built anew.
struct MeantDifference: Sendable {
    let reason: String
    let matches: @Sendable (Trial, Trial.Difference) -> Bool

    static let all: [MeantDifference] = []

    /// The difference that is meant, nil where it is a fault.
    static func of(_ trial: Trial, _ difference: Trial.Difference) -> MeantDifference? {
        all.first { $0.matches(trial, difference) }
    }
}
