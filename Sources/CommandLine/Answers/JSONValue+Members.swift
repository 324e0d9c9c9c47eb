package import JSONCore

extension JSONValue {
    /// An object of these members in their order; those without a value are left out.
    package static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        var object = JSONObject()
        for (key, value) in members {
            if let value { object[key] = value }
        }
        return .object(object)
    }

    /// A whole number.
    package static func number(_ number: Int) -> JSONValue { .number(JSONNumber(number)) }
}
