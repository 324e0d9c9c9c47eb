internal import JSONCore

/// What hides the members of a value that repeat its secrets.
///
/// What is found once in a member hides that member in every value of the type from then on (``TypeRule/hide(_:in:)``). So nothing
/// has to be remembered of a secret that is replaced: its copies are where they were hidden.
struct CopySearch {
    let rule: TypeRule
    let hidden: [[String]]
    /// What is looked for in the members that are not hidden.
    let searches: [SecretSearch]
    /// Whether these are the value's own secrets alone, so that the value by itself says what is found.
    let isOwn: Bool

    func matches(_ scalar: Scalar) -> Bool { searches.contains { $0.matches(scalar) } }
}

extension EncodingPass {
    /// - Parameters:
    ///   - path: the names that lead from the value to the part.
    ///   - rests: for each secret in it, the names that lead there.
    ///   - old: the part as it was when it was searched for the same secrets.
    func hiding(
        _ tree: EncodedTree, at path: [String], _ rests: [ArraySlice<String>], since old: EncodedTree?,
        _ search: CopySearch, isSame: Bool
    ) throws(StateEncodingError) -> EncodedTree {
        if tree.isWritten { return tree }
        if rests.contains(where: \.isEmpty) { return try hashed(tree) }
        if !rests.isEmpty, let (object, _) = try object(of: tree, since: old) {
            let copy = ObjectNode(first: object.keys.count, of: object)
            for place in copy.keys.indices {
                let key = copy.keys[place]
                let below = rests.filter { $0.first == key }.map { $0.dropFirst() }
                copy.values[place] = try hiding(
                    copy.values[place], at: path + [key], below, since: nil, search, isSame: false)
            }
            return .object(copy)
        }
        if search.hidden.contains(path) { return try hashed(tree) }
        guard !search.searches.isEmpty, try repeats(tree, since: isSame ? old : nil, search) else { return tree }
        search.rule.hide(path, in: types)
        if !search.isOwn { hidesMore = true }
        return try hashed(tree)
    }

    /// - Parameter old: a part that does not; what is surely the same in it is not searched.
    /// - Complexity: O(what is not the same).
    func repeats(
        _ tree: EncodedTree, since old: EncodedTree?, _ search: CopySearch
    ) throws(StateEncodingError) -> Bool {
        if let old, isKnown(tree, as: old) { return false }
        switch tree {
        case .scalar(let scalar): return search.matches(scalar)
        case .object(let object):
            var before: ObjectNode?
            if case .object(let older)? = old { before = older }
            for (place, key) in object.keys.enumerated() {
                let older = before.flatMap { before in before.place(of: key, near: place).map { before.values[$0] } }
                if older == nil, search.matches(.string(key)) { return true }
                if try repeats(object.values[place], since: older, search) { return true }
            }
            return try isCopy(tree, of: object.keys.count, search)
        case .array(let array):
            var before: [EncodedTree] = []
            if case .array(let older)? = old { before = older.elements }
            for (place, element) in array.elements.enumerated() {
                let older = place < before.count ? before[place] : nil
                if try repeats(element, since: older, search) { return true }
            }
            return try isCopy(tree, of: array.elements.count, search)
        case .value(let node):
            var older: ValueNode?
            if case .value(let before)? = old, before.traits === node.traits { older = before }
            var isFound = false
            try nested(node.traits) { () throws(StateEncodingError) in
                isFound = try node.hasPart(since: older, self) { (part, older) throws(StateEncodingError) in
                    try repeats(part, since: older, search)
                }
            }
            if !isFound, let size = node.partCount { isFound = try isCopy(tree, of: size, search) }
            return isFound
        }
    }

    private func isCopy(
        _ tree: EncodedTree, of size: Int, _ search: CopySearch
    ) throws(StateEncodingError) -> Bool {
        guard search.searches.contains(where: { $0.mayMatch(structureOf: size) }) else { return false }
        var canonical: [UInt8] = []
        try hidden { () throws(StateEncodingError) in try appendClear(tree, to: &canonical) }
        return search.searches.contains { $0.matches(structure: canonical) }
    }
}
