import JSONCore

/// What the first bytes of a file that is not text show it to be.
package enum FileSignature {
    /// The name of its format, with an article; nil for what may be text.
    package static func name(of bytes: [UInt8]) -> String? {
        if let known = names.first(where: { bytes.dropFirst($0.offset).starts(with: $0.mark) }) { return known.name }
        // A page and a document are text, but have no states.
        let front = String(decoding: bytes.prefix(64), as: UTF8.self).lowercased().drop { $0.isWhitespace }
        if UTF8Order.begins(front, with: "<!doctype html") || UTF8Order.begins(front, with: "<html")
            || UTF8Order.begins(front, with: "<p>")
        {
            return "an HTML page"
        }
        if UTF8Order.begins(front, with: "<?xml") { return "an XML document" }
        return encoding(of: bytes) == nil ? nil : "UTF-16 text"
    }

    /// The name by which `iconv` knows the encoding of text with two bytes for each character; nil for other text.
    package static func encoding(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
        // Without a mark, the other byte of a character of JSON is zero.
        let front = bytes.prefix(64)
        guard front.count >= 4, front.count.isMultiple(of: 2) else { return nil }
        let zeros = front.indices.filter { front[$0] == 0 }
        guard zeros.count * 2 == front.count, Set(zeros.map { $0 % 2 }).count == 1 else { return nil }
        return zeros[0] == 0 ? "UTF-16BE" : "UTF-16LE"
    }

    /// What text that is not UTF-8 is called; nil for what may be UTF-8.
    static func encoding(ofBytes bytes: ByteView) -> String? {
        let front = Array(bytes.extracting(..<min(bytes.count, 512)))
        return encoding(of: front) ?? names.first { front.dropFirst($0.offset).starts(with: $0.mark) }?.name
    }

    private static let names: [(mark: [UInt8], offset: Int, name: String)] = [
        (Array("ustar".utf8), 257, "a tar archive"),
        ([0x50, 0x4B, 0x03, 0x04], 0, "a zip archive"), ([0x50, 0x4B, 0x05, 0x06], 0, "a zip archive"),
        (Array("SQLite format 3\0".utf8), 0, "an SQLite database"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], 0, "a file packed with xz"),
        (Array("BZh".utf8), 0, "a file packed with bzip2"),
        ([0x04, 0x22, 0x4D, 0x18], 0, "a file packed with lz4"), (Array("LZIP".utf8), 0, "a file packed with lzip"),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], 0, "a 7z archive"), (Array("Rar!\u{1A}\u{07}".utf8), 0, "a rar archive"),
        (Array("!<arch>\n".utf8), 0, "an ar archive"),
        (Array("%PDF-".utf8), 0, "a PDF document"), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], 0, "a PNG image"),
        ([0xFF, 0xD8, 0xFF], 0, "a JPEG image"), (Array("GIF8".utf8), 0, "a GIF image"),
        ([0x7F, 0x45, 0x4C, 0x46], 0, "a program"), ([0xCF, 0xFA, 0xED, 0xFE], 0, "a program"),
        (Array("PAR1".utf8), 0, "a Parquet file"), (Array("Obj\u{01}".utf8), 0, "an Avro file"),
        (Array("ARROW1".utf8), 0, "an Arrow file"), (Array("ORC".utf8), 0, "an ORC file"),
        (Array("bplist".utf8), 0, "a binary property list"),
    ]
}
