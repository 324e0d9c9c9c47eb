import JSONCore

/// One answer as JSON: members in the order in which they are given, `kind` first.
struct Answer {
    private(set) var object = JSONObject()

    /// An answer of this kind.
    init(_ kind: String) { object["kind"] = .string(kind) }

    /// Sets a member.
    mutating func set(_ name: String, _ value: JSONValue) { object[name] = value }

    /// Sets a member to a text; without one to null.
    mutating func set(_ name: String, _ text: String?) { object[name] = text.map(JSONValue.string) ?? .null }

    /// Sets a member to a whole number; without one to null.
    mutating func set(_ name: String, _ number: Int?) {
        object[name] = number.map { .number(JSONNumber($0)) } ?? .null
    }

    /// Sets a member to true or false; without either to null.
    mutating func set(_ name: String, _ isSo: Bool?) { object[name] = isSo.map(JSONValue.bool) ?? .null }

    /// The answer as one line, compact, not ended.
    var line: [UInt8] {
        var writer = JSONWriter(style: .compact)
        writer.write(.object(object))
        return writer.bytes
    }

    /// A record as answers hold it: its members in their order, without `sum`.
    static func embedded(_ record: JSONObject) -> JSONValue {
        var record = record
        record.removeValue(forKey: "sum")
        return .object(record)
    }
}
