extension JSONPatch {
    /// The patch from one value to another: the differences of single members and elements, as deep as they go.
    ///
    /// - Objects: member by member in ascending order of their keys. A different order of members is not a difference.
    /// - Arrays whose elements all have a member `id` (or another of `identities`), a scalar that no other element has: matched by it, and moved.
    ///   Arrays without: equal elements are matched, what stands at the same place between them is compared inside.
    /// - Everything else, and a change of kind: one `replace`; of a member called `-`, a `remove` and an `add`, because
    ///   libraries take that name for the end of an array even where there is none (RFC 6902 has no such rule).
    ///
    /// Each `remove` and `replace` has `old`. In an array the removals come first, then moves, insertions, and then what
    /// changed inside elements, at their new places. No place is written twice: an element that was inserted is not changed
    /// afterwards, and one that was changed is not removed. A path that stands twice in a patch means two elements, of which
    /// one took the place of the other in between.
    ///
    /// - Parameter identities: the members by one of which the elements of an array are matched: the first that all have.
    /// - Complexity: O(*n* log *n*) in what both values do not share.
    public static func difference(
        from old: JSONValue, to new: JSONValue, identities: [String] = ["id"]
    ) -> JSONPatch {
        var difference = JSONDifference(identities: identities)
        difference.compare(old, new)
        return JSONPatch(difference.operations)
    }
}

private struct JSONDifference {
    let identities: [String]
    private(set) var operations: [JSONPatch.Operation] = []
    private var path: [String] = []

    init(identities: [String]) { self.identities = identities }

    private var pointer: JSONPointer { JSONPointer(path) }

    mutating func compare(_ old: JSONValue, _ new: JSONValue) {
        if old.sharesStorage(with: new) { return }
        switch (old, new) {
        case (.object(let x), .object(let y)) where path.count < JSONPatch.pathDepthLimit: compare(x, y)
        case (.array(let x), .array(let y)) where path.count < JSONPatch.pathDepthLimit: compare(x.array, y.array)
        default:
            if old != new { replace(old, new) }
        }
    }

    private mutating func replace(_ old: JSONValue, _ new: JSONValue) {
        // Only a member can be called that: elements are written by their numbers.
        if path.last == "-" {
            operations += [.remove(pointer, old: old), .add(pointer, new)]
        } else {
            operations.append(.replace(pointer, new, old: old))
        }
    }

    private mutating func below(_ segment: String, _ body: (inout JSONDifference) -> Void) {
        path.append(segment)
        body(&self)
        path.removeLast()
    }

    private mutating func compare(_ old: JSONObject, _ new: JSONObject) {
        let (x, y) = JSONObject.apart(old, new)
        x.withBorrowedElements { x in y.withBorrowedElements { y in compare(x, y) } }
    }

    private mutating func compare(
        _ old: BorrowedElements<JSONObject.Member>, _ new: BorrowedElements<JSONObject.Member>
    ) {
        var (i, j) = (0, 0)
        while i < old.count || j < new.count {
            let order =
                i == old.count ? 1 : (j == new.count ? -1 : UTF8Order.compare(old[i].key, new[j].key))
            if order < 0 {
                below(old[i].key) { $0.operations.append(.remove($0.pointer, old: old[i].value)) }
            } else if order > 0 {
                below(new[j].key) { $0.operations.append(.add($0.pointer, new[j].value)) }
            } else if !old[i].value.isSameScalarOrStorage(new[j].value) {
                below(new[j].key) { $0.compare(old[i].value, new[j].value) }
            }
            if order <= 0 { i += 1 }
            if order >= 0 { j += 1 }
        }
    }

    private mutating func compare(_ old: [JSONValue], _ new: [JSONValue]) {
        let (oldRange, newRange) = ListEdit.trimmed(old.count, new.count) { old[$0] == new[$1] }
        if oldRange.isEmpty, newRange.isEmpty { return }
        let (first, second) = (oldRange.lowerBound, newRange.lowerBound)
        if oldRange.count == 1, newRange.count == 1, areOne(old[first], new[second]) {
            return below(String(second)) { $0.compare(old[first], new[second]) }
        }
        let script = script(old[oldRange], new[newRange])
        for step in script.steps {
            switch step {
            case .remove(let index):
                operations.append(.remove(pointer.appending(String(index)), old: old[index]))
            case .move(let from, let to):
                operations.append(
                    .move(from: pointer.appending(String(from)), to: pointer.appending(String(to))))
            case .insert(let index):
                operations.append(.add(pointer.appending(String(index)), new[index]))
            }
        }
        for pair in script.pairs {
            below(String(pair.new)) { $0.compare(old[pair.old], new[pair.new]) }
        }
    }

    /// Whether two elements that alone differ are one that changed.
    private func areOne(_ old: JSONValue, _ new: JSONValue) -> Bool {
        for name in identities {
            guard let old = Self.identity(name, of: old), let new = Self.identity(name, of: new) else { continue }
            return old == new
        }
        return true
    }

    private func script(_ old: ArraySlice<JSONValue>, _ new: ArraySlice<JSONValue>) -> ListEdit.Script {
        for name in identities {
            let byIdentity = ListEdit.script(
                old.indices, new.indices, equal: { old[$0] == new[$1] },
                oldID: { JSONDifference.identity(name, of: old[$0]) },
                newID: { JSONDifference.identity(name, of: new[$0]) })
            if let byIdentity { return byIdentity }
        }
        return ListEdit.script(old, new)
    }

    /// A scalar member of an object; null is none.
    private static func identity(_ name: String, of element: JSONValue) -> JSONValue? {
        guard case .object(let members) = element, let id = members[name], id.isScalar, !id.isNull else { return nil }
        return id
    }
}
