public import JSONCore
public import JournalFormat

/// What a record says, member by member: what lists, stories, filters and answers read of one.
///
/// Another writer may leave a member out, or give it another type; it is nil then. ``CommitRecord`` and its like are for code that
/// needs every member.
///
/// A line that is written as our writer writes it is proven to be JSON, and not parsed: only the members that are asked for are
/// decoded, each time they are.
public struct Record: Sendable {
    /// A member that a record may have.
    public enum Member: String, Sendable {
        case seq, kind, store, type, version, time, at, name, action, cause, thread, trace, span, patch, state, states,
            text,
            level
        case error, reason, lost, derived
    }

    /// The place in the app's source that a record came from, as far as it says.
    public struct Place: Sendable {
        /// The file as the compiler names it: `Shop/Cart.swift`.
        public let file: String?
        /// The line, from 1.
        public let line: Int?
        /// The column, from 1.
        public let column: Int?
        /// The function.
        public let function: String?

        fileprivate init(_ at: JSONObject) {
            file = at["file"]?.string
            line = at["line"]?.number?.integerValue
            column = at["column"]?.number?.integerValue
            function = at["function"]?.string
        }
    }

    private enum Form: Sendable {
        /// A line in our writer's form, and where its members are.
        case compact([UInt8], [Field])
        case parsed(JSONObject)
    }

    private struct Field: Sendable {
        /// What lies between the quotes of its name.
        let name: Range<Int>
        let value: Range<Int>
        /// Whether the value is a string in which nothing is escaped.
        let isPlain: Bool
    }

    /// The record's number.
    public let seq: CommitNumber
    /// What kind of record it is.
    public let kind: RecordKind
    private let form: Form

    /// Reads a record.
    ///
    /// - Throws: ``JournalError`` with the damage where the line is not JSON.
    /// - Complexity: every byte is read once; parsing where the line is not in our writer's form.
    public init(_ record: OwnedRecord) throws(JournalError) {
        seq = record.seq
        kind = record.kind
        form = try record.withLine { (line) throws(JournalError) in try Record.form(line) { record.bytes } }
    }

    /// Reads a line that a reader holds, and keeps a copy of it.
    ///
    /// - Throws: ``JournalError`` with the damage where the line is not JSON.
    /// - Complexity: as ``init(_:)``.
    public init(_ line: RecordLine) throws(JournalError) {
        seq = line.seq
        kind = line.kind
        form = try Record.form(line) { [UInt8](line.bytes) }
    }

    private static func form(_ line: RecordLine, _ bytes: () -> [UInt8]) throws(JournalError) -> Form {
        guard line.isAsWritten else { return .parsed(try line.object()) }
        let fields = try line.token().members.map { name, value in
            Field(name: name.rawRange, value: value.range, isPlain: value.plainString != nil)
        }
        return .compact(bytes(), fields)
    }

    // MARK: What records say

    /// The store that it is about.
    public var store: String? { string(.store) }
    /// The name that was given to it.
    public var name: String? { string(.name) }
    /// When it was made, as it is written.
    public var time: String? { string(.time) }
    /// Where it was made; nil where it does not say.
    public var place: Place? {
        guard case .object(let at)? = self[.at] else { return nil }
        return Place(at)
    }
    /// What a commit is called: the name that was given to it, else that of its function.
    public var title: String? { name ?? place?.function }
    /// The type of the action that a reducer answered with a commit, and what it carried, as far as the record says.
    public var action: (type: String?, payload: JSONValue?)? {
        guard case .object(let action)? = self[.action] else { return nil }
        return (action["type"]?.string, action["payload"])
    }
    /// The commit whose delivery made this one.
    public var cause: Int? { self[.cause]?.number?.integerValue }
    /// What a commit changed; nil where it is not a patch.
    public var patch: JSONPatch? { self[.patch].flatMap { try? JSONPatch(json: $0) } }
    /// The text of a mark.
    public var text: String? { string(.text) }
    /// The store's own count of commits.
    public var version: Int? { self[.version]?.number?.integerValue }

    /// The record as a value, its members in their order, without its sum.
    public var json: JSONValue {
        var writer = JSONWriter()
        append(to: &writer)
        return (try? JSONParser.parse(writer.bytes)) ?? .null
    }

    // MARK: Members

    /// A member's value, its members as they are written; nil where the record does not have it.
    public subscript(member: Member) -> JSONValue? {
        switch form {
        case .parsed(let object): return object[member.rawValue]
        case .compact(let bytes, let members):
            return bytes.withBytes { bytes in
                guard let range = Record.field(member, in: bytes, members)?.value else { return nil }
                return try? JSONParser.parse(bytes.extracting(range))
            }
        }
    }

    /// A member that is a string.
    public func string(_ member: Member) -> String? {
        guard case .compact(let bytes, let members) = form else { return self[member]?.string }
        let plain = bytes.withBytes { bytes in
            Record.field(member, in: bytes, members).flatMap { field -> String? in
                field.isPlain
                    ? String(decoding: bytes.extracting(field.value.dropFirst().dropLast()), as: UTF8.self) : nil
            }
        }
        return plain ?? self[member]?.string
    }

    /// Appends a member's value as compact JSON, `null` where the record does not have it.
    package func append(_ member: Member, to json: inout JSONWriter) {
        if case .compact(let bytes, let members) = form {
            let isCopied = bytes.withBytes { bytes in
                guard let range = Record.field(member, in: bytes, members)?.value else { return false }
                json.bytes.append(contentsOf: bytes.extracting(range))
                return true
            }
            if isCopied { return }
        }
        json.write(self[member] ?? .null)
    }

    /// Appends the record as compact JSON, its members in their order, without its sum.
    package func append(to json: inout JSONWriter) {
        switch form {
        case .parsed(var object):
            object.removeValue(forKey: "sum")
            json.write(.object(object))
        case .compact(let bytes, let members):
            json.bytes.append(0x7B)
            var isFirst = true
            for member in members where !bytes[member.name].elementsEqual("sum".utf8) {
                if !isFirst { json.bytes.append(0x2C) }
                isFirst = false
                // The name with its quotes, the colon and the value.
                json.bytes.append(contentsOf: bytes[(member.name.lowerBound - 1)..<member.value.upperBound])
            }
            json.bytes.append(0x7D)
        }
    }

    private static func field(
        _ member: Member, in bytes: ByteView, _ fields: [Field]
    ) -> Field? {
        member.rawValue.withBytes { name in fields.first { bytes.extracting($0.name).hasSameBytes(as: name) } }
    }
}
