/// Encodes single values by the rules of a state: action payloads, outcomes of derived values.
package enum ValueEncoder {
    /// Appends a value as compact JSON.
    ///
    /// - Parameter limit: how many bytes of JSON are wanted at most: what is longer is given up after about as many.
    /// - Throws: the part of the value that has no JSON form, or that it is too long; then nothing is appended.
    package static func append<Value: Encodable>(
        _ value: Value, to bytes: inout [UInt8], options: EncodingOptions = EncodingOptions(), limit: Int = .max
    ) throws(StateEncodingError) {
        let pass = EncodingPass(options: options)
        pass.byteLimit = limit
        bytes.append(contentsOf: try pass.text(of: pass.child(of: value, base: nil)))
    }
}
