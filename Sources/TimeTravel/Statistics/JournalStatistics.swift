public import JSONCore
public import JournalFormat

/// What a run's commits are like: how many, how large, where from, and what they write.
///
/// Records are added one after another; memory is bounded by ``nameLimit`` and does not grow with the journal.
public struct JournalStatistics: Sendable {
    /// How many distinct paths (locations, functions, stores) are counted; beyond it counts are upper bounds.
    public static let nameLimit = 4096

    /// How many records of a kind there are, and their bytes with the ends of their lines.
    public struct KindSize: Sendable, Equatable {
        /// How many.
        public var count = 0
        /// Their bytes.
        public var bytes = 0
    }

    /// How many commits were added.
    public private(set) var commits = 0
    /// How many changes they make.
    public private(set) var changes = 0
    /// How many of them changed nothing: without changes, or with none that makes a difference.
    public private(set) var idle = 0
    /// The bytes of their patches, as compact JSON.
    public private(set) var patches = SizeHistogram()
    /// The commit with the largest patch; nil where there is none.
    public private(set) var largest: CommitNumber?
    /// When they were made.
    public private(set) var times = TimeHistogram()
    /// What they write: paths with numbers in them as `*`, by changes.
    public private(set) var paths = FrequentItems<CountedName>(capacity: nameLimit)
    /// The source lines that made them, as `file:line`, by commits.
    public private(set) var locations = FrequentItems<CountedName>(capacity: nameLimit)
    /// The functions that made them, by commits.
    public private(set) var functions = FrequentItems<CountedName>(capacity: nameLimit)
    /// Their stores, by commits.
    public private(set) var stores = FrequentItems<CountedName>(capacity: nameLimit)
    /// Paths whose value was put back within ``putBackWindow`` commits, by times.
    public private(set) var putBack = FrequentItems<CountedName>(capacity: nameLimit)
    /// The records by kind, in the order of `RecordKind`.
    public private(set) var kinds: [KindSize] = Array(repeating: KindSize(), count: RecordKind.allCases.count)

    /// Within how many commits a value counts as put back.
    public static let putBackWindow = PutBackWatch.window

    private var watch = PutBackWatch()
    private var writer = JSONWriter(style: .compact)

    /// Of nothing yet.
    public init() {}

    /// Whether every count is exact.
    public var isExact: Bool {
        paths.isExact && locations.isExact && functions.isExact && stores.isExact && putBack.isExact
    }

    /// The bytes of all records.
    public var bytes: Int { kinds.reduce(0) { $0 + $1.bytes } }

    /// Counts a record by its kind and size.
    public mutating func count(_ line: RecordLine) {
        let index = Int(line.kind.rawValue)
        kinds[index].count += 1
        kinds[index].bytes += line.end.rawValue - line.offset.rawValue
    }

    /// Adds a commit.
    ///
    /// - Throws: `RecordFault` where the record is no commit's.
    public mutating func add(_ record: JSONObject) throws(RecordFault) {
        let commit = try CommitRecord(record)
        let seq = commit.seq.rawValue
        commits += 1
        times.add(commit.time)
        addPatch(record["patch"] ?? .null, of: commit.seq)
        stores.add(CountedName(commit.store), last: seq)
        locations.add(CountedName("\(commit.at.file):\(commit.at.line)"), last: seq)
        functions.add(CountedName(commit.at.function), last: seq)
        let patch = commit.patch.inStore(commit.store)
        changes += patch.operations.count
        if patch.operations.allSatisfy(\.isIdle) { idle += 1 }
        for operation in patch.operations { paths.add(CountedName(operation.path.folded), last: seq) }
        for path in watch.take(patch) { putBack.add(CountedName(path.folded), last: seq) }
    }

    private mutating func addPatch(_ json: JSONValue, of commit: CommitNumber) {
        writer.bytes.removeAll(keepingCapacity: true)
        writer.write(json)
        let size = writer.bytes.count
        if size > patches.largest || largest == nil { largest = commit }
        patches.add(size)
    }
}

extension JSONPatch.Operation {
    /// Whether it leaves everything as it was.
    fileprivate var isIdle: Bool {
        switch self {
        case .replace(_, let value, let old?): value == old
        case .test: true
        default: false
        }
    }
}

extension JSONPointer {
    /// The path as a pattern, in which segments that may be indices are `*` and a key that is literally `*` is `~2`.
    fileprivate var folded: String {
        var text = ""
        for (place, segment) in segments.enumerated() {
            text += "/"
            // The first one is the store's name.
            if place > 0, segment == "-" || JSONPointer.arrayIndex(segment) != nil {
                text += "*"
            } else if UTF8Order.equal(segment, "*") {
                text += "~2"
            } else {
                JSONPointer.appendEscaped(segment, to: &text)
            }
        }
        return text
    }
}
