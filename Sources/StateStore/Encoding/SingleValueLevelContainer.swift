/// The one value that a value encodes in its place.
struct SingleValueLevelContainer: SingleValueEncodingContainer {
    let encoder: LevelEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encode<T: Encodable>(_ value: T) throws {
        try encoder.checkProblem()
        encoder.put(encoder.pass.child(of: value, base: encoder.singleBase))
    }

    func encodeNil() { encoder.put(.scalar(.null)) }
    func encode(_ value: Bool) { encoder.put(.scalar(.bool(value))) }
    func encode(_ value: String) { encoder.put(.scalar(.string(value))) }
    func encode(_ value: Double) { encoder.put(.scalar(.double(value))) }
    func encode(_ value: Float) { encoder.put(.scalar(.float(value))) }
    func encode(_ value: Int) { encoder.put(.scalar(.whole(value))) }
    func encode(_ value: Int8) { encoder.put(.scalar(.whole(value))) }
    func encode(_ value: Int16) { encoder.put(.scalar(.whole(value))) }
    func encode(_ value: Int32) { encoder.put(.scalar(.whole(value))) }
    func encode(_ value: Int64) { encoder.put(.scalar(.whole(value))) }
    func encode(_ value: UInt) { encoder.put(.scalar(.whole(value))) }
    func encode(_ value: UInt8) { encoder.put(.scalar(.whole(value))) }
    func encode(_ value: UInt16) { encoder.put(.scalar(.whole(value))) }
    func encode(_ value: UInt32) { encoder.put(.scalar(.whole(value))) }
    func encode(_ value: UInt64) { encoder.put(.scalar(.whole(value))) }
}
