internal import JSONCore

/// The members of an object as they were before parts of them were hidden, and what hid them.
///
/// While a value's secrets stay what and where they were, only what changed is searched for them. When one changes, the members of
/// the next value are searched for it and for what takes its place.
final class HiddenMembers {
    let rule: TypeRule
    /// The redacted properties, in the rule's order.
    let secrets: [Secret]
    /// What is looked for in the other members.
    let search: SecretSearch
    /// How many members were hidden as copies when these were (``TypeRedactions/epoch``).
    let epoch: Int
    let clear: LevelMembers

    init(_ rule: TypeRule, _ secrets: [Secret], _ search: SecretSearch, epoch: Int, clear: LevelMembers) {
        self.rule = rule
        self.secrets = secrets
        self.search = search
        self.epoch = epoch
        self.clear = clear
    }

    func clearMember(_ name: String, near place: Int) -> EncodedTree? {
        if place < clear.keys.count, UTF8Order.equal(clear.keys[place], name) { return clear.values[place] }
        return clear.keys.firstIndex { UTF8Order.equal($0, name) }.map { clear.values[$0] }
    }
}

/// Reads a property of values whose equal bytes mean equal values.
class PropertyReader: @unchecked Sendable {
    // Unchecked: constants only, and those of the one subclass.

    func value(at place: Address) -> AnyObject { self }

    func isSame(_ other: AnyObject, at place: Address) -> Bool { false }

    /// What reads a key path; nil where equal bytes of the property say nothing.
    static func make<Value>(_ keyPath: AnyKeyPath, of type: Value.Type) -> PropertyReader? {
        func open<Part>(_: Part.Type) -> PropertyReader? {
            guard PlainTypes.contains(Part.self), let path = keyPath as? KeyPath<Value, Part> else { return nil }
            return TypedPropertyReader(path)
        }
        return _openExistential(Swift.type(of: keyPath).valueType, do: open)
    }
}

private final class TypedPropertyReader<Value, Part>: PropertyReader, @unchecked Sendable {
    // Unchecked: the key path is Sendable, which its type does not say.

    private final class Copy {
        @safe @exclusivity(unchecked) var part: Part
        init(_ part: Part) { self.part = part }
    }

    private let path: KeyPath<Value, Part>
    private let layout = ByteLayout.of(Part.self)
    /// Where the property is in a value; nil for one that is computed, to read which a value is copied.
    private let offset: Int?

    init(_ path: KeyPath<Value, Part>) {
        self.path = path
        offset = MemoryLayout<Value>.offset(of: path)
    }

    override func value(at place: Address) -> AnyObject {
        Copy(place.value(as: Value.self)[keyPath: path])
    }

    override func isSame(_ other: AnyObject, at place: Address) -> Bool {
        guard let copy = other as? Copy else { return false }
        return withAddress(ofVariable: &copy.part) { old in
            if let offset { return layout.same(old, place + offset) }
            return withAddress(of: place.value(as: Value.self)[keyPath: path]) { layout.same(old, $0) }
        }
    }
}
