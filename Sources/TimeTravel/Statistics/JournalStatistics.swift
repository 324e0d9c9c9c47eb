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
    public private(set) var paths = FrequentItems<CountedName>(capacity: nameLimit)
    /// The source lines that made them, as `file:line`, by commits.
    public private(set) var locations = FrequentItems<CountedName>(capacity: nameLimit)
    /// The functions that made them, by commits.
    public private(set) var functions = FrequentItems<CountedName>(capacity: nameLimit)
    /// The stores of the commits, by how many commits each has.
    public private(set) var stores = FrequentItems<CountedName>(capacity: nameLimit)
    /// Paths whose value was put back within ``putBackWindow`` commits, by times.
    public private(set) var putBack = FrequentItems<CountedName>(capacity: nameLimit)
    /// The records by kind, in the order of `RecordKind`.
    public private(set) var kinds: [KindSize] = Array(repeating: KindSize(), count: RecordKind.allCases.count)

    /// Within how many commits a value counts as put back.
    public static let putBackWindow = PutBackWatch.window

    /// Whether the changes of the last commit may come to nothing, of which they say nothing themselves.
    private var mayBeIdle = false
    private var watch = PutBackWatch()
    private var names = CommitNames()
    private var compacted: [UInt8] = []

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
    /// - Complexity: the line is read once and a look-up for each of its names, and a copy of a line with white space in it; one
    ///   that is written in an unusual form, or has escapes in its names, is parsed.
    public mutating func add(
        _ line: RecordLine, isIdle: (RecordLine) throws(JournalError) -> Bool = { _ in false }
    ) throws(JournalError) {
        if !addInPlace(line) { try line.decode { (record) throws(RecordFault) in try add(record) } }
        if mayBeIdle, try isIdle(line) { idle += 1 }
    }

    /// Adds a commit as it is written; false, with nothing added, where it is to be parsed.
    private mutating func addInPlace(_ line: RecordLine) -> Bool {
        // Taken out during the call, since the counts change meanwhile.
        var copy: [UInt8] = []
        swap(&copy, &compacted)
        defer { compacted = copy }
        return line.withoutSpace(&copy) { line in line.isAsWritten ? CommitText(line).map { add($0, line.seq) } : nil }
            ?? false
    }

    /// Adds a commit.
    ///
    /// - Throws: `RecordFault` where the record is not a commit's.
    public mutating func add(_ record: JSONObject) throws(RecordFault) {
        let commit = try CommitRecord(record)
        let seq = commit.seq.rawValue
        var patch = JSONWriter()
        patch.write(record["patch"] ?? .null)
        begin(commit.seq, commit.time, patchSize: patch.bytes.count)
        stores.add(CountedName(commit.store), last: seq)
        locations.add(CountedName(commit.at.place), last: seq)
        functions.add(CountedName(commit.at.function), last: seq)
        var isIdle = true
        for operation in commit.patch.inStore(commit.store).operations {
            isIdle = add(operation, seq) && isIdle
        }
        noteIdleness(isIdle, commit.patch.operations.count == 1 && commit.patch.operations[0].isSure)
    }

    private mutating func add(_ operation: JSONPatch.Operation, _ seq: Int) -> Bool {
        var texts = JSONWriter()
        func write(_ body: (inout JSONWriter) -> Void) -> Range<Int> {
            let start = texts.bytes.count
            body(&texts)
            return start..<texts.bytes.count
        }
        let path = write { $0.bytes += operation.path.text.utf8 }
        let from = operation.from.map { from in write { $0.bytes += from.text.utf8 } }
        var replaced: (value: Range<Int>, old: Range<Int>)?
        if case .replace(_, let value, let old?) = operation {
            replaced = (write { $0.write(value) }, write { $0.write(old) })
        }
        let inserts: Bool
        switch operation {
        case .test: return true
        case .add, .copy, .move: inserts = true
        case .replace, .remove: inserts = false
        }
        return texts.bytes.withUnsafeBytes { bytes in
            func text(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }
            return add(
                Change(
                    path: text(path), from: from.map(text),
                    replaced: replaced.map { (CompactValue(text: text($0.value)), CompactValue(text: text($0.old))) },
                    inserts: inserts), seq)
        }
    }

    // MARK: By their texts

    /// A change, with pointers into the whole state.
    private struct Change {
        let path: UnsafeRawBufferPointer
        var from: UnsafeRawBufferPointer?
        /// What replaced what.
        var replaced: (value: CompactValue, old: CompactValue)?
        /// Whether something is put there that may be an array's new last element.
        var inserts = false
    }

    /// Adds a commit; false, with nothing added, where its location is none.
    private mutating func add(_ commit: CommitText, _ number: CommitNumber) -> Bool {
        let seq = number.rawValue
        guard let time = commit.strictTime, let at = commit.at, count(source: at, seq) else { return false }
        begin(number, time, patchSize: commit.patch.text.count)
        let store = count(store: commit.store.raw, seq)
        var (path, from): ([UInt8], [UInt8]) = ([], [])
        swap(&path, &names.pointer)
        var (isIdle, last): (Bool, PatchOperation?) = (true, nil)
        for operation in commit.operations {
            last = operation
            path.replaceSubrange(0..., with: store)
            if let text = operation.path { path.append(contentsOf: text.raw) }
            from = operation.source.map { store + $0.raw } ?? []
            isIdle = add(operation, at: path, from: from, seq) && isIdle
        }
        noteIdleness(isIdle, commit.patch.count == 1 && last?.isSure == true)
        swap(&path, &names.pointer)
        return true
    }

    /// Takes what a commit's changes say: that they leave everything as it was, or that a single one makes a difference.
    private mutating func noteIdleness(_ isIdle: Bool, _ isSure: Bool) {
        if isIdle { idle += 1 }
        mayBeIdle = !isIdle && !isSure
    }

    private mutating func add(_ operation: PatchOperation, at path: [UInt8], from: [UInt8], _ seq: Int) -> Bool {
        path.withUnsafeBytes { path in
            from.withUnsafeBytes { from in
                if operation.name == .test { return true }
                var change = Change(path: path, inserts: operation.name != .replace && operation.name != .remove)
                if operation.source != nil { change.from = from }
                if operation.name == .replace, let value = operation.value, let old = operation.old {
                    change.replaced = (CompactValue(text: value.text), CompactValue(text: old.text))
                }
                return add(change, seq)
            }
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

    /// Adds a change.
    ///
    /// - Returns: whether it leaves everything as it was.
    private mutating func add(_ change: Change, _ seq: Int) -> Bool {
        changes += 1
        count(path: change.path, inserting: change.inserts, seq)
        guard let (value, old) = change.replaced else {
            watch.edit(at: change.path, from: change.from)
            return false
        }
        let isSame = value.isEqual(to: old)
        if watch.replace(at: change.path, value, old: old, isSame: isSame) {
            putBack.add(JSONPointer.folded(change.path, inserting: false), last: seq)
        }
        return isSame
    }

    // MARK: Names

    /// Counts the line and the function of a member `at`; false where it is not a location.
    private mutating func count(source at: JSONToken, _ seq: Int) -> Bool {
        let text = at.text
        if locations.isExact, functions.isExact, let known = names.sources.value(of: text) {
            locations.add(inSlot: known.location, last: seq)
            functions.add(inSlot: known.function, last: seq)
            return true
        }
        guard let at = SourceLocation(at) else { return false }
        let location = locations.add(CountedName(at.place), last: seq)
        let function = functions.add(CountedName(at.function), last: seq)
        names.sources.keep(CommitNames.Source(location: location, function: function), of: text)
        return true
    }

    /// Counts a store; the pointer to it is returned.
    private mutating func count(store text: UnsafeRawBufferPointer, _ seq: Int) -> [UInt8] {
        if stores.isExact, let known = names.stores.value(of: text) {
            stores.add(inSlot: known.slot, last: seq)
            return known.pointer
        }
        let name = String(decoding: text, as: UTF8.self)
        let pointer = Array(JSONPointer([name]).text.utf8)
        names.stores.keep(CommitNames.Store(slot: stores.add(CountedName(name), last: seq), pointer: pointer), of: text)
        return pointer
    }

    private mutating func count(path text: UnsafeRawBufferPointer, inserting: Bool, _ seq: Int) {
        // What one text is counted as is kept, but for a `-`, which is a name or the end of an array.
        if text.last == UInt8(ascii: "-") {
            return _ = paths.add(JSONPointer.folded(text, inserting: inserting), last: seq)
        }
        if paths.isExact, let slot = names.paths.value(of: text) { return paths.add(inSlot: slot, last: seq) }
        names.paths.keep(paths.add(JSONPointer.folded(text, inserting: inserting), last: seq), of: text)
    }
}
