internal import JSONCore

/// The order of the names of a JSON object, ascending by their UTF-8.
///
/// Apart from what has the names: sorting that itself, in code that is generic over it, costs five times as much as all that
/// is done with it afterwards.
enum TextOrder {
    private struct Entry {
        /// The first eight bytes as a number, which tells most texts apart.
        var start: UInt64
        var place: Int
    }

    /// The places of some texts, in ascending order of the texts; of equal ones the first comes first.
    ///
    /// - Complexity: O(*n* log *n*).
    static func places(of texts: [String]) -> [Int] {
        if texts.count < 2 { return Array(texts.indices) }
        var entries = texts.enumerated().map { Entry(start: start(of: $1), place: $0) }
        entries.sort { left, right in
            if left.start != right.start { return left.start < right.start }
            if UTF8Order.isLess(texts[left.place], texts[right.place]) { return true }
            return left.place < right.place && UTF8Order.equal(texts[left.place], texts[right.place])
        }
        return entries.map(\.place)
    }

    private static func start(of text: String) -> UInt64 {
        var start: UInt64 = 0
        var shift: UInt64 = 64
        for byte in text.utf8.prefix(8) {
            shift -= 8
            start |= UInt64(byte) << shift
        }
        return start
    }
}
