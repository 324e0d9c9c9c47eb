import JournalFormat

/// What the number of the next record has to go on from: commits count up by one, every other kind but a gap carries the number
/// of the last commit.
struct RecordOrder {
    /// The number of the last record; negative where it is not known.
    private(set) var last: Int
    /// What that was before the last record; negative where it is not known.
    private(set) var before = -1
    private(set) var lastKind: RecordKind?

    init(after last: Int) { self.last = last }

    /// - Parameter offset: where its line begins: a journal has one header.
    @inline(__always)
    func admits(_ seq: Int, _ kind: RecordKind, at offset: Int) -> Bool {
        if kind == .commit { return seq == last &+ 1 || last < 0 }
        if last < 0 { return true }
        switch kind {
        case .gap: return seq > last
        case .journal: return offset == 0
        default: return seq == last
        }
    }

    @inline(__always)
    mutating func advance(to seq: Int, _ kind: RecordKind) {
        before = last
        last = seq
        lastKind = kind
    }

    /// Goes on after a record that holds the whole state, whatever was lost in front of it.
    mutating func resume(at seq: Int, _ kind: RecordKind) {
        last = seq
        lastKind = kind
    }

    /// Takes the number before the last record from where its part begins, which that part did not know.
    mutating func begin(after last: Int) {
        if before < 0 { before = last }
    }

    /// The last commit before the last record, also where reading began with that.
    var lastBefore: Int { before >= 0 ? before : lastKind == .commit ? last &- 1 : last }

    func fault(of seq: Int, _ kind: RecordKind) -> JournalDamage.Reason {
        let found = CommitNumber(seq)
        return switch kind {
        case .commit, .gap: .jump(found: found, expected: CommitNumber(last &+ 1))
        case .journal: .secondHeader
        default: .wrongNumber(kind: kind, found: found, expected: CommitNumber(last))
        }
    }
}
