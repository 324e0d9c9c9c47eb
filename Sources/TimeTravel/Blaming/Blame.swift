public import JSONCore
public import JournalFormat
public import JournalReading

/// One leaf of a state and the record that last wrote it, or, in reverse, the one that wrote over it next.
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
        public let found: JSONValue
        /// What the record wrote.
        ///
        /// It differs from what is there now only where a later commit was ignored.
        public fileprivate(set) var value: JSONValue
        /// The commit, store or gap; nil where, in reverse, no record wrote over it.
        public fileprivate(set) var record: OwnedRecord?
    }

    /// Which way the authors are searched for.
    public enum Direction: Sendable {
        /// The record that last wrote the leaf, at the position or before it.
        case lastWriter
        /// The first record after the position that wrote over the leaf or removed it.
        case nextWriter
    }

    /// The record that wrote last at a place or below it; nil where nothing is there.
    /// - Complexity: O(the bytes from the position back to that record).
    package static func lastWriter(
        of place: JSONPointer, in state: JSONValue, at position: CommitNumber, journal: Journal
    ) throws(JournalError) -> OwnedRecord? {
        guard let value = place.value(in: state) else { return nil }
        if value.count ?? 0 == 0 {
            return try lines(of: [place], in: state, at: position, journal: journal).first?.record
        }
        var paths = PathSet.nothing
        paths.insert(place)
        var filter = RecordFilter(touching: paths, kinds: [.commit, .store])
        var reader = try journal.recordsBackward(from: journal.offset(firstAtLeast: position.next))
        return try reader.next(matching: &filter)?.owned()
    }

    /// Finds the authors of all leaves at and below some places.
    ///
    /// - Parameters:
    ///   - parts: the places, in document order and none inside another; those that are not there are passed over.
    ///   - state: the state at the position; of parts that are not asked about it may hold less.
    ///   - ignored: commits that do not count: what they replaced is searched for before them. What they added is theirs all
    ///     the same, since there was no value before.
    /// - Returns: the leaves in document order.
    /// - Throws: `JournalError` where the journal is damaged between the position and the answers.
    public static func lines(
        of parts: [JSONPointer], in state: JSONValue, at position: CommitNumber, _ direction: Direction = .lastWriter,
        ignoring ignored: CommitList = CommitList(), journal: Journal
    ) throws(JournalError) -> [Line] {
        var lines: [Line] = []
        let open = OpenLeaves(of: parts, in: state) { lines.append(Line(path: $0, found: $1, value: $1)) }
        var search = BlameSearch(journal: journal, ignored: ignored, lines: lines, open: open)
        search.makeFilter()
        try search.read(direction, from: position)
        return search.lines
    }
}

private struct BlameSearch {
    let journal: Journal
    let ignored: CommitList
    var lines: [Blame.Line]
    var open: OpenLeaves
    var filter = RecordFilter(touching: .nothing)
    var filtered = 0

    mutating func makeFilter() {
        filter = RecordFilter(touching: open.takePaths(), kinds: [.commit, .store, .gap])
        filtered = open.count
    }

    private mutating func recordAnswers(of line: RecordLine) {
        let closed = open.takeClosed()
        if !closed.isEmpty {
            let record = line.owned()
            for leaf in closed { lines[leaf].record = record }
        }
        let places = open.takeNewPlaces()
        // What is answered need not be examined any more; a narrower filter is worth its making now and then.
        if open.count <= filtered / 2 { return makeFilter() }
        guard !places.isEmpty else { return }
        var paths = filter.paths
        for place in places { paths.insert(place) }
        filter = RecordFilter(touching: paths, kinds: filter.kinds)
    }

    mutating func read(_ direction: Blame.Direction, from position: CommitNumber) throws(JournalError) {
        switch direction {
        case .lastWriter:
            var reader = try journal.recordsBackward(from: try journal.offset(firstAtLeast: position.next))
            while open.count > 0, let line = try reader.next(matching: &filter) { try follow(line, direction) }
        case .nextWriter:
            var reader = try journal.records(after: position, through: try journal.lastCommit)
            while open.count > 0, let line = try reader.next(matching: &filter) {
                // What stands before the first commit made the state that the leaves are of.
                if line.seq > position { try follow(line, direction) }
            }
        }
    }

    private mutating func follow(_ line: RecordLine, _ direction: Blame.Direction) throws(JournalError) {
        if line.kind == .commit {
            let commit = try line.decode(CommitRecord.init)
            try follow(commit.patch.inStore(commit.store).operations, of: line.seq, direction)
        } else {
            try open.close(line)
        }
        recordAnswers(of: line)
    }

    private mutating func follow(
        _ operations: [JSONPatch.Operation], of commit: CommitNumber, _ direction: Blame.Direction
    ) throws(JournalError) {
        let (isBackward, isIgnored) = (direction == .lastWriter, ignored.contains(commit))
        for place in operations.indices {
            let index = isBackward ? operations.count - 1 - place : place
            let operation = operations[index]
            // Backward the state before the operation, forward the one after it.
            let state = { [journal] () throws(JournalError) in
                try journal.state(inside: commit, after: operations[..<(isBackward ? index : index + 1)])
            }
            if isIgnored, let passed = try isBackward ? replacement(operation, state) : successor(operation, state) {
                open.pass(passed)
                for (leaf, value) in open.takeReplaced() where isBackward { lines[leaf].value = value }
            } else if isBackward {
                try open.undo(operation, before: state)
            } else {
                try open.follow(operation, after: state)
            }
        }
    }

    /// An operation that puts something in the place of something else, as a `replace` that says what; nil for others.
    private func replacement(
        _ operation: JSONPatch.Operation, _ before: () throws(JournalError) -> JSONValue
    ) throws(JournalError) -> JSONPatch.Operation? {
        switch operation {
        case .replace(_, _, .some): return operation
        case .replace(let path, let value, nil):
            return .replace(path, value, old: path.value(in: try before()) ?? .null)
        case .add(let path, _) where open.isOpenMember(path), .copy(_, let path) where open.isOpenMember(path):
            return path.value(in: try before()).map { .replace(path, .null, old: $0) }
        default: return nil
        }
    }

    /// The other way round: of a commit that does not count only what it moves and removes is followed.
    private func successor(
        _ operation: JSONPatch.Operation, _ after: () throws(JournalError) -> JSONValue
    ) throws(JournalError) -> JSONPatch.Operation? {
        switch operation {
        case .replace(let path, let value, _): return .replace(path, .null, old: value)
        case .add(let path, let value) where open.isOpenMember(path): return .replace(path, .null, old: value)
        case .copy(_, let path) where open.isOpenMember(path):
            return path.value(in: try after()).map { .replace(path, .null, old: $0) }
        default: return nil
        }
    }
}

extension OpenLeaves {
    /// A store that opens is written whole, and so is everything after commits that were lost.
    mutating func close(_ line: RecordLine) throws(JournalError) {
        guard line.kind == .store else { return closeAll() }
        close(member: try line.decode(StoreRecord.init).store)
    }
}

extension Journal {
    /// The whole state in the middle of a commit, for the rare patch that moves a value between containers.
    func state(
        inside commit: CommitNumber, after operations: ArraySlice<JSONPatch.Operation>
    ) throws(JournalError) -> JSONValue {
        var state = try state(at: commit.previous).value
        // Where it does not fit, the journal is damaged in a way that a pass reports; the shape is then a guess.
        try? JSONPatch(Array(operations)).apply(to: &state)
        return state
    }
}
