internal import JSONCore

/// A hash takes the place of the secret in the tree itself, so nothing that is made of the tree has to know where secrets are.
extension EncodingPass {
    /// - Parameter base: the value before, whose secrets the new one may repeat; nil for a value that is encoded by itself.
    /// - Complexity: a comparison of each secret's bytes, and a search of what changed; of all members where a secret did.
    func hiding<Value: Encodable>(
        _ rule: TypeRule, of value: Value, in level: EncodedLevel, _ traits: TypeTraits, base: EncodedTree?
    ) throws(StateEncodingError) -> EncodedLevel {
        hidesByType = true
        types?.recordSeen(type(of: value))
        guard let clear = LevelMembers(level, self) else {
            return .fresh(try hidingWhole(rule, of: value, level.whole))
        }
        if rule.paths.isMatch {
            rule.paths.recordMatches()
            return .fresh(try hashed(clear.tree, isSecret: true))
        }
        var before: HiddenMembers?
        if case .object(let object)? = base { before = object.hidden }
        let known = before.flatMap { $0.rule === rule ? $0 : nil }
        guard let (secrets, areSame) = try secrets(rule, of: value, in: clear, traits, known: known) else {
            return .fresh(try hashed(clear.tree, isSecret: true))
        }
        var own = known?.search ?? SecretSearch()
        if !areSame { own = secrets.reduce(into: SecretSearch()) { $0.formUnion($1.search) } }
        let search = copySearch(rule, own, before: areSame ? nil : before, hasBefore: before != nil)
        var shown = clear.values
        var reusable: ObjectNode?
        if case .changed(let object, _) = level, areSame, known?.epoch == epoch { reusable = object }
        for (place, key) in clear.keys.enumerated() {
            let old = known?.clearMember(key, near: place)
            if let reusable, let old, EncodedTree.identical(clear.values[place], old) {
                shown[place] = reusable.values[place]
                continue
            }
            let rests = secrets.filter { $0.path.first == key }.map { $0.path.dropFirst() }
            shown[place] = try hiding(clear.values[place], at: [key], rests, since: old, search, isSame: areSame)
            if !rule.paths.isEmpty { shown[place] = try hiding(rule.paths.below(member: key), in: shown[place]) }
        }
        let hidden = HiddenMembers(rule, secrets, own, epoch: epoch, clear: clear)
        if isCollecting { collect(hidden) }
        return clear.level(shown, hidden, instead: level)
    }

    func collect(_ hidden: HiddenMembers) {
        for case let text? in hidden.secrets.map(\.text) { former.insertParts(ofSecret: text) }
    }

    /// - Parameter before: the value before, if it had other secrets.
    private func copySearch(
        _ rule: TypeRule, _ own: SecretSearch, before: HiddenMembers?, hasBefore: Bool
    ) -> CopySearch {
        var searches = [own]
        var isOwn = true
        if let before {
            isOwn = false
            searches.append(before.search)
            collect(before)
        }
        // A number that another value had may be there by chance, where it is known what this one had.
        if looksForFormer, !former.isEmpty {
            isOwn = false
            searches.append(hasBefore ? former.textsOnly : former)
        }
        return CopySearch(
            rule: rule, hidden: rule.hiddenMembers(at: epoch), searches: searches.filter { !$0.isEmpty }, isOwn: isOwn)
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
                types?.reportUnresolved(property.entry.text, part: pointer)
                property.entry.recordMatch()
            }
            let tree = LevelMembers(level, self)?.tree ?? level.whole
            level = .fresh(
                rule.properties.isEmpty ? try hiding(rule.paths, in: tree) : try hashed(tree, isSecret: true))
        }
        return level
    }

    /// A value that is not an object in JSON: hidden with all that is in it, unless only paths are redacted.
    private func hidingWhole<Value: Encodable>(
        _ rule: TypeRule, of value: Value, _ tree: EncodedTree
    ) throws(StateEncodingError) -> EncodedTree {
        for property in rule.properties { property.entry.recordMatch() }
        return rule.properties.isEmpty ? try hiding(rule.paths, in: tree) : try hashed(tree, isSecret: true)
    }

    /// - Complexity: O(the part), where a path leads into it.
    func hiding(_ paths: RedactionPaths, in tree: EncodedTree) throws(StateEncodingError) -> EncodedTree {
        if paths.isEmpty || tree.isWritten { return tree }
        if paths.isMatch {
            paths.recordMatches()
            return try hashed(tree, isSecret: true)
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

    /// - Parameter isSecret: whether it is looked for in what is no state; a copy, or a property that was noted, is not.
    func hashed(_ tree: EncodedTree, isSecret: Bool = false) throws(StateEncodingError) -> EncodedTree {
        if tree.isWritten { return tree }
        var (canonical, hash): ([UInt8], [UInt8]) = ([], [])
        try hidden { () throws(StateEncodingError) in try appendClear(tree, to: &canonical) }
        appendHash(of: canonical, isSecret: isSecret, to: &hash)
        return .scalar(.written(String(decoding: hash, as: UTF8.self)))
    }

    func hashedText(_ text: String) -> String {
        var (canonical, hash): ([UInt8], [UInt8]) = ([], [])
        JSONText.append(string: text, to: &canonical)
        appendHash(of: canonical, isSecret: true, to: &hash)
        return String(decoding: hash, as: UTF8.self)
    }

    func clearText(of value: Any) throws(StateEncodingError) -> [UInt8]? {
        guard let value = value as? any Encodable else { return nil }
        var bytes: [UInt8] = []
        let tree = child(of: value, base: nil)
        try hidden { () throws(StateEncodingError) in try appendClear(tree, to: &bytes) }
        return bytes
    }
}

/// The members of one level in clear, whichever way that was encoded.
struct LevelMembers {
    let keys: [String]
    private(set) var values: [EncodedTree]

    init?(_ level: EncodedLevel, _ pass: EncodingPass) {
        switch level {
        case .changed(let object, let changes):
            keys = object.keys
            values = object.hidden?.clear.values ?? object.values
            for change in changes where !pass.isKnown(change.value, as: values[change.place]) {
                values[change.place] = change.value
            }
        case .members(let names, let members): (keys, values) = (names.names, members)
        case .fresh(.object(let object)): (keys, values) = (object.keys, object.values)
        case .fresh: return nil
        }
    }

    func place(of name: String) -> Int? { keys.firstIndex { UTF8Order.equal($0, name) } }

    var tree: EncodedTree { .object(object(values)) }

    private func object(_ values: [EncodedTree]) -> ObjectNode {
        let object = ObjectNode(capacity: keys.count)
        for (key, value) in zip(keys, values) { object.append(value, forKey: key) }
        return object
    }

    func level(_ shown: [EncodedTree], _ hidden: HiddenMembers, instead level: EncodedLevel) -> EncodedLevel {
        guard case .changed(let object, _) = level else {
            let object = object(shown)
            object.hidden = hidden
            return .fresh(.object(object))
        }
        object.hidden = hidden
        var changes: [MemberChange] = []
        for (place, value) in shown.enumerated() where !EncodedTree.identical(object.values[place], value) {
            changes.append(MemberChange(place: place, value: value))
        }
        return .changed(object, changes)
    }
}
