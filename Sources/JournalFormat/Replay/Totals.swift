import JSONCore

/// What a file holds up to a record: what lets a reader answer without reading a large file.
///
/// The one count of totals: ``count(_:)`` takes the records in the order in which they stand. Names are compared by their bytes.
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

    private var counts = NameTable<Int>()
    private var openNames = NameTable<Bool>()
    /// The first so many names of derived values are kept, the others are counted: an app may make one for each row that it shows.
    public static let namedDerived = 1_000

    private var derivedNames = NameTable<Bool>()
    /// How many derived values were declared after those that are named.
    public private(set) var moreDerived = 0
    /// How many marks.
    public var marks: Int
    /// How many gaps.
    public var gaps: Int
    /// How many commits whose closure threw.
    public var aborts: Int

    /// Totals of an empty file, or of given counts.
    public init(
        commits: [StoreCommits] = [], open: [String] = [], derived: [String] = [], moreDerived: Int = 0, marks: Int = 0,
        gaps: Int = 0, aborts: Int = 0
    ) {
        self.marks = marks
        self.gaps = gaps
        self.aborts = aborts
        self.commits = commits
        self.open = open
        for name in derived { count(derived: name) }
        countMoreDerived(moreDerived)
    }

    /// Commits by store name, in the order in which the stores first opened or committed; a name that is not there has none.
    public var commits: [StoreCommits] {
        get { counts.map { StoreCommits(store: $0.name, count: $0.value) } }
        set {
            counts = NameTable()
            for entry in newValue { counts[entry.store] = entry.count }
        }
    }

    /// The names of the open stores, in the order in which they opened.
    public var open: [String] {
        get { openNames.names }
        set { openNames = NameTable(newValue, true) }
    }

    /// The names of the derived values that were declared first.
    public var derived: [String] { derivedNames.names }

    /// Counts a derived value that was declared.
    public mutating func count(derived name: String) {
        if derivedNames.count < Totals.namedDerived {
            derivedNames[name] = true
        } else if derivedNames[name] == nil {
            moreDerived = Totals.sum(moreDerived, 1)
        }
    }

    /// All commits that are in the file.
    public var commitCount: Int { counts.reduce(0) { Totals.sum($0, $1.value) } }

    /// How many commits a store's name has.
    public func commits(of store: String) -> Int { counts[store] ?? 0 }

    /// Whether a store of that name is open.
    public func isOpen(_ store: String) -> Bool { openNames[store] != nil }

    mutating func countMoreDerived(_ count: Int) { moreDerived = Totals.sum(moreDerived, count) }

    /// Counts one record more.
    ///
    /// - Complexity: O(1); for a gap O(*n*) in its stores.
    public mutating func count(_ record: CountedRecord) {
        switch record.kind {
        case .commit: counts.update(record.name, default: 0) { $0 = Totals.sum($0, 1) }
        case .store:
            // One that never commits is to be known all the same.
            counts.update(record.name, default: 0) { _ in }
            openNames[record.name] = true
        case .close: openNames[record.name] = nil
        case .derived: count(derived: record.name)
        case .mark: marks = Totals.sum(marks, 1)
        case .abort: aborts = Totals.sum(aborts, 1)
        case .gap:
            gaps = Totals.sum(gaps, 1)
            open = record.states
        case .journal, .outcome, .keyframe, .end, .other: break
        }
    }

    /// A file may claim any number: what is added to it stops at the largest.
    private static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, overflows) = a.addingReportingOverflow(b)
        return overflows ? .max : sum
    }

    /// What differs from other totals, in words, these being the right ones; nil where nothing does.
    public func difference(from claimed: Totals) -> String? {
        for (store, count) in counts where claimed.commits(of: store) != count {
            return "'totals' has \(claimed.commits(of: store)) commits of '\(store)', should be \(count)"
        }
        for (store, count) in claimed.counts where count != 0 && counts[store] == nil {
            return "'totals' has \(count) commits of '\(store)', should be 0"
        }
        if !hasSameOpenStores(as: claimed) { return "'totals' names other open stores than there are" }
        if !derivedNames.hasSameNames(as: claimed.derivedNames) {
            return "'totals' names other derived values than were declared"
        }
        for (name, said, counted) in [
            ("more derived values", claimed.moreDerived, moreDerived), ("marks", claimed.marks, marks),
            ("gaps", claimed.gaps, gaps), ("aborts", claimed.aborts, aborts),
        ] where said != counted {
            return "'totals' has \(said) \(name), should be \(counted)"
        }
        return nil
    }

    /// Whether both name the same open stores, in whatever order.
    package func hasSameOpenStores(as other: Totals) -> Bool { openNames.hasSameNames(as: other.openNames) }

    /// Whether both count the same, in the same order.
    public static func == (a: Totals, b: Totals) -> Bool {
        a.marks == b.marks && a.gaps == b.gaps && a.aborts == b.aborts && a.commits == b.commits && a.open == b.open
            && a.derived == b.derived && a.moreDerived == b.moreDerived
    }
}

/// What is known of one file as it is written: its totals, its last commit and time, its length, and when the next keyframe is due.
package struct WrittenTotals: Sendable {
    package private(set) var totals = Totals()
    package private(set) var lastCommit: CommitNumber
    /// The time of the last line that has one, or what the clock was set back to then.
    private(set) var lastTime = Timestamp.earliest
    package private(set) var byteCount = 0
    private var keyframes = KeyframeRule()

    package init(start: CommitNumber) { lastCommit = start }

    /// Whether a keyframe is due directly after the last commit.
    package var needsKeyframe: Bool { keyframes.isDue }

    /// Counts lines in the order in which they lie in the file.
    package mutating func count(_ records: [CountedRecord]) {
        for record in records { count(record) }
    }

    /// Counts the next line.
    package mutating func count(_ record: CountedRecord) {
        byteCount += record.byteCount
        keyframes.count(record)
        if let time = record.time { lastTime = time }
        if record.kind == .commit || record.kind == .gap { lastCommit = record.seq }
        totals.count(record)
    }
}
