import Diagnostics
package import JSONCore

/// A value as a person reads it: JSON over several lines, two spaces a level unless another layout is wanted, coloured by kind.
package struct ValueTree {
    private let style: Style
    private let layout: JSONWriter.Style
    private let isASCII: Bool

    /// A writer of such texts.
    package init(style: Style, layout: JSONWriter.Style = .pretty(indent: 2), isASCII: Bool = false) {
        self.style = style
        self.layout = layout
        self.isASCII = isASCII
    }

    /// The lines of a value, the last one not ended.
    ///
    /// - Complexity: O(n) in the size of the value: what is nested deeper than ``JSONWriter/deepestLine`` is not broken.
    package func text(_ value: JSONValue) -> String {
        var text = ""
        append(value, to: &text, level: 0)
        return text
    }

    private func append(_ value: JSONValue, to text: inout String, level: Int) {
        switch value {
        case .array(let elements) where !elements.isEmpty:
            text += "["
            for (index, element) in elements.enumerated() {
                startLine(&text, level: level + 1, isFirst: index == 0)
                append(element, to: &text, level: level + 1)
            }
            endBlock("]", &text, level: level)
        case .object(let object) where !object.isEmpty:
            text += "{"
            var isFirst = true
            for (key, element) in object {
                startLine(&text, level: level + 1, isFirst: isFirst)
                isFirst = false
                text += style(.key, escaped(.string(key))) + (layout == .compact ? ":" : ": ")
                append(element, to: &text, level: level + 1)
            }
            endBlock("}", &text, level: level)
        case .string: text += style(.string, escaped(value))
        case .number: text += style(.number, escaped(value))
        case .null, .bool: text += style(.word, escaped(value))
        case .array, .object: text += escaped(value)
        }
    }

    private func startLine(_ text: inout String, level: Int, isFirst: Bool) {
        if !isFirst { text += "," }
        breakLine(&text, level: level)
    }

    private func endBlock(_ bracket: String, _ text: inout String, level: Int) {
        breakLine(&text, level: level)
        text += bracket
    }

    private func breakLine(_ text: inout String, level: Int) {
        guard level <= JSONWriter.deepestLine else { return }
        switch layout {
        case .compact, .canonical: break
        case .pretty(let indent): text += "\n" + String(repeating: " ", count: level * indent)
        case .tabbed: text += "\n" + String(repeating: "\t", count: level)
        }
    }

    private func escaped(_ value: JSONValue) -> String {
        isASCII ? QueryOutput.ascii(value.text()) : ControlCharacters.escaped(value.text())
    }
}
