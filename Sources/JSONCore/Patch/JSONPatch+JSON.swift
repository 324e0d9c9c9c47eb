extension JSONPatch {
    /// Reads a patch from its JSON form; members that RFC 6902 does not name are ignored, but for `old`.
    ///
    /// - Throws: ``PatchError`` with the first operation that is none, and why.
    public init(json: JSONValue) throws(PatchError) {
        guard case .array(let elements) = json else {
            throw PatchError(operation: nil, path: JSONPointer(), reason: .notAnArray)
        }
        operations = []
        operations.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            do throws(PatchError.Reason) {
                operations.append(try Operation(json: element))
            } catch {
                let path = element.object?["path"]?.string.flatMap { try? JSONPointer(parsing: $0) }
                throw PatchError(operation: index, path: path ?? JSONPointer(), reason: error)
            }
        }
    }

    /// The patch as JSON, each operation's members in the journal's order: `op`, `path`, `from`, `value`, `old`.
    public var json: JSONValue {
        .array(operations.map { .object($0.json) })
    }
}

extension JSONPatch.Operation {
    init(json: JSONValue) throws(PatchError.Reason) {
        guard case .object(let members) = json else { throw .notAnObject }
        let name = try JSONPatch.Operation.text("op", of: members)
        switch name {
        case "add":
            self = .add(
                try JSONPatch.Operation.pointer("path", of: members), try JSONPatch.Operation.value(of: members))
        case "remove":
            self = .remove(try JSONPatch.Operation.pointer("path", of: members), old: members["old"])
        case "replace":
            self = .replace(
                try JSONPatch.Operation.pointer("path", of: members), try JSONPatch.Operation.value(of: members),
                old: members["old"])
        case "move":
            self = .move(
                from: try JSONPatch.Operation.pointer("from", of: members),
                to: try JSONPatch.Operation.pointer("path", of: members))
        case "copy":
            self = .copy(
                from: try JSONPatch.Operation.pointer("from", of: members),
                to: try JSONPatch.Operation.pointer("path", of: members))
        case "test":
            self = .test(
                try JSONPatch.Operation.pointer("path", of: members), try JSONPatch.Operation.value(of: members))
        default: throw .unknownOperation(name)
        }
    }

    private static func text(_ name: String, of members: JSONObject) throws(PatchError.Reason) -> String {
        guard let member = members[name] else { throw .missingMember(name) }
        guard case .string(let text) = member else { throw .notAString(member: name) }
        return text
    }

    private static func value(of members: JSONObject) throws(PatchError.Reason) -> JSONValue {
        guard let value = members["value"] else { throw .missingMember("value") }
        return value
    }

    private static func pointer(_ name: String, of members: JSONObject) throws(PatchError.Reason) -> JSONPointer {
        let text = try text(name, of: members)
        let pointer: JSONPointer
        do throws(JSONPointerError) {
            pointer = try JSONPointer(parsing: text)
        } catch {
            throw .badPointer(member: name, error)
        }
        guard pointer.segments.count <= JSONPatch.pathDepthLimit else {
            throw .pathTooDeep(segments: pointer.segments.count)
        }
        return pointer
    }

    /// The operation as an object, its members in the journal's order.
    public var json: JSONObject {
        var members: JSONObject = ["op": .string("\(name)"), "path": .string(path.text)]
        if let from { members["from"] = .string(from.text) }
        if let value = values.new { members["value"] = value }
        if let old = values.old { members["old"] = old }
        return members
    }

    fileprivate var name: StaticString {
        switch self {
        case .add: "add"
        case .remove: "remove"
        case .replace: "replace"
        case .move: "move"
        case .copy: "copy"
        case .test: "test"
        }
    }

    fileprivate var values: (new: JSONValue?, old: JSONValue?) {
        switch self {
        case .add(_, let value), .test(_, let value): (value, nil)
        case .remove(_, let old): (nil, old)
        case .replace(_, let value, let old): (value, old)
        case .move, .copy: (nil, nil)
        }
    }
}

extension JSONWriter {
    /// Appends the text of ``JSONPatch/json``, without the value in between.
    public mutating func write(_ patch: JSONPatch) {
        bytes.append(0x5B)
        for (index, operation) in patch.operations.enumerated() {
            literal(index > 0 ? ",{\"op\":\"" : "{\"op\":\"")
            literal(operation.name)
            write("\",\"path\":\"", operation.path)
            if let from = operation.from { write(",\"from\":\"", from) }
            let (new, old) = operation.values
            if let new { write(",\"value\":", new) }
            if let old { write(",\"old\":", old) }
            bytes.append(0x7D)
        }
        bytes.append(0x5D)
    }

    private mutating func literal(_ text: StaticString) { bytes.append(contentsOf: ByteView(text)) }

    private mutating func write(_ key: StaticString, _ value: JSONValue) {
        literal(key)
        write(value)
    }

    private mutating func write(_ key: StaticString, _ path: JSONPointer) {
        literal(key)
        for segment in path.segments {
            bytes.append(0x2F)
            let isPlain = segment.withBytes { !$0.contains(UInt8(ascii: "~")) && !$0.contains(UInt8(ascii: "/")) }
            writeContent(isPlain ? segment : JSONPointer.escaped(segment))
        }
        bytes.append(0x22)
    }
}
