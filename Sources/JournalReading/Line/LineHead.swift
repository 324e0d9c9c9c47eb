internal import JSONCore
import JournalFormat

/// The beginning of a line as writers make it: `{"seq":N,"kind":"K"`.
///
/// Every pass reads it of every line, so it is read by words: one load for each fixed part.
struct LineHead {
    let seq: Int
    let kind: RecordKind
    /// The index after the kind's closing quote; 0 where number and kind do not lead the line.
    let end: Int

    /// Reads the beginning of a line; nil where it is written otherwise.
    ///
    /// Both common forms are read: without white space, as our writer has it, and with a blank after each colon and comma, as
    /// those of other languages mostly do.
    @inline(__always)
    init?(_ line: ByteView) {
        guard line.count >= LineHead.leastLength else { return nil }
        let front = LineHead.word(line, at: 0)
        if front & LineHead.sevenBytes == LineHead.opening, LineHead.byte(line, at: 7) != 0x20 {
            self.init(line, blanks: 0)
        } else if front == LineHead.spacedOpening {
            self.init(line, blanks: 1)
        } else {
            return nil
        }
    }

    /// Reads on after `{"seq":` and so many blanks.
    @inline(__always)
    private init?(_ line: ByteView, blanks: Int) {
        let start = 7 &+ blanks
        var place = start
        var seq = 0
        while place < line.count {
            let digit = LineHead.byte(line, at: place) &- 48
            guard digit < 10 else { break }
            seq = seq &* 10 &+ Int(digit)
            place &+= 1
        }
        // No digits, too many of them, or a leading zero: left to the full parse.
        let digits = place &- start
        guard digits > 0, digits <= 15, digits == 1 || LineHead.byte(line, at: start) != 48 else {
            return nil
        }
        guard place &+ 16 &+ 2 &* blanks <= line.count else { return nil }
        if blanks == 0 {
            guard LineHead.word(line, at: place) == LineHead.kindKey else { return nil }
            place &+= 8
        } else {
            guard LineHead.word(line, at: place) == LineHead.spacedKindKey,
                LineHead.byte(line, at: place &+ 8) == 0x3A,
                LineHead.byte(line, at: place &+ 9) == 0x20
            else { return nil }
            place &+= 10
        }
        guard LineHead.byte(line, at: place) == 0x22 else { return nil }
        place &+= 1
        self.seq = seq
        if place &+ 8 <= line.count, LineHead.word(line, at: place) & LineHead.sevenBytes == LineHead.commit {
            kind = .commit
            end = place &+ 7
            return
        }
        var close = place
        while close < line.count, LineHead.byte(line, at: close) != 0x22 {
            // An escaped name is read by the full parse.
            if LineHead.byte(line, at: close) == 0x5C { return nil }
            close &+= 1
        }
        guard close < line.count else { return nil }
        kind = unsafe RecordKind(name: line.extracting(unchecked: place, count: close &- place))
        end = close &+ 1
    }

    /// `{"seq":0,"kind":"x"}`: nothing shorter is a record.
    private static let leastLength = 20
    private static let sevenBytes: UInt64 = 0x00FF_FFFF_FFFF_FFFF
    // `{"seq":`, the first byte lowest.
    private static let opening: UInt64 = 0x003A_2271_6573_227B
    // `{"seq": `
    private static let spacedOpening: UInt64 = 0x203A_2271_6573_227B
    // `, "kind"`
    private static let spacedKindKey: UInt64 = 0x2264_6E69_6B22_202C
    // `,"kind":`
    private static let kindKey: UInt64 = 0x3A22_646E_696B_222C
    // `commit"`
    private static let commit: UInt64 = 0x0022_7469_6D6D_6F63

    /// Eight bytes of a line; a caller has compared with its count how many are there.
    @inline(__always)
    private static func word(_ line: ByteView, at place: Int) -> UInt64 {
        unsafe line.load(unchecked: place, as: UInt64.self)
    }

    /// A byte of a line; a caller has compared its place with the count.
    @inline(__always)
    private static func byte(_ line: ByteView, at place: Int) -> UInt8 { unsafe line[unchecked: place] }
}

extension LineHead {
    /// The store's name, between its quotes, where it is the first member after the kind, as our writer puts it, with or without
    /// a blank after the comma and the colon; nil where it may stand elsewhere, or has an escape.
    ///
    /// The rest of the line is not searched: a second one may follow, which would count.
    @inline(__always)
    static func leadingStore(of line: ByteView, from start: Int) -> ByteView? {
        guard start > 0, start &+ 12 < line.count else { return nil }
        var place = start
        if LineHead.byte(line, at: place &+ 1) == 0x20 { place &+= 1 }
        // After the comma: `"store":`
        guard LineHead.byte(line, at: start) == 0x2C,
            LineHead.word(line, at: place &+ 1) == 0x3A22_6572_6F74_7322
        else { return nil }
        place &+= 9
        if LineHead.byte(line, at: place) == 0x20 { place &+= 1 }
        guard LineHead.byte(line, at: place) == 0x22 else { return nil }
        place &+= 1
        let name = place
        while place < line.count {
            let byte = LineHead.byte(line, at: place)
            if byte == 0x22 { return unsafe line.extracting(unchecked: name, count: place &- name) }
            if byte == 0x5C { return nil }
            place &+= 1
        }
        return nil
    }
}
