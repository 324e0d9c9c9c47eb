import JSONCore

extension JSONValue {
    /// The object, if it is one.
    var objectValue: JSONObject? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The text, if it is a string.
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The exact integer, if it is one.
    var integer: Int? {
        if case .number(let number) = self { number.integerValue } else { nil }
    }
}
