internal import JSONCore
internal import JournalFormat

/// The paths that one patch writes to, found once for all derived values that want to know.
struct WrittenPaths: Sendable {
    private let bytes: [UInt8]
    private let writes: [PatchWrite]
    /// The operations, where the patch has escapes in its paths.
    private let operations: [JSONPatch.Operation]

    /// - Parameter patch: a whole JSON array, as the recorder wrote it.
    /// - Complexity: O(the patch), once; nothing is built of its values.
    init(patch: [UInt8]) {
        bytes = patch
        if patch.isEmpty {
            (writes, operations) = ([], [])
        } else if let writes = PatchWrite.all(in: patch) {
            self.writes = writes
            operations = []
        } else {
            writes = []
            operations = ((try? JSONParser.parse(patch)).flatMap { try? JSONPatch(json: $0) })?.operations ?? []
        }
    }

    /// Whether one of them is equal to, above or below what a set reads.
    func touches(_ set: PathSet) -> Bool {
        if operations.contains(where: { set.mayBeTouched(by: $0) }) { return true }
        return bytes.withUnsafeBytes { bytes in
            writes.contains { write in
                set.mayBeTouched(at: UnsafeRawBufferPointer(rebasing: bytes[write.path]), inserting: write.isInserting)
            }
        }
    }
}
