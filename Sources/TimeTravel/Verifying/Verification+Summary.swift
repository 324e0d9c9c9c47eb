public import JournalFormat

extension Verification {
    /// What a verification looked at.
    public struct Summary: Sendable, Equatable {
        /// How many commits are in the file.
        public var commits = 0
        /// How many records.
        public var records = 0
        /// How many lines have a sum.
        public var sums = 0
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

extension Verification.Summary {
    /// Adds what was looked at in the part of the file after it, where all is well with both.
    mutating func add(_ other: Verification.Summary) {
        commits += other.commits
        records += other.records
        sums += other.sums
        gaps += other.gaps
        isEnded = other.isEnded
    }
}
