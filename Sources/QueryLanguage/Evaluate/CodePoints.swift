/// A string seen as jq sees it: by Unicode code points.
///
/// ASCII, the common case, is indexed directly.
struct CodePoints {
    private let text: String
    private let isASCII: Bool
    let count: Int

    init(_ text: String) {
        self.text = text
        let bytes = text.utf8.count
        var continuation = 0
        for byte in text.utf8 where byte & 0xC0 == 0x80 { continuation += 1 }
        count = bytes - continuation
        isASCII = continuation == 0
    }

    /// The part between two code point positions, both within `0...count`.
    func slice(_ range: Range<Int>) -> String {
        if range.count == count { return text }
        let view = text.utf8
        if isASCII {
            let start = view.index(view.startIndex, offsetBy: range.lowerBound)
            return String(text[start..<view.index(start, offsetBy: range.count)])
        }
        let scalars = text.unicodeScalars
        let start = scalars.index(scalars.startIndex, offsetBy: range.lowerBound)
        return String(text[start..<scalars.index(start, offsetBy: range.count)])
    }

    /// How many code points begin before a byte offset.
    static func count(in text: String, before byteOffset: Int) -> Int {
        var result = 0
        for byte in text.utf8.prefix(byteOffset) where byte & 0xC0 != 0x80 { result += 1 }
        return result
    }
}
