import Platform

extension JSONValue {
    /// Whether a text says this value, told in place: nothing is built.
    ///
    /// - Parameter text: well-formed JSON in which no object has a name twice.
    /// - Returns: true only where it surely does; false also where that takes parsing: escapes, another notation of a number,
    ///   very deep nesting.
    /// - Complexity: O(n) in the text, and a look-up for each name.
    package func isSaid(by text: UnsafeRawBufferPointer) -> Bool {
        guard let base = text.baseAddress else { return false }
        var comparison = JSONTextComparison(base: base, count: text.count)
        return comparison.matches(self) && comparison.isAtEnd
    }
}

extension JSONObject {
    /// The same, of a text of this object.
    package func isSaid(by text: UnsafeRawBufferPointer) -> Bool { JSONValue.object(self).isSaid(by: text) }
}

/// Walks along a text and a value at once.
private struct JSONTextComparison {
    private static let depthLimit = 64

    private let base: UnsafeRawPointer
    private let count: Int
    private var place = 0
    private var depth = 0

    init(base: UnsafeRawPointer, count: Int) {
        self.base = base
        self.count = count
    }

    var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return place == count
        }
    }

    /// Whether the text goes on with a value, and steps over it.
    mutating func matches(_ value: JSONValue) -> Bool {
        skipSpace()
        switch value {
        case .null: return take("null")
        case .bool(let truth): return truth ? take("true") : take("false")
        case .number(let number): return matches(number)
        case .string(let text): return string().map { JSONTextComparison.same(text, $0) } ?? false
        case .array(let elements): return matches(elements)
        case .object(let members): return matches(members)
        }
    }

    private mutating func matches(_ elements: [JSONValue]) -> Bool {
        guard take(0x5B), depth < JSONTextComparison.depthLimit else { return false }
        depth += 1
        defer { depth -= 1 }
        for index in elements.indices {
            if index > 0, !take(0x2C) { return false }
            if !matches(elements[index]) { return false }
        }
        return take(0x5D)
    }

    /// Names are distinct in both, so as many that are found alike are all.
    private mutating func matches(_ members: JSONObject) -> Bool {
        guard take(0x7B), depth < JSONTextComparison.depthLimit else { return false }
        depth += 1
        defer { depth -= 1 }
        var found = 0
        if take(0x7D) { return members.isEmpty }
        repeat {
            guard let name = string(), take(0x3A),
                let member = members[String(decoding: name, as: UTF8.self)], matches(member)
            else { return false }
            found += 1
        } while take(0x2C)
        return take(0x7D) && found == members.count
    }

    private mutating func matches(_ number: JSONNumber) -> Bool {
        let start = place
        while place < count, !JSONTextComparison.endsScalar(base.load(fromByteOffset: place, as: UInt8.self)) {
            place &+= 1
        }
        let text = UnsafeRawBufferPointer(start: base + start, count: place &- start)
        guard case .integer(let value) = number.storage else {
            if case .text(let written) = number.storage { return JSONTextComparison.same(written, text) }
            return false
        }
        var digits = text[...]
        let isNegative = digits.first == 0x2D
        if isNegative { digits.removeFirst() }
        // So many digits are no overflow; a leading zero is no number of JSON.
        guard (1...18).contains(digits.count) else { return false }
        var magnitude = 0
        for byte in digits {
            guard byte &- 48 < 10 else { return false }
            magnitude = magnitude &* 10 &+ Int(byte &- 48)
        }
        return value == (isNegative ? -magnitude : magnitude) && !(isNegative && magnitude == 0)
    }

    /// What lies between the quotes of a string without escapes; nil for any other text.
    private mutating func string() -> UnsafeRawBufferPointer? {
        guard take(0x22) else { return nil }
        let start = place
        guard let length = RawMemory.firstOffset(of: 0x22, in: base + start, count: count &- start),
            RawMemory.firstOffset(of: 0x5C, in: base + start, count: length) == nil
        else { return nil }
        place = start &+ length &+ 1
        return UnsafeRawBufferPointer(start: base + start, count: length)
    }

    private static func same(_ text: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard text.utf8.count == bytes.count, let other = bytes.baseAddress else {
            return bytes.isEmpty && text.isEmpty
        }
        var text = text
        return text.withUTF8 { buffer in
            buffer.baseAddress.map { RawMemory.same($0, other, count: bytes.count) } ?? true
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard place < count, base.load(fromByteOffset: place, as: UInt8.self) == byte else { return false }
        place &+= 1
        return true
    }

    private mutating func take(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard place &+ length <= count, RawMemory.same(base + place, word.utf8Start, count: length) else {
            return false
        }
        place &+= length
        return true
    }

    private mutating func skipSpace() {
        while place < count, JSONTextComparison.isSpace(base.load(fromByteOffset: place, as: UInt8.self)) {
            place &+= 1
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private static func endsScalar(_ byte: UInt8) -> Bool {
        byte == 0x2C || byte == 0x7D || byte == 0x5D || isSpace(byte)
    }
}
