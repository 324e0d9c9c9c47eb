import StateStore
import TestSupport

/// An app that faults can be switched on in.
protocol Subject {
    static var name: String { get }
    /// What holds at every position of the app without a fault, as jq asks it of the whole state.
    static var invariants: [String] { get }

    init(_ bugs: Bugs, _ recorder: Recorder)

    /// What one user does, chosen by chance.
    func act(_ random: inout SeededGenerator)
    /// The end of a day: what the books say.
    func closeDay()
}

extension Subject {
    /// A run of some days; a third of the runs is short.
    func play(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<(seed % 3 == 0 ? 1 : 3) {
            for _ in 0..<Int.random(in: 8...26, using: &random) { act(&random) }
            closeDay()
        }
    }
}

/// A number below a limit.
func below(_ limit: Int, _ random: inout SeededGenerator) -> Int { Int.random(in: 0..<max(limit, 1), using: &random) }
