internal import JSONCore

extension EncodingPass {
    /// Appends what stands for a redacted part: the hash of its canonical text.
    func appendRedacted(
        _ tree: EncodedTree, to bytes: inout [UInt8]
    ) throws(StateEncodingError) {
        var canonical: [UInt8] = []
        try hidden { () throws(StateEncodingError) in try appendClear(tree, to: &canonical) }
        texts?.note(canonical)
        texts?.append(canonical, to: &bytes)
    }

    func appendClear(_ tree: EncodedTree, to bytes: inout [UInt8]) throws(StateEncodingError) {
        guard let redaction else { return try appendCanonical(tree, to: &bytes) }
        try redaction.suspended { () throws(StateEncodingError) in try appendCanonical(tree, to: &bytes) }
    }

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
}
