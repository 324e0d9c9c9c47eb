import JSONCore
import JournalFormat

/// What a line is that is not written in the usual form, found by parsing it whole.
enum LineForm {
    /// A record, whatever the order of its members and the white space.
    case record(seq: Int, kind: RecordKind)
    /// No record; `byte` is the first one that is wrong, counted from the line's front.
    case damaged(JournalDamage.Reason, byte: Int)

    /// Parses a line without its newline.
    init(_ line: UnsafeRawBufferPointer) {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
            self = .damaged(.blank, byte: 0)
            return
        }
        do throws(JSONError) {
            self = LineForm(try JSONParser.parse(line))
        } catch {
            if line.starts(with: [0xEF, 0xBB, 0xBF]) {
                self = .damaged(.byteOrderMark, byte: 0)
            } else if error.offset < line.count, line[error.offset] == 0 {
                self = .damaged(.zeros, byte: error.offset)
            } else {
                self = .damaged(.json(error.fact), byte: error.offset)
            }
        }
    }

    private init(_ value: JSONValue) {
        guard case .object(let object) = value else {
            self = .damaged(.notAnObject, byte: 0)
            return
        }
        guard let seq = object["seq"]?.number?.integerValue, (0...CommitNumber.largest.rawValue).contains(seq) else {
            self = .damaged(.noNumber, byte: 0)
            return
        }
        guard case .string(var kind)? = object["kind"] else {
            self = .damaged(.noKind, byte: 0)
            return
        }
        self = .record(seq: seq, kind: kind.withUTF8 { RecordKind(name: UnsafeRawBufferPointer($0)) })
    }
}

/// Counts the lines of a journal.
struct LineCounter {
    private let source: ByteSource

    init(_ source: ByteSource) { self.source = source }

    /// The number of the line that holds a byte.
    ///
    /// - Complexity: O(n) in the bytes before it, as fast as they are read.
    func line(at offset: ByteOffset) throws(JournalError) -> LineNumber {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { block.deallocate() }
        var place = 0
        var lines = 0
        while place < offset.rawValue {
            let wanted = min(block.count, offset.rawValue - place)
            let count = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: block[..<wanted]), at: place)
            if count == 0 { break }
            for byte in block[..<count] where byte == 0x0A { lines &+= 1 }
            place += count
        }
        return LineNumber(lines + 1)
    }
}
