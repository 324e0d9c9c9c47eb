import JSONCore
import Platform

/// Clears the lines of commits that write nothing of what is read, by a search for the bytes that such a path would have.
///
/// Whatever an operation writes, its path leads to what is read, stands below it, or ends above it. So a line matters only if it
/// holds one of these: the last name of a path that is read, behind a slash (`/discount`); a pointer to what is above it, whole
/// (`"/cart"`, `""`) or with an index behind it, since an insertion moves what follows; or an escape that may hide one (`\u`,
/// `\/`). They are looked for as pairs of bytes, sixteen places at a time; what begins like one is compared.
///
/// What such a text means is not asked: a line that is not cleared is walked over by ``CommitWalk``. Neither is the store: what
/// is read of any store is looked for in the lines of all, so that it does not matter which of two names in a line counts.
struct FootprintSearch: Sendable {
    /// What is looked for: a pointer from its front, to something above what is read, or the last name of a path that is.
    ///
    /// Of both the bytes from a slash on; in one buffer, so that a comparison counts no references.
    private struct Text: Sendable {
        let range: Range<Int>
        let isAbove: Bool
    }

    private var bytes: [UInt8] = []
    private var texts: [Text] = []
    /// The bytes that may stand behind a slash.
    private var seconds: (UInt8, UInt8, UInt8) = (0, 0, 0)

    /// More paths than this are as well looked for one by one.
    private static let textLimit = 24

    /// Looks for what is read of any store; nil where a path cannot be told by its bytes: all of a store is read, a name has
    /// escapes, or there are too many.
    init?(_ paths: PathSet) {
        guard case .branch(let stores) = paths.root, stores.each == nil else { return nil }
        for (_, node) in stores.members {
            guard case .branch(let branch) = node, add(branch, at: []) else { return nil }
        }
        guard !texts.isEmpty, texts.count <= FootprintSearch.textLimit else { return nil }
        let seconds = Set(texts.compactMap { $0.range.count > 1 ? bytes[$0.range.lowerBound + 1] : nil }).sorted()
        guard seconds.count <= 3 else { return nil }
        // Where no name is looked for, an index: those are looked for anyway.
        let first = seconds.first ?? UInt8(ascii: "0")
        self.seconds = (first, seconds.isEmpty ? first : seconds[seconds.count / 2], seconds.last ?? first)
    }

    /// Adds what is read below a place; false where it cannot be looked for.
    private mutating func add(_ branch: PathSet.Branch, at path: [UInt8]) -> Bool {
        // Any name may stand there: whatever is written below the place is looked at.
        if branch.each != nil || branch.element != nil { return addName(endingIn: path) }
        // Of no member but of its kind, as of what is above a member: whatever is written below it does not matter.
        add(path[...], isAbove: true)
        for (key, node) in branch.members {
            guard texts.count <= FootprintSearch.textLimit, !key.isEmpty,
                key.utf8.allSatisfy({ $0 >= 0x20 && !#""\/~"#.utf8.contains($0) })
            else { return false }
            let place = path + [UInt8(ascii: "/")] + key.utf8
            switch node {
            case .all: guard addName(endingIn: place) else { return false }
            case .branch(let branch): guard add(branch, at: place) else { return false }
            }
        }
        return true
    }

    private mutating func addName(endingIn path: [UInt8]) -> Bool {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return false }
        add(path[slash...], isAbove: false)
        return true
    }

    private mutating func add(_ text: ArraySlice<UInt8>, isAbove: Bool) {
        texts.append(Text(range: bytes.count..<(bytes.count + text.count), isAbove: isAbove))
        bytes += text
    }

    private typealias Vector = SIMD16<UInt8>

    /// Whether a line is one record, as far as it was looked at, and writes nothing of what is read.
    ///
    /// - Parameter start: behind the line's number and kind.
    @inline(__always)
    func clears(_ line: UnsafeRawBufferPointer, behind start: Int) -> Bool {
        guard let base = line.baseAddress, line.count &- start > 16 else { return false }
        let slash = Vector(repeating: 0x2F)
        let quote = Vector(repeating: 0x22)
        let backslash = Vector(repeating: 0x5C)
        let letter = Vector(repeating: UInt8(ascii: "q"))
        let (minus, digits) = (Vector(repeating: 0x2D), Vector(repeating: 0x39 - 0x2D))
        // Of `u` and `/`, but of no other letter behind a backslash, these bits are set.
        let (escapeBits, escape) = (Vector(repeating: 0xA5), Vector(repeating: 0x25))
        let (one, two, three) = (
            Vector(repeating: seconds.0), Vector(repeating: seconds.1), Vector(repeating: seconds.2)
        )
        // The last vector may overlap the one before: a place is then looked at twice.
        let last = line.count &- 17
        var place = start
        while true {
            let a = base.loadUnaligned(fromByteOffset: place, as: Vector.self)
            let b = base.loadUnaligned(fromByteOffset: place &+ 1, as: Vector.self)
            let name = (b .== one) .| (b .== two) .| (b .== three) .| ((b &- minus) .<= digits)
            let paths = (a .== slash) .& name
            let quotes = ((a .== quote) .| (a .== letter)) .& (b .== quote)
            let escapes = (a .== backslash) .& ((b & escapeBits) .== escape)
            // A mask is bytes of ones and zeros: as two words it is looked through at once.
            let words = unsafeBitCast(paths .| quotes .| escapes, to: SIMD2<UInt64>.self)
            if words[0] | words[1] != 0 {
                if isFound(in: base, line.count, place, UInt64(littleEndian: words[0])) { return false }
                if isFound(in: base, line.count, place &+ 8, UInt64(littleEndian: words[1])) { return false }
            }
            if place == last { return true }
            place = min(place &+ 16, last)
        }
    }

    /// Whether one of the places of a mask begins what is looked for.
    @inline(__always)
    private func isFound(in base: UnsafeRawPointer, _ count: Int, _ start: Int, _ mask: UInt64) -> Bool {
        var mask = mask
        while mask != 0 {
            let bit = mask.trailingZeroBitCount
            if isText(base, count, at: start &+ bit &>> 3) { return true }
            mask &= ~(0xFF &<< UInt64(bit & ~7))
        }
        return false
    }

    /// Whether what begins at a place matters.
    @inline(__always)
    private func isText(_ base: UnsafeRawPointer, _ count: Int, at place: Int) -> Bool {
        switch base.load(fromByteOffset: place, as: UInt8.self) {
        case 0x2F: return isPath(base, count, at: place)
        case UInt8(ascii: "q"):
            // A second `"seq"`: there may be a second record.
            return place >= 3
                && base.loadUnaligned(fromByteOffset: place &- 3, as: UInt32.self) == UInt32(littleEndian: 0x7165_7322)
        default: return true
        }
    }

    private func isPath(_ base: UnsafeRawPointer, _ count: Int, at place: Int) -> Bool {
        texts.withUnsafeBufferPointer { texts in
            bytes.withUnsafeBytes { bytes in
                texts.contains { isText($0, of: bytes, base, count, at: place) }
            }
        }
    }

    @inline(__always)
    private func isText(
        _ text: Text, of bytes: UnsafeRawBufferPointer, _ base: UnsafeRawPointer, _ count: Int, at place: Int
    ) -> Bool {
        let end = place &+ text.range.count
        guard end &+ 1 < count, let start = bytes.baseAddress,
            RawMemory.same(base + place, start + text.range.lowerBound, count: text.range.count)
        else { return false }
        let next = base.load(fromByteOffset: end, as: UInt8.self)
        if !text.isAbove { return next == 0x22 || next == 0x2F }
        guard place > 0, base.load(fromByteOffset: place &- 1, as: UInt8.self) == 0x22 else { return false }
        // `-` to `9`: an index, or the end of an array.
        return next == 0x22
            || next == 0x2F && base.load(fromByteOffset: end &+ 1, as: UInt8.self) &- 0x2D <= 0x39 - 0x2D
    }
}
