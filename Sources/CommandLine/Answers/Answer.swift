package import JSONCore
import JournalFormat
package import JournalReading

/// One answer as JSON: the members that its kind declares, in the declared order, `kind` first.
///
/// Debug builds stop at a member that is not declared, stands in another place or is missing.
package struct Answer {
    private var writer = JSONWriter(style: .compact)
    private let definition: AnswerDefinition
    #if DEBUG
    private var names = ["kind"]
    #endif

    /// An answer of this kind.
    package init(_ definition: AnswerDefinition) {
        self.definition = definition
        writer.bytes.append(contentsOf: #"{"kind":"#.utf8)
        writer.writeString(definition.kind)
    }

    /// Sets a member.
    package mutating func set(_ name: String, _ value: JSONValue) {
        begin(name)
        writer.write(value)
    }

    /// Sets a member to a text; without one to null.
    package mutating func set(_ name: String, _ text: String?) { set(name, text.map(JSONValue.string) ?? .null) }

    /// Sets a member to a whole number; without one to null.
    package mutating func set(_ name: String, _ number: Int?) {
        set(name, number.map { .number(JSONNumber($0)) } ?? .null)
    }

    /// Sets a member to true or false; without either to null.
    package mutating func set(_ name: String, _ isSo: Bool?) { set(name, isSo.map(JSONValue.bool) ?? .null) }

    /// Sets a member to a member of a record, whose text is copied; to null where there is no record, or it lacks the member.
    package mutating func set(_ name: String, _ member: Record.Member, of record: Record?) {
        guard let record else { return set(name, .null) }
        begin(name)
        record.append(member, to: &writer)
    }

    /// Sets a member to a whole record without its `sum`, whose text is copied; to null where there is none.
    package mutating func set(_ name: String, _ record: Record?) {
        guard let record else { return set(name, .null) }
        begin(name)
        record.append(to: &writer)
    }

    private mutating func begin(_ name: String) {
        assert(
            definition.members.contains { $0.name == name }, "'\(definition.kind)' does not declare '\(name)'")
        #if DEBUG
        names.append(name)
        #endif
        writer.bytes.append(0x2C)
        writer.writeString(name)
        writer.bytes.append(0x3A)
    }

    /// The answer as one line, compact, not ended.
    package var line: [UInt8] {
        #if DEBUG
        let fault = definition.fault(of: names)
        assert(fault == nil, "'\(definition.kind)': \(fault ?? "")")
        #endif
        return writer.bytes + [0x7D]
    }
}
