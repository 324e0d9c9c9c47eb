/// The `Encoder` that a value gets: keeps one level, with the typed values below it as they are.
///
/// A value's `encode(to:)` therefore returns before anything below it is encoded, and what did not change below it never is.
final class LevelEncoder: Encoder {
    let pass: EncodingPass
    /// Levels that containers opened within this one may still nest, so that an `encode(to:)` that calls itself through
    /// `superEncoder` ends with an error.
    let levels: Int
    private let base: EncodedTree?
    /// The expected members, without a predecessor.
    private let names: MemberNames?
    /// Whether the level ends after its parent's, so that no part of the state before may change in place.
    private let isLate: Bool
    @safe @exclusivity(unchecked) private var object: ObjectBuilder?
    @safe @exclusivity(unchecked) private var array: ArrayBuilder?
    @safe @exclusivity(unchecked) private var single: EncodedTree?
    @safe @exclusivity(unchecked) private var late: [LateValue] = []
    /// The type of keys that values of this type are known to encode with.
    private let knownKeys: ObjectIdentifier?
    /// The other types of keys that it was asked for, while anything may be redacted.
    @safe @exclusivity(unchecked) private(set) var keyTypes: [any CodingKey.Type] = []
    /// What has no JSON form of what the value did.
    @safe @exclusivity(unchecked) private(set) var problem: StateEncodingError.Reason?

    init(
        _ pass: EncodingPass, base: EncodedTree?, names: MemberNames? = nil, knownKeys: ObjectIdentifier? = nil,
        levels: Int, isLate: Bool = false
    ) {
        self.pass = pass
        self.knownKeys = knownKeys
        self.names = names
        self.isLate = isLate
        self.base = base
        self.levels = levels
        if levels < 0 { problem = .tooDeep(limit: pass.options.depthLimit) }
    }

    var codingPath: [any CodingKey] { pass.path.map(PathKey.init) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if array != nil || single != nil { report(.refused("its 'encode(to:)' asks for two kinds of container")) }
        if pass.types != nil, ObjectIdentifier(type) != knownKeys { keyTypes.append(type) }
        return KeyedEncodingContainer(KeyedLevelContainer(encoder: self, object: openObject()))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if object != nil || single != nil { report(.refused("its 'encode(to:)' asks for two kinds of container")) }
        return UnkeyedLevelContainer(encoder: self, array: openArray())
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        if object != nil || array != nil { report(.refused("its 'encode(to:)' asks for two kinds of container")) }
        return SingleValueLevelContainer(encoder: self)
    }

    private func openObject() -> ObjectBuilder {
        if let object { return object }
        var predecessor: ObjectNode?
        if case .object(let node)? = base { predecessor = node }
        let builder =
            isLate
            ? ObjectBuilder(reusing: predecessor, own: ObjectNode()) : ObjectBuilder(base: predecessor, names: names)
        object = builder
        return builder
    }

    private func openArray() -> ArrayBuilder {
        if let array { return array }
        var predecessor: ArrayNode?
        if case .array(let node)? = base { predecessor = node }
        let builder = ArrayBuilder(base: predecessor)
        array = builder
        return builder
    }

    /// Keeps the first problem; the level is discarded at its end.
    func report(_ reason: StateEncodingError.Reason) {
        if problem == nil { problem = reason }
    }

    /// Throws the problem, so that an `encode(to:)` that goes deeper and deeper stops.
    func checkProblem() throws {
        if let problem { throw pass.failure(problem, nil) }
    }

    func put(_ tree: EncodedTree) {
        single = tree
    }

    var singleBase: EncodedTree? {
        if case .value? = base { return base }
        return nil
    }

    /// An object below this level that is filled in while the level is, or while its container is held.
    func nestedObject(base: EncodedTree?, levels: Int) -> (node: ObjectNode, builder: ObjectBuilder) {
        checkLevels(levels)
        let node = ObjectNode()
        if case .object(let before)? = base { return (node, ObjectBuilder(reusing: before, own: node)) }
        return (node, ObjectBuilder(reusing: nil, own: node))
    }

    /// An array below this level that is filled in like ``nestedObject(base:levels:)``.
    func nestedArray(base: EncodedTree?, levels: Int) -> ArrayBuilder {
        checkLevels(levels)
        if case .array(let before)? = base { return ArrayBuilder(base: before) }
        return ArrayBuilder(base: nil)
    }

    private func checkLevels(_ levels: Int) {
        if levels < 0 { report(.tooDeep(limit: pass.options.depthLimit)) }
    }

    func lateEncoder(base: EncodedTree?, _ fill: @escaping (EncodedTree) -> Void) -> LevelEncoder {
        let encoder = LevelEncoder(pass, base: base, levels: levels - 1, isLate: true)
        if let problem = encoder.problem { report(problem) }
        late.append(LateValue(encoder: encoder, fill: fill))
        return encoder
    }

    private struct LateValue {
        let encoder: LevelEncoder
        let fill: (EncodedTree) -> Void
    }

    /// A value that wrote nothing is an empty object.
    func finish() -> EncodedLevel {
        for value in late {
            value.fill(value.encoder.finish().whole)
            if let problem = value.encoder.problem { report(problem) }
            keyTypes += value.encoder.keyTypes
        }
        if let object { return object.finish() }
        if let array { return .fresh(.array(array.node)) }
        return .fresh(single ?? .object(ObjectNode()))
    }
}

/// A step of the way as a coding key, for an `encode(to:)` or `init(from:)` that asks where it is.
package struct PathKey: CodingKey {
    package let stringValue: String
    package let intValue: Int?

    init(_ segment: EncodingPass.PathSegment) {
        switch segment {
        case .key(let key): (stringValue, intValue) = (key, nil)
        case .index(let index): (stringValue, intValue) = (String(index), index)
        }
    }

    package init(stringValue: String) {
        (self.stringValue, intValue) = (stringValue, nil)
    }

    package init(intValue: Int) {
        (stringValue, self.intValue) = (String(intValue), intValue)
    }
}

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
