internal import JSONCore
internal import JournalFormat

extension EncodingPass {
    /// Appends what stands for a redacted part: the hash of its canonical text.
    func appendRedacted(
        _ tree: EncodedTree, to bytes: inout [UInt8]
    ) throws(StateEncodingError) {
        var canonical: [UInt8] = []
        try hidden { () throws(StateEncodingError) in try appendClear(tree, to: &canonical) }
        appendHash(of: canonical, isSecret: true, to: &bytes)
    }

    func appendHash(of canonical: [UInt8], isSecret: Bool, to bytes: inout [UInt8]) {
        if isSecret { secrets.insertParts(ofSecret: canonical) }
        key?.appendRedacted(canonical, to: &bytes)
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

extension Encoder {
    /// Whether values of a type, or anything in the store that is encoded, may be redacted.
    package func mayRedact<Value>(_ type: Value.Type) -> Bool {
        guard let pass = (self as? LevelEncoder)?.pass else { return false }
        if pass.redaction != nil { return true }
        guard let types = pass.types else { return false }
        return types.rule(of: type) != nil || types.isActive
    }
}
