public import JournalFormat

/// Something in a journal that is not what the format, or the replay, says it must be.
public struct VerificationProblem: Sendable, Equatable {
    /// What kind of problem it is; the raw value is its stable name.
    public enum Code: String, Sendable, CaseIterable {
        /// A line that is not what the format says, or a number that jumps.
        case damage
        /// A line whose bytes do not give its sum.
        case sum
        /// A member that is missing or of another type.
        case record
        /// A time before the one of an earlier record.
        case time
        /// A patch that does not apply to the replayed state.
        case patch
        /// An `old` that is not what the replay has there.
        case old
        /// A keyframe that differs from the replay.
        case keyframe
        /// Totals that differ from what was counted.
        case totals
        /// A store that is opened while it is open, or written or closed while it is not.
        case store
        /// A cause that is not an earlier commit.
        case cause
        /// A gap that does not begin after the last commit.
        case gap
        /// An outcome of a commit that is not made yet, or of an unknown name.
        case outcome
        /// A record after the end.
        case end
        /// A last line that is cut off.
        case torn
    }

    /// What kind of problem it is.
    public let code: Code
    /// The line, if it was counted.
    public let line: LineNumber?
    /// The first byte that it is about.
    public let byte: ByteOffset
    /// The problem in words.
    public let message: String
}

extension Verification {
    /// What a verification looked at.
    public struct Summary: Sendable, Equatable {
        /// How many commits are in the file.
        public var commits = 0
        /// How many records.
        public var records = 0
        /// How many lines have a sum.
        public var sums = 0
        /// How many lines end in CR LF, which is one problem.
        public var linesWithReturns = 0
        /// How many gaps there are, which are not a problem.
        public var gaps = 0
        /// Whether the run ended cleanly, which is not needed.
        public var isEnded = false
        /// How many problems were reported.
        public var problems = 0
        /// How many lines have a name twice in one object, which is not a problem if the last one is meant.
        public var linesWithRepeatedNames = 0
        /// The first of them.
        public var firstRepeatedName: RepeatedName?

        mutating func add(_ other: Verification.Summary) {
            commits += other.commits
            records += other.records
            sums += other.sums
            gaps += other.gaps
            isEnded = other.isEnded
        }
    }

    /// A name that stands twice in one object.
    public struct RepeatedName: Sendable, Equatable {
        /// The name.
        public var name: String
        /// Its line.
        public var line: LineNumber?
        /// Where the line begins.
        public var byte: ByteOffset
    }
}
