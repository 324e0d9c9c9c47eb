package import JSONCore
package import JournalFormat
package import JournalReading

/// Members are written in this order, each with what it means; the manual page and the helps are made of it too.
package struct AnswerKind<Row>: Sendable {
    package let definition: AnswerDefinition
    private let start: [UInt8]
    private let fields: [Field]

    /// `kind` is the first member of every answer, by which programs distinguish them; `summary` is lower case, no full
    /// stop.
    package init(_ kind: String, _ summary: String, _ fields: [Field]) {
        definition = AnswerDefinition(kind: kind, summary: summary, members: fields.map(\.member))
        var writer = JSONWriter(style: .compact)
        writer.writeString(kind)
        start = #"{"kind":"#.utf8 + writer.bytes
        self.fields = fields
    }

    package func callAsFunction(_ row: Row) -> [UInt8] {
        var writer = JSONWriter(style: .compact)
        writer.bytes = start
        for field in fields { field.write(row, &writer) }
        writer.bytes.append(UInt8(ascii: "}"))
        return writer.bytes
    }

    package struct Field: Sendable {
        fileprivate let member: AnswerDefinition.AnswerMember
        fileprivate let write: @Sendable (Row, inout JSONWriter) -> Void

        private init<Value>(
            _ name: String, _ meaning: String, mayBeMissing: Bool,
            _ value: @escaping @Sendable (Row) -> Value?,
            _ append: @escaping @Sendable (Value, inout JSONWriter) -> Void
        ) {
            member = .init(name: name, meaning: meaning, mayBeMissing: mayBeMissing)
            var writer = JSONWriter(style: .compact)
            writer.writeString(name)
            let head = [UInt8(ascii: ",")] + writer.bytes + [UInt8(ascii: ":")]
            write = { row, writer in
                let value = value(row)
                if value == nil, mayBeMissing { return }
                writer.bytes.append(contentsOf: head)
                if let value { append(value, &writer) } else { writer.write(.null) }
            }
        }

        /// Null where a row has no value.
        package static func always<Value: AnswerValue>(
            _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Value?
        ) -> Field {
            Field(name, meaning, mayBeMissing: false, value) { $0.write(to: &$1) }
        }

        /// Left out where a row has no value.
        package static func sometimes<Value: AnswerValue>(
            _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Value?
        ) -> Field {
            Field(name, meaning, mayBeMissing: true, value) { $0.write(to: &$1) }
        }

        /// The member's text is copied; null where there is no record, or it lacks the member.
        package static func always(
            _ name: String, _ meaning: String, _ member: Record.Member,
            of record: @escaping @Sendable (Row) -> Record?
        ) -> Field {
            Field(name, meaning, mayBeMissing: false, record) { $0.append(member, to: &$1) }
        }
    }
}

package struct AnswerDefinition: Sendable {
    package let kind: String
    package let summary: String
    package let members: [AnswerMember]

    package struct AnswerMember: Sendable {
        package let name: String
        package let meaning: String
        package let mayBeMissing: Bool
    }
}

package protocol AnswerValue: SendableMetatype {
    func write(to writer: inout JSONWriter)
}

extension JSONValue: AnswerValue {
    package func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension String: AnswerValue {
    package func write(to writer: inout JSONWriter) { writer.writeString(self) }
}

extension Int: AnswerValue {
    package func write(to writer: inout JSONWriter) { writer.write(.number(self)) }
}

extension Bool: AnswerValue {
    package func write(to writer: inout JSONWriter) { writer.write(.bool(self)) }
}

extension CommitNumber: AnswerValue {
    package func write(to writer: inout JSONWriter) { rawValue.write(to: &writer) }
}

extension Array: AnswerValue where Element: AnswerValue {
    package func write(to writer: inout JSONWriter) {
        for (index, element) in enumerated() {
            writer.bytes.append(UInt8(ascii: index == 0 ? "[" : ","))
            element.write(to: &writer)
        }
        writer.bytes.append(contentsOf: (isEmpty ? "[]" : "]").utf8)
    }
}

/// A whole record without its `sum`; its text is copied.
extension Record: AnswerValue {
    package func write(to writer: inout JSONWriter) { append(to: &writer) }
}

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
