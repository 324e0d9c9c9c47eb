extension JSONObject {
    /// The value of a member; setting appends a new key at the end, and setting nil removes the member.
    public subscript(key: String) -> JSONValue? {
        get {
            switch storage {
            case .small(let members):
                return JSONObject.index(of: key, in: members).map { members[$0].value }
            case .sorted(let members): return members.value(forKey: key)
            case .hashed(let members): return members.table[key]
            }
        }
        set {
            guard let newValue else {
                removeValue(forKey: key)
                return
            }
            set(key, to: newValue)
        }
    }

    /// Sets the value of a member; a new key is added at the end.
    mutating func set(_ key: consuming String, to value: consuming JSONValue) {
        if case .hashed = storage, case .hashed(var members) = exchange(&storage, for: .small([])) {
            JSONObject.makeUnique(&members)
            members.table[key] = value
            storage = .hashed(members)
            return
        }
        if replace(key, with: value) { return }
        append(Member(key, value))
    }

    @inline(__always)
    static func index(of key: String, in members: [Member]) -> Int? {
        for index in 0..<members.count where UTF8Order.equal(members[index].key, key) { return index }
        return nil
    }

    /// Lets a caller edit the value of a member in place, without copying storage that is not shared.
    ///
    /// - Returns: what the body returns, or nil where there is no such member.
    /// - Throws: what the body throws; the value stays as the body left it.
    public mutating func modify<R, E: Error>(
        _ key: String, _ body: (inout JSONValue) throws(E) -> R
    ) throws(E) -> R? {
        // Moved out: a second reference would make the edit copy, and costs to be counted.
        switch exchange(&storage, for: .small([])) {
        case .small(var members):
            defer { storage = .small(members) }
            guard let index = JSONObject.index(of: key, in: members) else { return nil }
            return try body(&members[index].value)
        case .sorted(var members):
            defer { storage = .sorted(members) }
            guard members.contains(key) else { return nil }
            JSONObject.makeUnique(&members)
            return try members.modify(key, body)
        case .hashed(var members):
            defer { storage = .hashed(members) }
            guard members.table.contains(key) else { return nil }
            JSONObject.makeUnique(&members)
            return try members.table.modify(key, body)
        }
    }

    /// Edits the value of a member named by a key in UTF-8.
    ///
    /// A string is made of the key only where the object is large.
    @inline(__always)
    mutating func modify<R>(utf8 key: ByteView, _ body: (inout JSONValue) -> R) -> R? {
        guard case .small = storage, case .small(var members) = exchange(&storage, for: .small([])) else {
            return modify(String(decoding: key, as: UTF8.self), body)
        }
        defer { storage = .small(members) }
        guard let index = members.indices.first(where: { UTF8Order.equal(members[$0].key, key) }) else { return nil }
        return body(&members[index].value)
    }

    /// Lets a caller edit every value in place, in the members' order, without copying storage that is not shared.
    ///
    /// - Throws: what the body throws; the values stay as the body left them.
    public mutating func modifyValues<E: Error>(_ body: (inout JSONValue) throws(E) -> Void) throws(E) {
        switch storage {
        case .small(var members):
            storage = .small([])
            defer { storage = .small(members) }
            for index in members.indices { try body(&members[index].value) }
        case .sorted, .hashed:
            for key in keys { try modify(key, body) }
        }
    }

    /// Compares the values of two objects that have the same keys in the same order.
    ///
    /// - Returns: whether all pairs of values passed; nil where the objects are not of that kind.
    /// - Throws: what the comparison throws.
    public static func compareInOrder<E: Error>(
        _ a: JSONObject, _ b: JSONObject, _ areEqual: (JSONValue, JSONValue) throws(E) -> Bool
    ) throws(E) -> Bool? {
        guard case .small(let x) = a.storage, case .small(let y) = b.storage, x.count == y.count else { return nil }
        for index in x.indices where !UTF8Order.equal(x[index].key, y[index].key) { return nil }
        for index in x.indices where try !areEqual(x[index].value, y[index].value) { return false }
        return true
    }

    /// Replaces the value of a member that is there, or inserts it so that ascending keys stay ascending.
    ///
    /// An object whose keys do not ascend has no such place, and gets the member at its end.
    public mutating func insertAscending(_ value: JSONValue, forKey key: String) {
        if replace(key, with: value) { return }
        switch storage {
        case .small(var members):
            storage = .small([])
            let place = members.firstIndex { !UTF8Order.isLess($0.key, key) } ?? members.count
            if place == members.count || JSONObject.areAscending(members) {
                members.insert(Member(key, value), at: place)
            } else {
                members.append(Member(key, value))
            }
            storage = members.count > JSONObject.smallLimit ? JSONObject(distinct: members).storage : .small(members)
        case .sorted(var members):
            storage = .small([])
            JSONObject.makeUnique(&members)
            members.insert(Member(key, value))
            storage = .sorted(members)
        case .hashed(let members):
            let members = members.members
            if JSONObject.areAscending(members) {
                storage = .sorted(SortedMembers(members))
                insertAscending(value, forKey: key)
            } else {
                append(Member(key, value))
            }
        }
    }

    /// Removes a member and returns its value, or nil where there is none.
    @discardableResult
    public mutating func removeValue(forKey key: String) -> JSONValue? {
        switch storage {
        case .small(var members):
            guard let index = JSONObject.index(of: key, in: members) else { return nil }
            storage = .small([])
            defer { storage = .small(members) }
            return members.remove(at: index).value
        case .sorted(var members):
            guard members.contains(key) else { return nil }
            storage = .small([])
            defer { storage = .sorted(members) }
            JSONObject.makeUnique(&members)
            return members.remove(key)
        case .hashed(var members):
            guard members.table.contains(key) else { return nil }
            storage = .small([])
            defer { storage = .hashed(members) }
            JSONObject.makeUnique(&members)
            return members.table.remove(key)
        }
    }

    private mutating func replace(_ key: String, with value: JSONValue) -> Bool {
        modify(key) { $0 = value } != nil
    }

    private mutating func append(_ member: Member) {
        switch storage {
        case .small(var members):
            storage = .small([])
            members.append(member)
            storage = members.count > JSONObject.smallLimit ? JSONObject(distinct: members).storage : .small(members)
        case .sorted(var members):
            storage = .small([])
            if let last = members.lastKey, !UTF8Order.isLess(last, member.key) {
                storage = .hashed(HashedMembers(members.all + [member]))
                return
            }
            JSONObject.makeUnique(&members)
            members.insert(member)
            storage = .sorted(members)
        case .hashed(var members):
            storage = .small([])
            JSONObject.makeUnique(&members)
            members.table.append(member.key, member.value)
            storage = .hashed(members)
        }
    }

    private static func makeUnique(_ members: inout SortedMembers) {
        if !isKnownUniquelyReferenced(&members) { members = members.copy() }
    }

    private static func makeUnique(_ members: inout HashedMembers) {
        if !isKnownUniquelyReferenced(&members) { members = members.copy() }
    }
}
