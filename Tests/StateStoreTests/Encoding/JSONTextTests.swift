import JSONCore
import Testing

@testable import StateEncoding
@testable import StatePatterns

@Suite("The recorder's own JSON text")
struct JSONTextTests {
    @Test("a string is written byte for byte as by the other writer, whatever stands where in it")
    func strings() {
        // Longer than two of the words that are scanned at once.
        let plain = "abcdefghijklmnopq"
        for byte in 0..<UInt8(128) {
            for place in 0...plain.utf8.count {
                var bytes = Array(plain.utf8)
                bytes.insert(byte, at: place)
                check(String(decoding: bytes, as: UTF8.self))
            }
        }
        for text in ["", "é", "\u{7f}\u{80}\u{9f}", "\u{2028}\u{2029}", "a\u{7f}é\u{7f}😀\u{1f}", "\u{FEFF}"] {
            check(text)
        }
    }

    private func check(_ text: String) {
        var bytes: [UInt8] = []
        JSONText.append(string: text, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == JSONValue.string(text).text(), "\(text.debugDescription)")
        let length = text.utf8.reduce(2) { $0 + JSONText.escapedLength(of: $1) }
        #expect(bytes.count == length, "\(text.debugDescription)")
    }
}
