package import JSONCore

extension JSONValue {
    package static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        var object = JSONObject()
        for (key, value) in members {
            if let value { object[key] = value }
        }
        return .object(object)
    }

    package static func number(_ number: Int) -> JSONValue { .number(JSONNumber(number)) }
}
