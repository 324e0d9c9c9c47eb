internal import Platform

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
