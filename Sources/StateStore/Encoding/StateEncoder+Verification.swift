extension StateEncoder {
    /// Holds the tree against an encoding from scratch.
    ///
    /// - Throws: ``StateEncodingError/Reason/incrementalDifference`` if they are not the same JSON, which means that an
    ///   `encode(to:)` depends on more than its value.
    func verify(_ state: State) throws(StateEncodingError) {
        let scratch = EncodingPass(options: pass.options)
        var expected: [UInt8] = []
        try scratch.appendCanonical(scratch.child(of: state, base: nil), to: &expected)
        var kept: [UInt8] = []
        pass.begin()
        try pass.appendCanonical(root, to: &kept)
        guard kept == expected else {
            throw StateEncodingError(path: "", type: "\(State.self)", reason: .incrementalDifference)
        }
    }
}
