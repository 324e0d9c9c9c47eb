internal import JSONCore

/// What is not written as it is.
extension EncodingPass {
    /// Appends what stands for a redacted part: the hash of its canonical text.
    func appendRedacted(
        _ tree: EncodedTree, _ redaction: RedactionWalk, to bytes: inout [UInt8]
    ) throws(StateEncodingError) {
        var canonical: [UInt8] = []
        try appendClear(tree, to: &canonical)
        redaction.append(canonical, to: &bytes)
    }

    /// Appends the canonical text of a part with everything that is in it.
    func appendClear(_ tree: EncodedTree, to bytes: inout [UInt8]) throws(StateEncodingError) {
        guard let redaction else { return try appendCanonical(tree, to: &bytes) }
        try redaction.suspended { () throws(StateEncodingError) in try appendCanonical(tree, to: &bytes) }
    }

    /// Appends a scalar, or what stands for one that is too large.
    @inline(__always)
    func append(_ scalar: Scalar, to bytes: inout [UInt8]) {
        if let limit = options.valueLimit, case .string(let text) = scalar, text.utf8.count >= limit.leastLength {
            return appendLimited(text, limit, to: &bytes)
        }
        scalar.append(to: &bytes)
    }

    private func appendLimited(_ text: String, _ limit: ValueLimit, to bytes: inout [UInt8]) {
        if redaction?.isSuspended ?? false { return JSONText.append(string: text, to: &bytes) }
        limit.append(text, to: &bytes)
    }

    /// Writes the difference of two texts that say only what they may, member by member; what stands for a redacted part is
    /// replaced as a whole, and so is an array.
    func writeDifference(from old: JSONValue, to new: JSONValue) throws(StateEncodingError) {
        if old == new { return }
        guard case .object(let before) = old, case .object(let after) = new, !isHash(before), !isHash(after) else {
            return patch.replace(path, value: Array(new.text().utf8), old: Array(old.text().utf8))
        }
        for (name, value) in before where after[name] == nil {
            try at(.key(name)) { () throws(StateEncodingError) in patch.remove(path, old: Array(value.text().utf8)) }
        }
        for (name, value) in after {
            try at(.key(name)) { () throws(StateEncodingError) in
                if let old = before[name] {
                    try writeDifference(from: old, to: value)
                } else {
                    patch.add(path, value: Array(value.text().utf8))
                }
            }
        }
    }

    private func isHash(_ object: JSONObject) -> Bool { object.count == 1 && object["$redacted"] != nil }
}
