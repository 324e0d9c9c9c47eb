enum PartEdit {
    case add(JSONValue)
    case replace(JSONValue)
    case remove
    /// To another place of the same object or array.
    case move(to: String)

    static func index(_ segment: String, in count: Int) throws(PatchError.Reason) -> Int {
        guard let index = JSONPointer.arrayIndex(segment) else { throw .notAnIndex(segment) }
        guard index < count else { throw .indexPastEnd(segment, count: count) }
        return index
    }

    /// The place before which a segment inserts; `-` is the end, and `reported` the number of elements that an error
    /// states.
    static func insertionIndex(
        _ segment: String, in count: Int, reported: Int
    ) throws(PatchError.Reason) -> Int {
        if segment == "-" { return count }
        guard let index = JSONPointer.arrayIndex(segment) else { throw .notAnIndex(segment) }
        guard index <= count else { throw .indexPastEnd(segment, count: reported) }
        return index
    }
}

extension JSONValue {
    /// Edits the part at a path of a value that is pruned to a node.
    ///
    /// Every change goes through this walk: an unpruned value is one that is pruned to ``PathSet/Node/all``. Each
    /// container on the way gives up its buffer for the time of the edit, so the edit below it is in place.
    ///
    /// - Parameter segments: the path; an array and a place in it, for a slice would be counted at each level.
    /// - Returns: whether what the node reads was touched; where it was not, nothing was changed.
    mutating func edit(
        _ edit: PartEdit, at segments: [String], from depth: Int, pruning node: PathSet.Node, order: MemberOrder
    ) throws(PatchError.Reason) -> Bool {
        guard depth < segments.count else { return try editWhole(edit, pruning: node) }
        let segment = segments[depth]
        let isLast = depth &+ 1 == segments.count
        // A `switch` that binds what is in it would hold on to the buffer that is to be edited.
        if case .object = self {
            if isLast, case .move(let name) = edit {
                return try moveMember(segment, to: name, pruning: node, order: order)
            }
            guard let child = node.node(forKey: segment) else { return false }
            let touched = try modifyObject { (members: inout JSONObject) throws(PatchError.Reason) -> Bool? in
                if isLast { return try members.edit(edit, segment, pruning: child, order: order) }
                return try members.modify(segment) { (member: inout JSONValue) throws(PatchError.Reason) -> Bool in
                    try member.edit(edit, at: segments, from: depth &+ 1, pruning: child, order: order)
                }
            }
            guard let touched = touched ?? nil else { throw .noSuchMember(segment) }
            return touched
        }
        guard case .array = self else { throw .noParts(segment: segment) }
        return try modifyElements { (elements: inout JSONArray) throws(PatchError.Reason) -> Bool in
            if isLast { return try elements.edit(edit, segment, pruning: node.element) }
            let index = try PartEdit.index(segment, in: elements.count)
            guard let child = node.element else { return false }
            return try elements[index].edit(edit, at: segments, from: depth &+ 1, pruning: child, order: order)
        } ?? false
    }

    private mutating func editWhole(_ edit: PartEdit, pruning node: PathSet.Node) throws(PatchError.Reason) -> Bool {
        switch edit {
        case .add(let new), .replace(let new):
            self = new.pruned(to: node)
            return true
        case .remove, .move: throw .removesRoot
        }
    }

    private mutating func moveMember(
        _ from: String, to name: String, pruning node: PathSet.Node, order: MemberOrder
    ) throws(PatchError.Reason) -> Bool {
        guard case .all = node else {
            if node.node(forKey: from) == nil, node.node(forKey: name) == nil { return false }
            throw .notPrunable
        }
        _ = try modifyObject { (members: inout JSONObject) throws(PatchError.Reason) in
            guard !UTF8Order.equal(from, name) else {
                if members[from] == nil { throw .noSuchMember(from) }
                return
            }
            guard let moved = members.removeValue(forKey: from) else { throw .noSuchMember(from) }
            members.put(moved, forKey: name, order: order)
        }
        return true
    }
}

extension JSONObject {
    fileprivate mutating func edit(
        _ edit: PartEdit, _ key: String, pruning node: PathSet.Node, order: MemberOrder
    ) throws(PatchError.Reason) -> Bool {
        switch edit {
        case .add(let new): put(new.pruned(to: node), forKey: key, order: order)
        case .replace(let new):
            guard modify(key, { $0 = new.pruned(to: node) }) != nil else { throw .noSuchMember(key) }
        case .remove, .move:
            guard removeValue(forKey: key) != nil else { throw .noSuchMember(key) }
        }
        return true
    }

    fileprivate mutating func put(_ value: JSONValue, forKey key: String, order: MemberOrder) {
        switch order {
        case .asWritten: self[key] = value
        case .ascending: insertAscending(value, forKey: key)
        }
    }
}

extension JSONArray {
    /// Edits an element; the elements are pruned to `node`, or are placeholders where that is nil.
    fileprivate mutating func edit(
        _ edit: PartEdit, _ segment: String, pruning node: PathSet.Node?
    ) throws(PatchError.Reason) -> Bool {
        switch edit {
        case .add(let new):
            let index = try PartEdit.insertionIndex(segment, in: count, reported: count)
            insert(node.map(new.pruned(to:)) ?? .null, at: index)
        case .replace(let new):
            let index = try PartEdit.index(segment, in: count)
            guard let node else { return false }
            self[index] = new.pruned(to: node)
        case .remove:
            remove(at: try PartEdit.index(segment, in: count))
        case .move(let name):
            let from = try PartEdit.index(segment, in: count)
            let to = try PartEdit.insertionIndex(name, in: count - 1, reported: count)
            insert(remove(at: from), at: to)
        }
        return true
    }
}
