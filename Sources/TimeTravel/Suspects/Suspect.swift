package import JournalFormat

/// A place in the source that may be to blame for a symptom, and what speaks against it.
package struct Suspect: Sendable {
    /// In how many trials something was met, and of how many.
    package struct Share: Sendable, Equatable {
        /// In how many.
        package let with: Int
        /// Of how many.
        package let of: Int
    }

    /// What is met in the failed trials rather than in the others.
    package enum Sign: Sendable, Equatable {
        /// A commit was made there.
        case made
        /// A commit that another place caused; nil where nothing did.
        case caused(by: CommitPlace?)
        /// A commit with so many changes.
        case changes(Int)
        /// A commit that was the next after one of another place; nil where it was the first of the run.
        case after(CommitPlace?)
    }

    /// Where its commits are made.
    package let place: CommitPlace
    /// The mean of Ochiai's coefficient of the place and of its surest sign, 0 to 1.
    package let score: Double
    /// The surest sign.
    package let sign: Sign
    /// How often the sign was met in trials that failed.
    package let bad: Share
    /// How often in trials that passed.
    package let good: Share
    /// Its first commit in a trial that failed, and the number of the run, from 0.
    package let first: (run: Int, commit: CommitNumber)
    /// Of its commits in the bad runs, up to the symptom: how many there were, and how many changed nothing.
    package let commits: (all: Int, idle: Int)
}

/// The suspects of some runs, and what they were taken from.
package struct Suspects: Sendable {
    /// The most suspicious first.
    package let ranking: [Suspect]
    /// Whether nothing stands out: the ranking then is no better than chance.
    package let isAbstaining: Bool
    /// How many places were candidates.
    package let places: Int
    /// How many signs of them were counted.
    package let elements: Int
    /// How many trials failed and passed.
    package let trials: (failed: Int, passed: Int)
}
