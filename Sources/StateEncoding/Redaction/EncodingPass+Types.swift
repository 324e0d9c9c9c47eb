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
        if case .changed(let object, let changes) = level,
            let hidden = try object.hidden?.hiding(changes, of: value, by: rule, in: object, self)
        {
            return .changed(object, hidden)
        }
        guard var members = LevelMembers(level) else {
            return .fresh(try hidingWhole(rule, of: value, level.whole))
        }
        let clear = members.values
        var secrets: [Secret.Hidden?] = []
        if rule.paths.isMatch {
            rule.paths.noteMatches()
            return .fresh(try hashed(members.tree))
        }
        for property in rule.properties {
            let place = try Secret(property, of: value)?.hide(in: &members, traits, self)
            guard let place, place.isHidden else {
                types?.noteUnresolved(property.entry.text, part: pointer)
                property.entry.noteMatch()
                return .fresh(try hashed(members.tree))
            }
            secrets.append(place.secret)
        }
        if !rule.properties.isEmpty { try hideRemembered(in: &members, besides: secrets.compactMap { $0?.place }) }
        if !rule.paths.isEmpty {
            for place in members.keys.indices {
                let paths = rule.paths.below(member: members.keys[place])
                members.values[place] = try hiding(paths, in: members.values[place])
            }
        }
        if case .changed(let object, _) = level {
            object.hidden = HiddenMembers(rule, of: value, clear: clear, secrets: secrets)
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
