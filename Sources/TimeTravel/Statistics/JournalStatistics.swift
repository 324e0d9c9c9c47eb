public import JSONCore
public import JournalFormat
public import JournalReading

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
        /// The bytes of the lines of one kind.
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
    /// The time of the first one; nil where there is none.
    public private(set) var first: Timestamp?
    /// The latest time.
    public private(set) var last: Timestamp?
    /// What they write: paths with numbers in them as `*`, by changes.
    public private(set) var paths = FrequentItems<ByteName>(capacity: nameLimit)
    /// The source lines that made them, as `file:line`, by commits.
    public private(set) var locations = FrequentItems<ByteName>(capacity: nameLimit)
    /// The functions that made them, by commits.
    public private(set) var functions = FrequentItems<ByteName>(capacity: nameLimit)
    /// The stores of the commits, by how many commits each has.
    public private(set) var stores = FrequentItems<ByteName>(capacity: nameLimit)
    /// Paths whose value was put back within ``putBackWindow`` commits, by times.
    public private(set) var putBack = FrequentItems<ByteName>(capacity: nameLimit)
    /// The records by kind, in the order of `RecordKind`.
    public private(set) var kinds: [KindSize] = Array(repeating: KindSize(), count: RecordKind.allCases.count)

    /// Within how many commits a value counts as put back.
    public static let putBackWindow = PutBackWatch.window

    private var watch = PutBackWatch()
    /// Which texts of members `at` are places in source code.
    private var places = RecentTexts<Bool>(capacity: 512)
    // The slots of the names that were met lately, by their texts: a slot is its name's own as long as its table is exact.
    private var sources = RecentTexts<(location: Int, function: Int)>(capacity: 512)
    /// With the pointers to the stores in the whole state.
    private var storeNames = RecentTexts<(slot: Int, pointer: [UInt8])>(capacity: 64)
    /// By the pointers into the whole state as they are written, not folded.
    private var pathNames = RecentTexts<Int>(capacity: 4096)
    private var pointer: [UInt8] = []

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
    /// - Parameter isIdle: is asked of a commit with changes whether they come to nothing.
    /// - Throws: `JournalError` with the damage where the record is not a commit's.
    /// - Complexity: the line is read once and a look-up for each of its names.
    public mutating func add(
        _ line: RecordLine, isIdle: (RecordLine) throws(JournalError) -> Bool = { _ in false }
    ) throws(JournalError) {
        let commit = try CheckedCommit(line, &places)
        let (text, seq) = (commit.text, line.seq.rawValue)
        begin(line.seq, commit.time, patchSize: text.patch.writtenSize)
        if let at = text.at { count(source: at, seq) }
        let store = text.store.withBytes { count(store: $0, seq) }
        // Taken out meanwhile, since the counts change.
        var path: [UInt8] = []
        swap(&path, &pointer)
        var (changesNothing, last): (Bool, PatchOperation?) = (true, nil)
        for operation in text.operations {
            last = operation
            path.replaceSubrange(0..., with: store)
            operation.path?.withBytes { path.append(contentsOf: $0) }
            let from = operation.source.map { source in source.withBytes { store + $0 } }
            changesNothing = add(operation, at: path, from: from, seq) && changesNothing
        }
        swap(&path, &pointer)
        // The changes say that they leave everything as it was, or a single one that it makes a difference.
        let isKnown = changesNothing || text.patch.count == 1 && last?.isSure == true
        if try isKnown ? changesNothing : isIdle(line) { idle += 1 }
    }

    /// Returns whether it leaves everything as it was; pointers are into the whole state.
    private mutating func add(_ change: PatchOperation, at path: [UInt8], from: [UInt8]?, _ seq: Int) -> Bool {
        if change.name == .test { return true }
        changes += 1
        return path.withBytes { path in
            count(path: path, inserting: change.name != .replace && change.name != .remove, seq)
            guard change.name == .replace, let value = change.value?.text, let old = change.old?.text else {
                watch.edit(at: path, from: from)
                return false
            }
            let isSame = value.isSameValue(as: old)
            if watch.replace(at: path, value, old: old, isSame: isSame) {
                putBack.add(JSONPointer.folded(path, inserting: false), last: seq)
            }
            return isSame
        }
    }

    private mutating func begin(_ commit: CommitNumber, _ time: Timestamp, patchSize: Int) {
        commits += 1
        times.add(time)
        if first == nil { first = time }
        last = max(last ?? time, time)
        if patchSize > patches.largest || largest == nil { largest = commit }
        patches.add(patchSize)
        watch.beginCommit()
    }

    // MARK: Names

    private mutating func count(source at: JSONToken, _ seq: Int) {
        let text = at.text
        if locations.isExact, functions.isExact, let known = sources.value(of: text) {
            locations.add(inSlot: known.location, last: seq)
            functions.add(inSlot: known.function, last: seq)
        } else if let at = SourceLocation(at) {
            let location = locations.add(ByteName("\(at.file):\(at.line)"), last: seq)
            sources.keep((location, functions.add(ByteName(at.function), last: seq)), of: text)
        }
    }

    private mutating func count(store text: ByteView, _ seq: Int) -> [UInt8] {
        if stores.isExact, let known = storeNames.value(of: text) {
            stores.add(inSlot: known.slot, last: seq)
            return known.pointer
        }
        let name = String(decoding: text, as: UTF8.self)
        let pointer = Array(JSONPointer([name]).text.utf8)
        storeNames.keep((stores.add(ByteName(name), last: seq), pointer), of: text)
        return pointer
    }

    private mutating func count(path text: ByteView, inserting: Bool, _ seq: Int) {
        // What one text is counted as is kept, but for a `-`, which is a name or the end of an array.
        if text.last == UInt8(ascii: "-") {
            return _ = paths.add(JSONPointer.folded(text, inserting: inserting), last: seq)
        }
        if paths.isExact, let slot = pathNames.value(of: text) { return paths.add(inSlot: slot, last: seq) }
        pathNames.keep(paths.add(JSONPointer.folded(text, inserting: inserting), last: seq), of: text)
    }
}

extension JSONToken {
    fileprivate var writtenSize: Int {
        if isAsWritten { return text.count }
        var writer = JSONWriter()
        writer.write(value())
        return writer.bytes.count
    }
}

extension JSONPointer {
    static func folded(_ text: ByteView, inserting: Bool) -> ByteName {
        let text = String(decoding: text, as: UTF8.self)
        return ByteName((try? JSONPointer(parsing: text))?.folded(inserting: inserting) ?? text)
    }

    /// The path as a pattern: `*` for what may be an index, also a last `-` where something is put, and `~2` for a key
    /// that is `*`.
    private func folded(inserting: Bool) -> String {
        var text = ""
        for (place, segment) in segments.enumerated() {
            text += "/"
            // The first one is the store's name.
            let isEnd = inserting && place == segments.count - 1 && segment == "-"
            if place > 0, isEnd || JSONPointer.arrayIndex(segment) != nil {
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
