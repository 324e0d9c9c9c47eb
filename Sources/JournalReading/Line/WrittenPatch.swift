import JSONCore
import JournalFormat

/// The store and the operations of a commit as they lie in its line, found in one walk over it.
///
/// It stands for ``CommitRecord``, as far as these two go: a line that is written so that it has to be parsed has none.
package struct WrittenPatch {
    /// The store's name.
    package let store: LineString
    /// The patch's operations, each of them whole.
    package let operations: ArraySlice<PatchOperation>

    /// Takes what was found.
    init(store: LineString, operations: ArraySlice<PatchOperation>) {
        self.store = store
        self.operations = operations
    }

    /// Walks over a commit's line as ``CommitWalk`` does, which finds the texts of both; nil where it is to be parsed.
    ///
    /// - Complexity: O(the line); what was found by another thread that read ahead is taken from there.
    package init?(_ line: RecordLine) {
        if let found = line.findings?.patch(at: line.findingIndex) {
            self = found
            return
        }
        var operations: [PatchOperation] = []
        guard let store = WrittenPatch.walk(line, &operations) else { return nil }
        self.init(store: store, operations: operations[...])
    }

    /// Walks over a line and adds its operations; gives its store, nil where it is to be parsed.
    static func walk(_ line: RecordLine, _ operations: inout [PatchOperation]) -> LineString? {
        var walk = MemberWalk(line.bytes, from: line.membersStart)
        var store: LineString?
        var hasPatch = false
        while let name = walk.next() {
            if name.equals("store") {
                guard store == nil, let text = walk.scanner.string() else { return nil }
                store = text
            } else if name.equals("patch") {
                guard !hasPatch, add(at: &walk.scanner, to: &operations) else { return nil }
                hasPatch = true
            } else {
                if line.membersStart > 0, name.equals("seq") || name.equals("kind") { return nil }
                guard walk.scanner.skipValue() else { return nil }
            }
        }
        return walk.isWhole && hasPatch ? store : nil
    }

    private static func add(at scanner: inout LineScanner, to operations: inout [PatchOperation]) -> Bool {
        var walk = PatchWalk(scanner)
        while let operation = walk.next() {
            guard operation.isWhole else { return false }
            // Most commits write a few places: one allocation, where growing to them takes two.
            if operations.isEmpty { operations.reserveCapacity(4) }
            operations.append(operation)
        }
        scanner = walk.place
        return walk.isWhole
    }
}

extension RecordLine {
    /// The pointers of the values that a commit replaces, from the whole state, where it does nothing else; nil of a pointer in
    /// which anything is escaped, too.
    package var replacedPlaces: [[UInt8]]? {
        guard kind == .commit, !resumed, let patch = WrittenPatch(self), !patch.store.isEscaped,
            !patch.store.raw.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "~") })
        else { return nil }
        var places: [[UInt8]] = []
        for operation in patch.operations {
            guard operation.name == .replace, let path = operation.path, path.isPlainPointer else { return nil }
            places.append([UInt8(ascii: "/")] + patch.store.raw + path.raw)
        }
        return places
    }
}
