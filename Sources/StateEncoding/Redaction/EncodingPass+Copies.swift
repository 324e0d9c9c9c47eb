/// Finds out whether a part of a state repeats a secret.
protocol CopyTest {
    /// Whether a text does.
    func matches(text: String) -> Bool
    /// Whether another scalar does.
    func matches(_ scalar: Scalar) -> Bool
}

/// What hides the members that repeat a secret.
extension EncodingPass {
    /// How many parts of a member are looked at for a copy of a secret.
    private static let searchLimit = 64

    /// Hides a member if it repeats the secret beside it.
    func hideCopy(
        of secret: Secret.Fragments?, in tree: inout EncodedTree, named name: String
    ) throws(StateEncodingError) {
        guard let secret, !tree.isWritten else { return }
        var budget = EncodingPass.searchLimit
        guard try isRepeated(secret, in: tree, &budget) else { return }
        texts?.remembered.noteCopy(try canonicalClearText(of: tree), named: name)
        tree = try hashed(tree)
    }

    /// Hides the members of an object that repeat what was a secret at any time.
    ///
    /// - Parameter places: the members with the object's secrets in them, which are hidden by now.
    func hideRemembered(in members: inout LevelMembers, besides places: [Int]) throws(StateEncodingError) {
        if texts?.remembered.isEmpty ?? true { return }
        for place in members.keys.indices {
            if places.contains(place) {
                members.values[place] = try hidingRemembered(besidesHiddenIn: members.values[place])
            } else {
                try hideRemembered(in: &members.values[place], named: members.keys[place])
            }
        }
    }

    /// Hides a member if it repeats what was a secret at any time.
    func hideRemembered(in tree: inout EncodedTree, named name: String) throws(StateEncodingError) {
        guard let secrets = texts?.remembered, !tree.isWritten else { return }
        var budget = EncodingPass.searchLimit
        if try isRepeated(secrets, in: tree, &budget) {
            tree = try hashed(tree)
        } else if secrets.mayHaveCopies(named: name),
            secrets.isCopy(try canonicalClearText(of: tree), named: name)
        {
            tree = try hashed(tree)
        }
    }

    /// A member with a secret in it, in which what is beside the secret is hidden if it repeats one.
    private func hidingRemembered(besidesHiddenIn tree: EncodedTree) throws(StateEncodingError) -> EncodedTree {
        guard case .object(let object) = tree else { return tree }
        let copy = ObjectNode(first: object.keys.count, of: object)
        for place in copy.keys.indices {
            var budget = EncodingPass.searchLimit
            if EncodingPass.hasWritten(copy.values[place], &budget) {
                copy.values[place] = try hidingRemembered(besidesHiddenIn: copy.values[place])
            } else {
                try hideRemembered(in: &copy.values[place], named: copy.keys[place])
            }
        }
        return .object(copy)
    }

    private func canonicalClearText(of tree: EncodedTree) throws(StateEncodingError) -> [UInt8] {
        var canonical: [UInt8] = []
        try hidden { () throws(StateEncodingError) in try appendClear(tree, to: &canonical) }
        return canonical
    }

    /// Whether something in a part of the tree is hidden by now, as far as a look at a few of its parts shows.
    private static func hasWritten(_ tree: EncodedTree, _ budget: inout Int) -> Bool {
        budget -= 1
        if budget < 0 { return false }
        switch tree {
        case .scalar, .value: return tree.isWritten
        case .object(let object): return object.values.contains { hasWritten($0, &budget) }
        case .array(let array): return array.elements.contains { hasWritten($0, &budget) }
        }
    }

    /// Whether a part of the tree repeats a secret, as far as a look at a few of its parts shows.
    private func isRepeated(
        _ secret: some CopyTest, in tree: EncodedTree, _ budget: inout Int
    ) throws(StateEncodingError) -> Bool {
        budget -= 1
        if budget < 0 { return false }
        switch tree {
        case .scalar(.written): return false
        case .scalar(.string(let string)): return secret.matches(text: string)
        case .scalar(let scalar): return secret.matches(scalar)
        case .object(let object):
            for value in object.values where try isRepeated(secret, in: value, &budget) { return true }
            return object.keys.contains { secret.matches(text: $0) }
        case .array(let array):
            for value in array.elements where try isRepeated(secret, in: value, &budget) { return true }
            return false
        case .value(let node):
            if node.leastLength > EncodingPass.searchLimit * 4 { return false }
            return try isRepeated(secret, in: node.shape(self), &budget)
        }
    }
}
