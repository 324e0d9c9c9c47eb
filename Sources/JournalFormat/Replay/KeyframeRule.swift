/// Says when a keyframe is due: as soon as the bytes written since the last one exceed max(64 KiB, 4 × its size), so that
/// keyframes cost about a quarter of the file at most, and a state is rebuilt from a bounded number of bytes.
package struct KeyframeRule: Sendable {
    /// Below this distance no keyframe is worth its bytes.
    static let leastDistance = 64 * 1024
    /// How many times a keyframe's size lies between it and the next one.
    static let sizeFactor = 4

    private var sinceLast = 0
    private var lastSize = 0

    /// A rule before the first line.
    package init() {}

    /// Whether enough was written since the last keyframe.
    package var isDue: Bool { sinceLast > max(KeyframeRule.leastDistance, KeyframeRule.sizeFactor * lastSize) }

    /// Counts one written line.
    package mutating func passed(bytes: Int, isKeyframe: Bool) {
        if isKeyframe {
            sinceLast = 0
            lastSize = bytes
        } else {
            sinceLast += bytes
        }
    }
}
