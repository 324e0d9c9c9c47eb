public import JSONCore

/// Chooses the records that a pass is told of; all others are checked, counted and passed over inside the reader.
///
/// A commit is passed over if its patch touches nothing of a path set, told from the text of its paths: never one that
/// matters, and now and then one too many is given (an insertion counts as writing whatever array or object it is in).
/// The keyframe at which a recovering reader goes on is always given.
public struct RecordFilter: Sendable {
    /// What the pass reads of the whole state: its first segments are the stores' names.
    public let paths: PathSet
    /// The kinds that it is told of.
    public let kinds: RecordKinds

    /// Chooses commits, and other records of stores, by what they write, and other kinds as given.
    public init(touching paths: PathSet = .everything, kinds: RecordKinds = .states) {
        self.paths = paths
        self.kinds = kinds
    }

    // What is read of the store that was met last: runs of commits are mostly of one store.
    private var store: [UInt8] = []
    private var storeSet: PathSet? = .nothing

    /// Whether a record that was read without the filter may matter.
    package mutating func mayMatter(_ line: borrowing RecordLine) -> Bool { wants(line) }

    /// Whether a record may matter.
    @inline(__always)
    mutating func wants(_ line: borrowing RecordLine) -> Bool {
        guard kinds.contains(line.kind) else { return false }
        if paths.isEverything { return true }
        switch line.kind {
        case .commit: return wantsCommit(line)
        case .store, .close:
            guard let name = CommitWalk.leadingStore(of: line.bytes, from: line.membersStart) else { return true }
            return reads(name)
        default: return true
        }
    }

    @inline(__always)
    private mutating func wantsCommit(_ line: borrowing RecordLine) -> Bool {
        CommitWalk.anyPlace(
            in: line.bytes, from: line.membersStart, ofStore: { reads($0) },
            where: { path, isInserting in storeSet?.mayBeTouched(at: path, inserting: isInserting) ?? false })
    }

    /// Whether something is read of a store; ``storeSet`` is what.
    @inline(__always)
    private mutating func reads(_ name: LineString) -> Bool {
        if name.isEscaped || store.isEmpty || !store.withUnsafeBytes({ $0.hasSameBytes(as: name.raw) }) {
            look(up: name)
        }
        return storeSet != nil
    }

    private mutating func look(up name: LineString) {
        let bytes = name.withBytes { [UInt8]($0) }
        store = bytes ?? []
        // A name that cannot be read is for the parser to refuse.
        storeSet =
            bytes.map { bytes in
                bytes.withUnsafeBytes { paths.root?.node(forKey: $0).map { PathSet($0) } }
            } ?? .everything
    }
}

extension RecordReader {
    /// The next record that a filter wants, nil at the end.
    ///
    /// Every line in between is checked and counted all the same; ``lastCommit`` tells how far the reader is.
    ///
    /// - Throws: as ``next()``.
    public mutating func next(matching filter: inout RecordFilter) throws(JournalError) -> RecordLine? {
        while let line = try nextChecked() {
            if line.resumed || filter.wants(line) { return line }
        }
        return nil
    }
}

extension BackwardRecordReader {
    /// The nearest record before that a filter wants, nil at the front.
    ///
    /// - Throws: as ``next()``.
    public mutating func next(matching filter: inout RecordFilter) throws(JournalError) -> RecordLine? {
        while let line = try next() {
            if filter.wants(line) { return line }
        }
        return nil
    }
}
