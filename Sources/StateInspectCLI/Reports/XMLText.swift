import Diagnostics

/// Texts inside an XML 1.0 document.
enum XMLText {
    /// The text as character data, its line feeds kept.
    ///
    /// `&`, `<` and `>` become entities; what XML 1.0 forbids even as a reference (section 2.2), and everything else that acts
    /// on a terminal, the escape that people read.
    static func data(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
            .joined(separator: "\n")
    }

    /// An attribute's value, in double quotes: one line.
    static func attribute(_ name: String, _ value: String) -> String {
        " " + name + "=\"" + escaped(value) + "\""
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in ControlCharacters.escaped(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\u{FFFE}", "\u{FFFF}": result += "\\u" + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
