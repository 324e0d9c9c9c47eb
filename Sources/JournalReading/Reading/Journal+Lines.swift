import JournalFormat

extension Journal {
    /// Hands over every line as it stands in the file, whatever it is, also one that no newline ends.
    ///
    /// - Throws: ``JournalError`` where the file cannot be read, or a line is longer than ``lineLengthLimit``.
    package func forEachLine(_ body: (UnsafeRawBufferPointer) -> Void) throws(JournalError) {
        let name = JournalName(path)
        var buffer = LineBuffer(source, from: 0, to: .max)
        repeat {
            source.progress?(buffer.end, nil)
            while let line = buffer.take() { body(line.bytes) }
        } while try buffer.fill(stopsAtRest: false, of: name, after: nil)
        if let rest = buffer.takeRest() { body(rest.bytes) }
    }
}
