import JSONCore

extension Journal {
    /// The last state up to a position that is known: behind damage the one at which a reader goes on, up to where it goes.
    ///
    /// Of a patch that does not fit the state is not known, as of a damaged line.
    ///
    /// - Complexity: the bytes before the position are read twice at most; memory is that of the whole state.
    package func lastKnownState(through commit: CommitNumber) throws(JournalError) -> PositionState {
        var (state, known) = try replayed(through: commit)
        // Where a record does not fit, the state is in between.
        if known < commit { (state, known) = try replayed(through: known) }
        return state
    }

    /// What the records up to a position come to, with the last position up to there that has a state.
    private func replayed(
        through commit: CommitNumber
    ) throws(JournalError) -> (state: PositionState, known: CommitNumber) {
        var state = PositionState(start: start)
        state.seesEveryRecord = true
        var known = start
        var reader = records(recover: true)
        var next = try reader.next()
        while let line = next, line.seq <= commit {
            do throws(JournalError) {
                try state.apply(line)
                known = state.position
                next = try reader.next()
            } catch {
                known = min(known, max(start, line.seq.previous))
                next = try reader.recover(from: error)
            }
        }
        return (state, known)
    }

    /// The last commit, or gap, whose time is not after a moment, of those that a reader meets which goes on behind damage.
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
