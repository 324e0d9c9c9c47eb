import JSONCore
import JournalFormat
import JournalReading

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

    var offset: ByteOffset { reader.offset }
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
