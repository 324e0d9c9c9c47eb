import JSONCore
import Platform

/// Steps over JSON text and proves that it is in a form, so that its value need not be built to be trusted.
///
/// A false answer proves nothing: it is also given for what is rare and costly to prove (`\u` escapes in names and in compact
/// text, nesting deeper than ``depthLimit``, very many unsorted names), and the caller then parses.
///
/// - Complexity: O(n), a nanosecond for one or two bytes; objects whose names do not ascend add a comparison of words for each
///   pair of their names.
struct ProvingScanner {
    /// What is proven.
    enum Form {
        /// It is valid, and no object has a name twice.
        case wellFormed
        /// It is besides byte for byte what `JSONWriter` makes of the value that `JSONParser` reads from it: no white space
        /// between tokens, and escapes in strings only where and as our writer does. So a part of it can be copied.
        case compact
    }

    /// How deep arrays and objects are followed.
    static let depthLimit = 64
    /// Longer numbers are left to the parser, which has a limit of its own.
    private static let numberLimit = 400

    /// A member's name, by its first eight bytes and its place.
    private struct Name {
        let front: UInt64
        let start: UInt32
        let length: UInt32
    }

    private let base: UnsafeRawPointer
    private let count: Int
    private(set) var place: Int
    /// The names of the objects that are open, those of the innermost last.
    private let names: UnsafeMutableBufferPointer<Name>
    private var nameCount = 0
    private var depth = 0
    /// All bytes of strings, or'ed.
    private var stringBits: UInt64 = 0
    private let isCompact: Bool

    /// How many names are kept of an object, and of all that are open.
    private static let (objectNameLimit, nameLimit) = (512, 1024)

    /// Runs a closure with a scanner at the front of a text, whose table of names is on the stack; nil for an empty text.
    @inline(__always)
    static func scan<Result>(
        _ text: UnsafeRawBufferPointer, as form: Form, _ body: (inout ProvingScanner) -> Result?
    ) -> Result? {
        guard let base = text.baseAddress else { return nil }
        return withUnsafeTemporaryAllocation(of: Name.self, capacity: nameLimit) { names in
            var scanner = ProvingScanner(base: base, count: text.count, names: names, isCompact: form == .compact)
            return body(&scanner)
        }
    }

    private init(base: UnsafeRawPointer, count: Int, names: UnsafeMutableBufferPointer<Name>, isCompact: Bool) {
        self.base = base
        self.count = count
        place = 0
        self.names = names
        self.isCompact = isCompact
    }

    /// Whether all of the text was stepped over, and its strings are UTF-8.
    var isDone: Bool {
        mutating get {
            skipSpace()
            return place == count && (stringBits & 0x8080_8080_8080_8080 == 0 || isUTF8)
        }
    }

    /// The byte at the place, 0 after the end.
    @inline(__always)
    private var byte: UInt8 { place < count ? base.load(fromByteOffset: place, as: UInt8.self) : 0 }

    @inline(__always)
    private mutating func take(_ expected: UInt8) -> Bool {
        if byte != expected {
            guard !isCompact else { return false }
            skipSpace()
            guard byte == expected else { return false }
        }
        place &+= 1
        return true
    }

    /// Steps over white space, where the form allows for it.
    @inline(__always)
    private mutating func skipSpace() {
        guard !isCompact else { return }
        while byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A { place &+= 1 }
    }

    /// Steps over a value; false where it is not proven to be of the form.
    mutating func value() -> Bool {
        switch byte {
        case 0x22: return string() != nil
        case 0x7B: return object { _, _ in }
        case 0x5B: return array()
        case 0x74: return word(0x6575_7274, length: 4)
        case 0x66: return byte(at: 4) == 0x65 && word(0x736C_6166, length: 5)
        case 0x6E: return word(0x6C6C_756E, length: 4)
        default: return number()
        }
    }

    /// Steps over an object.
    ///
    /// - Parameter member: called with the ranges of each member's name, between its quotes, and value.
    @inline(__always)
    mutating func object(_ member: (Range<Int>, Range<Int>) -> Void) -> Bool {
        guard take(0x7B), depth < ProvingScanner.depthLimit else { return false }
        if take(0x7D) { return true }
        depth &+= 1
        let first = nameCount
        var length = 0
        var ascends = true
        repeat {
            guard let name = string(isName: true), take(0x3A) else { return false }
            skipSpace()
            guard isNew(name, among: first, &length, &ascends) else { return false }
            let start = place
            guard value() else { return false }
            member(name, start..<place)
        } while take(0x2C)
        nameCount = first
        depth &-= 1
        return take(0x7D)
    }

    private mutating func array() -> Bool {
        guard take(0x5B), depth < ProvingScanner.depthLimit else { return false }
        if take(0x5D) { return true }
        depth &+= 1
        repeat {
            skipSpace()
            guard value() else { return false }
        } while take(0x2C)
        depth &-= 1
        return take(0x5D)
    }

    // MARK: Names

    /// Whether a name is another one than those before it in its object; it is kept as long as there is room.
    ///
    /// While names ascend, as in states and dictionaries, only the last one is looked at, and room for one is enough.
    @inline(__always)
    private mutating func isNew(_ text: Range<Int>, among first: Int, _ length: inout Int, _ ascends: inout Bool)
        -> Bool
    {
        let name = Name(
            front: front(of: text), start: UInt32(truncatingIfNeeded: text.lowerBound),
            length: UInt32(truncatingIfNeeded: text.count))
        let kept = nameCount &- first
        if length > 0 {
            if ascends, !isBefore(names[nameCount &- 1], name) { ascends = false }
            if !ascends {
                guard kept == length else { return false }
                for index in first..<nameCount where isSame(names[index], name) { return false }
            }
        }
        if nameCount < names.count, kept < ProvingScanner.objectNameLimit {
            names[nameCount] = name
            nameCount &+= 1
        } else {
            guard kept > 0, ascends else { return false }
            names[nameCount &- 1] = name
        }
        length &+= 1
        return true
    }

    /// The first eight bytes, the first one highest, zeros after the end.
    @inline(__always)
    private func front(of text: Range<Int>) -> UInt64 {
        let bits = 64 &- 8 &* min(text.count, 8)
        guard bits < 64 else { return 0 }
        if text.lowerBound &+ 8 <= count {
            let word = UInt64(bigEndian: base.loadUnaligned(fromByteOffset: text.lowerBound, as: UInt64.self))
            return word & (.max &<< UInt64(bits))
        }
        var word: UInt64 = 0
        for index in text { word = word &<< 8 | UInt64(base.load(fromByteOffset: index, as: UInt8.self)) }
        return word &<< UInt64(bits)
    }

    @inline(__always)
    private func isSame(_ one: Name, _ other: Name) -> Bool {
        guard one.front == other.front, one.length == other.length else { return false }
        return one.length <= 8
            || RawMemory.same(base + Int(one.start), base + Int(other.start), count: Int(one.length))
    }

    @inline(__always)
    private func isBefore(_ one: Name, _ other: Name) -> Bool {
        if one.front != other.front { return one.front < other.front }
        let order = RawMemory.compare(
            base + Int(one.start), base + Int(other.start), count: Int(min(one.length, other.length)))
        return order != 0 ? order < 0 : one.length < other.length
    }

    // MARK: Scalars

    /// Steps over a string; the place between its quotes, nil where it is not of the form.
    @inline(__always)
    private mutating func string(isName: Bool = false) -> Range<Int>? {
        guard take(0x22) else { return nil }
        let start = place
        while true {
            skipPlainText()
            switch byte {
            case 0x22:
                place &+= 1
                return start..<(place &- 1)
            case 0x5C:
                // Of a name only one form is compared.
                guard isCompact || !isName else { return nil }
                switch byte(at: 1) {
                case 0x22, 0x5C, 0x62, 0x66, 0x6E, 0x72, 0x74: place &+= 2
                case 0x2F where !isCompact: place &+= 2
                case 0x75 where !isCompact:
                    for digit in 2..<6 where !isHexadecimal(byte(at: digit)) { return nil }
                    place &+= 6
                default: return nil
                }
            case 0x7F where !isCompact: place &+= 1
            default: return nil
            }
        }
    }

    /// Steps to the next byte that our writer escapes, or to the end; `LineScanner` explains how eight bytes are looked at at once.
    @inline(__always)
    private mutating func skipPlainText() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        while place &+ 8 <= count {
            let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let quote = word ^ 0x2222_2222_2222_2222
            let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
            let delete = word ^ 0x7F7F_7F7F_7F7F_7F7F
            let found =
                (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((delete &- ones) & ~delete)
                    | ((word &- 0x2020_2020_2020_2020) & ~word)) & 0x8080_8080_8080_8080
            stringBits |= word
            if found != 0 {
                place &+= found.trailingZeroBitCount &>> 3
                return
            }
            place &+= 8
        }
        while place < count {
            let byte = base.load(fromByteOffset: place, as: UInt8.self)
            if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F { return }
            stringBits |= UInt64(byte)
            place &+= 1
        }
    }

    private func isHexadecimal(_ byte: UInt8) -> Bool {
        byte &- 48 < 10 || (byte | 0x20) &- 97 < 6
    }

    @inline(__always)
    private func byte(at distance: Int) -> UInt8 {
        place &+ distance < count ? base.load(fromByteOffset: place &+ distance, as: UInt8.self) : 0
    }

    /// Steps over a literal whose first four bytes are these, the first one lowest.
    @inline(__always)
    private mutating func word(_ front: UInt32, length: Int) -> Bool {
        guard place &+ length <= count,
            UInt32(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt32.self)) == front
        else { return false }
        place &+= length
        return true
    }

    /// Steps over a number (RFC 8259 §6); its text stays as it is, so any form will do.
    private mutating func number() -> Bool {
        let start = place
        _ = take(0x2D)
        if !take(0x30) { guard digits() else { return false } }
        if take(0x2E) { guard digits() else { return false } }
        if byte | 0x20 == 0x65 {
            place &+= 1
            if byte == 0x2B || byte == 0x2D { place &+= 1 }
            guard digits() else { return false }
        }
        return place &- start <= ProvingScanner.numberLimit
    }

    @inline(__always)
    private mutating func digits() -> Bool {
        let start = place
        while byte &- 48 < 10 { place &+= 1 }
        return place > start
    }

    /// Decoding repairs what is malformed, and then the bytes are others.
    private var isUTF8: Bool {
        let text = UnsafeRawBufferPointer(start: base, count: count)
        var decoded = String(decoding: text, as: UTF8.self)
        return decoded.withUTF8 { $0.count == count && UnsafeRawBufferPointer($0).elementsEqual(text) }
    }
}
