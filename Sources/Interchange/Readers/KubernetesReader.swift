public import JSONCore
import JournalFormat

/// Reads what `kubectl get -w --output-watch-events -o json` prints: a store for each kind, an object at `/namespace/name`.
///
/// Objects without an event around them are taken as modified, and so are the items of a list. An object of the cluster is at
/// `/name`. A bookmark says nothing; an error is a mark.
public struct KubernetesReader: ImportReader {
    /// What tells the elements of an object's lists apart.
    public static let identities = ["id", "name", "type", "uid", "key", "ip"]

    /// A reader of watch events.
    public init() {}

    /// The format.
    public var format: ImportFormat { .kubernetes }
    /// How the file is divided into texts.
    public var division: TextDivision { .texts }

    /// Takes the next text.
    public mutating func read(_ text: JSONValue, line: Int, into run: inout ImportedRun) throws(ImportFault) {
        if case .array(let events) = text {
            for event in events { try read(event, line: line, into: &run) }
            return
        }
        let members = try TextMembers(text, as: "a watch event")
        guard members["object"] != nil else { return try list(members, line, &run) }
        let (type, object) = (try members.string("type"), try members.nested("object"))
        switch type {
        case "BOOKMARK": return
        case "ERROR":
            let words = object["message"]?.string ?? object["reason"]?.string ?? "an error"
            run.mark(words, level: .error, ImportedRun.Origin(at: run.location(line: line)))
        case "ADDED", "MODIFIED", "DELETED": try note(object, type, line, &run)
        default: throw .operation(type, known: ["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"])
        }
    }

    /// An object without an event, or the items of a list.
    private func list(_ members: TextMembers, _ line: Int, _ run: inout ImportedRun) throws(ImportFault) {
        guard members["items"] != nil else { return try note(members, "MODIFIED", line, &run) }
        let kind = members["kind"]?.string.map { $0.hasSuffix("List") ? String($0.dropLast(4)) : $0 }
        for item in try members.array("items") {
            guard case .object(var object) = item else { throw members.fault("items", "an array of objects") }
            // The items of a typed list do not repeat their kind.
            if object["kind"] == nil, let kind { object.insertAscending(.string(kind), forKey: "kind") }
            try note(TextMembers(object), "ADDED", line, &run)
        }
    }

    private func note(
        _ object: TextMembers, _ type: String, _ line: Int, _ run: inout ImportedRun
    ) throws(ImportFault) {
        let kind = try object.string("kind")
        let metadata = try object.nested("metadata")
        let name = try metadata.string("name")
        var path = [name]
        if let namespace = metadata["namespace"]?.string { path.insert(namespace, at: 0) }
        var origin = ImportedRun.Origin(at: run.location(line: line), name: "\(type) \(name)")
        // Objects of a list come in any order, so their times do.
        origin.time = Self.time(of: object, metadata).flatMap { $0 >= run.time ? $0 : nil }
        var state = run.state(of: kind) ?? .object(JSONObject())
        if type == "DELETED" {
            guard JSONPointer(path).value(in: state) != nil else { throw .storeNotOpen(path.joined(separator: "/")) }
            state = Self.setting(nil, at: path[...], in: state)
        } else {
            state = Self.setting(.object(object.object), at: path[...], in: state)
        }
        if !run.isOpen(kind) { run.open(kind, .object(JSONObject()), origin) }
        run.set(kind, to: state, origin)
    }

    /// A value with another at a path of members; nil takes it out, and a member that is empty then.
    private static func setting(_ value: JSONValue?, at path: ArraySlice<String>, in state: JSONValue) -> JSONValue {
        guard let name = path.first else { return value ?? .null }
        var members = state.object ?? JSONObject()
        if path.count == 1, value == nil {
            _ = members.removeValue(forKey: name)
        } else {
            let inner = setting(value, at: path.dropFirst(), in: members[name] ?? .object(JSONObject()))
            members.insertAscending(inner, forKey: name)
            if value == nil, inner.object?.isEmpty == true { _ = members.removeValue(forKey: name) }
        }
        return .object(members)
    }

    /// The latest time that an object says of itself.
    private static func time(of object: TextMembers, _ metadata: TextMembers) -> Timestamp? {
        var times: [JSONValue?] = [metadata["creationTimestamp"], metadata["deletionTimestamp"]]
        for entry in metadata["managedFields"]?.array ?? [] { times.append(entry.object?["time"]) }
        for condition in object["status"]?.object?["conditions"]?.array ?? [] {
            times.append(condition.object?["lastTransitionTime"])
            times.append(condition.object?["lastHeartbeatTime"])
        }
        return times.compactMap { $0.flatMap(SourceTime.moment) }.max()
    }
}
