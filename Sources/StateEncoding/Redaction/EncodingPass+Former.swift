/// The secrets that a commit takes out of a state are looked for in what it puts in, also where it is not known which value takes the
/// place of which: in another case of an enum, in an element without an identity, under another key.
extension EncodingPass {
    func appendTaken(_ tree: EncodedTree, to bytes: inout [UInt8]) throws(StateEncodingError) {
        guard types != nil else { return try append(tree, to: &bytes) }
        let outer = isCollecting
        isCollecting = true
        try append(tree, to: &bytes)
        isCollecting = outer
    }

    func appendNew(_ tree: EncodedTree, to bytes: inout [UInt8]) throws(StateEncodingError) {
        guard types != nil, !former.isEmpty else { return try append(tree, to: &bytes) }
        let (start, outer) = (bytes.count, hidesMore)
        var isRenewed = false
        while true {
            hidesMore = false
            try lookingForFormer { () throws(StateEncodingError) in try append(tree, to: &bytes) }
            guard hidesMore else { break }
            // What is encoded from its copy later must hide as much.
            isRenewed = true
            bytes.removeSubrange(start...)
            renew(tree)
        }
        hidesMore = outer || isRenewed
    }

    func lookingForFormer<Result>(
        _ looks: Bool = true, _ body: () throws(StateEncodingError) -> Result
    ) throws(StateEncodingError) -> Result {
        let outer = looksForFormer
        looksForFormer = looks
        let result = try body()
        looksForFormer = outer
        return result
    }

    /// Has what was not written yet hide all members that are hidden by now.
    private func renew(_ tree: EncodedTree) {
        switch tree {
        case .scalar: return
        case .object(let object): for value in object.values { renew(value) }
        case .array(let array): for element in array.elements { renew(element) }
        case .value(let node):
            node.expansion = nil
            node.epoch = types?.epoch ?? 0
        }
    }

    /// Writes the difference of two values of which only a collection has copies: each of them hides the members of one epoch.
    ///
    /// - Parameter epoch: that of the old value.
    /// - Returns: that of the new one.
    func writeUnit<Value: Encodable>(
        of old: Value, at epoch: Int, to new: Value
    ) throws(StateEncodingError) -> Int {
        guard let types, traits(of: Value.self).mayHoldSecrets(self) else {
            try writeDifference(of: old, at: epoch, to: new)
            return epoch
        }
        if isInUnit {
            try writeDifference(of: old, at: epoch, to: new)
            return self.epoch
        }
        let start = patch.position
        var newest = types.epoch
        isInUnit = true
        while true {
            hidesMore = false
            try asOf(newest) { () throws(StateEncodingError) in try writeDifference(of: old, at: epoch, to: new) }
            guard hidesMore else { break }
            patch.cut(to: start)
            newest = types.epoch
        }
        isInUnit = false
        if newest == epoch { return newest }
        // More is hidden in it, also in what did not change.
        patch.cut(to: start)
        let before = child(of: old, asOf: epoch)
        let after = child(of: new, asOf: newest)
        try writeReplace(before, by: after)
        if case .value(let node) = after { return node.epoch }
        return newest
    }
}
