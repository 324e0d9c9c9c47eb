/// One line of a journal, read by the strict parser.
struct PlainRecord {
    /// Its bytes, without the newline.
    let bytes: [UInt8]
    /// Its members, in their order.
    let members: PlainObject
    let seq: Int
    let kind: String
    /// Whether it is the keyframe at which reading goes on behind damage.
    var isResumed = false

    /// Reads a line; nil where it is no record.
    init?(_ bytes: [UInt8]) {
        guard case .object(let members)? = try? PlainJSON.parse(bytes), let seq = members["seq"]?.number?.integerValue,
            let kind = members["kind"]?.string
        else { return nil }
        (self.bytes, self.members, self.seq, self.kind) = (bytes, members, seq, kind)
    }

    subscript(key: String) -> PlainJSON { members[key] ?? .null }

    /// The record as answers show it: its members in their order, without `sum`.
    var embedded: PlainJSON {
        var members = members
        members.removeValue(forKey: "sum")
        return .object(members)
    }

    var store: String? { members["store"]?.string }
    var patch: [PlainJSON] { members["patch"]?.array ?? [] }
    /// The name of a commit, or else the function that made it.
    var name: PlainJSON { members["name"] ?? self["at"].object?["function"] ?? .null }

    /// The paths, from the whole state on, that a commit's patch changes in its store's state.
    ///
    /// Where an element comes, goes or moves, that is its array.
    func touchedPaths(from state: PlainJSON) -> [[PlainKey]] {
        var state = state
        var paths: [[PlainKey]] = []
        for json in patch {
            guard let operation = json.object, let op = operation["op"]?.string, op != "test" else { continue }
            for end in op == "move" ? ["from", "path"] : ["path"] {
                guard let path = operation[end]?.string.flatMap(PlainPointer.segments) else { continue }
                // A `move` takes away before it puts.
                let taken: PlainJSON = ["op": "remove", "path": operation["from"] ?? ""]
                let before =
                    op == "move" && end == "path" ? (try? PlainPatch.applied([taken], to: state)) ?? state : state
                let isElement = op != "replace" && PlainPointer.value(path.dropLast(), in: before)?.array != nil
                paths.append([PlainKey(store ?? "")] + (isElement && !path.isEmpty ? path.dropLast() : path))
            }
            state = (try? PlainPatch.applied([json], to: state)) ?? state
        }
        return paths
    }
}
