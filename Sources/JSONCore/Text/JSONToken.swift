public import Platform

/// A value that a tape found in a text, or the name of a member: a view that copies and counts nothing.
///
/// It is valid as long as the text is, and until the tape reads another one.
///
/// What is read of every line is public and inlinable, since other modules read it: what is only of the package is not inlined into
/// them (Swift 6.3).
public struct JSONToken {
    @usableFromInline let base: UnsafeRawPointer
    @usableFromInline let entries: UnsafePointer<JSONTape.Entry>
    @usableFromInline let index: Int

    @inlinable @inline(__always)
    init(base: UnsafeRawPointer, entries: UnsafePointer<JSONTape.Entry>, index: Int) {
        self.base = base
        self.entries = entries
        self.index = index
    }

    /// What a value is.
    @frozen
    public enum Kind: UInt8, Sendable {
        case null, `false`, `true`, number, string, name, array, object
    }

    @inlinable @inline(__always)
    var entry: JSONTape.Entry { entries[index] }

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
    public var text: UnsafeRawBufferPointer {
        let range = range
        return UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
    }

    @inlinable @inline(__always)
    var isText: Bool {
        let kind = entry.info & JSONTape.Entry.kindMask
        return kind == JSONTape.Entry.string || kind == JSONTape.Entry.name
    }

    // MARK: Strings

    /// What lies between the quotes of a string or a name, its escapes not undone.
    @inlinable @inline(__always)
    public var raw: UnsafeRawBufferPointer {
        let entry = entry
        return UnsafeRawBufferPointer(start: base + Int(entry.start), count: Int(entry.end &- entry.start))
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
    public var plainString: UnsafeRawBufferPointer? {
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
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        isEscaped ? withUnescapedBytes(body) : body(raw)
    }

    @usableFromInline @inline(never)
    func withUnescapedBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // No escape is longer undone than written.
        withUnsafeTemporaryAllocation(byteCount: raw.count, alignment: 1) { buffer in
            body(UnsafeRawBufferPointer(rebasing: buffer[..<unescape(into: buffer)]))
        }
    }

    /// Undoes the escapes, which were checked; half a surrogate pair stands for U+FFFD (RFC 8259 section 7).
    private func unescape(into buffer: UnsafeMutableRawBufferPointer) -> Int {
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
        let isNegative = base.load(fromByteOffset: place, as: UInt8.self) == 0x2D
        if isNegative { place &+= 1 }
        var value = 0
        while place < Int(entry.end) {
            value = value &* 10 &+ Int(base.load(fromByteOffset: place, as: UInt8.self) &- 0x30)
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

    /// The entry after the value and all that is in it.
    @inlinable @inline(__always)
    var end: Int { isContainer ? Int(entry.next) : index &+ 1 }

    /// The members of an object as they stand; of any other value none.
    @inlinable @inline(__always)
    public var members: Members { Members(token: self, end: kind == .object ? end : 0) }

    /// Walks over the members of an object.
    public struct Members: Sequence, IteratorProtocol {
        @usableFromInline var token: JSONToken
        @usableFromInline let end: Int

        @inlinable @inline(__always)
        init(token: JSONToken, end: Int) {
            self.token = token.token(at: token.index &+ 1)
            self.end = end
        }

        /// The next member.
        @inlinable @inline(__always)
        public mutating func next() -> (name: JSONToken, value: JSONToken)? {
            guard token.index < end else { return nil }
            let (name, value) = (token, token.token(at: token.index &+ 1))
            token = token.token(at: value.end)
            return (name, value)
        }
    }

    /// The elements of an array; of any other value none.
    @inlinable @inline(__always)
    public var elements: Elements { Elements(token: self, end: kind == .array ? end : 0) }

    /// Walks over the elements of an array.
    public struct Elements: Sequence, IteratorProtocol {
        @usableFromInline var token: JSONToken
        @usableFromInline let end: Int

        @inlinable @inline(__always)
        init(token: JSONToken, end: Int) {
            self.token = token.token(at: token.index &+ 1)
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

    /// A member's value: of one that stands twice the last; nil where there is none.
    @inlinable @inline(__always)
    public subscript(name: String) -> JSONToken? {
        var found: JSONToken?
        for (key, value) in members where key.says(name) { found = value }
        return found
    }

    /// Another value of the text, by ``place``.
    @inlinable @inline(__always)
    public func token(at place: Int) -> JSONToken { JSONToken(base: base, entries: entries, index: place) }

    /// Which value of the text it is, counted from the whole, which is 0.
    @inlinable @inline(__always)
    public var place: Int { index }

    /// The first eight bytes of what a name or a string says, the first one lowest, zero after its end, and how many it has.
    @inlinable @inline(__always)
    public var word: (bytes: UInt64, count: Int) {
        let entry = entry
        let (start, count) = (Int(entry.start), Int(entry.end &- entry.start))
        guard entry.info & JSONTape.Entry.escaped == 0, start &+ 8 <= Int(entries[0].end) else {
            return withBytes { JSONToken.word(of: $0) }
        }
        let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        return (count < 8 ? word & ((1 &<< UInt64(8 &* count)) &- 1) : word, count)
    }

    @usableFromInline @inline(never)
    static func word(of bytes: UnsafeRawBufferPointer) -> (bytes: UInt64, count: Int) {
        var word: UInt64 = 0
        for place in 0..<min(bytes.count, 8) { word |= UInt64(bytes[place]) &<< UInt64(8 &* place) }
        return (word, bytes.count)
    }

    /// The first name that stands twice in one object of the value, by its second place in the text; nil where each stands once.
    ///
    /// - Complexity: O(*n*) where names ascend; a comparison of words for each pair of names of a small object that do not.
    package var repeatedName: JSONToken? {
        var first: Int?
        var place = index
        let end = end
        while place < end {
            let token = JSONToken(base: base, entries: entries, index: place)
            if token.kind == .object, let found = token.ownRepeatedName, found < first ?? .max { first = found }
            place &+= 1
        }
        return first.map { JSONToken(base: base, entries: entries, index: $0) }
    }

    /// The place of the first name that stands twice in the object itself.
    private var ownRepeatedName: Int? {
        // The first bytes of the names, and how many each has: mostly these differ.
        withUnsafeTemporaryAllocation(of: (bytes: UInt64, count: Int, index: Int).self, capacity: JSONToken.pairLimit) {
            known in
            var count = 0
            for (name, _) in members {
                let word = name.word
                guard count < known.count, !name.isEscaped else { return repeatedNameBySet }
                for place in 0..<count where known[place].bytes == word.bytes && known[place].count == word.count {
                    if word.count <= 8 || token(at: known[place].index).raw.hasSameBytes(as: name.raw) {
                        return name.index
                    }
                }
                known[count] = (word.bytes, word.count, name.index)
                count &+= 1
            }
            return nil
        }
    }

    /// Names of smaller objects are compared each with each.
    private static let pairLimit = 32

    private var repeatedNameBySet: Int? {
        var last: JSONToken?
        var isAscending = true
        for (name, _) in members {
            if let last, name.isEscaped || last.isEscaped || !last.isBefore(name) {
                isAscending = false
                break
            }
            last = name
        }
        if isAscending { return nil }
        var names = Set<ByteName>()
        for (name, _) in members where !names.insert(ByteName(name.string ?? "")).inserted { return name.index }
        return nil
    }

    @inline(__always)
    private func isBefore(_ other: JSONToken) -> Bool {
        let (one, another) = (raw, other.raw)
        guard let left = one.baseAddress, let right = another.baseAddress else { return false }
        let order = RawMemory.compare(left, right, count: min(one.count, another.count))
        return order != 0 ? order < 0 : one.count < another.count
    }

    /// Whether the value's text is what ``JSONWriter`` makes of the value, so that it, and each part of it, can be copied: no white
    /// space, escapes where and as it has them, and no name twice.
    ///
    /// - Complexity: one look at the names and at every byte.
    package var isAsWritten: Bool {
        let text = text
        guard entries[0].info & JSONTape.Entry.foreign == 0, let start = text.baseAddress else { return false }
        return RawMemory.firstOffset(of: 0x7F, in: start, count: text.count) == nil && repeatedName == nil
    }

    /// Whether white space stands outside of the text's strings, or an escape is written as ``JSONWriter`` writes none.
    package var isForeign: Bool { entries[0].info & JSONTape.Entry.foreign != 0 }

    /// Appends the value's text without the white space outside of strings.
    package func appendCompact(to bytes: inout [UInt8]) {
        let range = range
        var place = range.lowerBound
        func copy(to end: Int) {
            while place < end {
                let byte = base.load(fromByteOffset: place, as: UInt8.self)
                if byte > 0x20 { bytes.append(byte) }
                place += 1
            }
        }
        for index in index..<end {
            let token = token(at: index)
            guard token.isText else { continue }
            copy(to: token.range.lowerBound)
            bytes.append(contentsOf: token.text)
            place = token.range.upperBound
        }
        copy(to: range.upperBound)
    }

    /// This whole text's tape, kept beside a copy of the text.
    ///
    /// - Parameters:
    ///   - text: the copy.
    ///   - keep: copies bytes to where they stay, at a place that a multiple of 16 divides.
    /// - Returns: the view, valid as long as both copies; nil where the tape is too long to be worth it.
    package func kept(
        over text: UnsafeRawBufferPointer, by keep: (UnsafeRawBufferPointer) -> UnsafeRawBufferPointer
    ) -> JSONToken? {
        guard index == 0, end <= JSONToken.keptLimit, let base = text.baseAddress else { return nil }
        let copy = keep(UnsafeRawBufferPointer(UnsafeBufferPointer(start: entries, count: end)))
        guard let start = copy.baseAddress else { return nil }
        return JSONToken(base: base, entries: start.assumingMemoryBound(to: JSONTape.Entry.self), index: 0)
    }

    private static let keptLimit = 1 << 12

    /// This whole text's tape, to be read beside a copy of the text; nil where it is too long to be worth it.
    package var copy: JSONTape.Copy? {
        index == 0 && end <= JSONToken.keptLimit ? JSONTape.Copy(UnsafeBufferPointer(start: entries, count: end)) : nil
    }
}

extension UnsafeRawBufferPointer {
    /// Whether these bytes are those of a text.
    @inlinable @inline(__always)
    public func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount, let base = baseAddress else { return false }
        // By the count of the text, which is known when this is compiled: then it is one comparison of words.
        return RawMemory.same(base, text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// Whether both have the same bytes.
    @inlinable @inline(__always)
    public func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let base = baseAddress, let other = other.baseAddress else { return true }
        return RawMemory.same(base, other, count: count)
    }
}
