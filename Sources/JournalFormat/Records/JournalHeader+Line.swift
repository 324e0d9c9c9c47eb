extension LineBuilder {
    /// Writes the `journal` record, the first line of a file.
    public mutating func journal(_ header: JournalHeader) {
        begin(.journal, seq: header.after ?? .zero)
        member("version", integer: header.version)
        member("id", string: header.id)
        time(header.time)
        if let app = header.app { member("app", string: app) }
        if let build = header.build { member("build", string: build) }
        member("recorder", string: header.recorder)
        if !header.labels.isEmpty {
            key("labels")
            var separator: StaticString = "{"
            for label in header.labels {
                literal(separator)
                string(label.name)
                literal(":")
                string(label.value)
                separator = ","
            }
            literal("}")
        }
        if let after = header.after { member("after", integer: after.rawValue) }
        endRecord()
    }
}
