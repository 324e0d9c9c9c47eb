import Diagnostics
import JSONCore

/// A value as a person reads it: JSON over several lines, two spaces a level, coloured by kind.
struct ValueTree {
    private let style: Style

    /// A writer of such texts.
    init(style: Style) { self.style = style }

    /// The lines of a value, the last one not ended.
    ///
    /// - Complexity: O(n) in the size of the value.
    func text(_ value: JSONValue) -> String {
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
                text += style(.key, escaped(.string(key))) + ": "
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
        text += (isFirst ? "\n" : ",\n") + String(repeating: "  ", count: level)
    }

    private func endBlock(_ bracket: String, _ text: inout String, level: Int) {
        text += "\n" + String(repeating: "  ", count: level) + bracket
    }

    private func escaped(_ value: JSONValue) -> String { ControlCharacters.escaped(value.text()) }
}
