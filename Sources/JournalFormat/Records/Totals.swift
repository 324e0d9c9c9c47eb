/// What a file holds up to a record: what lets a reader answer without reading a large file.
public struct Totals: Sendable, Equatable {
    /// How many commits a store's name has in this file, over all its lives.
    public struct StoreCommits: Sendable, Equatable {
        /// The store's name.
        public var store: String
        /// How many commits.
        public var count: Int

        /// Counts a store's commits.
        public init(store: String, count: Int) {
            self.store = store
            self.count = count
        }
    }

    /// Commits by store name, in the order in which the stores first committed; a name that is not there has none.
    public var commits: [StoreCommits]
    /// The names of the open stores.
    public var open: [String]
    /// The names of the declared derived values.
    public var derived: [String]
    /// How many marks.
    public var marks: Int
    /// How many gaps.
    public var gaps: Int
    /// How many commits whose closure threw.
    public var aborts: Int

    /// Totals of an empty file, or of given counts.
    public init(
        commits: [StoreCommits] = [], open: [String] = [], derived: [String] = [], marks: Int = 0, gaps: Int = 0,
        aborts: Int = 0
    ) {
        self.commits = commits
        self.open = open
        self.derived = derived
        self.marks = marks
        self.gaps = gaps
        self.aborts = aborts
    }
}
