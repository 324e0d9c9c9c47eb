import JSONCore
import JournalFormat
import JournalReading

/// One step of a store's life, a commit or its opening, as far as two runs are compared by it.
struct RunEvent {
    /// Where its line begins.
    let offset: ByteOffset
    /// The step's place in the run: twice the number of commits up to it, one more for a store that opened after them.
    let rank: Int
    /// The hash of its location and of what it changed.
    let fingerprint: Int

    /// How many commits of the run are before it.
    var commitsBefore: Int { rank.isMultiple(of: 2) ? rank / 2 - 1 : rank / 2 }
}

/// How the steps of two runs are compared.
///
/// The bytes of location and patch are mostly the same where the values are, and cost next to nothing to hash. Where bytes
/// differ and values do not (another writer, or values that may differ), the values are hashed. Hashes are 64 bits under a key
/// of the process, so two steps that differ are taken for equal once in 10^19.
struct EventFingerprint {
    /// Whether the bytes are compared, not the values.
    let isRaw: Bool
    /// What may differ.
    let ignored: PathMatcher
    /// Chooses the records that hold something that may differ; their values are compared in any case.
    private var ignoring: RecordFilter

    init(isRaw: Bool, ignored: PathMatcher) {
        self.isRaw = isRaw
        self.ignored = ignored
        ignoring = RecordFilter(touching: ignored.paths, kinds: [.commit, .store])
    }

    mutating func of(_ line: RecordLine, store: [UInt8]) throws(JournalError) -> Int {
        var hasher = Hasher()
        if isRaw, ignored.isEmpty || !ignoring.mayMatter(line), let record = try? line.token(),
            let at = record["at"], let content = record[line.kind == .commit ? "patch" : "state"]
        {
            hasher.combine(line.kind == .commit)
            at.text.hash(into: &hasher)
            content.text.hash(into: &hasher)
            return hasher.finalize()
        }
        let store = String(decoding: store, as: UTF8.self)
        if line.kind == .commit {
            let commit = try line.decode { (o) throws(RecordFault) in try CommitRecord(o) }
            hasher.combine(commit.at)
            for operation in commit.patch.operations { combine(operation, store, &hasher) }
        } else {
            let record = try line.decode { (o) throws(RecordFault) in try StoreRecord(o) }
            hasher.combine(record.at)
            hasher.combine(without(record.state, at: ignored.below(ignored.root, store)))
        }
        return hasher.finalize()
    }

    private func combine(_ operation: JSONPatch.Operation, _ store: String, _ hasher: inout Hasher) {
        let path = [store] + operation.path.segments
        let place: PathMatcher.Place?
        switch ignored.meeting(path) {
        case .inside: return
        case .outside: place = nil
        case .above(let found): place = found
        }
        hasher.combine(operation.path)
        hasher.combine(operation.from)
        switch operation {
        case .add(_, let value):
            hasher.combine(0)
            hasher.combine(without(value, at: place))
        case .replace(_, let value, _):
            hasher.combine(1)
            hasher.combine(without(value, at: place))
        case .test(_, let value):
            hasher.combine(2)
            hasher.combine(without(value, at: place))
        case .remove: hasher.combine(3)
        case .move: hasher.combine(4)
        case .copy: hasher.combine(5)
        }
    }

    /// A value without what may differ in it.
    func without(_ value: JSONValue, at place: PathMatcher.Place?) -> JSONValue {
        guard let place else { return value }
        return ignored.replacing(in: value, at: place) { _ in .nothing }
    }
}
