// What predicates over states do most: reading a member of a small object, or at one a few levels down. No reference is
// counted on the way; `value[key]` of an object that was taken out of a value costs two.

extension JSONValue {
    /// The value of a member, null where there is none; nil where this is neither an object nor null.
    ///
    /// - Complexity: that of finding a member, see ``JSONObject``.
    public func member(_ key: String) -> JSONValue? {
        switch self {
        case .null: return .null
        case .object(let members):
            if case .small(let few) = members.storage, let place = JSONObject.quickIndex(of: key, in: few) {
                return few[place].value
            }
            return members[key] ?? .null
        default: return nil
        }
    }

    /// The value at the end of a chain of members, where each is found at once: in a small object, under a short key.
    ///
    /// - Returns: nil where that is not so; then ``member(_:)`` finds out, step by step.
    public func value(alongMembers keys: [String]) -> JSONValue? {
        withBorrowed(self) { JSONValue.value(at: $0, alongMembers: keys) }
    }

    /// The value along a row of members, from one at an address, which is not copied.
    public static func value(at start: Borrowed<JSONValue>, alongMembers keys: [String]) -> JSONValue? {
        var place = start
        for index in keys.indices {
            guard case .object(let members) = place.value, case .small(let few) = members.storage,
                let found = JSONObject.quickIndex(of: keys[index], in: few)
            else { return nil }
            // It stays where it is while the value at the start is held and is not edited.
            place = JSONObject.place(ofValueAt: found, in: few)
        }
        return place.value
    }
}

extension JSONValue {
    /// Sets a member of an object in place, adding a new key at the end; false where this is not an object.
    ///
    /// - Complexity: as ``JSONObject``; no reference is counted but that of the object, if others hold it.
    public mutating func setMember(_ key: consuming String, to value: consuming JSONValue) -> Bool {
        guard case .object = self, case .object(var members) = exchange(&self, for: .null) else { return false }
        members.set(key, to: value)
        self = .object(members)
        return true
    }
}

extension JSONValue {
    /// A number that containers share if they share their storage, and no others that live at the same time; nil of
    /// scalars and of what is empty.
    public var storageIdentity: UInt? {
        switch self {
        case .array(let elements): elements.storageIdentity
        case .object(let members): members.storageIdentity
        default: nil
        }
    }
}

extension JSONObject {
    fileprivate var storageIdentity: UInt? {
        switch storage {
        case .small(let members):
            members.isEmpty ? nil : members.storageAddress
        case .sorted(let members): UInt(bitPattern: ObjectIdentifier(members))
        case .hashed(let members): UInt(bitPattern: ObjectIdentifier(members))
        }
    }

    /// Where a key is among a few members, if its words decide; nil where it is not there or they do not.
    @inline(__always)
    fileprivate static func quickIndex(of key: String, in members: [Member]) -> Int? {
        #if _pointerBitWidth(_64)
        let wanted = UTF8Order.words(of: key)
        var place = 0
        while place < members.count {
            if UTF8Order.words(of: members[place].key) == wanted { return place }
            place &+= 1
        }
        return nil
        #else
        return index(of: key, in: members)
        #endif
    }
}
