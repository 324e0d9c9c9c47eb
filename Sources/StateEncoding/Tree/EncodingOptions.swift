internal import JSONCore
internal import Platform

/// How states are turned into JSON.
package struct EncodingOptions: Sendable {
    /// How deep values may nest before the encoder gives up with ``StateEncodingError/Reason/tooDeep(limit:)``.
    ///
    /// As many segments as a path of a patch may have. The encoder recurses once for each; on a thread whose stack is too
    /// small for that it gives up earlier, with the same error.
    package var depthLimit = JSONPatch.pathDepthLimit
    /// Whether each new state is also encoded from scratch and compared with the tree.
    ///
    /// For debugging an `encode(to:)` that depends on more than its value. Costs the whole state for each commit.
    package var verifyIncrementalEncoding = false
    /// Whether values are checked for an `encode(to:)` that gives another result each time.
    ///
    /// Costs a second encoding of the first few values of each type.
    package var checksSteadiness = false
    /// Whether the layouts of values are read (``LayoutReading``).
    package var readsLayouts = LayoutReading.isOnByDefault
    /// What is written as a hash; nil for nothing, which costs nothing.
    package var redaction: RedactionPaths?
    /// What is written as a hash of the values of each type; nil for nothing.
    package var types: TypeRedactions?
    /// Which leaves are too large to be written; nil for none.
    package var valueLimit: ValueLimit?
    /// What is written as a hash of the cases of actions.
    package var cases: [CaseRedaction] = []

    package init(
        redaction: RedactionPaths? = nil, types: TypeRedactions? = nil, valueLimit: ValueLimit? = nil,
        verifyIncrementalEncoding: Bool = false
    ) {
        self.redaction = redaction
        self.types = types
        self.valueLimit = valueLimit
        self.verifyIncrementalEncoding = verifyIncrementalEncoding
    }
}

/// Whether the encoder reads how values lie in memory: ``RuntimeFields``, ``BucketView`` and the names of enum cases.
///
/// Everything that they do is done without them as well, slower: types that are not known are encoded each time, tables walked
/// by their iterators. So they can be turned off, for all recorders by the environment, for one by its options.
package enum LayoutReading {
    /// The variable of the environment; `off` turns the readers off.
    package static let environmentVariable = "STATE_STORE_LAYOUT_READERS"

    /// Whether the environment leaves them on, as it does unless it says otherwise.
    package static let isOnByDefault = Environment.variable(environmentVariable) != "off"
}
