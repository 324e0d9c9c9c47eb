import JournalFormat

extension Journal {
    /// The record whose line begins at a byte.
    ///
    /// - Throws: `JournalError` where none begins there.
    func record(at offset: ByteOffset) throws(JournalError) -> OwnedRecord {
        var reader = records(from: offset)
        guard let line = try reader.next() else { throw JournalError(path: path, .empty) }
        return line.owned()
    }
}
