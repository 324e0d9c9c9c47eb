extension JSONValue {
    /// The value at the end of a chain of members, as `.a.b.c` names one; nil where one of them is not there.
    ///
    /// - Complexity: that of asking for each of them, without a reference to the objects on the way.
    public func member(along keys: [String]) -> JSONValue? {
        keys.withUnsafeBufferPointer { keys in
            withUnsafePointer(to: self) { JSONObject.member(of: $0, along: keys[...]) }
        }
    }
}

extension JSONObject {
    fileprivate static func member(
        of value: UnsafePointer<JSONValue>, along keys: Slice<UnsafeBufferPointer<String>>
    ) -> JSONValue? {
        guard let key = keys.first else { return value.pointee }
        guard case .object(let object) = value.pointee else { return nil }
        guard case .small(let members) = object.storage else {
            guard let part = object[key] else { return nil }
            return withUnsafePointer(to: part) { member(of: $0, along: keys.dropFirst()) }
        }
        return members.withUnsafeBufferPointer { members in
            guard let index = members.indices.first(where: { UTF8Order.equal(members[$0].key, key) }),
                let base = members.baseAddress, let offset = MemoryLayout<Member>.offset(of: \.value)
            else { return nil }
            let part = UnsafeRawPointer(base + index).advanced(by: offset).assumingMemoryBound(to: JSONValue.self)
            return member(of: part, along: keys.dropFirst())
        }
    }
}
