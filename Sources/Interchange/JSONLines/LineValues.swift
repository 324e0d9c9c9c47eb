import JSONCore
import JournalFormat
import QueryLanguage

/// What the queries of a line give, as a journal has it.
extension JSONValue {
    /// A place, as queries see it.
    init(_ place: SourceLocation) {
        self = [
            "file": .string(place.file), "line": .number(JSONNumber(place.line)),
            "column": .number(JSONNumber(place.column)), "function": .string(place.function),
        ]
    }

    /// A text, a number or a truth value as text.
    var word: String? {
        switch self {
        case .string(let text): text
        case .number, .bool: text()
        default: nil
        }
    }

    /// The id of a trace or a span as a journal has it; an empty one is not an id.
    var traceID: String? { word.flatMap { $0.isEmpty ? nil : $0.lowercased() } }

    /// A name, or an object with `type` and what it carries.
    var action: EncodedAction? {
        guard case .object(var members) = self else { return word.map { EncodedAction(type: $0) } }
        guard let type = members["type"]?.word else { return nil }
        _ = members.removeValue(forKey: "type")
        let payload = members.count == 1 ? members["payload"] ?? .object(members) : .object(members)
        return EncodedAction(type: type, payload: members.isEmpty ? nil : Array(payload.text().utf8))
    }

    /// The words of a mark, of which `true` is one that is called as its line; nil for no mark.
    func mark(named name: String?) -> String? {
        switch self {
        case .null, .bool(false): nil
        case .bool(true): name ?? "mark"
        default: string ?? text()
        }
    }

    /// Puts a value at a path, whose parts become objects where there are none; `-` is the end of an array.
    mutating func put(_ value: JSONValue, at path: ArraySlice<String>) throws(ImportFault) {
        guard let name = path.first else { return self = value }
        let rest = path.dropFirst()
        if case .array(let elements) = self {
            guard let index = name == "-" ? elements.count : JSONPointer.arrayIndex(name), index <= elements.count
            else { throw .form(expected: "an array with an element '\(name)', or the end of one") }
            var element = index < elements.count ? elements[index] : .null
            try element.put(value, at: rest)
            _ = modifyArray { array in
                if index < array.count { array[index] = element } else { array.append(element) }
            }
            return
        }
        if name == "-" {
            guard isScalar || object?.isEmpty == true else {
                throw .form(expected: "an array, of which '-' is the end")
            }
            self = .array([])
            return try put(value, at: path)
        }
        if isScalar { self = .object(JSONObject()) }
        var member = object?[name] ?? .null
        try member.put(value, at: rest)
        _ = modifyObject { $0.insertAscending(member, forKey: name) }
    }

    /// Applies a JSON Merge Patch, RFC 7396; what it puts in has ascending members.
    mutating func merge(_ patch: JSONValue) {
        guard case .object(let members) = patch else { return self = patch.ascending() }
        if object == nil { self = .object(JSONObject()) }
        for (key, change) in members {
            _ = modifyObject { object in
                guard !change.isNull else { return object[key] = nil }
                var member = object[key] ?? .null
                member.merge(change)
                object.insertAscending(member, forKey: key)
            }
        }
    }
}
