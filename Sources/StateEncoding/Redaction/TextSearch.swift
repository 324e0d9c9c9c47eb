/// Looks for many texts in another one at once, skipping what cannot be the end of one (Wu and Manber, "A fast algorithm for
/// multi-pattern searching", 1994).
///
/// The texts themselves are not kept, only their hashes: who reads the process's memory finds no secret here, and a text
/// that is found by mistake is hidden, never shown.
struct TextSearch {
    /// Shorter texts stand in too many places by chance to be looked for.
    static let leastLength = 4
    /// Of a longer text only so many bytes at its end are looked for.
    static let greatestLength = 64

    /// By two bytes, how far before the end of a text they stand, at least.
    private var distances: [UInt8] = []
    /// A bit for the hash of each text's last four bytes.
    private var endings: [UInt64] = []
    /// A bit for each length that a text has.
    private var lengths: UInt64 = 0
    private var shortest = TextSearch.greatestLength
    private var hashes: Set<UInt64> = []

    /// How many texts are looked for.
    var count: Int { hashes.count }

    /// Looks for a text from now on, unless it is too short.
    ///
    /// - Returns: whether it was not looked for before.
    mutating func insert(_ text: [UInt8]) -> Bool {
        guard text.count >= TextSearch.leastLength else { return false }
        let text = text.suffix(TextSearch.greatestLength)
        var hash = TextSearch.emptyHash
        for byte in text.reversed() { TextSearch.combine(byte, into: &hash) }
        guard hashes.insert(hash).inserted else { return false }
        if distances.isEmpty {
            distances = Array(repeating: .max, count: 1 << 12)
            endings = Array(repeating: 0, count: 1 << 10)
        }
        shortest = min(shortest, text.count)
        lengths |= 1 << UInt64(text.count - 1)
        let last = text.endIndex - 1
        for distance in 0..<(text.count - 1) {
            let place = TextSearch.place(of: text[last - distance - 1], text[last - distance])
            distances[place] = min(distances[place], UInt8(distance))
        }
        let ending = TextSearch.ending(text[last - 3], text[last - 2], text[last - 1], text[last])
        endings[ending >> 6] |= 1 << UInt64(ending & 63)
        return true
    }

    /// Whether a text has been inserted, as a whole.
    func has(_ text: [UInt8]) -> Bool {
        var hash = TextSearch.emptyHash
        for byte in text.suffix(TextSearch.greatestLength).reversed() { TextSearch.combine(byte, into: &hash) }
        return hashes.contains(hash)
    }

    /// Whether any of the texts stands in another one.
    ///
    /// - Complexity: about O(n / m) for n bytes where the shortest text has m; at most O(n · ``greatestLength``).
    func isFound(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if hashes.isEmpty { return false }
        var end = shortest - 1
        while end < bytes.count {
            let distance = Int(distances[TextSearch.place(of: bytes[end - 1], bytes[end])])
            if distance > 0 {
                end += min(distance, shortest - 1)
            } else {
                if isEnd(of: bytes, at: end) { return true }
                end += 1
            }
        }
        return false
    }

    private func isEnd(of bytes: UnsafeBufferPointer<UInt8>, at end: Int) -> Bool {
        let ending = TextSearch.ending(bytes[end - 3], bytes[end - 2], bytes[end - 1], bytes[end])
        guard endings[ending >> 6] & (1 << UInt64(ending & 63)) != 0 else { return false }
        var hash = TextSearch.emptyHash
        for length in 1...min(TextSearch.greatestLength, end + 1) {
            TextSearch.combine(bytes[end + 1 - length], into: &hash)
            if lengths & (1 << UInt64(length - 1)) != 0, hashes.contains(hash) { return true }
        }
        return false
    }

    // The FNV-1a hash (draft-eastlake-fnv), from the last byte to the first.
    private static let emptyHash: UInt64 = 0xcbf2_9ce4_8422_2325
    private static func combine(_ byte: UInt8, into hash: inout UInt64) {
        hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01b3
    }

    private static func place(of first: UInt8, _ second: UInt8) -> Int {
        (Int(first) << 4 ^ Int(second)) & (1 << 12 - 1)
    }

    private static func ending(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> Int {
        let word = UInt32(a) << 24 | UInt32(b) << 16 | UInt32(c) << 8 | UInt32(d)
        return Int((word &* 0x9e37_79b1) >> 16)
    }
}
