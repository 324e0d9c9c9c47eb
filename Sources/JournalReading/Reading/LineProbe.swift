import JSONCore
import JournalFormat

/// Finds the line that begins at or after any byte of a journal: one step of a binary search.
struct LineProbe: ~Copyable {
    struct Found {
        let seq: CommitNumber
        let kind: RecordKind
        let offset: ByteOffset
        /// Where the next line can begin at the earliest.
        let nextStart: ByteOffset
    }

    private let path: String
    private let source: ByteSource
    /// The place after the last whole line.
    private let end: Int
    private var block = PinnedArray<UInt8>(repeating: 0, count: LineProbe.blockSize)

    /// How much is read at once while a newline is searched for: some lines' worth.
    private static let blockSize = 1 << 12

    init(path: String, source: ByteSource, end: ByteOffset) {
        self.path = path
        self.source = source
        self.end = end.rawValue
    }

    /// The first line that begins at `offset` or after it, but before `limit`; damaged ones are passed over.
    mutating func line(from offset: ByteOffset, before limit: ByteOffset) throws(JournalError) -> Found? {
        var offset = offset.rawValue
        while offset < limit.rawValue {
            guard let start = try source.lineStart(from: offset, before: end), start < min(end, limit.rawValue) else {
                return nil
            }
            if let found = try record(at: start) { return found }
            offset = start + 1
        }
        return nil
    }

    private mutating func record(at start: Int) throws(JournalError) -> Found? {
        let count = try read(at: start)
        let front = block.bytes(0..<count)
        if let head = LineHead(front) {
            return Found(
                seq: CommitNumber(head.seq), kind: head.kind, offset: ByteOffset(start),
                nextStart: ByteOffset(start + 1))
        }
        // Written in another form: the whole line is needed.
        var reader = RecordReader(
            path: path, source: source, from: start, to: end, linesBefore: nil, last: -1, recovers: false,
            checksSums: false)
        do throws(JournalError) {
            guard let line = try reader.next() else { return nil }
            return Found(seq: line.seq, kind: line.kind, offset: line.offset, nextStart: line.end)
        } catch {
            if case .damage = error.fact { return nil }
            throw error
        }
    }

    private mutating func read(at offset: Int) throws(JournalError) -> Int {
        let wanted = min(block.count, end - offset)
        guard wanted > 0 else { return 0 }
        let source = source
        return try block.write(0..<wanted) { (room) throws(JournalError) in try source.read(into: &room, at: offset) }
    }
}
