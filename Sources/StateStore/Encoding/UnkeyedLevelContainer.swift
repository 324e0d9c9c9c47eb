/// The elements that a value encodes.
struct UnkeyedLevelContainer: UnkeyedEncodingContainer {
    let encoder: LevelEncoder
    let array: ArrayBuilder
    /// Containers on the way from the encoder to this one.
    var depth = 0

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { array.node.elements.count }

    func encode<T: Encodable>(_ value: T) throws {
        try encoder.checkProblem()
        array.append(encoder.pass.child(of: value, base: array.predecessor))
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

    func encodeNil() { array.append(.scalar(.null)) }
    func encode(_ value: Bool) { array.append(.scalar(.bool(value))) }
    func encode(_ value: String) { array.append(.scalar(.string(value))) }
    func encode(_ value: Double) { array.append(.scalar(.double(value))) }
    func encode(_ value: Float) { array.append(.scalar(.float(value))) }
    func encode(_ value: Int) { array.append(.scalar(.whole(value))) }
    func encode(_ value: Int8) { array.append(.scalar(.whole(value))) }
    func encode(_ value: Int16) { array.append(.scalar(.whole(value))) }
    func encode(_ value: Int32) { array.append(.scalar(.whole(value))) }
    func encode(_ value: Int64) { array.append(.scalar(.whole(value))) }
    func encode(_ value: UInt) { array.append(.scalar(.whole(value))) }
    func encode(_ value: UInt8) { array.append(.scalar(.whole(value))) }
    func encode(_ value: UInt16) { array.append(.scalar(.whole(value))) }
    func encode(_ value: UInt32) { array.append(.scalar(.whole(value))) }
    func encode(_ value: UInt64) { array.append(.scalar(.whole(value))) }
}
