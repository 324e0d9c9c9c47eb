internal import JSONCore

/// Says when a keyframe is due: as soon as the bytes written since the last one exceed max(64 KiB, 4 × its size), so that
/// keyframes cost about a quarter of the file at most, and a state is rebuilt from a bounded number of bytes.
///
/// A record that says a state whole is as good as a keyframe of it: a gap, of all stores, and that of a store which is opened,
/// while it is open.
package struct KeyframeRule: Sendable {
    /// Below this distance no keyframe is worth its bytes.
    static let leastDistance = 64 * 1024
    /// How many times a keyframe's size lies between it and the next one.
    static let sizeFactor = 4

    private var sinceLast = 0
    private var lastSize = 0
    /// The sizes of the records of stores that were opened since the last keyframe, and are open.
    private var openings: [ByteName: Int] = [:]

    package init() {}

    package var isDue: Bool { sinceLast > max(KeyframeRule.leastDistance, KeyframeRule.sizeFactor * lastSize) }

    mutating func count(_ record: CountedRecord) {
        switch record.kind {
        case .keyframe, .gap: passed(bytes: record.byteCount, isKeyframe: true)
        case .store:
            close(record.name)
            openings[ByteName(record.name)] = record.byteCount
            lastSize += record.byteCount
        case .close:
            close(record.name)
            passed(bytes: record.byteCount, isKeyframe: false)
        default: passed(bytes: record.byteCount, isKeyframe: false)
        }
    }

    /// What a closed store's state was is only read over.
    private mutating func close(_ store: String) {
        guard let size = openings.removeValue(forKey: ByteName(store)) else { return }
        lastSize -= size
        sinceLast += size
    }

    package mutating func passed(bytes: Int, isKeyframe: Bool) {
        if isKeyframe {
            sinceLast = 0
            lastSize = bytes
            openings.removeAll()
        } else {
            sinceLast += bytes
        }
    }
}
