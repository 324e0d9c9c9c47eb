import JSONCore

/// Where a commit's line has its store and its patch.
struct CommitScan {
    /// What lies between the quotes of the store's name; free of escapes.
    let store: UnsafeRawBufferPointer
    /// The index of the patch's opening bracket.
    let patchStart: Int

    /// Walks over the members of a line; nil where the line is written otherwise, or lacks one of the two.
    ///
    /// - Parameter membersStart: the index behind the kind.
    @inline(__always)
    init?(_ line: UnsafeRawBufferPointer, membersStart: Int) {
        guard membersStart > 0, var scanner = LineScanner(line, at: membersStart) else { return nil }
        var store: UnsafeRawBufferPointer?
        while scanner.take(0x2C) {
            // A key with an escape may be one of the two.
            guard let key = scanner.plainString(), scanner.take(0x3A) else { return nil }
            if key.count == 5 {
                if key.equals("store") {
                    guard let name = scanner.plainString() else { return nil }
                    store = name
                    continue
                }
                if key.equals("patch") {
                    guard let store, scanner.byte == 0x5B else { return nil }
                    self.store = store
                    patchStart = scanner.place
                    return
                }
            }
            guard scanner.skipValue() else { return nil }
        }
        return nil
    }

    /// Only the store, which our writer puts first.
    @inline(__always)
    static func store(of line: UnsafeRawBufferPointer, membersStart: Int) -> UnsafeRawBufferPointer? {
        guard membersStart > 0, var scanner = LineScanner(line, at: membersStart), scanner.take(0x2C),
            let key = scanner.plainString(), key.equals("store"), scanner.take(0x3A)
        else { return nil }
        return scanner.plainString()
    }

    /// Whether an operation of the patch can write something that a set reads; true where that cannot be told.
    @inline(__always)
    func touches(_ set: PathSet, in line: UnsafeRawBufferPointer) -> Bool {
        firstPath(in: line) { path, isInserting in set.mayBeTouched(at: path, inserting: isInserting) }
    }

    /// Whether a closure is true of one of the patch's paths, told in order until it is; true where the patch is written
    /// otherwise.
    ///
    /// - Parameter isWanted: given the path's text, and whether its operation adds, removes or moves.
    @inline(__always)
    func firstPath(
        in line: UnsafeRawBufferPointer, where isWanted: (UnsafeRawBufferPointer, Bool) -> Bool
    ) -> Bool {
        guard var scanner = LineScanner(line, at: patchStart + 1) else { return true }
        if scanner.byte == 0x5D { return false }
        repeat {
            guard let found = CommitScan.firstPath(of: &scanner, where: isWanted) else { return true }
            if found { return true }
        } while scanner.take(0x2C)
        return scanner.byte != 0x5D
    }

    /// The same of the operation at the scanner's place; nil where it is written otherwise.
    @inline(__always)
    private static func firstPath(
        of scanner: inout LineScanner, where isWanted: (UnsafeRawBufferPointer, Bool) -> Bool
    ) -> Bool? {
        guard scanner.take(0x7B) else { return nil }
        var isInserting = true
        repeat {
            guard let key = scanner.plainString(), scanner.take(0x3A) else { return nil }
            if key.equals("op") {
                guard let name = scanner.plainString() else { return nil }
                isInserting = !name.equals("replace")
            } else if key.equals("path") || key.equals("from") {
                guard let path = scanner.plainString() else { return nil }
                if isWanted(path, isInserting) { return true }
            } else {
                guard scanner.skipValue() else { return nil }
            }
        } while scanner.take(0x2C)
        return scanner.take(0x7D) ? false : nil
    }
}
