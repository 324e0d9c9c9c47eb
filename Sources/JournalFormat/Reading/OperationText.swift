/// One operation of a patch as it lies in the patch's text: its parts, with no value built.
package struct OperationText {
    /// What it does; empty where it does not say.
    package var name = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The pointers' texts, without escapes of JSON.
    package var path: UnsafeRawBufferPointer?
    package var from: UnsafeRawBufferPointer?
    package var value: UnsafeRawBufferPointer?
    package var old: UnsafeRawBufferPointer?

    /// The operations of a patch; nil where it is not written as our writer does, or a string in it has an escape where none
    /// is looked for.
    ///
    /// - Parameters:
    ///   - text: what the patch lies in.
    ///   - start: the index of its opening bracket.
    /// - Complexity: O(the patch).
    package static func all(in text: UnsafeRawBufferPointer, from start: Int = 0) -> [OperationText]? {
        guard var scanner = LineScanner(text, at: start), scanner.take(0x5B) else { return nil }
        var operations: [OperationText] = []
        if scanner.byte == 0x5D { return operations }
        repeat {
            guard let operation = OperationText(&scanner, in: text) else { return nil }
            operations.append(operation)
        } while scanner.take(0x2C)
        return scanner.byte == 0x5D ? operations : nil
    }

    private init?(_ scanner: inout LineScanner, in text: UnsafeRawBufferPointer) {
        guard scanner.take(0x7B) else { return nil }
        repeat {
            guard let key = scanner.plainString(), scanner.take(0x3A) else { return nil }
            if key.equals("op") {
                guard let name = scanner.plainString() else { return nil }
                self.name = name
            } else if key.equals("path") {
                guard let path = scanner.plainString() else { return nil }
                self.path = path
            } else if key.equals("from") {
                guard let from = scanner.plainString() else { return nil }
                self.from = from
            } else {
                let start = scanner.place
                guard scanner.skipValue() else { return nil }
                if key.equals("value") { value = UnsafeRawBufferPointer(rebasing: text[start..<scanner.place]) }
                if key.equals("old") { old = UnsafeRawBufferPointer(rebasing: text[start..<scanner.place]) }
            }
        } while scanner.take(0x2C)
        guard scanner.take(0x7D) else { return nil }
    }

    /// Whether it has what an operation of its name needs, and its pointers are well formed: then `JSONPatch` takes it, if the
    /// text is compact.
    package var isWhole: Bool {
        guard let path, OperationText.isPointer(path) else { return false }
        if name.equals("replace") || name.equals("add") || name.equals("test") { return value != nil }
        if name.equals("remove") { return true }
        return source.map(OperationText.isPointer) ?? false
    }

    /// Where a value is moved or copied from; other operations have no business with a `from`.
    package var source: UnsafeRawBufferPointer? { name.equals("move") || name.equals("copy") ? from : nil }

    /// Whether a text is a JSON Pointer that a patch may have; one of very many bytes is left to the full reading.
    private static func isPointer(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let first = text.first else { return true }
        // A segment has a byte at least, so the depth that a patch allows cannot be reached.
        guard first == UInt8(ascii: "/"), text.count <= 512 else { return false }
        for (index, byte) in text.enumerated() where byte == UInt8(ascii: "~") {
            guard index + 1 < text.count, text[index + 1] | 1 == UInt8(ascii: "1") else { return false }
        }
        return true
    }
}
