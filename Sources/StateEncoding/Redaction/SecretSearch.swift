internal import JSONCore

/// Secrets that are looked for elsewhere: numbers, and texts that are too short to be looked for inside of others, by equality,
/// longer texts as a part of other texts, and a secret with a structure of its own also as a whole.
///
/// Only hashes are kept, so the process's memory has no second copy of a secret; what is found by mistake is hidden, never shown. A
/// truth value, a null and what is empty are too common to be looked for.
package struct SecretSearch: Sendable {
    /// Shorter texts are in too many places by chance.
    static let leastLength = 4
    /// Of a longer text so many bytes at its end are looked for.
    private static let greatestLength = 64

    /// Texts of one length, looked for with a hash that moves over the text (Karp and Rabin, "Efficient randomized
    /// pattern-matching algorithms", 1987).
    private struct Window: Sendable {
        let length: Int
        /// The factor of the byte that leaves the window.
        let lastFactor: UInt64
        private(set) var hashes: Set<UInt64> = []
        /// A bit for the first six bits of each hash: most places of a text need no look-up.
        private var filter: UInt64 = 0

        init(length: Int) {
            self.length = length
            lastFactor = (1..<length).reduce(1) { factor, _ in factor &* SecretSearch.factor }
        }

        mutating func insert(_ hash: UInt64) -> Bool {
            filter |= 1 << (hash >> 58)
            return hashes.insert(hash).inserted
        }

        mutating func formUnion(_ other: Window) {
            filter |= other.filter
            hashes.formUnion(other.hashes)
        }

        func has(_ hash: UInt64) -> Bool { filter & 1 << (hash >> 58) != 0 && hashes.contains(hash) }
    }

    private static let factor: UInt64 = 0x9e37_79b9_7f4a_7c15

    private var windows: [Window] = []
    /// The hashes of the canonical texts of what is looked for by equality.
    private var scalars: Set<UInt64> = []
    /// The hashes of the canonical texts of arrays and objects, and how many parts they have.
    private var structures: Set<UInt64> = []
    private var structureSizes: Set<Int> = []
    private var count = 0
    /// Beyond so many every text counts as found: nothing grows without a bound, and what is in doubt is hidden.
    private static let limit = 1 << 18
    private var isFull: Bool { count > SecretSearch.limit }

    package init() {}

    init(_ canonical: [UInt8]) {
        guard let value = try? JSONParser.parse(canonical) else { return }
        switch value {
        case .null, .bool: return
        case .number: insert(canonical, into: \.scalars)
        case .string(let text):
            insertParts(of: value)
            if isEmpty, !text.isEmpty { insert(canonical, into: \.scalars) }
        case .array(let elements):
            if !elements.isEmpty { insertStructure(canonical, size: elements.count) }
            insertParts(of: value)
        case .object(let members):
            if !members.isEmpty { insertStructure(canonical, size: members.count) }
            insertParts(of: value)
        }
    }

    package var isEmpty: Bool { count == 0 }

    private mutating func insert(_ canonical: [UInt8], into hashes: WritableKeyPath<SecretSearch, Set<UInt64>>) {
        if self[keyPath: hashes].insert(SecretSearch.hash(canonical[...])).inserted { count += 1 }
    }

    private mutating func insertStructure(_ canonical: [UInt8], size: Int) {
        insert(canonical, into: \.structures)
        structureSizes.insert(size)
    }

    /// Looks for the numbers and texts in a value, too, as far as they are long enough to be no coincidence.
    private mutating func insertParts(of value: JSONValue) {
        switch value {
        case .null, .bool: return
        case .number(let number):
            let text = Array(number.text.utf8)
            if text.count >= SecretSearch.leastLength { insert(text, into: \.scalars) }
        case .string(let text): insert(text: Array(text.utf8))
        case .array(let elements): for element in elements { insertParts(of: element) }
        case .object(let members): for (_, member) in members { insertParts(of: member) }
        }
    }

    /// Looks for the numbers and texts of another secret that are long enough to be no coincidence anywhere.
    mutating func insertParts(ofSecret canonical: [UInt8]) {
        if !isFull, let value = try? JSONParser.parse(canonical) { insertParts(of: value) }
    }

    private mutating func insert(text: [UInt8]) {
        guard text.count >= SecretSearch.leastLength else { return }
        let end = text.suffix(SecretSearch.greatestLength)
        let place = windows.firstIndex { $0.length == end.count } ?? windows.count
        if place == windows.count { windows.append(Window(length: end.count)) }
        if windows[place].insert(SecretSearch.hash(end)) { count += 1 }
    }

    mutating func formUnion(_ other: SecretSearch) {
        scalars.formUnion(other.scalars)
        structures.formUnion(other.structures)
        structureSizes.formUnion(other.structureSizes)
        for window in other.windows {
            if let place = windows.firstIndex(where: { $0.length == window.length }) {
                windows[place].formUnion(window)
            } else {
                windows.append(window)
            }
        }
        count = scalars.count + structures.count + windows.reduce(0) { $0 + $1.hashes.count }
    }

    var textsOnly: SecretSearch {
        var copy = self
        (copy.scalars, copy.structures, copy.structureSizes) = ([], [], [])
        return copy
    }

    private static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 &* factor &+ UInt64($1) &+ 1 }
    }

    // MARK: Looking

    /// Whether a text is, or contains, what is looked for.
    ///
    /// - Complexity: O(n) for n bytes and each length that a text has, at most 61.
    package func matches(text: String) -> Bool {
        let length = text.utf8.count
        if length < SecretSearch.leastLength {
            guard !scalars.isEmpty, length > 0 else { return false }
            var canonical: [UInt8] = []
            JSONText.append(string: text, to: &canonical)
            return scalars.contains(SecretSearch.hash(canonical[...]))
        }
        if windows.isEmpty || isFull { return isFull }
        return text.withBytes { bytes in windows.contains { SecretSearch.isFound($0, in: bytes) } }
    }

    private static func isFound(_ window: Window, in bytes: ByteView) -> Bool {
        if bytes.count < window.length { return false }
        var hash: UInt64 = 0
        for place in 0..<window.length { hash = hash &* factor &+ UInt64(bytes[place]) &+ 1 }
        var end = window.length
        while true {
            if window.has(hash) { return true }
            if end == bytes.count { return false }
            hash = hash &- (UInt64(bytes[end - window.length]) &+ 1) &* window.lastFactor
            hash = hash &* factor &+ UInt64(bytes[end]) &+ 1
            end += 1
        }
    }

    package func matches(number canonical: [UInt8]) -> Bool {
        !scalars.isEmpty && scalars.contains(SecretSearch.hash(canonical[...]))
    }

    func matches(_ scalar: Scalar) -> Bool {
        switch scalar {
        case .null, .bool, .written: return false
        case .string(let text): return matches(text: text)
        case .integer, .unsigned, .double, .float, .number:
            if scalars.isEmpty { return false }
            var bytes: [UInt8] = []
            scalar.append(to: &bytes)
            return matches(number: bytes)
        }
    }

    /// Whether an array or object of so many parts may be what is looked for as a whole.
    func mayMatch(structureOf size: Int) -> Bool { structureSizes.contains(size) }

    /// Whether an array or object is what is looked for as a whole.
    func matches(structure canonical: [UInt8]) -> Bool { structures.contains(SecretSearch.hash(canonical[...])) }
}
