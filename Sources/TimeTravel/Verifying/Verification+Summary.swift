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

        /// Of nothing yet.
        package init() {}
    }

    /// A name that stands twice in one object.
    public struct RepeatedName: Sendable, Equatable {
        /// The name.
        public var name: String
        /// Its line.
        public var line: LineNumber?
        /// Where the line begins.
        public var byte: ByteOffset

        package init(name: String, line: LineNumber?, byte: ByteOffset) {
            (self.name, self.line, self.byte) = (name, line, byte)
        }
    }
}

extension Verification.Summary {
    /// Adds what was looked at in the part of the file after it.
    package mutating func add(_ other: Verification.Summary) {
        commits += other.commits
        records += other.records
        sums += other.sums
        gaps += other.gaps
        problems += other.problems
        linesWithRepeatedNames += other.linesWithRepeatedNames
        firstRepeatedName = firstRepeatedName ?? other.firstRepeatedName
        isEnded = isEnded || other.isEnded
    }
}
