extension StateEncoder {
    /// Where a key path leads in the state's JSON, as a JSON Pointer (RFC 6901); nil if that cannot be found.
    ///
    /// A name counts only if the property encodes under it, and the value that the key path reads has the JSON at the
    /// pointer.
    ///
    /// - Complexity: one encoding of what the key path reads; meant for the declaration of a derived value.
    package func pointer(for keyPath: PartialKeyPath<State>) -> String? {
        let path = PropertyPath(keyPath)
        guard path.isWhole else { return nil }
        if path.names.isEmpty { return "" }
        guard let state = keptState, let value = state[keyPath: keyPath] as? any Encodable else { return nil }
        pass.begin()
        guard let tree = try? pass.part(of: root, at: path.names), (try? pass.encodes(value, as: tree)) ?? false else {
            return nil
        }
        return path.names.map(JSONText.pointerSegment).joined()
    }

    /// Whether what a key path reads is still where it was found, and in clear; a nil counts as found anywhere.
    ///
    /// - Complexity: a comparison of its bytes while neither it nor its place changed.
    package func isClear(_ place: WatchedPlace<State>) -> Bool {
        guard case .value(let root) = root, let node = root as? TypedNode<State> else { return false }
        let witness = unchangedPart(at: place.names)
        if let witness, place.isSame(in: node, witness) { return true }
        guard has(place.keyPath, at: place.names, in: node.value), isClear(at: place.names) else { return false }
        place.remember(node, witness)
        return true
    }

    private func has(_ keyPath: PartialKeyPath<State>, at names: [String], in state: State) -> Bool {
        let value = state[keyPath: keyPath]
        if OptionalValue.isNil(value) { return true }
        guard let value = value as? any Encodable else { return false }
        pass.begin()
        guard let tree = try? pass.part(of: root, at: names) else { return false }
        return (try? pass.encodes(value, as: tree)) ?? false
    }

    /// A part at a place, or around it, that is replaced as soon as anything in it changes; nil where none is known.
    private func unchangedPart(at names: [String]) -> EncodedTree? {
        var tree = root
        for name in names {
            var level = tree
            while case .value(let node) = level, let expansion = node.expansion { level = expansion }
            switch level {
            case .value: return level
            case .object(let object):
                guard let place = object.place(of: name) else { return nil }
                tree = object.values[place]
            case .scalar, .array: return nil
            }
        }
        switch tree {
        case .scalar, .value: return tree
        case .object, .array: return nil
        }
    }

    package var hidesByType: Bool { pass.hidesByType }

    /// Whether a part surely has nothing in it, nor around it, that is hidden for its type.
    package func isClear(at names: some Sequence<String>) -> Bool {
        if !pass.hidesByType { return true }
        pass.begin()
        guard let tree = try? pass.part(of: root, at: names), let part = try? pass.structure(of: tree),
            case .scalar = part
        else { return false }
        return !part.isWritten
    }

    /// The last written state, as it was given; nil for one that is a bare scalar.
    private var keptState: State? {
        guard case .value(let node) = root else { return nil }
        return (node as? TypedNode<State>)?.value
    }
}

/// A place where a property was found that derived values read, and what was there when it was looked at.
package final class WatchedPlace<State> {
    fileprivate let keyPath: PartialKeyPath<State>
    /// The members that lead there.
    let names: [String]
    private let reader: PropertyReader?
    private var copy: AnyObject?
    private var witness: EncodedTree?

    package init(_ path: PartialKeyPath<State>, names: [String]) {
        self.keyPath = path
        self.names = names
        reader = PropertyReader.make(path, of: State.self)
    }

    fileprivate func isSame(in node: TypedNode<State>, _ tree: EncodedTree) -> Bool {
        guard let reader, let copy, let witness, EncodedTree.identical(witness, tree) else { return false }
        return node.withValue { reader.isSame(copy, at: $0) }
    }

    fileprivate func remember(_ node: TypedNode<State>, _ tree: EncodedTree?) {
        copy = reader.map { reader in node.withValue { reader.value(at: $0) } }
        witness = tree
    }
}

/// The names of the properties of a key path, if Swift names them.
///
/// Swift keeps them only in the key path's description, where a computed property, a subscript, or a stored one without
/// metadata is an address or an offset.
struct PropertyPath<State> {
    let keyPath: PartialKeyPath<State>
    /// The names from the state on, up to the first step that has none.
    let names: [String]
    /// Whether all steps have names, and none may trap.
    ///
    /// Only such a path is ever evaluated: a missing element, or the `!` of a nil, would stop the app.
    let isWhole: Bool

    /// Reads a description like `\State.user?.name`.
    init(_ keyPath: PartialKeyPath<State>) {
        self.keyPath = keyPath
        let description = String(describing: keyPath)
        let root = "\\" + String(describing: State.self)
        let steps = description.dropFirst(root.count)
        guard description.hasPrefix(root), steps.isEmpty || steps.first == "." else {
            (names, isWhole) = ([], false)
            return
        }
        var names: [String] = []
        let isSelf = steps.isEmpty || steps == ".self"
        for step in isSelf ? [] : steps.dropFirst().split(separator: ".", omittingEmptySubsequences: false) {
            let name = step.last == "?" || step.last == "!" ? step.dropLast() : step
            guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
                (self.names, isWhole) = (names, false)
                return
            }
            names.append(String(name))
            if step.last == "!" {
                (self.names, isWhole) = (names, false)
                return
            }
        }
        (self.names, isWhole) = (names, true)
    }
}

extension EncodingPass {
    func part(of tree: EncodedTree, at names: some Sequence<String>) throws(StateEncodingError) -> EncodedTree? {
        var tree = tree
        for name in names {
            guard case .object(let object) = try structure(of: tree), let place = object.place(of: name) else {
                return nil
            }
            tree = object.values[place]
        }
        return tree
    }

    /// - Complexity: a comparison of bytes if the part was made of this very value; otherwise one encoding of it.
    func encodes(_ value: some Encodable, as tree: EncodedTree) throws(StateEncodingError) -> Bool {
        if EncodedTree.identical(child(of: value, base: tree), tree) { return true }
        var (expected, found): ([UInt8], [UInt8]) = ([], [])
        try appendClear(tree, to: &found)
        try appendClear(child(of: value, base: nil), to: &expected)
        return found == expected
    }
}
