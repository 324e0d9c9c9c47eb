/// Keeps lines from being taken for commands by a runner, which carries out a workflow and reads what its steps print.
///
/// The runner of GitHub takes a line that begins with `::`, also after white space, and `##[` anywhere in a line;
/// others take `##vso[` and `##teamcity[`. What stands in an answer may come from a journal.
enum LogLine {
    /// The lines of a text, or the one line that it is, with an escape in each place where a command could begin.
    ///
    /// - Complexity: O(n).
    static func defused(_ text: String) -> String {
        guard mayHoldCommand(text.utf8) else { return text }
        return String(decoding: defused(Array(text.utf8)), as: UTF8.self)
    }

    /// Defuses bytes as `defused(_:)` does a text; within the strings of JSON these escapes mean what they replace.
    static func defused(_ bytes: [UInt8]) -> [UInt8] {
        guard mayHoldCommand(bytes) else { return bytes }
        let (sign, colon) = (UInt8(ascii: "#"), UInt8(ascii: ":"))
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 16)
        var isLineBegin = true
        var last: UInt8 = 0
        for byte in bytes {
            if byte == sign, last == sign {
                result += "\\u0023".utf8
            } else if byte == colon, isLineBegin, last == colon {
                result += "\\u003a".utf8
            } else {
                result.append(byte)
            }
            if byte == UInt8(ascii: "\n") {
                isLineBegin = true
            } else if byte != colon, byte > 0x20, byte < 0x80 {
                // What is not ASCII may be white space too.
                isLineBegin = false
            }
            last = byte
        }
        return result
    }

    private static func mayHoldCommand(_ bytes: some Sequence<UInt8>) -> Bool {
        var last: UInt8 = 0
        for byte in bytes {
            if byte == last, byte == UInt8(ascii: "#") || byte == UInt8(ascii: ":") { return true }
            last = byte
        }
        return false
    }
}
