internal import JSONCore

/// A redacted property of one value, as it was found.
struct Secret {
    /// The canonical text; nil for a nil.
    let text: [UInt8]?
    /// The names of the members that lead to it; where a nil is not encoded, to where it would be.
    let path: [String]
    /// A copy whose bytes are compared; nil where they say nothing.
    fileprivate let copy: AnyObject?

    var search: SecretSearch { text.map { SecretSearch($0) } ?? SecretSearch() }
}

extension EncodingPass {
    /// Finds what the redacted properties of a value are, and where; nil where one is not found, or something else is in its place.
    ///
    /// - Parameter known: those of the value before, of the same rule.
    /// - Returns: the secrets, and whether they are the very ones of the value before.
    func secrets<Value>(
        _ rule: TypeRule, of value: Value, in members: LevelMembers, _ traits: TypeTraits, known: HiddenMembers?
    ) throws(StateEncodingError) -> (secrets: [Secret], areSame: Bool)? {
        var secrets: [Secret] = []
        var areSame = known != nil
        for (index, property) in rule.properties.enumerated() {
            if let known, let same = same(property, known.secrets[index], value, members, known.clear) {
                secrets.append(same)
                continue
            }
            guard let secret = try secret(property, of: value, in: members, traits) else {
                types?.reportUnresolved(property.entry.text, part: pointer)
                property.entry.recordMatch()
                return nil
            }
            let before = known?.secrets[index]
            if before?.text != secret.text || before?.path != secret.path { areSame = false }
            secrets.append(secret)
        }
        return (secrets, areSame)
    }

    /// The secret of the value before, if this value has the same bytes for it and for the member that it is in.
    private func same<Value>(
        _ property: TypeRule.Property, _ known: Secret, _ value: Value, _ members: LevelMembers, _ clear: LevelMembers
    ) -> Secret? {
        guard let copy = known.copy, let reader = property.reader, let name = known.path.first,
            withAddress(of: value, { reader.isSame(copy, at: $0) })
        else { return nil }
        switch (members.place(of: name), clear.place(of: name)) {
        case (nil, nil): return known
        case (let place?, let old?): return isKnown(members.values[place], as: clear.values[old]) ? known : nil
        default: return nil
        }
    }

    private func secret<Value>(
        _ property: TypeRule.Property, of value: Value, in members: LevelMembers, _ traits: TypeTraits
    ) throws(StateEncodingError) -> Secret? {
        guard let first = property.names.first, let part = EncodingPass.read(property, of: value) else { return nil }
        let isNil = OptionalValue.isNil(part)
        let text = isNil ? nil : try clearText(of: part)
        if !isNil, text == nil { return nil }
        let copy =
            property.isWhole
            ? property.reader.map { reader in
                withAddress(of: value) { reader.value(at: $0) }
            } : nil
        guard let place = traits.place(of: first, in: members.keys) else {
            return isNil ? Secret(text: nil, path: property.names, copy: copy) : nil
        }
        var (path, tree) = ([members.keys[place]], members.values[place])
        for (index, name) in property.names.enumerated().dropFirst() {
            let object = try object(of: tree, since: nil)
            guard let (object, traits) = object,
                let place = traits?.place(of: name, in: object.keys) ?? object.place(of: name)
            else {
                guard isNil || object == nil && tree.isWritten else { return nil }
                property.entry.recordMatch()
                return Secret(text: text, path: path + property.names[index...], copy: copy)
            }
            path.append(object.keys[place])
            tree = object.values[place]
        }
        // What another type's redaction has hidden by now is hidden.
        if !tree.isWritten {
            var found: [UInt8] = []
            try appendClear(tree, to: &found)
            guard found == text ?? Array("null".utf8) else { return nil }
        }
        note(property, text, at: path)
        return Secret(text: text, path: path, copy: copy)
    }

    private func note(_ property: TypeRule.Property, _ text: [UInt8]?, at path: [String]) {
        property.entry.recordMatch()
        if let text {
            property.entry.recordHidden()
            secrets.insertParts(ofSecret: text)
        }
        if !property.isWhole {
            types?.reportUnresolved(property.entry.text, part: pointer + JSONText.pointerSegment(path[0]))
        }
        types?.recordHidden(path[path.count - 1])
    }

    private static func read<Value>(_ property: TypeRule.Property, of value: Value) -> Any? {
        guard let keyPath = property.keyPath as? PartialKeyPath<Value> else { return nil }
        if property.isWhole { return value[keyPath: keyPath] }
        var part: Any = value
        for name in property.names {
            guard let child = OptionalValue.child(name, of: part) else { return nil }
            part = child
        }
        return part
    }

    /// - Parameter old: the part of the value before, whose secrets the new one may repeat.
    func object(
        of tree: EncodedTree, since old: EncodedTree?
    ) throws(StateEncodingError) -> (ObjectNode, TypeTraits?)? {
        var (tree, old, traits): (EncodedTree, EncodedTree?, TypeTraits?) = (tree, old, nil)
        var levels = levelsLeft
        while case .value(let node) = tree {
            levels -= 1
            guard levels >= 0 else { throw failure(.tooDeep(limit: options.depthLimit), node.traits.name) }
            traits = node.traits
            var before: EncodedTree?
            if case .value(let older)? = old, older.traits === node.traits { before = try older.ownShape(self) }
            if node.traits.rule != nil, node.traits.isPlain, let known = before {
                tree = try asOf(node.epoch) { () throws(StateEncodingError) in
                    try node.encodeLevel(self, base: known).whole
                }
            } else {
                tree = try node.shape(self)
            }
            old = before
        }
        guard case .object(let object) = tree else { return nil }
        return (object, traits)
    }
}

enum OptionalValue {
    static func isNil(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return false }
        return mirror.children.first.map { isNil($0.value) } ?? true
    }

    /// The stored property of a value, or of what an optional holds.
    static func child(_ name: String, of value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.flatMap { child(name, of: $0.value) } }
        return mirror.children.first { $0.label == name }?.value
    }
}
