/// `encodeIfPresent` writes a nil as `null`, so the shape of a state stays the same.
///
/// A member that a value's own `encode(to:)` does not mention is not there.
struct KeyedLevelContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: LevelEncoder
    let object: ObjectBuilder
    /// Containers on the way from the encoder to this one.
    var depth = 0

    var codingPath: [any CodingKey] { encoder.codingPath }

    @inline(__always)
    private func put(_ scalar: Scalar, _ key: Key) throws {
        _ = try encoder.requirePass()
        let name = key.stringValue
        if object.keeps(scalar, forKey: name) { return }
        object.put(.scalar(scalar), forKey: name, after: object.predecessor(name))
    }

    private func putIfPresent(_ scalar: Scalar?, _ key: Key) throws {
        try put(scalar ?? .null, key)
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        let pass = try encoder.requirePass()
        let name = key.stringValue
        if object.keeps(value, forKey: name) { return }
        let predecessor = object.predecessor(name)
        object.put(pass.child(of: value, base: predecessor.value), forKey: name, after: predecessor)
    }

    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try put(.null, key) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let (name, predecessor) = place(key)
        let (node, builder) = encoder.nestedObject(base: predecessor.value, levels: encoder.levels - depth - 1)
        object.put(.object(node), forKey: name, after: predecessor)
        return KeyedEncodingContainer(
            KeyedLevelContainer<NestedKey>(encoder: encoder, object: builder, depth: depth + 1))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let (name, predecessor) = place(key)
        let builder = encoder.nestedArray(base: predecessor.value, levels: encoder.levels - depth - 1)
        object.put(.array(builder.node), forKey: name, after: predecessor)
        return UnkeyedLevelContainer(encoder: encoder, array: builder, depth: depth + 1)
    }

    private func place(_ key: Key) -> (String, ObjectBuilder.Predecessor) {
        (key.stringValue, object.predecessor(key.stringValue))
    }

    func superEncoder() -> any Encoder {
        superEncoder(named: "super")
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        superEncoder(named: key.stringValue)
    }

    private func superEncoder(named name: String) -> any Encoder {
        let predecessor = object.predecessor(name)
        let object = object
        let node = object.detached()
        object.put(.scalar(.null), forKey: name, after: predecessor)
        return encoder.lateEncoder(base: predecessor.value) { tree in
            if let place = node.place(of: name) { node.values[place] = tree }
        }
    }

    func encodeNil(forKey key: Key) throws { try put(.null, key) }
    func encode(_ value: Bool, forKey key: Key) throws { try put(.bool(value), key) }
    func encode(_ value: String, forKey key: Key) throws { try put(.string(value), key) }
    func encode(_ value: Double, forKey key: Key) throws { try put(.double(value), key) }
    func encode(_ value: Float, forKey key: Key) throws { try put(.float(value), key) }
    func encode(_ value: Int, forKey key: Key) throws { try put(.whole(value), key) }
    func encode(_ value: Int8, forKey key: Key) throws { try put(.whole(value), key) }
    func encode(_ value: Int16, forKey key: Key) throws { try put(.whole(value), key) }
    func encode(_ value: Int32, forKey key: Key) throws { try put(.whole(value), key) }
    func encode(_ value: Int64, forKey key: Key) throws { try put(.whole(value), key) }
    func encode(_ value: UInt, forKey key: Key) throws { try put(.whole(value), key) }
    func encode(_ value: UInt8, forKey key: Key) throws { try put(.whole(value), key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try put(.whole(value), key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try put(.whole(value), key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try put(.whole(value), key) }
    func encode(_ value: Int128, forKey key: Key) throws { try put(.whole(value), key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try put(.whole(value), key) }
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try putIfPresent(value?.scalar, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try putIfPresent(value?.scalar, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try putIfPresent(value?.scalar, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try putIfPresent(value?.scalar, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try putIfPresent(value?.scalar, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try putIfPresent(value?.scalar, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try putIfPresent(value?.scalar, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try putIfPresent(value?.scalar, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try putIfPresent(value?.scalar, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try putIfPresent(value?.scalar, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try putIfPresent(value?.scalar, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try putIfPresent(value?.scalar, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try putIfPresent(value?.scalar, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try putIfPresent(value?.scalar, key) }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try putIfPresent(value?.scalar, key) }
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try putIfPresent(value?.scalar, key) }

    /// A conditional object is encoded like any other.
    func encodeConditional<T: AnyObject & Encodable>(_ object: T, forKey key: Key) throws {
        try encode(object, forKey: key)
    }
}
