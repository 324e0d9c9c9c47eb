import JSONCore
import JournalFormat
import JournalReading

struct RunEvent {
    let offset: ByteOffset
    /// The step's place in the run: twice the number of commits up to it, one more for a store that opened after them.
    let rank: Int
    let fingerprint: Int
    var commitsBefore: Int { rank.isMultiple(of: 2) ? rank / 2 - 1 : rank / 2 }
}

/// The bytes of location and patch are mostly the same where the values are, and cost next to nothing to hash.
///
/// Where bytes differ and values do not, the values are hashed. Hashes are 64 bits under a key of the process, so two
/// steps that differ are taken for equal once in 10^19.
struct EventFingerprint {
    let isRaw: Bool
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
            let commit = try line.decode(CommitRecord.init)
            hasher.combine(commit.at)
            for operation in commit.patch.operations { combine(operation, store, &hasher) }
        } else {
            let record = try line.decode(StoreRecord.init)
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

    func without(_ value: JSONValue, at place: PathMatcher.Place?) -> JSONValue {
        guard let place else { return value }
        return ignored.replacing(in: value, at: place) { _ in .nothing }
    }
}

struct RunSteps: ~Copyable {
    private var reader: RecordReader
    private var filter: RecordFilter
    private let start: Int
    private var fingerprint: EventFingerprint
    private let store: [UInt8]?
    private(set) var commits = 0
    private(set) var rank = -1
    private(set) var isDone = false
    private(set) var gap: CommitNumber?

    init(_ journal: Journal, _ fingerprint: EventFingerprint, store: String?) {
        reader = journal.records()
        filter = RecordFilter(touching: .everything, kinds: [.commit, .store, .gap])
        start = journal.start.rawValue
        self.fingerprint = fingerprint
        self.store = store.map { Array($0.utf8) }
    }

    var tornTail: TornTail? { reader.tornTail }

    mutating func next() throws(JournalError) -> (store: [UInt8], event: RunEvent)? {
        while !isDone, let line = try reader.next(matching: &filter) {
            if line.kind == .gap {
                gap = try line.decode(GapRecord.init).first
                break
            }
            let number = line.seq.rawValue - start
            if line.kind == .commit { commits += 1 }
            rank = line.kind == .commit ? 2 * number : 2 * number + 1
            let name = Array(try line.storeName().utf8)
            if let store, store != name { continue }
            return (name, RunEvent(offset: line.offset, rank: rank, fingerprint: try fingerprint.of(line, store: name)))
        }
        isDone = true
        return nil
    }
}
