/// How states are turned into JSON.
struct EncodingOptions: Sendable {
    /// How deep values may nest before the encoder gives up with ``StateEncodingError/Reason/tooDeep(limit:)``.
    ///
    /// The encoder recurses once for each level; this many fit into the 512 KiB stack of a secondary thread.
    var depthLimit = 256
    /// Whether each new state is also encoded from scratch and held against what the patch gives: for the debugging of
    /// an `encode(to:)` that depends on more than its value. Costs the whole state for each commit.
    var verifyIncrementalEncoding = false
}
