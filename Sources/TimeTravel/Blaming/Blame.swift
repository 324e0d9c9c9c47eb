public import JSONCore
public import JournalFormat

/// Who wrote each leaf of a state: the record that last wrote it, or, in reverse, the one that wrote over it next.
///
/// The journal is read from the position towards the front (in reverse towards its end) and only until every leaf has its
/// answer. A leaf is a scalar or an empty container; it keeps its author when its array shifts or it is moved.
///
/// - Complexity: the bytes between the position and the last answer, of which only what touches an open leaf is decoded;
///   memory is that of the leaves.
public enum Blame {
    /// What one leaf's answer is.
    public struct Line: Sendable {
        /// Where the leaf is at the position.
        public let path: JSONPointer
        /// What it is there.
        public let value: JSONValue
        /// The commit, store or gap; nil where nobody wrote over it, in reverse.
        public fileprivate(set) var record: OwnedRecord?
    }

    /// Which way the authors are looked for.
    public enum Direction: Sendable {
        /// The record that last wrote the leaf, at the position or before it.
        case lastWriter
        /// The first record after the position that wrote over the leaf or removed it.
        case nextWriter
    }

    /// Finds the authors of all leaves at and below some places.
    ///
    /// - Parameters:
    ///   - parts: the places, in document order and none inside another; those that are not there are passed over.
    ///   - state: the state at the position; of parts that are not asked about it may hold less.
    ///   - ignored: commits that do not count: what they replaced is looked for before them. What they added is theirs all
    ///     the same, since nobody wrote it before.
    /// - Returns: the leaves in document order.
    /// - Throws: `JournalError` where the journal is damaged between the position and the answers.
    public static func lines(
        of parts: [JSONPointer], in state: JSONValue, at position: CommitNumber, _ direction: Direction = .lastWriter,
        ignoring ignored: CommitList = CommitList(), journal: Journal
    ) throws(JournalError) -> [Line] {
        var lines: [Line] = []
        let open = OpenLeaves(of: parts, in: state) { lines.append(Line(path: $0, value: $1)) }
        var search = BlameSearch(journal: journal, ignored: ignored, lines: lines, open: open)
        switch direction {
        case .lastWriter: try search.readBackward(from: position)
        case .nextWriter: try search.readForward(from: position)
        }
        return search.lines
    }
}

/// One search for the authors of leaves.
private struct BlameSearch {
    let journal: Journal
    let ignored: CommitList
    var lines: [Blame.Line]
    var open: OpenLeaves

    private var filter: RecordFilter { RecordFilter(touching: open.paths, kinds: [.commit, .store, .gap]) }

    // MARK: Backward

    mutating func readBackward(from position: CommitNumber) throws(JournalError) {
        var reader = try journal.recordsBackward(from: try journal.offset(firstAtLeast: position.next))
        var (filter, filtered) = (self.filter, open.count)
        while open.count > 0, let line = try reader.next(matching: &filter) {
            try goBack(over: line)
            let closed = open.takeClosed()
            if closed.isEmpty { continue }
            give(closed, line.owned())
            // What is answered need not be looked at any more; a narrower filter is worth its making now and then.
            if open.count <= filtered / 2 { (filter, filtered) = (self.filter, open.count) }
        }
    }

    private mutating func goBack(over line: RecordLine) throws(JournalError) {
        switch line.kind {
        case .commit:
            let patch = try self.patch(of: line)
            let isIgnored = ignored.contains(line.seq)
            for (index, operation) in patch.operations.enumerated().reversed() {
                if isIgnored, case .replace(_, _, .some) = operation {
                    open.pass(operation)
                } else {
                    try open.undo(operation) { [journal, seq = line.seq] () throws(JournalError) in
                        try journal.state(inside: seq, after: patch.operations[..<index])
                    }
                }
            }
        default: try closeWhole(line)
        }
    }

    // MARK: Forward

    mutating func readForward(from position: CommitNumber) throws(JournalError) {
        var reader = try journal.records(after: position, through: try journal.lastCommit)
        var (filter, filtered) = (self.filter, open.count)
        while open.count > 0, let line = try reader.next(matching: &filter) {
            // What stands before the first commit made the state that the leaves are of.
            if line.seq <= position { continue }
            try goForward(over: line)
            let closed = open.takeClosed()
            if closed.isEmpty { continue }
            give(closed, line.owned())
            if open.count <= filtered / 2 { (filter, filtered) = (self.filter, open.count) }
        }
    }

    private mutating func goForward(over line: RecordLine) throws(JournalError) {
        switch line.kind {
        case .commit:
            if ignored.contains(line.seq) { return try goForward(overIgnored: line) }
            let patch = try self.patch(of: line)
            for (index, operation) in patch.operations.enumerated() {
                try open.follow(operation) { [journal, seq = line.seq] () throws(JournalError) in
                    try journal.state(inside: seq, after: patch.operations[...index])
                }
            }
        default: try closeWhole(line)
        }
    }

    /// Of a commit that does not count, only what it moves and removes is followed.
    private mutating func goForward(overIgnored line: RecordLine) throws(JournalError) {
        let patch = try self.patch(of: line)
        for (index, operation) in patch.operations.enumerated() {
            if case .replace(let path, let value, _) = operation {
                open.pass(.replace(path, .null, old: value))
                continue
            }
            try open.follow(operation) { [journal, seq = line.seq] () throws(JournalError) in
                try journal.state(inside: seq, after: patch.operations[...index])
            }
        }
    }

    // MARK: Both

    private func patch(of line: RecordLine) throws(JournalError) -> JSONPatch {
        let commit = try line.decode { (object) throws(RecordFault) in try CommitRecord(object) }
        return commit.patch.inStore(commit.store)
    }

    /// A store that opens is written whole, and so is all behind commits that were lost.
    private mutating func closeWhole(_ line: RecordLine) throws(JournalError) {
        guard line.kind == .store else { return open.closeAll() }
        open.close(member: try line.decode { (object) throws(RecordFault) in try StoreRecord(object) }.store)
    }

    private mutating func give(_ leaves: [Int], _ record: OwnedRecord) {
        for leaf in leaves { lines[leaf].record = record }
    }
}

extension Journal {
    /// The whole state in the middle of a commit, for the rare patch that moves a value between containers.
    fileprivate func state(
        inside commit: CommitNumber, after operations: ArraySlice<JSONPatch.Operation>
    ) throws(JournalError) -> JSONValue {
        var state = try state(at: commit.previous).value
        // Where it does not fit, the journal is damaged in a way that is for a pass to tell; the shape is then a guess.
        try? JSONPatch(Array(operations)).apply(to: &state)
        return state
    }
}
