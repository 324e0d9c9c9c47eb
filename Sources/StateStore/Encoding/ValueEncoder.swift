/// Encodes single values by the rules of a state: action payloads, outcomes of derived values.
enum ValueEncoder {
    /// Appends a value as compact JSON.
    ///
    /// - Throws: the part of the value that has no JSON form; then nothing is appended.
    static func append<Value: Encodable>(
        _ value: Value, to bytes: inout [UInt8], options: EncodingOptions = EncodingOptions()
    ) throws(StateEncodingError) {
        let pass = EncodingPass(options: options)
        bytes.append(contentsOf: try pass.text(of: pass.child(of: value, base: nil)))
    }
}
