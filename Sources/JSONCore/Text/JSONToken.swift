/// A value that a tape found in a text, or the name of a member: a view that copies and counts nothing.
///
/// It is valid as long as the text is, and until the tape reads another one.
///
/// What is read of every line is public and inlinable, since other modules read it: what is only of the package is not inlined into
/// them (Swift 6.3).
///
/// Its entry is one that a tape wrote, and the tape checked where that lies in the text.
@safe
public struct JSONToken {
    @usableFromInline let base: UnsafeRawPointer
    @usableFromInline let entries: UnsafePointer<JSONTape.Entry>
    @usableFromInline let index: Int

    /// The token of an entry that was written, of a text from `base` on.
    @inlinable @inline(__always)
    init(base: UnsafeRawPointer, entries: UnsafePointer<JSONTape.Entry>, index: Int) {
        unsafe self.base = unsafe base
        unsafe self.entries = unsafe entries
        self.index = index
    }

    /// What a value is.
    @frozen
    public enum Kind: UInt8, Sendable {
        case null, `false`, `true`, number, string, name, array, object
    }

    @inlinable @inline(__always)
    var entry: JSONTape.Entry { unsafe entries[index] }

    /// What the value is.
    @inlinable @inline(__always)
    public var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: entry.info & JSONTape.Entry.kindMask)) ?? .null }

    /// Where the value stands in the text: of a string with its quotes.
    @inlinable @inline(__always)
    public var range: Range<Int> {
        let entry = entry
        let quote = isText ? 1 : 0
        return Int(entry.start) &- quote..<Int(entry.end) &+ quote
    }

    /// The value's text: of a string with its quotes.
    @inlinable @inline(__always)
    public var text: ByteView {
        let range = range
        return unsafe ByteView(base: base + range.lowerBound, count: range.count)
    }

    @inlinable @inline(__always)
    var isText: Bool {
        let kind = entry.info & JSONTape.Entry.kindMask
        return kind == JSONTape.Entry.string || kind == JSONTape.Entry.name
    }

    // MARK: Strings

    /// What lies between the quotes of a string or a name, its escapes not undone.
    @inlinable @inline(__always)
    public var raw: ByteView {
        let entry = entry
        return unsafe ByteView(base: base + Int(entry.start), count: Int(entry.end &- entry.start))
    }

    /// Where that stands in the text.
    @inlinable @inline(__always)
    public var rawRange: Range<Int> { Int(entry.start)..<Int(entry.end) }

    /// Whether there is an escape in a string or a name.
    @inlinable @inline(__always)
    public var isEscaped: Bool { entry.info & JSONTape.Entry.escaped != 0 }

    /// Whether a string or a name has bytes that are not ASCII.
    @inlinable @inline(__always)
    public var isWide: Bool { entry.info & JSONTape.Entry.wide != 0 }

    /// What a string says where nothing in it is escaped; nil for any other value.
    @inlinable @inline(__always)
    public var plainString: ByteView? {
        let mask = JSONTape.Entry.kindMask | JSONTape.Entry.escaped
        return entry.info & mask == JSONTape.Entry.string ? raw : nil
    }

    /// What a string says; nil for any other value.
    package var string: String? {
        guard isText else { return nil }
        return isEscaped
            ? withUnescapedBytes { String(decoding: $0, as: UTF8.self) } : String(decoding: raw, as: UTF8.self)
    }

    /// Calls a closure with what a string or a name says, escapes undone, valid during the call.
    @inlinable @inline(__always)
    public func withBytes<Result>(_ body: (ByteView) -> Result) -> Result {
        isEscaped ? withUnescapedBytes(body) : body(raw)
    }

    @usableFromInline @inline(never)
    func withUnescapedBytes<Result>(_ body: (ByteView) -> Result) -> Result {
        // No escape is longer undone than written.
        ByteView.withTemporaryBytes(raw.count, { 0..<unescape(into: &$0) }, body)
    }

    /// Undoes the escapes, which were checked; half a surrogate pair stands for U+FFFD (RFC 8259 section 7).
    private func unescape(into buffer: inout MutableSpan<UInt8>) -> Int {
        let raw = raw
        var (place, count) = (0, 0)
        func put(_ byte: UInt8) {
            buffer[count] = byte
            count += 1
        }
        func unit() -> UInt32 {
            var value: UInt32 = 0
            for digit in 0..<4 { value = value << 4 | (JSONBytes.hexadecimal(raw[place + digit]) ?? 0) }
            place += 4
            return value
        }
        while place < raw.count {
            let byte = raw[place]
            place += 1
            guard byte == 0x5C else {
                put(byte)
                continue
            }
            let letter = raw[place]
            place += 1
            switch letter {
            case 0x62: put(0x08)
            case 0x66: put(0x0C)
            case 0x6E: put(0x0A)
            case 0x72: put(0x0D)
            case 0x74: put(0x09)
            case 0x75:
                var scalar = unit()
                if scalar & 0xFC00 == 0xD800, place + 1 < raw.count, raw[place] == 0x5C, raw[place + 1] == 0x75 {
                    let start = place
                    place += 2
                    let second = unit()
                    if second & 0xFC00 == 0xDC00 {
                        scalar = 0x10000 + (scalar & 0x3FF) << 10 + (second & 0x3FF)
                    } else {
                        // Two escapes after all.
                        place = start
                    }
                }
                for byte in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
                    put(byte)
                }
            default: put(letter)
            }
        }
        return count
    }

    // MARK: Numbers

    /// A whole number of up to 18 digits that is written plainly; nil for any other value.
    @inlinable @inline(__always)
    public var wholeNumber: Int? {
        let entry = entry
        guard entry.info & JSONTape.Entry.whole != 0, entry.info & JSONTape.Entry.kindMask == JSONTape.Entry.number
        else {
            return nil
        }
        var place = Int(entry.start)
        let isNegative = unsafe base.load(fromByteOffset: place, as: UInt8.self) == 0x2D
        if isNegative { place &+= 1 }
        var value = 0
        while place < Int(entry.end) {
            value = unsafe value &* 10 &+ Int(base.load(fromByteOffset: place, as: UInt8.self) &- 0x30)
            place &+= 1
        }
        return isNegative ? 0 &- value : value
    }

    @inline(__always)
    var number: JSONNumber {
        if let value = wholeNumber { return JSONNumber(value) }
        let literal = String(decoding: text, as: UTF8.self)
        // The words that the limits allow are none of JSON's numbers.
        if let last = literal.utf8.last, last | 0x20 >= 0x61 {
            let value = UTF8Order.ends(literal, with: "y") ? Double.infinity : .nan
            return JSONNumber(literal.utf8.first == 0x2D ? -value : value)
        }
        return JSONNumber(literal: literal)
    }

    // MARK: Parts

    /// How many members or elements an object or array has.
    ///
    /// - Complexity: O(*n*) in them.
    public var count: Int {
        guard isContainer else { return 0 }
        let (end, step) = (end, kind == .object ? 1 : 0)
        var (place, count) = (index &+ 1, 0)
        while place < end {
            place = token(at: place &+ step).end
            count &+= 1
        }
        return count
    }

    @inlinable @inline(__always)
    var isContainer: Bool { entry.info & 0x6 == JSONTape.Entry.array }

    @inlinable @inline(__always)
    var end: Int { isContainer ? Int(entry.next) : index &+ 1 }

    /// The members of an object as they stand; of any other value none.
    @inlinable @inline(__always)
    public var members: Members { Members(parts: parts(of: .object)) }

    /// The elements of an array; of any other value none.
    @inlinable @inline(__always)
    public var elements: Elements { parts(of: .array) }

    @inlinable @inline(__always)
    func parts(of wanted: Kind) -> Elements { Elements(next: token(at: index &+ 1), end: kind == wanted ? end : 0) }

    /// Walks over the elements of an array.
    public struct Elements: Sequence, IteratorProtocol {
        @usableFromInline var token: JSONToken
        @usableFromInline let end: Int

        @inlinable @inline(__always)
        init(next token: JSONToken, end: Int) {
            self.token = token
            self.end = end
        }

        /// The next element.
        @inlinable @inline(__always)
        public mutating func next() -> JSONToken? {
            guard token.index < end else { return nil }
            let element = token
            token = token.token(at: element.end)
            return element
        }
    }

    /// Walks over the members of an object, whose parts are a name and a value by turns.
    public struct Members: Sequence, IteratorProtocol {
        @usableFromInline var parts: Elements

        @inlinable @inline(__always)
        init(parts: Elements) { self.parts = parts }

        /// The next member.
        @inlinable @inline(__always)
        public mutating func next() -> (name: JSONToken, value: JSONToken)? {
            let name = parts.token
            guard name.index < parts.end else { return nil }
            let value = name.token(at: name.index &+ 1)
            parts.token = name.token(at: value.end)
            return (name, value)
        }
    }

    /// A member's value: of one that stands twice the last; nil where there is none.
    @inlinable @inline(__always)
    public subscript(name: String) -> JSONToken? {
        var found: JSONToken?
        for (key, value) in members where key.says(name) { found = value }
        return found
    }

    /// Another value of the text, by ``place``.
    @inlinable @inline(__always)
    public func token(at place: Int) -> JSONToken { unsafe JSONToken(base: base, entries: entries, index: place) }

    /// Which value of the text it is, counted from the whole, which is 0.
    @inlinable @inline(__always)
    public var place: Int { index }

    /// The first eight bytes of what a name or a string says, the first one lowest, zero after its end, and how many it has.
    @inlinable @inline(__always)
    public var word: (bytes: UInt64, count: Int) {
        let entry = entry
        let (start, count) = (Int(entry.start), Int(entry.end &- entry.start))
        guard entry.info & JSONTape.Entry.escaped == 0, unsafe start &+ 8 <= Int(entries[0].end) else {
            return withBytes { JSONToken.word(of: $0) }
        }
        let word = unsafe UInt64(littleEndian: base.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        return (count < 8 ? word & ((1 &<< UInt64(8 &* count)) &- 1) : word, count)
    }

    @usableFromInline @inline(never)
    static func word(of bytes: ByteView) -> (bytes: UInt64, count: Int) {
        var word: UInt64 = 0
        for place in 0..<min(bytes.count, 8) { word |= UInt64(bytes[place]) &<< UInt64(8 &* place) }
        return (word, bytes.count)
    }

    // MARK: Keeping

    /// The entries of this whole text, to be kept as bytes beside a copy of the text; nil where they are too many to be worth it.
    package var tape: ByteView? {
        guard index == 0, end <= JSONToken.keptLimit else { return nil }
        return unsafe ByteView(base: UnsafeRawPointer(entries), count: end * MemoryLayout<JSONTape.Entry>.stride)
    }

    private static let keptLimit = 1 << 12

    /// A whole text beside a copy of its ``tape``, valid as long as both; nil where one of them is empty.
    ///
    /// - Parameter tape: at a place that is a multiple of 4.
    package init?(of text: ByteView, tape: ByteView) {
        guard !text.isEmpty, !tape.isEmpty, unsafe UInt(bitPattern: tape.base) % 4 == 0 else { return nil }
        unsafe self.init(base: text.base, entries: tape.base.assumingMemoryBound(to: JSONTape.Entry.self), index: 0)
    }
}
