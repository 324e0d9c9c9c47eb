/// The one value that a value encodes in its place.
struct SingleValueLevelContainer: SingleValueEncodingContainer {
    let encoder: LevelEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    private func put(_ scalar: Scalar) throws {
        try encoder.checkProblem()
        encoder.put(.scalar(scalar))
    }

    func encode<T: Encodable>(_ value: T) throws {
        try encoder.checkProblem()
        encoder.put(encoder.pass.child(of: value, base: encoder.singleBase))
    }

    func encodeNil() throws { try put(.null) }
    func encode(_ value: Bool) throws { try put(.bool(value)) }
    func encode(_ value: String) throws { try put(.string(value)) }
    func encode(_ value: Double) throws { try put(.double(value)) }
    func encode(_ value: Float) throws { try put(.float(value)) }
    func encode(_ value: Int) throws { try put(.whole(value)) }
    func encode(_ value: Int8) throws { try put(.whole(value)) }
    func encode(_ value: Int16) throws { try put(.whole(value)) }
    func encode(_ value: Int32) throws { try put(.whole(value)) }
    func encode(_ value: Int64) throws { try put(.whole(value)) }
    func encode(_ value: UInt) throws { try put(.whole(value)) }
    func encode(_ value: UInt8) throws { try put(.whole(value)) }
    func encode(_ value: UInt16) throws { try put(.whole(value)) }
    func encode(_ value: UInt32) throws { try put(.whole(value)) }
    func encode(_ value: UInt64) throws { try put(.whole(value)) }
    func encode(_ value: Int128) throws { try put(.whole(value)) }
    func encode(_ value: UInt128) throws { try put(.whole(value)) }
}
