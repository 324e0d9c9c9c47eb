struct UnkeyedLevelContainer: UnkeyedEncodingContainer {
    let encoder: LevelEncoder
    let array: ArrayBuilder
    /// Containers on the way from the encoder to this one.
    var depth = 0

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { array.node.elements.count }

    private func append(_ scalar: Scalar) throws {
        _ = try requirePass()
        array.append(.scalar(scalar))
    }

    /// Ends the encoding of a value with more elements than the byte limit allows.
    private func requirePass() throws -> EncodingPass {
        if let limit = encoder.pass?.byteLimit, count > limit { encoder.report(.tooLong(limit: limit)) }
        return try encoder.requirePass()
    }

    func encode<T: Encodable>(_ value: T) throws {
        array.append(try requirePass().child(of: value, base: array.predecessor))
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        let (node, builder) = encoder.nestedObject(base: array.predecessor, levels: encoder.levels - depth - 1)
        array.append(.object(node))
        return KeyedEncodingContainer(
            KeyedLevelContainer<NestedKey>(encoder: encoder, object: builder, depth: depth + 1))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let builder = encoder.nestedArray(base: array.predecessor, levels: encoder.levels - depth - 1)
        array.append(.array(builder.node))
        return UnkeyedLevelContainer(encoder: encoder, array: builder, depth: depth + 1)
    }

    func superEncoder() -> any Encoder {
        let place = count
        let predecessor = array.predecessor
        let node = array.node
        array.append(.scalar(.null))
        return encoder.lateEncoder(base: predecessor) { node.elements[place] = $0 }
    }

    func encodeNil() throws { try append(.null) }
    func encode(_ value: Bool) throws { try append(.bool(value)) }
    func encode(_ value: String) throws { try append(.string(value)) }
    func encode(_ value: Double) throws { try append(.double(value)) }
    func encode(_ value: Float) throws { try append(.float(value)) }
    func encode(_ value: Int) throws { try append(.whole(value)) }
    func encode(_ value: Int8) throws { try append(.whole(value)) }
    func encode(_ value: Int16) throws { try append(.whole(value)) }
    func encode(_ value: Int32) throws { try append(.whole(value)) }
    func encode(_ value: Int64) throws { try append(.whole(value)) }
    func encode(_ value: UInt) throws { try append(.whole(value)) }
    func encode(_ value: UInt8) throws { try append(.whole(value)) }
    func encode(_ value: UInt16) throws { try append(.whole(value)) }
    func encode(_ value: UInt32) throws { try append(.whole(value)) }
    func encode(_ value: UInt64) throws { try append(.whole(value)) }
    func encode(_ value: Int128) throws { try append(.whole(value)) }
    func encode(_ value: UInt128) throws { try append(.whole(value)) }
}
