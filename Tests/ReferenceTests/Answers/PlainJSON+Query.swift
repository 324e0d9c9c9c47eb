import JSONCore

// The only place where the interpreter meets the product's values: its queries are those of the query language.

extension PlainJSON {
    /// What a query gave.
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let number):
            let isComputed = if case .double = number.storage { true } else { false }
            self = .number(PlainNumber(number.text, isComputed: isComputed))
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { PlainJSON($0) })
        case .object(let members): self = .object(PlainObject(members.map { ($0.key, PlainJSON($0.value)) }))
        }
    }

    /// What a query is asked about.
    var queried: JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let number):
            .number(number.isComputed ? JSONNumber(Double(number.text) ?? .nan) : JSONNumber(literal: number.text))
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(\.queried))
        case .object(let members): .object(JSONObject(members.map { (key: $0.key, value: $0.value.queried) }))
        }
    }
}
