import JournalFormat

extension Journal {
    /// Hands over every line as it stands in the file, whatever it is, also one that no newline ends.
    ///
    /// - Throws: ``JournalError`` where the file cannot be read, or a line is longer than ``lineLengthLimit``.
    package func forEachLine(_ body: (UnsafeRawBufferPointer) -> Void) throws(JournalError) {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: LineBuffer.blockSize, alignment: 16)
        defer { block.deallocate() }
        var pending: [UInt8] = []
        var offset = 0
        while true {
            let count = try source.read(into: block, at: offset)
            if count == 0 { break }
            offset += count
            source.progress?(offset, nil)
            var rest = UnsafeRawBufferPointer(rebasing: block[..<count])
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                pending.append(contentsOf: rest[..<end])
                pending.withUnsafeBytes(body)
                pending.removeAll(keepingCapacity: true)
                rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
            }
            pending.append(contentsOf: rest)
            if pending.count > Journal.lineLengthLimit {
                throw JournalError(path: path, .lineTooLong(line: nil, offset: ByteOffset(offset - pending.count)))
            }
        }
        if !pending.isEmpty { pending.withUnsafeBytes(body) }
    }
}
