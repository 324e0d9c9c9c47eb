import JSONCore

/// Clears the lines of commits that write nothing of what is read, by a search for the bytes that such a path would have.
///
/// Whatever an operation writes, its path leads to what is read, stands below it, or ends above it. So a line matters only if it
/// holds one of these: a pointer to what is read, whole (`"/cart/discount"`) or with more after it; a pointer to what is above it,
/// whole (`"/cart"`, `""`) or with an index after it, since an insertion moves what follows; or an escape that may hide one (`\u`,
/// `\/`). Slashes, quotes and backslashes are looked for, sixteen places at a time; where a slash stands before the first byte of
/// a name, the pointer is compared.
///
/// What such a text means is not asked: a line of which it is not certain is taken apart. Neither is the store:
/// what is read of any store is looked for in the lines of all, so that it does not matter which of two names in a line counts.
struct FootprintSearch: Sendable {
    enum Finding {
        /// As far as it was looked at, it is one record and writes nothing of what is read of any store.
        case nothing
        /// Something that may matter.
        case unsure
        /// A pointer to what is read of some store: where that is the line's, its commit writes that, or a text in it says so.
        case pointer
    }

    /// A pointer that is looked for.
    private struct Text: Sendable {
        enum Place: Sendable {
            /// Something above what is read.
            case above
            /// A value of which only its kind is read, or what it is if it is no container: nothing below it matters.
            case leaf
            /// All of what is read, with what is below it.
            case whole
        }

        /// Where its bytes are; those of all lie in one buffer, so that a comparison counts no references.
        let range: Range<Int>
        /// How many of them stand before the slash by which it is looked for.
        let front: Int
        let place: Place
    }

    /// For each byte whether a pointer that matters may have it after the slash by which it is looked for, then the texts.
    private var bytes = [UInt8](repeating: 0, count: 256)
    private var texts: [Text] = []

    /// More paths than this are as well looked for one by one.
    private static let textLimit = 24

    /// Looks for what is read of any store; nil where a path cannot be recognised by its bytes: all of a store is read, a name has
    /// escapes, or there are too many.
    init?(_ paths: PathSet) {
        guard case .branch(let stores) = paths.root, stores.each == nil else { return nil }
        for (_, node) in stores.members {
            guard case .branch(let branch) = node, add(branch, at: []) else { return nil }
        }
        guard !texts.isEmpty, texts.count <= FootprintSearch.textLimit else { return nil }
        for text in texts {
            let place = text.range.lowerBound + text.front + 1
            if place < text.range.upperBound { bytes[Int(bytes[place])] = 1 }
        }
        // An index may follow what is above.
        for index in UInt8(ascii: "-")...UInt8(ascii: "9") { bytes[Int(index)] = 1 }
    }

    /// Adds what is read below a place; false where it cannot be looked for.
    private mutating func add(_ branch: PathSet.Branch, at path: [UInt8]) -> Bool {
        // Any name may stand there: whatever is written below the place is looked at.
        if branch.each != nil || branch.element != nil { return addName(endingIn: path) }
        // The root of the state has no slash by which it could be found.
        add(path, front: 0, branch.members.isEmpty && !path.isEmpty ? .leaf : .above)
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
        add(path, front: slash, .whole)
        return true
    }

    private mutating func add(_ text: [UInt8], front: Int, _ place: Text.Place) {
        texts.append(Text(range: bytes.count..<(bytes.count + text.count), front: front, place: place))
        bytes += text
    }

    private typealias Vector = SIMD16<UInt8>

    /// Looks through a line up to the first place that may matter.
    ///
    /// - Parameter start: after the line's number and kind.
    @inline(__always)
    func scan(_ line: ByteView, after start: Int) -> Finding {
        guard line.count &- start > 16 else { return .unsure }
        let (slash, backslash) = (Vector(repeating: 0x2F), Vector(repeating: 0x5C))
        let (quote, letter) = (Vector(repeating: 0x22), Vector(repeating: UInt8(ascii: "q")))
        // The last vector may overlap the one before: a place is then looked at twice.
        let last = line.count &- 17
        var place = start
        while true {
            let a = unsafe line.vector(unchecked: place)
            let b = unsafe line.vector(unchecked: place &+ 1)
            let pairs = (bits(a .== quote) | bits(a .== letter)) & bits(b .== quote)
            // As two words a vector is looked through at once.
            let words = unsafe unsafeBitCast(pairs | bits(a .== slash) | bits(a .== backslash), to: SIMD2<UInt64>.self)
            if words[0] | words[1] != 0 {
                let near = scan(line, place, words[0].littleEndian)
                if near != .nothing { return near }
                let far = scan(line, place &+ 8, words[1].littleEndian)
                if far != .nothing { return far }
            }
            if place == last { return .nothing }
            place = min(place &+ 16, last)
        }
    }

    /// A comparison as bytes of ones and zeros.
    @inline(__always)
    private func bits(_ mask: SIMDMask<SIMD16<Int8>>) -> Vector { unsafe unsafeBitCast(mask, to: Vector.self) }

    /// A byte of a line: a place that is looked at has one after it, and any other was compared with the count.
    @inline(__always)
    private static func byte(_ line: ByteView, at place: Int) -> UInt8 { unsafe line[unchecked: place] }

    @inline(__always)
    private func scan(_ line: ByteView, _ start: Int, _ mask: UInt64) -> Finding {
        var mask = mask
        while mask != 0 {
            let bit = mask.trailingZeroBitCount
            let found = examine(at: start &+ bit &>> 3, of: line)
            if found != .nothing { return found }
            mask &= ~(0xFF &<< UInt64(bit & ~7))
        }
        return .nothing
    }

    @inline(__always)
    private func examine(at place: Int, of line: ByteView) -> Finding {
        switch FootprintSearch.byte(line, at: place) {
        case 0x2F: return lookForPointer(at: place, of: line)
        case UInt8(ascii: "q"):
            // A second `"seq"`: there may be a second record.
            let isName =
                place >= 3
                && (unsafe line.load(unchecked: place &- 3, as: UInt32.self)) == 0x7165_7322
            return isName ? .unsure : .nothing
        case 0x5C:
            // A name may hide in `\u`, a slash in `\/`; in no other escape.
            let letter = FootprintSearch.byte(line, at: place &+ 1)
            return letter == UInt8(ascii: "u") || letter == 0x2F ? .unsure : .nothing
        default: return .unsure
        }
    }

    private func lookForPointer(at slash: Int, of line: ByteView) -> Finding {
        bytes.withBytes { bytes in
            // There is an entry for each byte.
            guard unsafe bytes[unchecked: Int(FootprintSearch.byte(line, at: slash &+ 1))] != 0 else { return .nothing }
            for text in texts {
                let found = finding(text, of: bytes, in: line, at: slash)
                if found != .nothing { return found }
            }
            return .nothing
        }
    }

    @inline(__always)
    private func finding(
        _ text: Text, of bytes: ByteView, in line: ByteView, at slash: Int
    ) -> Finding {
        let place = slash &- text.front
        let end = place &+ text.range.count
        // The line is asked first; the range is that of a text in `bytes`.
        guard place > 0, end &+ 1 < line.count, FootprintSearch.byte(line, at: place &- 1) == 0x22,
            unsafe line.extracting(unchecked: place, count: text.range.count)
                .hasSameBytes(as: bytes.extracting(unchecked: text.range.lowerBound, count: text.range.count))
        else { return .nothing }
        let next = FootprintSearch.byte(line, at: end)
        if next == 0x22 { return text.place == .above ? .unsure : .pointer }
        guard next == 0x2F else { return .nothing }
        if text.place == .whole { return .pointer }
        // `-` to `9`: an index, or the end of an array.
        return FootprintSearch.byte(line, at: end &+ 1) &- 0x2D <= 0x39 - 0x2D ? .unsure : .nothing
    }
}
