import JSONCore
import JournalFormat

/// What was found in one part of a range that is read ahead.
final class ReadPart {
    struct Line {
        private let seq: CommitNumber
        private let kind: RecordKind
        private let offset: ByteOffset
        private let bytes: ByteView
        private let hasNewline: Bool
        /// Where the members after its kind begin.
        private let members: Int
        private let token: JSONToken?
        /// Whether it opens or closes a store, or may be wanted only because it is the part's first commit of its store.
        let isUnsure: Bool
        /// Where the next line begins, and what that goes on from; lines are counted from the part's first.
        let place: ReaderPlace

        init(_ line: RecordLine, _ found: JSONToken?, isUnsure: Bool, place: ReaderPlace) {
            seq = line.seq
            kind = line.kind
            offset = line.offset
            bytes = line.bytes
            hasNewline = line.hasNewline
            members = line.membersStart
            token = found
            self.isUnsure = isUnsure
            self.place = place
        }

        func line(_ number: Int?, of journal: JournalName, _ tape: LineTape) -> RecordLine {
            tape.take(token)
            return RecordLine(
                seq: seq, kind: kind, offset: offset, number: number.map { LineNumber($0) }, bytes: bytes,
                hasNewline: hasNewline, resumed: false, membersStart: members, journal: journal, tape: tape)
        }
    }

    let range: Range<Int>
    /// The first line's number and kind, and the first commit that it says is lost; nil where no line begins in it.
    let first: (seq: Int, kind: RecordKind, lost: Int?)?
    let lines: [Line]
    /// What lines go on from after it, and how many there are; nil where there are none.
    let end: ReaderPlace?
    /// The bytes of the lines that are wanted, and their tapes.
    private let kept: KeptBytes

    /// Reads a part; nil where anything is not as it must be.
    init?(
        _ path: String, _ source: ByteSource, _ range: Range<Int>, _ filter: RecordFilter, checksSums: Bool
    ) {
        func reader() -> RecordReader {
            RecordReader(
                path: path, source: source, from: range.lowerBound, to: range.upperBound, linesBefore: 0, last: -1,
                recovers: false, checksSums: checksSums)
        }
        var front = reader()
        var reader = reader()
        guard let first = try? front.next() ?? nil, let found = try? ReadPart.find(&reader, filter.anew()),
            reader.tornTail == nil, reader.offset.rawValue == range.upperBound
        else { return nil }
        self.range = range
        let lost = first.kind == .gap ? try? first.firstLost() : nil
        self.first = (first.seq.rawValue, first.kind, lost?.rawValue)
        (lines, kept) = found
        end = reader.place
    }

    /// A part in which no line begins.
    init(emptyAt offset: Int) {
        range = offset..<offset
        (first, lines, end) = (nil, [], nil)
        kept = KeptBytes()
    }

    private static func find(
        _ reader: inout RecordReader, _ filter: RecordFilter
    ) throws(JournalError) -> (lines: [Line], kept: KeptBytes) {
        var filter = filter
        var lines: [Line] = []
        let kept = KeptBytes()
        while var line = try reader.next(matching: &filter) {
            let token = try? line.token()
            line.bytes = kept.append(line.bytes)
            let found = token?.tape.flatMap { JSONToken(of: line.bytes, tape: kept.append($0)) }
            let isUnsure = line.kind != .commit || filter.wasForStoreOnly
            lines.append(Line(line, found, isUnsure: isUnsure, place: reader.place))
        }
        return (lines, kept)
    }
}

struct ReaderPlace {
    /// Where the next line begins.
    var offset: Int
    /// What that goes on from.
    var order: RecordOrder
    /// How many lines are before it; nil where they were not counted.
    var linesBefore: Int?
}
