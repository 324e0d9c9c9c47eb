internal import JSONCore

/// How states are turned into JSON.
struct EncodingOptions: Sendable {
    /// How deep values may nest before the encoder gives up with ``StateEncodingError/Reason/tooDeep(limit:)``.
    ///
    /// As many segments as a path of a patch may have; the encoder recurses once for each.
    var depthLimit = JSONPatch.pathDepthLimit
    /// Whether each new state is also encoded from scratch and held against the tree.
    ///
    /// For the debugging of an `encode(to:)` that depends on more than its value. Costs the whole state for each commit.
    var verifyIncrementalEncoding = false
}
