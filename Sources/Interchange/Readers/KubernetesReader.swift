public import JSONCore
import JournalFormat

/// Reads what `kubectl get -w --output-watch-events -o json` prints: a store for each kind, an object at `/namespace/name`.
///
/// Objects without an event around them, and the items of a list, are added or modified. An object of the cluster is at
/// `/name`. A bookmark says nothing; an error is a mark.
public struct KubernetesReader: ImportReader {
    /// The members that identify the elements of an object's lists.
    public static let identities = ["id", "name", "type", "uid", "key", "ip"]
    private var unknownObjects = 0

    /// A reader of watch events.
    public init() {}

    /// The format.
    public var format: ImportFormat { .kubernetes }
    /// What there is to say of what was read, by the way.
    public var notes: [String] {
        unknownObjects == 0
            ? [] : ["\(counted(unknownObjects, "change")) of objects that the file had not said anything of"]
    }

    /// Takes the next text.
    public mutating func read(_ text: JSONValue, line: Int, into run: inout ImportedRun) throws(ImportFault) {
        if case .array(let events) = text {
            return try run.items(events, "event", line: line) { (run, event) throws(ImportFault) in
                try read(event, line: line, into: &run)
            }
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

    private mutating func list(_ members: TextMembers, _ line: Int, _ run: inout ImportedRun) throws(ImportFault) {
        guard members["items"] != nil else { return try note(members, nil, line, &run) }
        let kind = members["kind"]?.string.map { UTF8Order.ends($0, with: "List") ? String($0.dropLast(4)) : $0 }
        try run.items(members.array("items"), "item", line: line) { (run, item) throws(ImportFault) in
            guard case .object(var object) = item else { throw .form(expected: "an object") }
            // The items of a typed list do not repeat their kind.
            if object["kind"] == nil, let kind { object.insertAscending(.string(kind), forKey: "kind") }
            try note(TextMembers(object), nil, line, &run)
        }
    }

    private mutating func note(
        _ object: TextMembers, _ type: String?, _ line: Int, _ run: inout ImportedRun
    ) throws(ImportFault) {
        let kind = try object.string("kind")
        let metadata = try object.nested("metadata")
        let name = try metadata.string("name")
        var path = [name]
        if let namespace = metadata["namespace"]?.string { path.insert(namespace, at: 0) }
        let old = run.state(of: kind).flatMap { JSONPointer(path).value(in: $0) }
        let isDeleted = type == "DELETED"
        if old == nil, type == "MODIFIED" || isDeleted { unknownObjects += 1 }
        if old == nil, isDeleted { return }
        let event = type ?? (old == nil ? "ADDED" : "MODIFIED")
        var origin = ImportedRun.Origin(at: run.location(line: line), name: "\(event) \(name)")
        // Objects of a list come in any order, so their times do.
        origin.time = Self.time(of: object, metadata).flatMap { $0 >= run.time ? $0 : nil }
        if !run.isOpen(kind) { run.open(kind, .object(JSONObject()), origin) }
        let state = run.state(of: kind) ?? .null
        if isDeleted {
            let isLast = path.count == 2 && state.object?[path[0]]?.object?.count == 1
            return try run.commit(
                JSONPatch([.remove(JSONPointer(isLast ? [path[0]] : path), old: nil)]), to: kind, origin)
        }
        let new = JSONValue.object(object.object)
        try run.commit(JSONPatch(Self.change(from: old, to: new, at: path, in: state, run)), to: kind, origin)
    }

    private static func change(
        from old: JSONValue?, to new: JSONValue, at path: [String], in state: JSONValue, _ run: ImportedRun
    ) -> [JSONPatch.Operation] {
        if let old {
            return JSONPatch.difference(from: old, to: new, identities: run.identities).operations.map {
                $0.below(path)
            }
        }
        if path.count == 2, state.object?[path[0]] == nil {
            return [.add(JSONPointer([path[0]]), .object(JSONObject(path[1], new)))]
        }
        return [.add(JSONPointer(path), new)]
    }

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
