/// Journals that go out, and logs that come in.
extension OptionTable {
    /// Journals out.
    static let journals: [OptionDefinition] = [
        OptionDefinition(
            .repair, argument: "OUT", completion: .file, "write what is whole of the journal to this file",
            details: """
                Whole lines are copied byte for byte. Commits that cannot be kept become a gap up to the next keyframe; \
                where none follows, the journal ends before the damage. OUT is replaced when all is written, and may \
                not be the journal itself.
                """),
        OptionDefinition(
            .path, argument: "PATH", completion: .path, isRepeatable: true, meantBy: [.redact],
            "replace what is at this path by its hash",
            details: "'*' stands for one segment and '**' for any number."),
        OptionDefinition(
            .check, argument: "SECRET", isRepeatable: true, meantBy: [.redact],
            "prove that this text is nowhere left: status 1 where it is"),
        OptionDefinition(
            .redact, argument: "PATH", completion: .path, isRepeatable: true,
            "replace what is at this path by its hash in the page",
            details: """
                As 'redact --path' does. What '--bad' and invariants ask is asked of the values themselves; the page has \
                the hashes only, and no message quotes a value.
                """),
        OptionDefinition(
            .sourceURL, argument: "URL",
            "let places in the source lead to this address, with '{file}' and '{line}' in it",
            details: """
                A journal names a file as 'Module/File.swift', so 'https://host/tree/main/Sources/{file}#L{line}' suits a \
                package whose modules have no folders of their own.
                """),
        OptionDefinition(
            .output, short: "o", argument: "FILE", completion: .file, meantBy: [.report],
            "write the page to this file, not to standard output",
            details: "FILE is replaced when all is written, and may not be a journal that is read."),
        OptionDefinition(
            .output, short: "o", argument: "FILE", completion: .file,
            "write the journal to this file, not to standard output",
            details: "FILE is replaced when all is written, and may not be a journal that is read."),
    ]

    /// What a log means that becomes a journal.
    static let imports: [OptionDefinition] = [
        OptionDefinition(
            .store, argument: "QUERY", meantBy: [.import], "the name of the store that a line is about",
            details: "One store, 'state', unless given."),
        OptionDefinition(
            .state, argument: "QUERY", "the whole new state of the line's store",
            details: "The first line of a store opens it; a commit has what differs from the state before."),
        OptionDefinition(
            .set, argument: "PATH=QUERY", isRepeatable: true, "the new value at a path of the line's store",
            details: "Objects on the way are made. A plain path that is not on the line changes nothing."),
        OptionDefinition(
            .patch, argument: "QUERY", meantBy: [.import], "a JSON Patch (RFC 6902) for the line's store"),
        OptionDefinition(.merge, argument: "QUERY", "a JSON Merge Patch (RFC 7396) for the line's store"),
        OptionDefinition(
            .each, argument: "QUERY", "the records of a line, where it has several",
            details: "Each output is a record; the other queries are asked about it."),
        OptionDefinition(
            .where, argument: "QUERY", meantBy: [.import], "only lines of which this is true"),
        OptionDefinition(.name, argument: "QUERY", meantBy: [.import], "what the line's commit is called"),
        OptionDefinition(
            .time, argument: "QUERY", "when the line was written",
            details: """
                RFC 3339, also without a zone (UTC), or a number since 1970: seconds below 10^11, milliseconds below 10^14, \
                microseconds below 10^17, else nanoseconds.
                """),
        OptionDefinition(
            .at, argument: "QUERY", meantBy: [.import], "the place in the source: 'file:line', or an object",
            details: "The line of FILE unless given. An object has 'file' and perhaps 'line', 'column' and 'function'."),
        OptionDefinition(
            .id, argument: "QUERY", "what '--cause' of other lines names a line by; its number unless given"),
        OptionDefinition(
            .cause, argument: "QUERY", "the earlier line that made this one happen",
            details: "It is looked for among the last 65,536 commits."),
        OptionDefinition(
            .mark, argument: "QUERY", "what a line says that is a mark and no commit; null and false for none"),
        OptionDefinition(.close, argument: "QUERY", "true where a line ends its store"),
        OptionDefinition(.prefix, "cut off text before the first '{' of a line"),
        OptionDefinition(
            .strict, "a line that does not fit is an error",
            details: "So is a query that gives several outputs, or nothing on any line."),
        OptionDefinition(.suggest, "print a first guess at FILE as a command to paste"),
        OptionDefinition(
            .initial, argument: "FILE", completion: .file, "the state before the first patch; '{}' unless given"),
        OptionDefinition(
            .key, argument: "NAME", "the member by which elements of arrays are matched; 'id' unless given",
            details: "Of rows, the columns of the primary key with commas between them."),
        OptionDefinition(
            .branch, argument: "NAME", "which branch of a graph of trrack: its number, '3.2', or its leaf's id",
            details: "Without it each branch is a journal, if '-o' has '%b', which becomes the branch's number."),
        OptionDefinition(
            .follow, meantBy: [.import], "go on as the file grows, up to Ctrl-C"),
        OptionDefinition(.skipBad, "leave out what does not fit, count it, and end with status 5"),
        OptionDefinition(
            .preset, argument: "NAME", completion: .file, "options from a file, one a line",
            details: """
                NAME is a file, or one in the folder '.state-inspect' here, above, or at home. A value needs no quotes; '#' \
                begins a comment. What is typed counts more.
                """),
    ]
}
