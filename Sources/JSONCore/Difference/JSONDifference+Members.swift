extension JSONObject {
    /// A member of two objects: its value in each, where it is there.
    typealias Change = (key: String, values: (old: JSONValue?, new: JSONValue?))

    /// The members of two objects side by side, in ascending order of their keys; members that both share are left out where
    /// that costs no comparison.
    static func changes(from old: JSONObject, to new: JSONObject) -> [Change] {
        if case .sorted(let x) = old.storage, case .sorted(let y) = new.storage {
            return SortedMembers.changes(from: x, to: y)
        }
        let (x, y) = (old.ascending(), new.ascending())
        return merge(Array(x.lazy.map { Member($0.key, $0.value) }), Array(y.lazy.map { Member($0.key, $0.value) }))
    }

    /// The members of two ascending lists side by side.
    fileprivate static func merge(_ old: some Collection<Member>, _ new: some Collection<Member>) -> [Change] {
        var changes: [Change] = []
        var (i, j) = (old.startIndex, new.startIndex)
        while i < old.endIndex || j < new.endIndex {
            let order =
                i == old.endIndex ? 1 : (j == new.endIndex ? -1 : UTF8Order.compare(old[i].key, new[j].key))
            switch order {
            case 0: changes.append((old[i].key, (old[i].value, new[j].value)))
            case ..<0: changes.append((old[i].key, (old[i].value, nil)))
            default: changes.append((new[j].key, (nil, new[j].value)))
            }
            if order <= 0 { i = old.index(after: i) }
            if order >= 0 { j = new.index(after: j) }
        }
        return changes
    }
}

extension SortedMembers {
    /// The members side by side, without the chunks that both share.
    ///
    /// - Complexity: O(*n*) in the chunks, and in the members of those that only one of them has.
    fileprivate static func changes(from old: SortedMembers, to new: SortedMembers) -> [JSONObject.Change] {
        let oldChunks = Set(old.chunks.map(ObjectIdentifier.init))
        let shared = Set(new.chunks.map(ObjectIdentifier.init)).intersection(oldChunks)
        func own(_ members: SortedMembers) -> [JSONObject.Member] {
            members.chunks.lazy.filter { !shared.contains(ObjectIdentifier($0)) }.flatMap(\.members)
        }
        return JSONObject.merge(own(old), own(new))
    }
}

extension JSONValue {
    /// Whether both are containers in the same memory, and so equal.
    ///
    /// Their contents are not compared.
    package func sharesStorage(with other: JSONValue) -> Bool {
        switch (self, other) {
        case (.array(let x), .array(let y)): x.sharesStorage(with: y)
        case (.object(let x), .object(let y)): x.sharesStorage(with: y)
        default: false
        }
    }
}

extension JSONObject {
    /// Whether both are in the same memory, and so have the same members.
    public func sharesStorage(with other: JSONObject) -> Bool {
        switch (storage, other.storage) {
        case (.small(let x), .small(let y)): x.count == y.count && x.storageAddress == y.storageAddress
        case (.sorted(let x), .sorted(let y)): x === y
        case (.hashed(let x), .hashed(let y)): x === y
        default: false
        }
    }
}
