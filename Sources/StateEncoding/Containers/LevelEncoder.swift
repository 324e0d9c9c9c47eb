/// The `Encoder` that a value gets: keeps one level, with the typed values below it as they are.
///
/// A value's `encode(to:)` therefore returns before anything below it is encoded, and what did not change below it never is.
final class LevelEncoder: Encoder {
    let level: Level

    init(_ level: Level) { self.level = level }

    var codingPath: [any CodingKey] { level.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        level.container(keyedBy: type)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { level.unkeyedContainer() }

    func singleValueContainer() -> any SingleValueEncodingContainer { level.singleValueContainer() }
}

/// One level of a value while it encodes itself.
///
/// What the value gets to encode into is used again for the next value of the type, if nothing else holds it.
final class Level {
    /// Nil while no value encodes itself.
    @safe @exclusivity(unchecked) private var presentPass: EncodingPass?
    /// Levels that containers opened within this one may still nest, so that an `encode(to:)` that calls itself through
    /// `superEncoder` ends with an error.
    @safe @exclusivity(unchecked) private(set) var levels = 0
    @safe @exclusivity(unchecked) private var base: EncodedTree?
    /// The expected members, without a predecessor.
    @safe @exclusivity(unchecked) private var names: MemberNames?
    /// Whether the level ends after its parent's, so that no part of the state before may change in place.
    @safe @exclusivity(unchecked) private var isLate = false
    private let object = ObjectBuilder()
    @safe @exclusivity(unchecked) private var hasObject = false
    @safe @exclusivity(unchecked) private var array: ArrayBuilder?
    @safe @exclusivity(unchecked) private var single: EncodedTree?
    @safe @exclusivity(unchecked) private var late: [LateValue] = []
    /// The type of keys that values of this type are known to encode with.
    @safe @exclusivity(unchecked) private var knownKeys: ObjectIdentifier?
    /// The other types of keys that it was asked for, while anything may be redacted.
    @safe @exclusivity(unchecked) private(set) var keyTypes: [any CodingKey.Type] = []
    /// What has no JSON form of what the value did.
    @safe @exclusivity(unchecked) private(set) var problem: StateEncodingError.Reason?
    /// The keyed container that was made last, and the type of its keys.
    @safe @exclusivity(unchecked) private var keyed: AnyObject?
    @safe @exclusivity(unchecked) private var keyedType: ObjectIdentifier?
    /// Whether members become text at once.
    @safe @exclusivity(unchecked) private(set) var writesText = false
    /// Whether the value did something else than to encode members, or wrote other members as text than expected.
    @safe @exclusivity(unchecked) private var isOdd = false
    @safe @exclusivity(unchecked) private var place = 0

    init() {}

    convenience init(_ pass: EncodingPass, base: EncodedTree?, levels: Int, isLate: Bool) {
        self.init()
        begin(pass, base: base, names: nil, knownKeys: nil, levels: levels, isLate: isLate)
    }

    var pass: EncodingPass {
        guard let presentPass else { preconditionFailure("a level of no value encodes something") }
        return presentPass
    }

    /// Starts a level.
    func begin(
        _ pass: EncodingPass, base: EncodedTree?, names: MemberNames?, knownKeys: ObjectIdentifier?, levels: Int,
        isLate: Bool = false, writesText: Bool = false
    ) {
        presentPass = pass
        self.knownKeys = knownKeys
        self.names = names
        self.isLate = isLate
        self.base = base
        self.levels = levels
        self.writesText = writesText
        if levels < 0 { problem = .tooDeep(limit: pass.options.depthLimit) }
    }

    /// Forgets all that belongs to one value.
    ///
    /// - Returns: whether another value may encode itself into it: false if something else may still hold a container.
    func end() -> Bool {
        guard !isOdd, keyed == nil || isKnownUniquelyReferenced(&keyed) else {
            keyed = nil
            return false
        }
        (presentPass, base, names, single, array, problem) = (nil, nil, nil, nil, nil, nil)
        (hasObject, writesText, place) = (false, false, 0)
        if !late.isEmpty { late = [] }
        if !keyTypes.isEmpty { keyTypes = [] }
        object.end()
        return true
    }

    /// Lets go of the container, which holds this level.
    func releaseContainer() { keyed = nil }

    var codingPath: [any CodingKey] { pass.path.map(PathKey.init) }

    /// Whether a keyed container is one reference to an object.
    private static let isContainerAnObject: Bool = {
        typealias Container = KeyedEncodingContainer<PathKey>
        guard LayoutReading.isOnByDefault, MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size,
            let fields = RuntimeFields.stored(in: Container.self), fields.count == 1, fields[0].offset == 0
        else { return false }
        return fields[0].isStrong && fields[0].type is AnyClass
    }()

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if array != nil || single != nil { report(.refused("its 'encode(to:)' asks for two kinds of container")) }
        let identifier = ObjectIdentifier(type)
        if pass.types != nil, identifier != knownKeys { keyTypes.append(type) }
        openObject()
        // To make one costs as much as to encode five members.
        if identifier == keyedType, let keyed {
            return unsafe unsafeBitCast(keyed, to: KeyedEncodingContainer<Key>.self)
        }
        let made = KeyedEncodingContainer(KeyedLevelContainer<Key>(level: self, object: object))
        // Of one container it can be found out whether the value kept it.
        if keyed != nil || !Level.isContainerAnObject {
            isOdd = true
        } else if !isLate {
            keyed = unsafe unsafeBitCast(made, to: AnyObject.self)
            keyedType = identifier
        }
        return made
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        isOdd = true
        if hasObject || single != nil { report(.refused("its 'encode(to:)' asks for two kinds of container")) }
        return UnkeyedLevelContainer(level: self, array: openArray())
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        isOdd = true
        if hasObject || array != nil { report(.refused("its 'encode(to:)' asks for two kinds of container")) }
        return SingleValueLevelContainer(level: self)
    }

    private func openObject() {
        if hasObject { return }
        hasObject = true
        var predecessor: ObjectNode?
        if case .object(let node)? = base { predecessor = node }
        if isLate {
            object.begin(reusing: predecessor, own: ObjectNode())
        } else {
            object.begin(base: predecessor, names: names)
        }
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

    /// The one value of a single-value container.
    func put(_ tree: EncodedTree) {
        single = tree
    }

    /// The predecessor of a single value.
    var singleBase: EncodedTree? {
        if case .value? = base { return base }
        return nil
    }

    /// An object below this level that is filled in while the level is, or while its container is held.
    func nestedObject(base: EncodedTree?, levels: Int) -> (node: ObjectNode, builder: ObjectBuilder) {
        checkLevels(levels)
        isOdd = true
        let node = ObjectNode()
        let builder = ObjectBuilder()
        if case .object(let before)? = base {
            builder.begin(reusing: before, own: node)
        } else {
            builder.begin(reusing: nil, own: node)
        }
        return (node, builder)
    }

    /// An array below this level that is filled in like ``nestedObject(base:levels:)``.
    func nestedArray(base: EncodedTree?, levels: Int) -> ArrayBuilder {
        checkLevels(levels)
        isOdd = true
        if case .array(let before)? = base { return ArrayBuilder(base: before) }
        return ArrayBuilder(base: nil)
    }

    private func checkLevels(_ levels: Int) {
        if levels < 0 { report(.tooDeep(limit: pass.options.depthLimit)) }
    }

    /// An encoder for a part of this level that is filled in later, by `fill`.
    func lateEncoder(base: EncodedTree?, _ fill: @escaping (EncodedTree) -> Void) -> LevelEncoder {
        isOdd = true
        let level = Level(pass, base: base, levels: levels - 1, isLate: true)
        if let problem = level.problem { report(problem) }
        late.append(LateValue(level: level, fill: fill))
        return LevelEncoder(level)
    }

    private struct LateValue {
        let level: Level
        let fill: (EncodedTree) -> Void
    }

    /// Ends the level.
    ///
    /// A value that wrote nothing is an empty object.
    func finish() -> EncodedLevel {
        for value in late {
            value.fill(value.level.finish().whole)
            if let problem = value.level.problem { report(problem) }
            keyTypes += value.level.keyTypes
        }
        if hasObject { return object.finish() }
        if let array { return .fresh(.array(array.node)) }
        return .fresh(single ?? .object(ObjectNode()))
    }

    // MARK: Text at once

    /// Writes a member as text, if it is the expected one.
    @inline(__always)
    func write(_ scalar: Scalar, forKey name: String, of object: ObjectBuilder) {
        guard opens(name, of: object) else { return }
        scalar.append(to: &pass.text)
    }

    /// Writes a member and what is below it.
    func write<Value: Encodable>(_ value: Value, forKey name: String, of object: ObjectBuilder) throws {
        guard opens(name, of: object) else { return }
        do { try pass.writeText(of: value) } catch {
            isOdd = true
            throw error
        }
    }

    private func opens(_ name: String, of object: ObjectBuilder) -> Bool {
        guard !isOdd, object === self.object, let names, names.has(name, at: place) else {
            isOdd = true
            return false
        }
        names.appendOpening(place, to: &pass.text)
        place += 1
        return true
    }

    /// Whether all expected members were written, in their order, and nothing else.
    var isTextWhole: Bool { !isOdd && problem == nil && hasObject && place == names?.names.count }
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

/// The one value that a value encodes in its place.
struct SingleValueLevelContainer: SingleValueEncodingContainer {
    let level: Level

    var codingPath: [any CodingKey] { level.codingPath }

    private func put(_ scalar: Scalar) throws {
        try level.checkProblem()
        level.put(.scalar(scalar))
    }

    func encode<T: Encodable>(_ value: T) throws {
        try level.checkProblem()
        level.put(level.pass.child(of: value, base: level.singleBase))
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
