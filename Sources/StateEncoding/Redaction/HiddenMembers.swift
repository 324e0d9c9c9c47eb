/// The members of an object as they were before parts of them were hidden.
///
/// While a value's secrets stay what and where they were, what hid them before hides them now: only a member that changed
/// is searched for them.
final class HiddenMembers {
    private let rule: TypeRule
    @exclusivity(unchecked) private var clear: [EncodedTree]
    private let secrets: [(hidden: Secret.Hidden, value: AnyObject)]

    /// Keeps the members of a value of which everything that is redacted was hidden; nil where a change of a secret would not
    /// show in its bytes.
    init?<Value>(_ rule: TypeRule, of value: Value, clear: [EncodedTree], secrets: [Secret.Hidden?]) {
        var kept: [(Secret.Hidden, AnyObject)] = []
        for (property, secret) in zip(rule.properties, secrets) {
            guard property.isWhole, let secret, let reader = property.reader else { return nil }
            kept.append((secret, withUnsafePointer(to: value) { reader.value(at: $0) }))
        }
        self.rule = rule
        self.clear = clear
        self.secrets = kept
    }

    /// Hides what a new value of the object changes.
    ///
    /// - Parameters:
    ///   - changes: the members that are not what the object has, in which nothing is hidden.
    ///   - object: the object after what was changed and hidden before.
    /// - Returns: what is left to be changed in the object; nil where a secret changed, or the member that it is in.
    /// - Complexity: a comparison of each secret's bytes, and a search of what changed.
    func hiding<Value>(
        _ changes: [MemberChange], of value: Value, by rule: TypeRule, in object: ObjectNode, _ pass: EncodingPass
    ) throws(StateEncodingError) -> [MemberChange]? {
        guard rule === self.rule, withUnsafePointer(to: value, { hasSecrets(at: $0) }) else { return nil }
        var left: [MemberChange] = []
        for change in changes where !pass.isKnown(change.value, as: clear[change.place]) {
            if secrets.contains(where: { $0.hidden.place == change.place }) { return nil }
            var hidden = change.value
            let name = object.keys[change.place]
            for secret in secrets { try pass.hideCopy(of: secret.hidden.fragments, in: &hidden, named: name) }
            try pass.hideRemembered(in: &hidden, named: name)
            if !rule.paths.isEmpty {
                hidden = try pass.hiding(rule.paths.below(member: name), in: hidden)
            }
            clear[change.place] = change.value
            left.append(MemberChange(place: change.place, value: hidden))
        }
        for secret in secrets { if let text = secret.hidden.text { pass.texts?.note(text) } }
        return left
    }

    private func hasSecrets(at value: UnsafeRawPointer) -> Bool {
        for (property, secret) in zip(rule.properties, secrets) {
            guard property.reader?.isSame(secret.value, at: value) ?? false else { return false }
        }
        return true
    }
}

/// Reads a property of values whose equal bytes mean equal values.
class PropertyReader: @unchecked Sendable {
    // Unchecked: constants only, and those of the one subclass.

    /// A copy of the property of the value at a place.
    func value(at place: UnsafeRawPointer) -> AnyObject { self }

    /// Whether the value at a place has the property that another one had.
    func isSame(_ other: AnyObject, at place: UnsafeRawPointer) -> Bool { false }

    /// What reads a key path; nil where equal bytes of the property say nothing.
    static func make<Value>(_ keyPath: any AnyKeyPath & Sendable, of type: Value.Type) -> PropertyReader? {
        func open<Part>(_: Part.Type) -> PropertyReader? {
            guard PlainTypes.contains(Part.self), let path = keyPath as? KeyPath<Value, Part> else { return nil }
            return TypedPropertyReader(path)
        }
        return _openExistential(Swift.type(of: keyPath as AnyKeyPath).valueType, do: open)
    }
}

private final class TypedPropertyReader<Value, Part>: PropertyReader, @unchecked Sendable {
    // Unchecked: the key path is Sendable, which its type does not say.

    private final class Copy {
        @exclusivity(unchecked) var part: Part
        init(_ part: Part) { self.part = part }
    }

    private let path: KeyPath<Value, Part>
    private let layout = ByteLayout.of(Part.self)

    init(_ path: KeyPath<Value, Part>) { self.path = path }

    override func value(at place: UnsafeRawPointer) -> AnyObject {
        Copy(place.assumingMemoryBound(to: Value.self).pointee[keyPath: path])
    }

    override func isSame(_ other: AnyObject, at place: UnsafeRawPointer) -> Bool {
        guard let copy = other as? Copy else { return false }
        let part = place.assumingMemoryBound(to: Value.self).pointee[keyPath: path]
        return withUnsafePointer(to: &copy.part) { old in withUnsafePointer(to: part) { layout.same(old, $0) } }
    }
}
