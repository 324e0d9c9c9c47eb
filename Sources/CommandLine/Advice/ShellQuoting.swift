import Diagnostics

package enum ShellQuoting {
    /// As it is where that is safe, otherwise in single quotes.
    ///
    /// What may not be shown is written by its bytes, as `"$(printf 'a\012b')"`, which every shell takes. That loses
    /// newlines at the end, so such an argument is written as `$'a\012'` (IEEE 1003.1-2024, 2.2.4). Of `##`, which an
    /// answer escapes, the two signs stand apart.
    static func quoted(_ argument: String) -> String {
        if !argument.isEmpty, argument.utf8.allSatisfy(isPlain) { return argument }
        let isShown = ControlCharacters.escaped(argument) == argument
        guard isShown else {
            let bytes = argument.unicodeScalars.map(escaped).joined()
            if argument.unicodeScalars.last == "\n" { return "$'" + bytes + "'" }
            return "\"$(printf '" + bytes.replacing("%", with: "%%") + "')\""
        }
        var (text, last) = ("'", Character(" "))
        for character in argument {
            if character == "#", last == "#" { text += "''" }
            if character == "'" { text += "'\\''" } else { text.append(character) }
            last = character
        }
        return text + "'"
    }

    /// Quotes around a line that has its own would end those.
    static func inSentence(_ line: String) -> String { line.contains("'") ? line : "'" + line + "'" }
    static func inSentence(argument: String) -> String { inSentence(quoted(argument)) }
    package static func line(_ arguments: [String]) -> String { arguments.map(quoted).joined(separator: " ") }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        guard ControlCharacters.isUnsafe(scalar) || ["'", "\\", "#"].contains(scalar) else { return String(scalar) }
        return String(scalar).utf8.map { byte in
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }.joined()
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"): true
        case UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: "%"): true
        default: false
        }
    }
}
