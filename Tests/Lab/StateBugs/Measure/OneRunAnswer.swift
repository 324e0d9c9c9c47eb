import TestSupport

/// What `suspects` of one run says of a case, and why it can say so.
struct OneRunAnswer {
    /// The ranking that is looked at.
    static let ranking = "suspects of one run"
    /// A case is missed whose guilty place is not among the first so many.
    private static let most = 5.0
    private static let chosen = 10

    /// Where the first bad run meets the guilty place, cut into trials as `suspects` cuts it.
    private enum Meeting: String, CaseIterable {
        case failedAlone = "is in the failed trial alone"
        case somePassed = "is in some passed trials"
        case everyPassed = "is in every passed trial"
        case nothingPassed = "is in the failed trial, and no trial passed"
        case closing = "closes the trials"
        case notFailed = "is not in the failed trial"
    }

    private let bug: BugCase
    private let rank: Double?
    /// What was named, the highest first; nil where the ranking abstained.
    private let named: [Place]?
    private let meeting: Meeting

    init(_ bug: BugCase, _ scores: [Place: Double]?) {
        self.bug = bug
        rank = scores.flatMap { GuiltyRank($0, bug.isGuilty)?.value }
        named = scores.map { scores in
            scores.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3).map(\.key)
        }
        meeting = Self.meeting(bug)
    }

    private static func meeting(_ bug: BugCase) -> Meeting {
        let run = bug.bad[0]
        if run.symptomPlace.map(bug.isGuilty) ?? false { return .closing }
        var trials = run.before.split { $0.place == run.symptomPlace }.map { $0.contains { bug.isGuilty($0.place) } }
        guard let failed = trials.popLast(), failed else { return .notFailed }
        if trials.isEmpty { return .nothingPassed }
        if trials.allSatisfy(\.self) { return .everyPassed }
        return trials.contains(true) ? .somePassed : .failedAlone
    }

    /// The guilty place's rank among its equals, in words.
    var rankText: String {
        guard named != nil else { return "abstains" }
        return rank.map { "\(Double(Int($0 * 10 + 0.5)) / 10)" } ?? "not met"
    }

    private func isFound(among limit: Double) -> Bool { rank.map { $0 <= limit } ?? false }

    // MARK: Printing

    /// Prints how the answers depend on where the guilty place is met, and ten misses, chosen by a seed.
    static func print(_ answers: [OneRunAnswer]) {
        Swift.print("\n| the guilty place | faults | top 3 | top 5 | abstains |\n| --- | --- | --- | --- | --- |")
        for meeting in Meeting.allCases {
            let some = answers.filter { $0.meeting == meeting }
            let counts = [
                some.count, some.count { $0.isFound(among: 3) }, some.count { $0.isFound(among: most) },
                some.count { $0.named == nil },
            ]
            Swift.print("| \(meeting.rawValue) | \(counts.map(String.init).joined(separator: " | ")) |")
        }
        let misses = answers.filter { !$0.isFound(among: most) }
        Swift.print("\n\(misses.count) misses of \(ranking), \(min(chosen, misses.count)) of them by seed 1:\n")
        var random = SeededGenerator(seed: 1)
        for miss in misses.shuffled(using: &random).prefix(chosen).sorted(by: { $0.bug.number < $1.bug.number }) {
            Swift.print("- \(miss.text)")
        }
    }

    private var text: String {
        let mutant = bug.mutant
        let places = named?.map { "\($0.function) at \($0.line)" } ?? ["nothing"]
        return "\(bug.number) \(mutant.file):\(mutant.line) \(mutant.function), \(mutant.kind.rawValue), "
            + "\(bug.distance) commits before '\(bug.symptom)': \(meeting.rawValue); rank \(rankText) of "
            + "\(bug.places.count); named: \(places.joined(separator: ", "))"
    }
}
