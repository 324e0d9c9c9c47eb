internal import JSONCore

extension StateEncoder {
    /// Compares the tree and the patch with an encoding from scratch.
    ///
    /// - Parameters:
    ///   - before: the text of the state before the patch.
    ///   - patch: what was written for the commit.
    /// - Throws: ``StateEncodingError/Reason/incrementalDifference`` if they are not the same JSON, which means that an
    ///   `encode(to:)` depends on more than its value.
    func verify(_ state: State, before: [UInt8], _ patch: [UInt8]) throws(StateEncodingError) {
        var options = pass.options
        options.readsLayouts = false
        let scratch = EncodingPass(options: options)
        scratch.texts?.remember(as: pass.texts)
        let expected = try scratch.canonicalText(of: form.tree(scratch, state, nil))
        pass.begin()
        for found in [try pass.canonicalText(of: root), Self.patched(before, patch)] where found != expected {
            let path = Self.firstDifference(found, expected)
            throw StateEncodingError(path: path, type: "\(State.self)", reason: .incrementalDifference)
        }
    }

    /// The path of the first difference of two texts.
    private static func firstDifference(_ found: [UInt8]?, _ expected: [UInt8]) -> String {
        guard let found, let first = try? JSONParser.parse(found), let second = try? JSONParser.parse(expected) else {
            return ""
        }
        return JSONPatch.difference(from: first, to: second).operations.first?.path.text ?? ""
    }

    /// A text with a patch applied, in canonical form; nil if the patch does not apply.
    private static func patched(_ before: [UInt8], _ patch: [UInt8]) -> [UInt8]? {
        guard var value = try? JSONParser.parse(before), let json = try? JSONParser.parse(patch),
            let patch = try? JSONPatch(json: json), (try? patch.apply(to: &value)) != nil
        else { return nil }
        return Array(value.text(.canonical).utf8)
    }
}

extension EncodingPass {
    /// The canonical JSON text of a part of the tree.
    fileprivate func canonicalText(of tree: EncodedTree) throws(StateEncodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        try appendCanonical(tree, to: &bytes)
        return bytes
    }
}
