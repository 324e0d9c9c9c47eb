public import JSONCore
import JournalFormat

/// Reads a trace of a model checker in the Informal Trace Format of Apalache and Quint: a commit for each state but the first.
///
/// Big integers are numbers, tuples arrays, sets arrays in the order of their elements' texts, maps objects; a map with
/// a key that is not a string is an array of pairs. What the checker could not write stays as it says it. A mark at the
/// end reports a loop.
public struct ITFReader: ImportReader {
    private static let store = "state"
    private var unknownForms = 0

    /// A reader of traces.
    public init() {}

    /// The format.
    public var format: ImportFormat { .itf }
    /// What there is to say of what was read, by the way.
    public var notes: [String] {
        unknownForms == 0 ? [] : ["\(counted(unknownForms, "state")) with a form that is not known, kept as it stands"]
    }

    /// Takes the next text.
    public mutating func read(_ text: JSONValue, line: Int, into run: inout ImportedRun) throws(ImportFault) {
        let trace = try TextMembers(text, as: format.form)
        let states = try trace.array("states")
        guard !states.isEmpty else { throw .form(expected: "a trace with a state") }
        try run.items(states, "state", line: line) { (run, state) throws(ImportFault) in try note(state, line, &run) }
        guard let loop = trace["loop"] else { return }
        guard let first = loop.number?.integerValue, states.indices.contains(first) else {
            throw trace.fault("loop", "the index of a state")
        }
        run.mark(
            "loop: the run goes on at state \(first)", level: .info, ImportedRun.Origin(at: run.location(line: line)))
    }

    private mutating func note(_ state: JSONValue, _ line: Int, _ run: inout ImportedRun) throws(ImportFault) {
        var members = try TextMembers(state, as: "a state, an object by variable").object
        var origin = ImportedRun.Origin(at: run.location(line: line))
        origin.name = ["action_taken", "mbt::actionTaken", "action"].lazy.compactMap { members[$0]?.string }.first
        _ = members.removeValue(forKey: "#meta")
        if Self.hasUnknownForm(.object(members)) { unknownForms += 1 }
        run.set(Self.store, to: try Self.plain(.object(members)), origin)
    }

    private static func hasUnknownForm(_ value: JSONValue) -> Bool {
        switch value {
        case .array(let elements): elements.contains(where: hasUnknownForm)
        case .object(let members):
            members.contains { member in
                UTF8Order.begins(member.key, with: "#") && !knownForms.contains(ByteName(member.key))
                    || hasUnknownForm(member.value)
            }
        default: false
        }
    }

    private static let knownForms: Set<ByteName> = ["#bigint", "#map", "#meta", "#set", "#tup", "#unserializable"]

    static func plain(_ value: JSONValue) throws(ImportFault) -> JSONValue {
        switch value {
        case .array(let elements):
            return .array(try elements.map { (element) throws(ImportFault) in try plain(element) })
        case .object(let members):
            if let first = members.keys.first, UTF8Order.begins(first, with: "#"), members.count == 1,
                let inner = members[first],
                let special = try special(first, inner)
            {
                return special
            }
            var result = JSONObject()
            for (key, member) in members { result.insertAscending(try plain(member), forKey: key) }
            return .object(result)
        default: return value
        }
    }

    private static func special(_ name: String, _ inner: JSONValue) throws(ImportFault) -> JSONValue? {
        switch (name, inner) {
        case ("#bigint", .string(let digits)):
            guard let number = try? JSONParser.parse(digits).number, number.isInteger else {
                throw .member("#bigint", expected: "the digits of an integer", isMissing: false)
            }
            return .number(number)
        case ("#tup", .array): return try plain(inner)
        case ("#set", .array(let elements)):
            return .array(sorted(try elements.map { (element) throws(ImportFault) in try plain(element) }))
        case ("#map", .array(let pairs)): return try map(pairs)
        case ("#bigint", _), ("#tup", _), ("#set", _), ("#map", _):
            throw .member(name, expected: name == "#bigint" ? "a string" : "an array", isMissing: false)
        default: return nil
        }
    }

    private static func map(_ pairs: [JSONValue]) throws(ImportFault) -> JSONValue {
        var (members, entries, isObject) = (JSONObject(), [JSONValue](), true)
        for pair in pairs {
            guard case .array(let parts) = pair, parts.count == 2 else {
                throw .member("#map", expected: "an array of pairs", isMissing: false)
            }
            let (key, value) = (try plain(parts[0]), try plain(parts[1]))
            if case .string(let name) = key {
                guard members[name] == nil else {
                    throw .member("#map", expected: "an array of pairs with different keys", isMissing: false)
                }
                members.insertAscending(value, forKey: name)
            } else {
                isObject = false
            }
            entries.append(.array([key, value]))
        }
        return isObject ? .object(members) : .array(sorted(entries))
    }

    private static func sorted(_ values: [JSONValue]) -> [JSONValue] {
        values.map { (text: $0.text(), value: $0) }.sorted { UTF8Order.isLess($0.text, $1.text) }.map(\.value)
    }
}

extension JSONNumber {
    var isInteger: Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D } }
}
