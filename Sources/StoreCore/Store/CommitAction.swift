internal import JSONCore
public import StateEncoding

/// The action behind a commit, as the journal tells it.
///
/// A class, so that the commits without one carry a nil reference and nothing more.
public final class CommitAction: Sendable {
    /// What kind of action: its type, and its case where it is an enum.
    public let type: String
    /// What the action carries; nil where it has no JSON form.
    let payload: (any Encodable & Sendable)?
    /// The enum case whose associated values are the payload; nil where the payload is the whole action.
    let caseName: String?

    init(type: String, payload: (any Encodable & Sendable)?, caseName: String? = nil) {
        self.type = type
        self.payload = payload
        self.caseName = caseName
    }
}

extension CommitAction: OpaqueToDump {}

extension CommitAction {
    /// An action as the journal tells it; made only where somebody records.
    public convenience init<Action: Sendable>(of action: Action) {
        let type = TypeName.name(of: Swift.type(of: action as Any))
        let caseNames = EnumCases.names(of: action)
        let payload = action is any Encodable ? ActionPayload(action: action) : nil
        self.init(type: ([type] + caseNames).joined(separator: "."), payload: payload, caseName: caseNames.first)
    }
}

extension EnumCases {
    /// The case that an action is in, and, where all that it carries is another action, the case of that: `profile`, `rename`
    /// of `.profile(.rename(to: "Ann"))`.
    ///
    /// Other enums are data: only what is called an action is one.
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

/// An action that is known to be Encodable at run time only.
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
    /// The associated values of a case; nil where it has none.
    ///
    /// Of `{"rename":{"id":1,"to":"x"}}` that is the inner object, of a single value without a label that value itself. JSON of
    /// another form, from an `encode(to:)` of the app's own, stays whole.
    static func associatedValues(of caseName: String, in bytes: [UInt8]) -> [UInt8]? {
        guard let value = try? JSONParser.parse(bytes) else { return bytes }
        guard case .object(let object) = value, object.count == 1, let values = object[caseName] else {
            // A case of an enum with raw values says all there is to say.
            if case .string(let text) = value, UTF8Order.equal(text, caseName) { return nil }
            return bytes
        }
        guard case .object(let members) = values else { return Array(values.text().utf8) }
        if members.isEmpty { return nil }
        guard members.count == 1, let only = members["_0"] else { return Array(values.text().utf8) }
        return Array(only.text().utf8)
    }
}
