/// Where a commit's or a store's line has what it says of itself, found without building a value.
package struct LineParts {
    /// What lies between the quotes of the store's name; free of escapes.
    package let store: UnsafeRawBufferPointer
    /// The text of the member `at`.
    package let at: UnsafeRawBufferPointer
    /// The text of a commit's `patch`, of a store's `state`.
    package let content: UnsafeRawBufferPointer

    /// Walks over the members of a line; nil where it is written otherwise, or lacks one of them.
    package init?(_ line: RecordLine) {
        guard line.membersStart > 0, var scanner = LineScanner(line.bytes, at: line.membersStart) else { return nil }
        var store: UnsafeRawBufferPointer?
        var at: UnsafeRawBufferPointer?
        var content: UnsafeRawBufferPointer?
        while scanner.take(0x2C), content == nil {
            guard let key = scanner.plainString(), scanner.take(0x3A) else { return nil }
            if key.equals("store") {
                store = scanner.plainString()
                guard store != nil else { return nil }
                continue
            }
            let start = scanner.place
            guard scanner.skipValue() else { return nil }
            let value = UnsafeRawBufferPointer(rebasing: line.bytes[start..<scanner.place])
            if key.equals("at") { at = value }
            if key.equals("patch") || key.equals("state") { content = value }
        }
        guard let store, let at, let content else { return nil }
        self.store = store
        self.at = at
        self.content = content
    }
}

extension RecordLine {
    /// The store that the record is about.
    ///
    /// - Throws: ``JournalError`` with the damage where it names none.
    /// - Complexity: O(1) where the line is written as our writer does.
    package func storeName() throws(JournalError) -> String {
        if let name = CommitScan.store(of: bytes, membersStart: membersStart) {
            return String(decoding: name, as: UTF8.self)
        }
        return try text("store", of: object())
    }

    /// Checks the line's sum, where it has one.
    ///
    /// - Throws: ``JournalError`` with the damage where the line is not what was written.
    package func checkSum() throws(JournalError) {
        guard case .wrong = LineSum.check(bytes) else { return }
        throw damage(.record(RecordFault(member: "sum", expected: "the sum of the line's bytes")))
    }
}
