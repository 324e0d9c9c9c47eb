import JSONCore
import Platform

/// Whether a commit writes what is read, found by a search for the paths of its operations: values are not stepped over.
///
/// It stands for ``CommitWalk/anyPlaceOfAnyForm(in:from:ofStore:where:)``, to which it leaves every line that it cannot be sure of: an
/// operation that reads a place, members in another order, a name that an escape may hide, a second store. What is inside of a
/// value may look like an operation: then a place may be reported that the commit does not write, but none is left out.
enum CommitSearch {
    /// Whether a closure is true of one of the places; nil where the line is to be walked over.
    ///
    /// - Parameters:
    ///   - start: after the store's name.
    ///   - isWanted: given a path's text, and whether its operation puts in or takes out.
    @inline(__always)
    static func anyPlace(
        in line: UnsafeRawBufferPointer, after start: Int, where isWanted: (UnsafeRawBufferPointer, Bool) -> Bool
    ) -> Bool? {
        guard let base = line.baseAddress, !mayHideName(line, after: start) else { return nil }
        var place = start
        while let found = nextName(base, from: place, count: line.count) {
            guard word(base, at: found, bytes: 6) == path, found > operationLength,
                let isPart = isPartEdit(base, before: found),
                let text = pathText(base, after: found &+ 6, count: line.count)
            else { return nil }
            if isWanted(text, isPart) { return true }
            place = found &+ 8 &+ text.count
        }
        return false
    }

    // The lowest byte is the first one.
    // `"path"`
    private static let path: UInt64 = 0x2268_7461_7022
    // `"store"`
    private static let store: UInt64 = 0x22_6572_6F74_7322
    // `{"op":"r`
    private static let openingOfR: UInt64 = 0x7222_3A22_706F_227B
    // `eplace",`
    private static let restOfReplace: UInt64 = 0x2C22_6563_616C_7065
    // `remove",`
    private static let remove: UInt64 = 0x2C22_6576_6F6D_6572
    // `{"op`
    private static let openingOfAdd: UInt64 = 0x706F_227B
    // `":"add",`
    private static let restOfAdd: UInt64 = 0x2C22_6464_6122_3A22
    /// The length of `{"op":"replace",`.
    private static let operationLength = 16

    @inline(__always)
    private static func word(_ base: UnsafeRawPointer, at place: Int, bytes: Int = 8) -> UInt64 {
        let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        return bytes == 8 ? word : word & (1 &<< UInt64(8 &* bytes) &- 1)
    }

    /// Where the next string `"path"` or `"store"` begins.
    ///
    /// Of both a `t` is looked for after which stands one of the letters `h` to `o`, which differ in their lowest three bits:
    /// eight places at a time, as ``LineScanner`` looks for quotes.
    @inline(__always)
    private static func nextName(_ base: UnsafeRawPointer, from start: Int, count: Int) -> Int? {
        // No name is nearer to the line's end than that: a value follows, and what closes it, the patch and the record.
        let last = count &- 9
        var place = start
        while place <= last {
            let letters = word(base, at: place) ^ 0x7474_7474_7474_7474
            let next = (word(base, at: place &+ 1) & 0xF8F8_F8F8_F8F8_F8F8) ^ 0x6868_6868_6868_6868
            let both = letters | next
            var found = (both &- 0x0101_0101_0101_0101) & ~both & 0x8080_8080_8080_8080
            while found != 0 {
                let letter = place &+ found.trailingZeroBitCount &>> 3
                if letter >= 3, letter &+ 5 <= count {
                    if word(base, at: letter &- 3, bytes: 6) == path { return letter &- 3 }
                    if word(base, at: letter &- 2, bytes: 7) == store { return letter &- 2 }
                }
                found &= found &- 1
            }
            place &+= 8
        }
        return nil
    }

    /// Whether the operation in front of its path adds or removes; nil where it is neither of them nor a `replace`.
    @inline(__always)
    private static func isPartEdit(_ base: UnsafeRawPointer, before path: Int) -> Bool? {
        let name = word(base, at: path &- 8)
        if name == restOfReplace, word(base, at: path &- 16) == openingOfR { return false }
        if name == restOfAdd, word(base, at: path &- 12, bytes: 4) == openingOfAdd { return true }
        if name == remove, word(base, at: path &- 15) == openingOfR { return true }
        return isSpacedPartEdit(base, before: path)
    }

    /// Whether an operation with white space in it adds or removes, read backwards from its path to its brace; nil for another.
    @inline(never)
    private static func isSpacedPartEdit(_ base: UnsafeRawPointer, before path: Int) -> Bool? {
        var reader = BackwardText(base: base, place: path)
        guard reader.take(",") else { return nil }
        let isPart: Bool
        if reader.take("\"replace\"") {
            isPart = false
        } else if reader.take("\"add\"") || reader.take("\"remove\"") {
            isPart = true
        } else {
            return nil
        }
        return reader.take(":") && reader.take("\"op\"") && reader.take("{") ? isPart : nil
    }

    /// Reads texts that end at a place, with white space after them.
    private struct BackwardText {
        let base: UnsafeRawPointer
        var place: Int

        /// Steps back over a text, if it is the one before the place.
        mutating func take(_ text: StaticString) -> Bool {
            var end = place
            while end > 0, isSpace(base.load(fromByteOffset: end &- 1, as: UInt8.self)) { end &-= 1 }
            let count = text.utf8CodeUnitCount
            guard end >= count, RawMemory.same(base + (end &- count), text.utf8Start, count: count) else {
                return false
            }
            place = end &- count
            return true
        }

        private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    }

    /// The string after a colon; nil where another thing stands there.
    @inline(__always)
    private static func pathText(_ base: UnsafeRawPointer, after name: Int, count: Int) -> UnsafeRawBufferPointer? {
        var scanner = LineScanner(UnsafeRawBufferPointer(start: base, count: count), at: name)
        guard scanner.take(0x3A), let text = scanner.string(), !text.isEscaped,
            text.raw.count <= JSONPatch.pathDepthLimit
        else { return nil }
        return text.raw
    }

    /// Whether an escape stands in the line that may spell a letter of a name: `\u006` or `\u007` begin all of them.
    @inline(__always)
    private static func mayHideName(_ line: UnsafeRawBufferPointer, after start: Int) -> Bool {
        guard let base = line.baseAddress else { return true }
        var place = start
        while place < line.count,
            let distance = RawMemory.firstOffset(of: 0x5C, in: base + place, count: line.count &- place)
        {
            place &+= distance
            guard place &+ 8 <= line.count else { return true }
            // `\u00`, and a digit of which only the lowest bit may differ.
            if word(base, at: place, bytes: 5) & 0xFE_FFFF_FFFF == 0x36_3030_755C { return true }
            place &+= 2
        }
        return false
    }
}
