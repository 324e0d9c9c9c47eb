internal import JSONCore

/// What is hidden of the values of a type, one level at a time.
///
/// A hash takes the place of the secret in the tree itself, so nothing that is made of the tree has to know where secrets are.
extension EncodingPass {
    /// A level of a value without what is redacted of its type.
    func hiding<Value: Encodable>(
        _ rule: TypeRule, of value: Value, in level: EncodedLevel, _ traits: TypeTraits
    ) throws(StateEncodingError) -> EncodedLevel {
        hidesByType = true
        types?.noteMet(type(of: value))
        guard var members = LevelMembers(level) else {
            return .fresh(try hidingWhole(rule, of: value, level.whole))
        }
        if rule.paths.isMatch {
            rule.paths.noteMatches()
            return .fresh(try hashed(members.tree))
        }
        for property in rule.properties {
            guard let secret = Secret(property, of: value), try secret.hide(in: &members, traits, self) else {
                types?.noteUnresolved(property.entry.text, part: pointer)
                property.entry.noteMatch()
                return .fresh(try hashed(members.tree))
            }
        }
        if !rule.paths.isEmpty {
            for place in members.keys.indices {
                let paths = rule.paths.below(member: members.keys[place])
                members.values[place] = try hiding(paths, in: members.values[place])
            }
        }
        return members.level(instead: level)
    }

    /// A level of a value into which values of other types encoded themselves, as `try other.encode(to: encoder)` does.
    ///
    /// Such a value is not seen, only the type of its keys. So all of the level is hidden where that type has a redacted
    /// property.
    func hidingOthers<Value>(
        of type: Value.Type, keys: [any CodingKey.Type], in level: EncodedLevel
    ) throws(StateEncodingError) -> EncodedLevel {
        var level = level
        for key in keys {
            guard let rule = types?.rule(ofKeys: key, notOf: type) else { continue }
            hidesByType = true
            for property in rule.properties {
                types?.noteUnresolved(property.entry.text, part: pointer)
                property.entry.noteMatch()
            }
            let tree = LevelMembers(level)?.tree ?? level.whole
            level = .fresh(rule.properties.isEmpty ? try hiding(rule.paths, in: tree) : try hashed(tree))
        }
        return level
    }

    /// A value that is not an object in JSON: hidden with all that is in it, unless only paths are redacted.
    private func hidingWhole<Value: Encodable>(
        _ rule: TypeRule, of value: Value, _ tree: EncodedTree
    ) throws(StateEncodingError) -> EncodedTree {
        for property in rule.properties { property.entry.noteMatch() }
        return rule.properties.isEmpty ? try hiding(rule.paths, in: tree) : try hashed(tree)
    }

    /// A part of the tree without what some paths redact in it.
    ///
    /// - Complexity: O(the part), where a path leads into it.
    func hiding(_ paths: RedactionPaths, in tree: EncodedTree) throws(StateEncodingError) -> EncodedTree {
        if paths.isEmpty || tree.isWritten { return tree }
        if paths.isMatch {
            paths.noteMatches()
            return try hashed(tree)
        }
        switch try structure(of: tree) {
        case .object(let object):
            let copy = ObjectNode(first: object.keys.count, of: object)
            for place in copy.keys.indices {
                copy.values[place] = try hiding(paths.below(member: copy.keys[place]), in: copy.values[place])
            }
            return .object(copy)
        case .array(let array):
            var elements: [EncodedTree] = []
            let below = paths.belowElement()
            for element in array.elements { elements.append(try hiding(below, in: element)) }
            return .array(ArrayNode(elements))
        default: return tree
        }
    }

    /// What stands for a part of the tree.
    func hashed(_ tree: EncodedTree) throws(StateEncodingError) -> EncodedTree {
        if tree.isWritten { return tree }
        var (canonical, hash): ([UInt8], [UInt8]) = ([], [])
        try hidden { () throws(StateEncodingError) in try appendClear(tree, to: &canonical) }
        texts?.append(canonical, to: &hash)
        return .scalar(.written(String(decoding: hash, as: UTF8.self)))
    }

    /// What stands for a text that is the key of an object.
    func hashedText(_ text: String) -> String {
        var (canonical, hash): ([UInt8], [UInt8]) = ([], [])
        JSONText.append(string: text, to: &canonical)
        texts?.append(canonical, to: &hash)
        return String(decoding: hash, as: UTF8.self)
    }

    /// The canonical text of a value of any type; nil where it has none.
    func clearText(of value: Any) throws(StateEncodingError) -> [UInt8]? {
        guard let value = value as? any Encodable else { return nil }
        var bytes: [UInt8] = []
        let tree = child(of: value, base: nil)
        try hidden { () throws(StateEncodingError) in try appendClear(tree, to: &bytes) }
        return bytes
    }
}

/// The members of one level, whichever way that was encoded.
struct LevelMembers {
    let keys: [String]
    var values: [EncodedTree]

    /// The members of an object; nil for what is none.
    init?(_ level: EncodedLevel) {
        switch level {
        case .changed(let object, let changes):
            (keys, values) = (object.keys, object.values)
            for change in changes { values[change.place] = change.value }
        case .members(let names, let members): (keys, values) = (names.names, members)
        case .fresh(.object(let object)): (keys, values) = (object.keys, object.values)
        case .fresh: return nil
        }
    }

    /// All of them as an object of its own.
    var tree: EncodedTree {
        let object = ObjectNode(capacity: keys.count)
        for (key, value) in zip(keys, values) { object.append(value, forKey: key) }
        return .object(object)
    }

    /// The level with these members instead of its own.
    func level(instead level: EncodedLevel) -> EncodedLevel {
        switch level {
        case .changed(let object, _):
            let changes = values.indices.filter { !EncodedTree.identical(object.values[$0], values[$0]) }
            return .changed(object, changes.map { MemberChange(place: $0, value: values[$0]) })
        case .members(let names, _): return .members(names, values)
        case .fresh: return .fresh(tree)
        }
    }
}

/// A redacted property's value in one value of its type.
struct Secret {
    /// Shorter texts stand in too many places by chance to be looked for inside of others.
    private static let leastLength = 4
    /// How many parts of a member are looked at for a copy of a secret.
    private static let searchLimit = 64

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

    /// Hides it in the members of its value, and each member beside it that repeats it.
    ///
    /// - Returns: false where it is not found, or something else stands in its place.
    func hide(
        in members: inout LevelMembers, _ traits: TypeTraits, _ pass: EncodingPass
    ) throws(StateEncodingError) -> Bool {
        guard let name = property.names.first else { return false }
        let isNil = OptionalValue.isNil(value)
        guard let text = isNil ? Array("null".utf8) : try pass.clearText(of: value) else { return false }
        guard let place = traits.place(of: name, in: members.keys) else { return isNil }
        let rest = property.names.dropFirst()
        guard let hidden = try hidden(rest, text, isNil, members.values[place], pass) else { return false }
        members.values[place] = hidden
        property.entry.noteMatch()
        if !isNil { property.entry.noteHidden() }
        if !property.isWhole {
            pass.types?.noteUnresolved(
                property.entry.text, part: pass.pointer + JSONText.pointerSegment(members.keys[place]))
        }
        if rest.isEmpty { pass.types?.noteHidden(members.keys[place]) }
        if isNil { return true }
        pass.texts?.note(text)
        guard let fragments = Fragments(text) else { return true }
        for other in members.keys.indices where other != place {
            var budget = Secret.searchLimit
            if try fragments.stand(in: members.values[other], &budget, pass) {
                members.values[other] = try pass.hashed(members.values[other])
            }
        }
        return true
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
                var budget = Secret.searchLimit
                if try fragments.stand(in: copy.values[other], &budget, pass) {
                    copy.values[other] = try pass.hashed(copy.values[other])
                }
            }
        }
        return .object(copy)
    }

    /// What of a secret's text would give it away elsewhere.
    private struct Fragments {
        private let text: [UInt8]
        private var strings: [[UInt8]] = []

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
            case .string(let text): if text.utf8.count >= Secret.leastLength { strings.append(Array(text.utf8)) }
            case .array(let elements): for element in elements { collect(element) }
            case .object(let members): for (_, member) in members { collect(member) }
            case .null, .bool, .number: break
            }
        }

        /// Whether a part of the tree repeats the secret, as far as a look at a few of its parts shows.
        func stand(
            in tree: EncodedTree, _ budget: inout Int, _ pass: EncodingPass
        ) throws(StateEncodingError) -> Bool {
            budget -= 1
            if budget < 0 { return false }
            switch tree {
            case .scalar(.written): return false
            case .scalar(.string(let string)): return stand(inText: string)
            case .scalar(let scalar):
                var bytes: [UInt8] = []
                scalar.append(to: &bytes)
                return bytes == text
            case .object(let object):
                for value in object.values where try stand(in: value, &budget, pass) { return true }
                return object.keys.contains { stand(inText: $0) }
            case .array(let array):
                for value in array.elements where try stand(in: value, &budget, pass) { return true }
                return false
            case .value(let node):
                if node.leastLength > Secret.searchLimit * 4 { return false }
                return try stand(in: node.shape(pass), &budget, pass)
            }
        }

        private func stand(inText string: String) -> Bool {
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
