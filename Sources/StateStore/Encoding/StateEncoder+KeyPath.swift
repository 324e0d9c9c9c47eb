extension StateEncoder {
    /// Where a key path leads in the state's JSON, as a JSON Pointer (RFC 6901); nil where that cannot be told.
    ///
    /// Swift keeps the names of a key path's properties only in its description, where a computed property, a subscript, or
    /// a stored one without metadata is an address or an offset. So a name counts only if the property encodes under it, and
    /// the value that the key path reads has the same JSON as the one at the pointer.
    ///
    /// - Complexity: one encoding of what the key path reads; meant for the declaration of a derived value.
    func pointer(for keyPath: PartialKeyPath<State>) -> String? {
        guard let names = Self.propertyNames(of: keyPath) else { return nil }
        if names.isEmpty { return "" }
        guard let value = keptState?[keyPath: keyPath] as? any Encodable else { return nil }
        pass.begin()
        do {
            var tree = root
            for name in names {
                guard case .object(let object) = try pass.structure(of: tree), let place = object.place(of: name) else {
                    return nil
                }
                tree = object.values[place]
            }
            var (expected, found): ([UInt8], [UInt8]) = ([], [])
            try pass.appendClear(tree, to: &found)
            try appendCanonical(value, to: &expected)
            return found == expected ? names.map(JSONText.pointerSegment).joined() : nil
        } catch {
            return nil
        }
    }

    /// Where a key path will lead in the state's JSON, if some value on the way is nil now.
    ///
    /// As ``pointer(for:)``, but a nil on the way, which hides what is below it, is no reason to doubt the names.
    func presumedPointer(for keyPath: PartialKeyPath<State>) -> String? {
        if let pointer = pointer(for: keyPath) { return pointer }
        guard let names = Self.propertyNames(of: keyPath) else { return nil }
        pass.begin()
        var tree = root
        for name in names {
            guard case .object(let object)? = try? pass.structure(of: tree), let place = object.place(of: name) else {
                return nil
            }
            tree = object.values[place]
            if case .scalar(.null)? = try? pass.structure(of: tree) {
                return names.map(JSONText.pointerSegment).joined()
            }
        }
        return nil
    }

    /// The last written state, as it was handed over; nil for one that is a bare scalar.
    private var keptState: State? {
        guard case .value(let node) = root else { return nil }
        return (node as? TypedNode<State>)?.value
    }

    private func appendCanonical(_ value: some Encodable, to bytes: inout [UInt8]) throws(StateEncodingError) {
        try pass.appendClear(pass.child(of: value, base: nil), to: &bytes)
    }

    /// The names in a description like `\State.user?.name`; nil if a step of it is anything but a property's name.
    private static func propertyNames(of keyPath: PartialKeyPath<State>) -> [String]? {
        let description = String(describing: keyPath)
        let root = "\\" + String(describing: State.self)
        guard description.hasPrefix(root) else { return nil }
        let steps = description.dropFirst(root.count)
        if steps.isEmpty || steps == ".self" { return [] }
        guard steps.first == "." else { return nil }
        var names: [String] = []
        for step in steps.dropFirst().split(separator: ".", omittingEmptySubsequences: false) {
            let name = step.last == "?" || step.last == "!" ? step.dropLast() : step
            guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { return nil }
            names.append(String(name))
        }
        return names
    }
}
