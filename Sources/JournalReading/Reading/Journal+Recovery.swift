package import JSONCore
package import JournalFormat

extension Journal {
    /// The state at a position, or at the last one before it that has one: in front of a gap, and beside damage.
    ///
    /// - Complexity: one seek; beside damage that of ``lastKnownState(through:)``.
    package func lastState(
        upTo position: CommitNumber, pruning paths: PathSet = .everything
    ) throws(JournalError) -> PositionState {
        do throws(JournalError) { return try state(at: position, pruning: paths) } catch {
            switch error.fact {
            // A foreign gap may claim to begin anywhere.
            case .insideGap(_, let first, _):
                return try lastState(upTo: max(start, min(first, position).previous), pruning: paths)
            case .damage where position > start: return try lastKnownState(through: position).pruned(to: paths)
            default: throw error
            }
        }
    }

    /// The last state up to a position that is known: after damage the one at which a reader goes on, up to where it
    /// goes.
    ///
    /// Of a patch that does not fit the state is not known, as of a damaged line.
    ///
    /// - Complexity: the bytes after the keyframe before the damage are read twice at most; memory is that of the whole
    ///   state.
    package func lastKnownState(through commit: CommitNumber) throws(JournalError) -> PositionState {
        let base = try lastKeptState(after: start, before: commit)?.state ?? PositionState(start: start)
        var (state, known) = try replayed(from: base, through: commit)
        // Where a record does not fit, the state is in between.
        if known < commit { (state, known) = try replayed(from: base, through: known) }
        return state
    }

    /// The last state of a range that the journal itself holds and that damage does not keep from being read.
    ///
    /// - Parameter recover: whether damage counts for nothing; the state is before it then, so that it is met.
    /// - Returns: the state, and the place of the record that says it; nil where there is none.
    package func lastKeptState(
        after lower: CommitNumber, before upper: CommitNumber, pruning paths: PathSet = .everything,
        recover: Bool = true
    ) throws(JournalError) -> (state: PositionState, record: ByteOffset)? {
        var position = upper.previous
        while true {
            let record = try base(for: position)
            position = try self.position(of: record)
            guard position > lower else { return nil }
            do throws(JournalError) { return (try soundState(at: position, pruning: paths), record) } catch {
                guard recover, case .damage = error.fact else { throw error }
                position = position.previous
            }
        }
    }

    /// The first of the gaps that stand close before a record, with no keyframe in between: a reader can go over what
    /// follows it at once.
    ///
    /// - Parameters:
    ///   - record: a gap; itself the answer where none stands before it.
    ///   - bytes: how far before it gaps are searched for.
    /// - Returns: the gap's position; nil where the record is none.
    package func firstGap(closeTo record: ByteOffset, within bytes: Int) throws(JournalError) -> CommitNumber? {
        var ahead = records(from: record)
        guard let gap = try ahead.next(), gap.kind == .gap else { return nil }
        var first = gap.seq
        var reader = BackwardRecordReader(path: path, source: source, from: record.rawValue)
        while let line = try reader.nextUsual(), record.rawValue - line.offset.rawValue <= bytes {
            if line.kind == .keyframe || line.seq > first { break }
            if line.kind == .gap { first = line.seq }
        }
        return first
    }

    private func position(of base: ByteOffset) throws(JournalError) -> CommitNumber {
        guard base > .zero else { return start }
        var reader = records(from: base)
        return try reader.next()?.seq ?? start
    }

    /// What the records up to a position come to, with the last position up to there that has a state.
    private func replayed(
        from base: PositionState, through commit: CommitNumber
    ) throws(JournalError) -> (state: PositionState, known: CommitNumber) {
        var state = base
        state.seesEveryRecord = true
        var known = state.position
        var reader = try records(after: base.position, through: commit, recover: true)
        var next = try reader.next()
        while let line = next {
            do throws(JournalError) {
                if line.seq > base.position || line.resumed || base.position == start { try state.apply(line) }
                known = state.position
                next = try reader.next()
            } catch {
                known = min(known, max(start, line.lastPositionWithout))
                next = try reader.recover(from: error, at: line)
            }
        }
        return (state, known)
    }

    /// The last commit, or gap, whose time is not after a moment, of those that a reader finds which goes on after
    /// damage.
    ///
    /// - Complexity: O(n) in the bytes up to there.
    func lastKnownCommit(notAfter moment: Timestamp) throws(JournalError) -> CommitNumber {
        var last = start
        var reader = records(recover: true)
        var next = try reader.next()
        while let line = next {
            do throws(JournalError) {
                if let time = try line.positionTime() {
                    if time > moment { break }
                    last = line.seq
                }
                next = try reader.next()
            } catch {
                next = try reader.recover(from: error)
            }
        }
        return last
    }
}

extension RecordLine {
    /// The last position whose state is what it is without the record: where that cannot be applied, the last one that is known.
    package var lastPositionWithout: CommitNumber {
        switch kind {
        case .commit, .store, .gap: seq.previous
        // A store that closes is there until the next commit begins; others claim what is there already, or change nothing.
        case .close, .keyframe, .journal, .derived, .outcome, .abort, .mark, .end, .other: seq
        }
    }

    private static let timeNode = PathSet.Node(members: [(key: "time", node: .all)])

    /// The time of a record that makes a position, a commit or a gap; nil for any other.
    func positionTime() throws(JournalError) -> Timestamp? {
        guard kind == .commit || kind == .gap else { return nil }
        guard let moment = Timestamp(try text("time", of: try pruned(Self.timeNode))) else {
            throw damage(.record(RecordFault(member: "time", expected: "a time of RFC 3339")))
        }
        return moment
    }
}
