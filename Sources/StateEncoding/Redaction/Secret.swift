internal import JSONCore

/// A redacted property's value in one value of its type.
struct Secret {
    private let property: TypeRule.Property
    private let value: Any

    /// Reads a property; nil where its place is not known at all.
    init?<Value>(_ property: TypeRule.Property, of value: Value) {
        guard let keyPath = property.keyPath as? PartialKeyPath<Value> else { return nil }
        self.property = property
        if property.isWhole {
            self.value = value[keyPath: keyPath]
        } else {
            var part: Any = value
            if property.names.isEmpty { return nil }
            for name in property.names {
                guard let child = OptionalValue.child(name, of: part) else { return nil }
                part = child
            }
            self.value = part
        }
    }

    /// A secret that was hidden.
    struct Hidden {
        /// The place of the member that it is in.
        let place: Int
        /// Its canonical text; nil for a nil.
        let text: [UInt8]?
        /// What is looked for in the other members; nil for nothing.
        let fragments: Fragments?
    }

    /// Hides it in the members of its value, and each member beside it that repeats it.
    ///
    /// - Returns: not hidden where it is not found, or something else stands in its place; without a secret where a nil
    ///   is in no member.
    func hide(
        in members: inout LevelMembers, _ traits: TypeTraits, _ pass: EncodingPass
    ) throws(StateEncodingError) -> (isHidden: Bool, secret: Hidden?) {
        guard let name = property.names.first else { return (false, nil) }
        let isNil = OptionalValue.isNil(value)
        guard let text = isNil ? Array("null".utf8) : try pass.clearText(of: value) else { return (false, nil) }
        guard let place = traits.place(of: name, in: members.keys) else { return (isNil, nil) }
        let rest = property.names.dropFirst()
        guard let hidden = try hidden(rest, text, isNil, members.values[place], pass) else { return (false, nil) }
        members.values[place] = hidden
        property.entry.noteMatch()
        if !isNil { property.entry.noteHidden() }
        if !property.isWhole {
            pass.types?.noteUnresolved(
                property.entry.text, part: pass.pointer + JSONText.pointerSegment(members.keys[place]))
        }
        if rest.isEmpty { pass.types?.noteHidden(members.keys[place]) }
        if isNil { return (true, Hidden(place: place, text: nil, fragments: nil)) }
        pass.texts?.note(text)
        let fragments = Fragments(text)
        for string in fragments?.strings ?? [] { pass.texts?.remembered.note(string) }
        for other in members.keys.indices where other != place {
            try pass.hideCopy(of: fragments, in: &members.values[other], named: members.keys[other])
        }
        return (true, Hidden(place: place, text: text, fragments: fragments))
    }

    /// A member with what some further names lead to hidden; nil where that is not this secret.
    private func hidden(
        _ names: ArraySlice<String>, _ text: [UInt8], _ isNil: Bool, _ tree: EncodedTree, _ pass: EncodingPass
    ) throws(StateEncodingError) -> EncodedTree? {
        guard let name = names.first else {
            // What another type's redaction has hidden by now is hidden.
            if tree.isWritten { return tree }
            var found: [UInt8] = []
            try pass.appendClear(tree, to: &found)
            return found == text ? try pass.hashed(tree) : nil
        }
        guard let (object, traits) = try pass.object(of: tree) else { return isNil || tree.isWritten ? tree : nil }
        let copy = ObjectNode(first: object.keys.count, of: object)
        guard let place = traits?.place(of: name, in: copy.keys) ?? copy.place(of: name) else {
            return isNil ? tree : nil
        }
        guard let value = try hidden(names.dropFirst(), text, isNil, copy.values[place], pass) else { return nil }
        copy.values[place] = value
        if names.count == 1 { pass.types?.noteHidden(copy.keys[place]) }
        if !isNil, let fragments = Fragments(text) {
            for other in copy.keys.indices where other != place {
                try pass.hideCopy(of: fragments, in: &copy.values[other], named: copy.keys[other])
            }
        }
        return .object(copy)
    }

    /// What of a secret's text would give it away elsewhere.
    struct Fragments: CopyTest {
        private let text: [UInt8]
        /// The texts in it that are long enough to be looked for inside of others.
        private(set) var strings: [[UInt8]] = []

        /// - Returns: nil for what is too common to be looked for: null, a truth value, and what is empty.
        init?(_ text: [UInt8]) {
            guard let value = try? JSONParser.parse(text) else { return nil }
            switch value {
            case .null, .bool: return nil
            case .string(let string): if string.isEmpty { return nil }
            case .array(let elements): if elements.isEmpty { return nil }
            case .object(let members): if members.isEmpty { return nil }
            case .number: break
            }
            self.text = text
            collect(value)
        }

        private mutating func collect(_ value: JSONValue) {
            switch value {
            case .string(let text): if text.utf8.count >= TextSearch.leastLength { strings.append(Array(text.utf8)) }
            case .array(let elements): for element in elements { collect(element) }
            case .object(let members): for (_, member) in members { collect(member) }
            case .null, .bool, .number: break
            }
        }

        func matches(_ scalar: Scalar) -> Bool {
            var bytes: [UInt8] = []
            scalar.append(to: &bytes)
            return bytes == text
        }

        func matches(text string: String) -> Bool {
            var written: [UInt8] = []
            JSONText.append(string: string, to: &written)
            if written == text { return true }
            let bytes = Array(string.utf8)
            return strings.contains { secret in
                bytes.count >= secret.count
                    && (0...(bytes.count - secret.count)).contains { bytes[$0...].starts(with: secret) }
            }
        }
    }
}

extension EncodingPass {
    /// The object that a part of the tree is, and the traits of the type that encoded it.
    fileprivate func object(
        of tree: EncodedTree
    ) throws(StateEncodingError) -> (ObjectNode, TypeTraits?)? {
        var (tree, traits): (EncodedTree, TypeTraits?) = (tree, nil)
        var levels = levelsLeft
        while case .value(let node) = tree {
            levels -= 1
            guard levels >= 0 else { throw failure(.tooDeep(limit: options.depthLimit), node.traits.name) }
            traits = node.traits
            tree = try node.shape(self)
        }
        guard case .object(let object) = tree else { return nil }
        return (object, traits)
    }
}

/// Looks into values whose types are not known.
enum OptionalValue {
    /// Whether a value is an optional without one in it.
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
