public import JSONCore
public import JournalFormat

/// The states of a stretch, one after another, pruned to what a question reads.
///
/// A commit that touches nothing of it is passed over by the reader without being built; the state then is what it was. A
/// position is complete when the next commit begins: until then a store that opens, or a gap, may still change it. So this
/// pass is always one line ahead, and tells of every record whether the state after it is the one at its position.
///
/// - Complexity: the bytes of the stretch are scanned once; memory is that of the pruned state and the longest line.
public struct PositionPass: ~Copyable {
    /// A record that changed the state, just applied.
    public struct Settled: Sendable, Equatable {
        /// A commit, a store or a gap; a keyframe where reading went on behind damage.
        public let kind: RecordKind
        /// The position that it belongs to.
        public let seq: CommitNumber
        /// Where its line begins; nil for a commit that only made an earlier `close` take effect.
        public let offset: ByteOffset?
        /// Whether nothing more changes the state at that position.
        public let isComplete: Bool
        /// The last position before it that has a state: not the number before where commits were lost.
        public let before: CommitNumber
    }

    /// What a pass keeps besides the state.
    public struct Options: Sendable {
        /// Whether commits that touch nothing of what is read are told too.
        public var everyCommit = false
        /// Whether each record's line is kept for ``PositionPass/record``.
        public var keepsRecords = false
        /// Records that change no state but are kept for ``PositionPass/companions``.
        public var companions: RecordKinds = []
        /// Whether reading goes on behind damage.
        public var recover = false
        /// What several questions read that share the pass, for ``PositionPass/touched``.
        public var interests: [PathSet] = []

        /// Nothing besides the state.
        public init() {}
    }

    /// The state after the record told last; at first the one at the beginning of the stretch.
    public private(set) var state: PositionState
    /// The line of the record told last, where records are kept.
    public private(set) var record: OwnedRecord?
    /// The records of the wanted kinds that follow the one told last, up to the next that changes the state.
    public private(set) var companions: [OwnedRecord] = []

    /// Which of the interests the record told last may have touched.
    public private(set) var touched: [Bool]

    private let options: Options
    private var interests: RecordInterests?
    private var filter: RecordFilter
    private var reader: RecordReader
    /// Read but not applied; its bytes hold until the reader's next call.
    private var ahead: RecordLine?
    /// The commit with which a store that was closed goes away.
    private var closing: CommitNumber?

    /// Starts at the beginning of a stretch.
    ///
    /// - Parameters:
    ///   - set: the paths whose values are kept; the first segment is the store's name.
    /// - Throws: `JournalError` where the state at the beginning cannot be told.
    /// - Complexity: that of one seek.
    public init(
        _ journal: Journal, _ range: PositionRange, reading set: PathSet, options: Options = Options()
    ) throws(JournalError) {
        let written = options.everyCommit ? PathSet.everything : set
        var filter = RecordFilter(touching: written, kinds: RecordKinds.states.union(options.companions))
        var reader = try journal.records(after: range.lower, through: range.upper, recover: options.recover)
        var first: RecordLine?
        var state: PositionState
        if range.lower == journal.start {
            state = PositionState(start: journal.start, pruning: set)
            first = try PositionPass.openFirstStores(&state, &reader, &filter)
        } else {
            state = try journal.state(at: range.lower, pruning: set)
        }
        self.options = options
        touched = options.interests.map { _ in false }
        interests = options.interests.isEmpty ? nil : RecordInterests(options.interests)
        self.filter = filter
        self.state = state
        self.reader = reader
        ahead = first
        // A store that was closed directly before the stretch goes away with its first commit.
        closing = state.closing.isEmpty ? nil : range.lower.next
    }

    /// Applies what stands before the first commit, which the reader begins with at a journal's start; the first line behind
    /// that is returned.
    private static func openFirstStores(
        _ state: inout PositionState, _ reader: inout RecordReader, _ filter: inout RecordFilter
    ) throws(JournalError) -> RecordLine? {
        while let line = try reader.next(matching: &filter) {
            guard line.seq == state.position, !line.resumed else { return line }
            try state.apply(line)
        }
        return nil
    }

    /// The last commit that was read, also of those passed over.
    public var lastCommit: CommitNumber { reader.lastCommit }
    /// Up to which byte of the journal the pass has come.
    public var offset: ByteOffset { reader.offset }
    /// The damage that was jumped over.
    public var damages: [JournalError] { reader.damages }
    /// The incomplete last record, known once the pass is at its end.
    public var tornTail: TornTail? { reader.tornTail }

    /// Applies the next record that changes what is read and tells it; nil at the end of the stretch.
    ///
    /// - Throws: `JournalError` at damage.
    public mutating func next() throws(JournalError) -> Settled? {
        companions.removeAll()
        while let line = try nextLine() {
            if let closing, line.seq > closing || (line.seq == closing && line.kind != .commit) {
                if try PositionPass.wasPassedOver(closing, before: line) {
                    ahead = line
                    return settleClose(at: closing)
                }
                self.closing = nil
            }
            guard let settled = try apply(line) else { continue }
            return settled
        }
        if let closing, closing <= reader.lastCommit { return settleClose(at: closing) }
        return nil
    }

    /// Whether a commit is in the file and was passed over before a line: not if it is one of those that a gap lost, or lies
    /// in damage that was jumped over.
    private static func wasPassedOver(_ commit: CommitNumber, before line: RecordLine) throws(JournalError) -> Bool {
        if line.resumed { return false }
        guard line.kind == .gap else { return true }
        return commit < (try line.decode { (object) throws(RecordFault) in try GapRecord(object) }).first
    }

    private mutating func nextLine() throws(JournalError) -> RecordLine? {
        if let line = ahead.take() { return line }
        return try reader.next(matching: &filter)
    }

    /// Applies a line; nil where it does not change the state that is read.
    private mutating func apply(_ line: RecordLine) throws(JournalError) -> Settled? {
        guard RecordKinds.states.contains(line.kind) || line.resumed else { return nil }
        if line.kind == .close {
            try close(line)
            return nil
        }
        let before = try lastPosition(before: line)
        noteInterests(line)
        let changed: Bool
        do throws(JournalError) {
            changed = try change(line)
        } catch {
            // A patch that does not fit is damage like any other: the pass goes on at the next keyframe, if it may.
            ahead = try reader.recover(from: error)
            return nil
        }
        if let closing, line.seq >= closing { self.closing = nil }
        // Where every commit is told, so is every store behind it, held or not: the commit was told as not complete.
        guard changed || options.everyCommit else { return nil }
        record = options.keepsRecords ? line.owned() : nil
        let told = (kind: line.kind, seq: line.seq, offset: line.offset)
        try readAhead(told.seq)  // from here on the line's bytes are gone
        let isComplete = ahead.map { $0.seq > told.seq } ?? true
        return Settled(
            kind: told.kind, seq: told.seq, offset: told.offset, isComplete: isComplete, before: before)
    }

    /// Finds out which interests a line touches; a store that went away with it touches all.
    private mutating func noteInterests(_ line: RecordLine) {
        guard interests != nil else { return }
        for index in touched.indices { touched[index] = !state.closing.isEmpty }
        if state.closing.isEmpty { interests?.flag(line, in: &touched) }
    }

    /// The last position before a line's that has a state; behind damage, the last one that the pass has built.
    private func lastPosition(before line: RecordLine) throws(JournalError) -> CommitNumber {
        if line.resumed { return min(state.position, line.seq.previous) }
        guard line.kind == .gap else { return line.seq.previous }
        return try line.decode { (object) throws(RecordFault) in try GapRecord(object) }.first.previous
    }

    private mutating func change(_ line: RecordLine) throws(JournalError) -> Bool {
        if line.resumed && line.kind == .keyframe {
            try state.reset(to: line)
            return true
        }
        return try state.apply(line) != .none
    }

    private mutating func close(_ line: RecordLine) throws(JournalError) {
        try state.apply(line)
        closing = line.seq.next
    }

    /// Reads on to the next record that can change the state; what comes in between is kept where it is wanted.
    private mutating func readAhead(_ seq: CommitNumber) throws(JournalError) {
        while let line = try reader.next(matching: &filter) {
            if line.kind == .close, line.seq == seq {
                try close(line)
            } else if RecordKinds.states.contains(line.kind) || line.resumed {
                ahead = line
                return
            } else if line.seq == seq {
                companions.append(line.owned())
            }
        }
    }

    /// The commit that took away a closed store, and touched nothing else that is read.
    private mutating func settleClose(at commit: CommitNumber) -> Settled {
        closing = nil
        record = nil
        for index in touched.indices { touched[index] = true }
        state.advance(to: commit)
        let isComplete = ahead.map { $0.seq > commit } ?? true
        return Settled(kind: .commit, seq: commit, offset: nil, isComplete: isComplete, before: commit.previous)
    }
}
