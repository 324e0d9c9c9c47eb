import Platform

extension JSONValue {
    /// Whether a JSON text represents this value.
    ///
    /// The text is compared in place: nothing is built.
    ///
    /// - Parameter text: well-formed JSON.
    /// - Returns: true only where it certainly does; false also where only parsing could decide: names with escapes, another
    ///   notation of a number, very deep nesting.
    /// - Complexity: O(n) in the text, and a look-up for each name that is not in the value's order.
    package func matches(jsonText text: UnsafeRawBufferPointer) -> Bool {
        guard let base = text.baseAddress else { return false }
        var comparison = JSONTextComparison(
            JSONBytes(base: base.assumingMemoryBound(to: UInt8.self), count: text.count))
        return comparison.matches(self, as: .all) && comparison.isAtEnd
    }
}

extension JSONValue {
    /// The end of the value at a place of a text, if it equals this one as far as a node reads it.
    ///
    /// - Parameters:
    ///   - text: well-formed JSON from `start` to the end of the value.
    ///   - start: where the value begins.
    ///   - node: what is read of the value, and was built of this one.
    /// - Returns: nil where it is another value, or where only parsing could decide: names with escapes, another notation of a
    ///   number, very deep nesting.
    /// - Complexity: as ``JSONValue/matches(jsonText:)``.
    package func end(
        ofTextAt start: Int, in text: UnsafeRawBufferPointer, pruning node: PathSet.Node
    ) -> Int? {
        guard let base = text.baseAddress else { return nil }
        var comparison = JSONTextComparison(
            JSONBytes(base: base.assumingMemoryBound(to: UInt8.self), count: text.count), at: start)
        return comparison.matches(self, as: node) ? comparison.place : nil
    }
}

/// Walks along a text and a value at once.
private struct JSONTextComparison {
    private static let depthLimit = 64

    private let bytes: JSONBytes
    private(set) var place: Int
    private var depth = 0

    init(_ bytes: JSONBytes, at place: Int = 0) {
        self.bytes = bytes
        self.place = place
    }

    var isAtEnd: Bool { bytes.skippingWhitespace(from: place) == bytes.count }

    /// Whether the text goes on with a value, as far as a node reads it, and steps over it.
    mutating func matches(_ value: JSONValue, as node: PathSet.Node) -> Bool {
        switch value {
        case .null: return take("null")
        case .bool(let truth): return truth ? take("true") : take("false")
        case .number(let number): return matches(number)
        case .string(let text): return string().map { says($0, text) } ?? false
        case .array(let elements): return matches(elements, as: node.element)
        case .object(let members): return matches(members, as: node)
        }
    }

    /// - Parameter node: what is read of each element; without it, elements are null in the value whatever the text says.
    private mutating func matches(_ elements: [JSONValue], as node: PathSet.Node?) -> Bool {
        guard take(0x5B), depth < JSONTextComparison.depthLimit else { return false }
        depth += 1
        defer { depth -= 1 }
        for index in elements.indices {
            if index > 0, !take(0x2C) { return false }
            guard node.map({ matches(elements[index], as: $0) }) ?? skipValue() else { return false }
        }
        return take(0x5D)
    }

    /// Each member is found once, so as many that are found alike are all.
    private mutating func matches(_ members: JSONObject, as node: PathSet.Node) -> Bool {
        guard take(0x7B), depth < JSONTextComparison.depthLimit else { return false }
        depth += 1
        defer { depth -= 1 }
        guard var search = MemberSearch(members) else { return false }
        var count = 0
        if take(0x7D) { return members.isEmpty }
        repeat {
            guard let name = string(), take(0x3A), let key = name.plain else { return false }
            guard let part = node.node(forKey: key) else {
                guard skipValue() else { return false }
                continue
            }
            guard let member = search.find(key), matches(member.pointee, as: part) else { return false }
            count += 1
        } while take(0x2C)
        return take(0x7D) && count == members.count
    }

    private mutating func matches(_ number: JSONNumber) -> Bool {
        let start = bytes.skippingWhitespace(from: place)
        if case .integer(let value) = number.storage { return takeInteger(from: start) == value }
        guard case .text(let written) = number.storage, let end = bytes.endOfValue(from: start) else { return false }
        place = end
        return UTF8Order.equal(written, bytes[start..<end])
    }

    /// Steps over an integer; nil for another notation, and for more digits than surely fit.
    private mutating func takeInteger(from start: Int) -> Int? {
        var index = start
        let isNegative = index < bytes.count && bytes[index] == 0x2D
        if isNegative { index &+= 1 }
        let first = index
        var magnitude = 0
        while index < bytes.count {
            let digit = bytes[index] &- 48
            if digit > 9 { break }
            magnitude = magnitude &* 10 &+ Int(digit)
            index &+= 1
        }
        guard (1...18).contains(index &- first) else { return nil }
        // JSON allows no leading zero, and `-0` keeps its text.
        if bytes[first] == 0x30, isNegative || index &- first > 1 { return nil }
        if index < bytes.count, bytes[index] == 0x2E || bytes[index] | 0x20 == 0x65 { return nil }
        place = index
        return isNegative ? -magnitude : magnitude
    }

    // MARK: Strings

    /// A string, as it lies there.
    private struct Text {
        /// Where its first quote is.
        let start: Int
        /// What lies between the quotes.
        let raw: UnsafeRawBufferPointer
        let isEscaped: Bool

        /// What it says, where nothing is escaped.
        var plain: UnsafeRawBufferPointer? { isEscaped ? nil : raw }
    }

    /// Steps over a string; nil for any other text.
    private mutating func string() -> Text? {
        guard take(0x22) else { return nil }
        let start = place
        let end = bytes.endOfPlainText(from: start)
        guard end < bytes.count else { return nil }
        if bytes[end] == 0x22 {
            place = end &+ 1
            return Text(start: start &- 1, raw: bytes[start..<end], isEscaped: false)
        }
        guard let end = bytes.endOfString(from: start &- 1) else { return nil }
        place = end
        return Text(start: start &- 1, raw: bytes[start..<end &- 1], isEscaped: true)
    }

    private func says(_ written: Text, _ text: String) -> Bool {
        if !written.isEscaped { return UTF8Order.equal(text, written.raw) }
        var reader = JSONScalarReader(bytes: bytes, limits: .standard)
        reader.index = written.start
        guard case .string(let said)? = try? reader.scalar() else { return false }
        return UTF8Order.equal(text, said)
    }

    // MARK: Tokens

    private mutating func skipValue() -> Bool {
        guard let end = bytes.endOfValue(from: bytes.skippingWhitespace(from: place)) else { return false }
        place = end
        return true
    }

    @inline(__always)
    private mutating func isNext(_ byte: UInt8) -> Bool {
        place = bytes.skippingWhitespace(from: place)
        return place < bytes.count && bytes[place] == byte
    }

    @inline(__always)
    private mutating func take(_ byte: UInt8) -> Bool {
        guard isNext(byte) else { return false }
        place &+= 1
        return true
    }

    private mutating func take(_ word: StaticString) -> Bool {
        place = bytes.skippingWhitespace(from: place)
        let length = word.utf8CodeUnitCount
        guard place &+ length <= bytes.count, RawMemory.same(bytes.base + place, word.utf8Start, count: length) else {
            return false
        }
        place &+= length
        return true
    }
}
