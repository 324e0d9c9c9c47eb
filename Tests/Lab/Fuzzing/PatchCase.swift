import JSONCore

/// A value and, behind a line feed, a JSON Patch for it.
struct PatchCase {
    private let value: JSONValue?
    private let patch: JSONPatch?
    /// What the bytes are themselves, where they are no patch.
    private let other: JSONValue?

    init(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        let values = parts.map { try? JSONParser.parse(Array($0), order: .ascending) }
        value = values[0]
        other = values.count > 1 ? values[1] : nil
        patch = other.flatMap { try? JSONPatch(json: $0) }
    }

    func run() {
        guard let value, let other else { return }
        // A difference of any two values leads from one to the other, and back.
        let difference = JSONPatch.difference(from: value, to: other)
        var there = value
        require(
            (try? difference.apply(to: &there, order: .ascending)) != nil && there == other, "a wrong difference")
        guard let inverse = try? difference.inverted() else { fatalError("a difference that cannot be inverted") }
        require((try? inverse.apply(to: &there, order: .ascending)) != nil && there == value, "no way back")
        if let patch { apply(patch, to: value) }
    }

    private func apply(_ patch: JSONPatch, to value: JSONValue) {
        // As it is in a record: what is read of the text is what was written.
        guard let read = try? JSONPatch(json: patch.json) else { fatalError("a patch that cannot be read again") }
        require(read.json == patch.json, "another patch")
        var (whole, copied) = (value, 0)
        var patched = PatchedValue(taking: &whole, keepsUndo: true)
        for operation in patch.operations {
            // Of a move to another container a part may have been done; what was kept leads back all the same.
            guard (try? operation.apply(to: &patched, order: .ascending)) != nil else { break }
            // What doubles itself has a limit in whoever applies it.
            copied += patched.takeCopiedBytes()
            guard copied < 1 << 20 else { return }
        }
        patched.goBack()
        require(patched.take() == value, "undone it is not what it was")
    }
}
