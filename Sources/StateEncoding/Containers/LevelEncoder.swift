/// The `Encoder` that a value gets: keeps one level, with the typed values below it as they are.
///
/// A value's `encode(to:)` therefore returns before anything below it is encoded, and what did not change below it never is.
///
/// A type's traits keep one for the type's next value: the runtime finds the three generic types of a keyed container in
/// about the time in which a small value is encoded.
final class LevelEncoder: Encoder {
    /// The walk that it encodes for; nil between two values, when a container that a value kept writes nothing.
    @safe @exclusivity(unchecked) private(set) var pass: EncodingPass?
    /// Levels that containers opened within this one may still nest, so that an `encode(to:)` that calls itself through
    /// `superEncoder` ends with an error.
    @safe @exclusivity(unchecked) private(set) var levels = 0
    @safe @exclusivity(unchecked) private var base: EncodedTree?
    /// The expected members, without a predecessor.
    @safe @exclusivity(unchecked) private var names: MemberNames?
    /// Whether the level ends after its parent's, so that no part of the state before may change in place.
    private let isLate: Bool
    /// What ``object`` is where the level is not late.
    private let members = ObjectBuilder()
    /// A keyed container of this encoder, with the type of its keys; with the traits between two values, since it refers
    /// to the encoder.
    @safe @exclusivity(unchecked) private var kept: (keys: ObjectIdentifier, container: AnyObject)?
    @safe @exclusivity(unchecked) private var object: ObjectBuilder?
    @safe @exclusivity(unchecked) private var array: ArrayBuilder?
    @safe @exclusivity(unchecked) private var single: EncodedTree?
    @safe @exclusivity(unchecked) private var late: [LateValue] = []
    /// The type of keys that values of this type are known to encode with.
    @safe @exclusivity(unchecked) private var knownKeys: ObjectIdentifier?
    /// The other types of keys that it was asked for, while anything may be redacted.
    @safe @exclusivity(unchecked) private(set) var keyTypes: [any CodingKey.Type] = []
    /// What has no JSON form of what the value did.
    @safe @exclusivity(unchecked) private(set) var problem: StateEncodingError.Reason?

    init(isLate: Bool = false) { self.isLate = isLate }

    /// An encoder between two values, and the container that it made for them.
    struct Idle {
        let encoder: LevelEncoder
        fileprivate let kept: (keys: ObjectIdentifier, container: AnyObject)?
    }

    /// Begins a value with what an encoder kept of the values before.
    static func begin(
        _ idle: Idle?, _ pass: EncodingPass, base: EncodedTree?, names: MemberNames?, knownKeys: ObjectIdentifier?
    ) -> LevelEncoder {
        let encoder = idle?.encoder ?? LevelEncoder()
        encoder.kept = idle?.kept
        encoder.names = names
        encoder.knownKeys = knownKeys
        encoder.begin(pass, base: base, levels: pass.levelsLeft)
        return encoder
    }

    private func begin(_ pass: EncodingPass, base: EncodedTree?, levels: Int) {
        // What a container that the last value kept asked for since.
        (object, array, single, problem) = (nil, nil, nil, nil)
        self.pass = pass
        self.base = base
        self.levels = levels
        if levels < 0 { problem = .tooDeep(limit: pass.options.depthLimit) }
    }

    /// Forgets the value.
    func end() -> Idle {
        defer { kept = nil }
        (pass, base, names, object, array, single, problem) = (nil, nil, nil, nil, nil, nil, nil)
        if !late.isEmpty { late = [] }
        if !keyTypes.isEmpty { keyTypes = [] }
        members.begin()
        return Idle(encoder: self, kept: kept)
    }

    var codingPath: [any CodingKey] { pass?.path.map(PathKey.init) ?? [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if array != nil || single != nil { report(.refused("its 'encode(to:)' asks for two kinds of container")) }
        if pass?.types != nil, ObjectIdentifier(type) != knownKeys { keyTypes.append(type) }
        let object = openObject()
        if let kept, kept.keys == ObjectIdentifier(type) {
            // Kept below, by the type of its keys.
            return unsafe unsafeDowncast(kept.container, to: KeptContainer<Key>.self).container
        }
        let container = KeyedEncodingContainer(KeyedLevelContainer<Key>(encoder: self, object: object))
        if !isLate, kept == nil { kept = (ObjectIdentifier(type), KeptContainer(container)) }
        return container
    }

    private final class KeptContainer<Key: CodingKey> {
        let container: KeyedEncodingContainer<Key>

        init(_ container: KeyedEncodingContainer<Key>) { self.container = container }
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
        members.begin(predecessor, names: names, own: isLate ? ObjectNode() : nil)
        object = members
        return members
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

    /// The walk.
    ///
    /// - Throws: the problem, so that an `encode(to:)` that goes deeper and deeper stops.
    @inline(__always)
    func requirePass() throws -> EncodingPass {
        guard let pass, problem == nil else { throw failure }
        return pass
    }

    private var failure: StateEncodingError {
        let reason = problem ?? .refused("a container is used after the 'encode(to:)' that asked for it")
        return pass?.failure(reason, nil) ?? StateEncodingError(path: "", type: "a container", reason: reason)
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
        let builder = ObjectBuilder()
        var before: ObjectNode?
        if case .object(let object)? = base { before = object }
        builder.begin(before, own: node)
        return (node, builder)
    }

    /// An array below this level that is filled in like ``nestedObject(base:levels:)``.
    func nestedArray(base: EncodedTree?, levels: Int) -> ArrayBuilder {
        checkLevels(levels)
        if case .array(let before)? = base { return ArrayBuilder(base: before) }
        return ArrayBuilder(base: nil)
    }

    private func checkLevels(_ levels: Int) {
        if levels < 0, let pass { report(.tooDeep(limit: pass.options.depthLimit)) }
    }

    func lateEncoder(base: EncodedTree?, _ fill: @escaping (EncodedTree) -> Void) -> LevelEncoder {
        let encoder = LevelEncoder(isLate: true)
        if let pass { encoder.begin(pass, base: base, levels: levels - 1) }
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
        _ = try encoder.requirePass()
        encoder.put(.scalar(scalar))
    }

    func encode<T: Encodable>(_ value: T) throws {
        encoder.put(try encoder.requirePass().child(of: value, base: encoder.singleBase))
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
