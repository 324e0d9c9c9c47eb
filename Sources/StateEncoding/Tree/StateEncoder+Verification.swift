internal import JSONCore

extension StateEncoder {
    /// - Parameters:
    ///   - before: the text of the state before the patch.
    ///   - patch: what was written for the commit.
    /// - Throws: ``StateEncodingError/Reason/incrementalDifference`` if they are not the same JSON, which means that an
    ///   `encode(to:)` depends on more than its value.
    func verify(_ state: State, before: [UInt8], _ patch: [UInt8]) throws(StateEncodingError) {
        var options = pass.options
        options.readsLayouts = false
        let scratch = EncodingPass(options: options)
        let expected = try scratch.canonicalText(of: form.tree(scratch, state, nil))
        pass.begin()
        let found = try pass.canonicalText(of: root)
        if let patched = Self.patched(before, patch), patched == found,
            found == expected || Self.firstDifference(found, expected) == nil
        {
            return
        }
        let path = Self.firstDifference(found, expected) ?? ""
        throw StateEncodingError(path: path, type: "\(State.self)", reason: .incrementalDifference)
    }

    /// The path of the first difference of two texts; nil where the second one only hides more, as a value does that is encoded
    /// anew.
    private static func firstDifference(_ found: [UInt8], _ expected: [UInt8]) -> String? {
        guard let first = try? JSONParser.parse(found), let second = try? JSONParser.parse(expected) else { return "" }
        return difference(first, second)
    }

    private static func difference(_ found: JSONValue, _ expected: JSONValue) -> String? {
        if found == expected { return nil }
        switch (found, expected) {
        case (_, .object(let members)) where members["$redacted"] != nil: return nil
        case (.object(let left), .object(let right)) where left.count == right.count:
            for (name, value) in left {
                guard let other = right[name] else { return JSONText.pointerSegment(name) }
                if let path = difference(value, other) { return JSONText.pointerSegment(name) + path }
            }
            return nil
        case (.array(let left), .array(let right)) where left.count == right.count:
            // What is hidden in the elements of a set changes their order.
            if expected.text().contains("{\"$redacted\":") { return nil }
            for (place, (value, other)) in zip(left, right).enumerated() {
                if let path = difference(value, other) { return "/\(place)\(path)" }
            }
            return nil
        default: return ""
        }
    }

    private static func patched(_ before: [UInt8], _ patch: [UInt8]) -> [UInt8]? {
        guard var value = try? JSONParser.parse(before), let json = try? JSONParser.parse(patch),
            let patch = try? JSONPatch(json: json), (try? patch.apply(to: &value)) != nil
        else { return nil }
        return Array(value.text(.canonical).utf8)
    }
}

extension EncodingPass {
    fileprivate func canonicalText(of tree: EncodedTree) throws(StateEncodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        try appendCanonical(tree, to: &bytes)
        return bytes
    }
}
