import JSONCore

/// One answer as JSON: the members that its kind declares, in the declared order, `kind` first.
///
/// Debug builds stop at a member that is not declared, stands in another place or is missing.
struct Answer {
    private(set) var object = JSONObject()
    private let definition: AnswerDefinition

    /// An answer of this kind.
    init(_ definition: AnswerDefinition) {
        self.definition = definition
        object["kind"] = .string(definition.kind)
    }

    /// Sets a member.
    mutating func set(_ name: String, _ value: JSONValue) {
        assert(
            definition.members.contains { $0.name == name }, "'\(definition.kind)' does not declare '\(name)'")
        object[name] = value
    }

    /// Sets a member to a text; without one to null.
    mutating func set(_ name: String, _ text: String?) { set(name, text.map(JSONValue.string) ?? .null) }

    /// Sets a member to a whole number; without one to null.
    mutating func set(_ name: String, _ number: Int?) {
        set(name, number.map { .number(JSONNumber($0)) } ?? .null)
    }

    /// Sets a member to true or false; without either to null.
    mutating func set(_ name: String, _ isSo: Bool?) { set(name, isSo.map(JSONValue.bool) ?? .null) }

    /// The answer as one line, compact, not ended.
    var line: [UInt8] {
        assert(
            definition.fault(of: object.map(\.key)) == nil,
            "'\(definition.kind)': \(definition.fault(of: object.map(\.key)) ?? "")")
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
