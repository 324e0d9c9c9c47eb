public import JSONCore

/// A `derived` record: a derived value is made.
public struct DerivedRecord: Sendable, Equatable {
    /// The last commit before it.
    public var seq: CommitNumber
    /// The derived value's name, unique in the journal.
    public var name: String
    /// What it reads of the whole state; nil where that is not known.
    public var inputs: [JSONPointer]?
    /// The derived values that it reads.
    public var from: [String]
    /// Where it was made.
    public var at: SourceLocation

    /// Decodes a `derived` record.
    public init(_ object: JSONObject) throws(RecordFault) {
        let members = RecordMembers(object: object)
        seq = try members.commit("seq")
        name = try members.string("name")
        inputs = nil
        if members.isPresent("inputs") {
            var pointers: [JSONPointer] = []
            for text in try members.strings("inputs") {
                do throws(JSONPointerError) { pointers.append(try JSONPointer(parsing: text)) } catch {
                    throw RecordFault(member: "inputs", expected: "an array of JSON Pointers")
                }
            }
            inputs = pointers
        }
        from = members.isPresent("from") ? try members.strings("from") : []
        at = try members.location()
    }
}

extension LineBuilder {
    /// Writes a `derived` record.
    ///
    /// - Parameters:
    ///   - inputs: JSON Pointers into the whole state; nil where they are not known.
    ///   - from: the names of the derived values that it reads.
    public mutating func derived(
        seq: CommitNumber, name: String, inputs: [String]?, from: [String] = [], at location: SourceLocation
    ) {
        begin(.derived, seq: seq)
        named(name)
        member("name", string: name)
        key("inputs")
        if let inputs { strings(inputs) } else { literal("null") }
        if !from.isEmpty {
            key("from")
            strings(from)
        }
        at(location)
        endRecord()
    }

    mutating func strings(_ list: some Sequence<String>) {
        var separator: StaticString = "["
        for text in list {
            literal(separator)
            string(text)
            separator = ","
        }
        if ByteView(separator)[0] == UInt8(ascii: "[") { literal("[") }
        literal("]")
    }
}
