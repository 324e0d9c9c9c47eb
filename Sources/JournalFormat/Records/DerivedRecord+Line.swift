extension LineBuilder {
    /// Writes a `derived` record.
    ///
    /// - Parameters:
    ///   - inputs: JSON Pointers into the whole state; nil where they are not known.
    ///   - from: the names of the derived values that it reads.
    public mutating func derived(
        seq: CommitNumber, name: String, inputs: [String]?, from: [String] = [], at location: SourceLocation
    ) {
        begin(.derived, seq: seq)
        named(name)
        member("name", string: name)
        key("inputs")
        if let inputs { strings(inputs) } else { literal("null") }
        if !from.isEmpty {
            key("from")
            strings(from)
        }
        at(location)
        endRecord()
    }

    /// Writes an array of strings.
    mutating func strings(_ list: some Sequence<String>) {
        var separator: StaticString = "["
        for text in list {
            literal(separator)
            string(text)
            separator = ","
        }
        if separator.utf8Start[0] == UInt8(ascii: "[") { literal("[") }
        literal("]")
    }
}
