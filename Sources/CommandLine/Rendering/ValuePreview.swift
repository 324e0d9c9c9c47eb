package import JSONCore

/// The beginning of a value's compact text, without writing all of a large one.
package enum ValuePreview {
    /// The compact text of a value, or at least its first `limit` bytes.
    ///
    /// - Complexity: O(`limit`) plus the longest name of a member.
    package static func text(_ value: JSONValue, limit: Int) -> String {
        var text = ""
        append(value, to: &text, limit: limit)
        return text
    }

    private static func append(_ value: JSONValue, to text: inout String, limit: Int) {
        guard text.utf8.count <= limit else { return }
        switch value {
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                guard text.utf8.count <= limit else { return }
                if index > 0 { text += "," }
                append(element, to: &text, limit: limit)
            }
            text += "]"
        case .object(let object):
            text += "{"
            var isFirst = true
            for (key, element) in object {
                guard text.utf8.count <= limit else { return }
                if !isFirst { text += "," }
                isFirst = false
                text += JSONValue.string(key).text() + ":"
                append(element, to: &text, limit: limit)
            }
            text += "}"
        case .string(let long) where long.utf8.count > limit:
            // So many scalars are as many bytes at least, after which the text ends anyway.
            var front = String.UnicodeScalarView()
            front.append(contentsOf: long.unicodeScalars.prefix(limit))
            text += JSONValue.string(String(front)).text().dropLast()
        case .null, .bool, .number, .string: text += value.text()
        }
    }
}
