internal import JSONCore
public import StateEncoding

/// The action that a commit is the answer to, as the journal has it.
///
/// A class, so that a commit without an action carries a nil reference and nothing more.
@usableFromInline
package final class CommitAction: Sendable {
    /// The name of the action: its type, and its case where it is an enum.
    package let type: String
    /// The type of what is encoded, for messages.
    let valueType: Any.Type
    /// What the action carries; nil where it has no JSON form.
    let payload: (any Encodable & Sendable)?
    /// The enum case whose associated values are the payload; nil where the payload is the whole action.
    let caseName: String?

    init(
        type: String, payload: (any Encodable & Sendable)?, caseName: String? = nil, of valueType: Any.Type? = nil
    ) {
        self.type = type
        self.valueType = valueType ?? Swift.type(of: payload as Any)
        self.payload = payload
        self.caseName = caseName
    }
}

extension CommitAction: OpaqueToDump {}

extension CommitAction {
    /// Describes an action for the journal; made only for a recorded store.
    package convenience init<Action: Sendable>(of action: Action) {
        let valueType = Swift.type(of: action as Any)
        let type = TypeName.name(of: valueType)
        let caseNames = EnumCases.names(of: action)
        let payload = action is any Encodable ? ActionPayload(action: action) : nil
        self.init(
            type: ([type] + caseNames).joined(separator: "."), payload: payload, caseName: caseNames.first,
            of: valueType)
    }
}

extension EnumCases {
    /// The case of an action, and, where the case carries only another action, the case of that one: `profile`,
    /// `rename` of `.profile(.rename(to: "Ann"))`.
    ///
    /// Other enums are data: only a type whose name ends in `Action` is an action.
    fileprivate static func names(of action: Any) -> [String] {
        func name<Value>(_ value: Value) -> String? { EnumCases.name(of: value) }
        var (names, next): ([String], Any?) = ([], action)
        while let value = next, names.count < 8, let name = _openExistential(value, do: name) {
            names.append(name)
            next = Mirror(reflecting: value).children.first?.value
            if let inner = next, !String(describing: type(of: inner)).hasSuffix("Action") { next = nil }
        }
        return names
    }
}

/// An action that only a cast at run time shows to be Encodable.
private struct ActionPayload<Action: Sendable>: Encodable, Sendable {
    let action: Action

    func encode(to encoder: any Encoder) throws {
        guard let action = action as? any Encodable else { return }
        var container = encoder.singleValueContainer()
        try container.encode(action)
    }
}

/// What an enum's case carries, taken from the JSON that Codable makes of it.
enum CasePayload {
    /// The associated values of a case; nil for a case without any.
    ///
    /// Of `{"rename":{"id":1,"to":"x"}}` they are the inner object, and a single value without a label is that value.
    /// JSON of another form, from an `encode(to:)` of the app's own, stays whole.
    static func associatedValues(of caseName: String, in bytes: [UInt8]) -> [UInt8]? {
        guard let value = try? JSONParser.parse(bytes) else { return bytes }
        guard case .object(let object) = value, object.count == 1, let values = object[caseName] else {
            // A case of an enum with raw values carries nothing else.
            if case .string(let text) = value, UTF8Order.equal(text, caseName) { return nil }
            return bytes
        }
        guard case .object(let members) = values else { return Array(values.text().utf8) }
        if members.isEmpty { return nil }
        guard members.count == 1, let only = members["_0"] else { return Array(values.text().utf8) }
        return Array(only.text().utf8)
    }
}
