internal import JSONCore
internal import JournalFormat

/// The paths that one patch writes to, found once for all derived values that want to know.
struct WrittenPaths: Sendable {
    private struct Place: Sendable {
        let path: Range<Int>
        let isInserting: Bool
    }

    private var texts: [UInt8] = []
    private var places: [Place] = []

    /// - Parameter patch: a whole JSON array, as the recorder wrote it.
    /// - Complexity: O(the patch), once; nothing is built of its values.
    init(patch: [UInt8]) {
        patch.withUnsafeBytes { bytes in
            var walk = PatchWalk(bytes)
            while let operation = walk.next() {
                _ = operation.anyPlace { path, isInserting in
                    places.append(Place(path: texts.count..<(texts.count + path.count), isInserting: isInserting))
                    texts.append(contentsOf: path)
                    return false
                }
            }
        }
    }

    /// Whether one of them is equal to, above or below what a set reads.
    func touches(_ set: PathSet) -> Bool {
        texts.withUnsafeBytes { texts in
            places.contains { place in
                set.mayBeTouched(at: UnsafeRawBufferPointer(rebasing: texts[place.path]), inserting: place.isInserting)
            }
        }
    }
}
