/// A place that one operation of a patch writes to, as it lies in the patch's text.
package struct PatchWrite: Sendable {
    /// Where the JSON Pointer is in the text, without its quotes.
    package let path: Range<Int>
    /// Whether the operation adds, removes or moves, which writes the array if the place is an element.
    package let isInserting: Bool

    /// All places that a patch writes to, with no value built; nil where a path has an escape, or the text is no patch of
    /// our writer's.
    ///
    /// - Complexity: O(the patch).
    package static func all(in patch: [UInt8]) -> [PatchWrite]? {
        patch.withUnsafeBytes { patch in
            guard patch.first == 0x5B, var scanner = LineScanner(patch, at: 1) else { return nil }
            var writes: [PatchWrite] = []
            if scanner.byte == 0x5D { return writes }
            repeat {
                guard appendOperation(to: &writes, &scanner, in: patch) else { return nil }
            } while scanner.take(0x2C)
            return scanner.byte == 0x5D ? writes : nil
        }
    }

    private static func appendOperation(
        to writes: inout [PatchWrite], _ scanner: inout LineScanner, in patch: UnsafeRawBufferPointer
    ) -> Bool {
        guard scanner.take(0x7B), let start = patch.baseAddress else { return false }
        var isInserting = true
        repeat {
            guard let key = scanner.plainString(), scanner.take(0x3A) else { return false }
            if key.equals("op") {
                guard let name = scanner.plainString() else { return false }
                isInserting = !name.equals("replace")
            } else if key.equals("path") || key.equals("from") {
                guard let path = scanner.plainString() else { return false }
                // A pointer of no length still lies within the text.
                let offset = path.baseAddress.map { $0 - start } ?? 0
                writes.append(PatchWrite(path: offset..<(offset + path.count), isInserting: isInserting))
            } else {
                guard scanner.skipValue() else { return false }
            }
        } while scanner.take(0x2C)
        return scanner.take(0x7D)
    }
}
