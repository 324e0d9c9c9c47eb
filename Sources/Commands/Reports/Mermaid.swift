import CommandLine
import Diagnostics

/// Texts of an untrusted journal in a diagram of Mermaid: none ends a line, a label or the diagram.
///
/// Source: Mermaid's manual, "Entity codes to escape characters": `#` and the number of a character stand for it. Before it reads a
/// diagram Mermaid cuts what looks like a style, so that word is broken too; `end` ends a block.
enum Mermaid {
    /// A text as a label; what is longer than so many columns is cut.
    static func label(_ text: String, width: Int) -> String {
        let scalars = Array(DisplayWidth.shortened(ControlCharacters.escaped(text), to: width).unicodeScalars)
        return scalars.indices.map { place in
            isPlain(scalars[place]) && !beginsWord(scalars[place...])
                ? String(scalars[place]) : "#\(scalars[place].value);"
        }.joined()
    }

    /// A name, which is never nothing.
    static func name(_ text: String, width: Int) -> String {
        label(text.contains { !$0.isWhitespace } ? text : "\"\(text)\"", width: width)
    }

    private static let words = ["end", "style", "classdef"].map { Array($0.unicodeScalars) }

    private static func beginsWord(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
        words.contains { word in
            rest.count >= word.count && zip(rest, word).allSatisfy { $0.properties.lowercaseMapping == String($1) }
        }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return true }
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", " ", "_", ".", ",", "/", "(", ")", "+": return true
        default: return false
        }
    }
}
