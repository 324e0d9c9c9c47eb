extension Option {
    // MARK: Journals out

    package static let repair = Option(
        "repair", argument: "OUT", completion: .file, "write what is whole of the journal to this file",
        details: """
            Whole lines are copied byte for byte. Commits that cannot be kept become a gap up to the next keyframe; \
            where none follows, the journal ends before the damage. OUT is replaced when all is written, and may \
            be neither the journal itself nor standard output.
            """)
    package static let redactPath = Option(
        "path", argument: "PATH", completion: .path, isRepeatable: true, "replace what is at this path by its hash",
        details: "'*' stands for one segment and '**' for any number.")
    package static let redactCheck = Option(
        "check", argument: "SECRET", isRepeatable: true, "prove that this text is nowhere left: status 1 where it is")
    package static let redact = Option(
        "redact", argument: "PATH", completion: .path, isRepeatable: true,
        "replace what is at this path by its hash in the page",
        details: """
            As 'redact --path' does; a path that matches nothing is status 4. What '--bad' and invariants ask is asked of the \
            values themselves; the page has the hashes only, and no message quotes a value.
            """)
    package static let sourceURL = Option(
        "source-url", argument: "URL",
        "let places in the source lead to this address, with '{file}' and '{line}' in it",
        details: """
            A journal names a file as 'Module/File.swift', so 'https://host/tree/main/Sources/{file}#L{line}' suits a \
            package whose modules have no folders of their own.
            """)
    package static let traceURL = Option(
        "trace-url", argument: "URL",
        "let the trace of a commit lead to this address, with '{trace}' in it, and '{span}'",
        details: "The journal has the trace and span that a commit was made in where the recorder was given them.")
    package static let title = Option(
        "title", argument: "TEXT", "head the page with this text, not with the journal's name")
    package static let note = Option(
        "note", argument: "TEXT", "say this above what was found: what a reader of the page should know",
        details: "It is shown as it is, line by line; nothing in it is markup.")
    package static let reportOutput = Option(
        "output", short: "o", argument: "FILE", completion: .file,
        "write the page to this file, '-' for standard output",
        details: """
            FILE is replaced when all is written, and may not be a journal that is read. Without it the page of 'run.jsonl' is \
            'run.html' beside it, or 'run-2.html' where that is there already; where standard output is not a terminal, the page \
            goes there, unless '--open' is given.
            """)
    package static let open = Option(
        "open", "show the page in the browser", details: "It is opened by 'xdg-open', on a Mac by 'open'.")
    package static let type = Option(
        "type", argument: "NAME", "the Swift type of the store's state in the test; the journal's own unless given")
    package static let csv = Option(
        "csv", "the changes as a table of comma-separated values, not as JSON Lines",
        details: "It has a head and the same columns.")
    package static let raw = Option(
        "raw", "texts of a table as they are, also those that a spreadsheet takes for formulas",
        details: "Otherwise a text that begins with '=', '+', '-', '@' or a tab gets an apostrophe in front.")
    package static let output = Option(
        "output", short: "o", argument: "FILE", completion: .file,
        "write the journal to this file, not to standard output",
        details: "FILE is replaced when all is written, and may not be a journal that is read.")

    // MARK: What a log means that becomes a journal

    static let importStore = Option(
        "store", argument: "QUERY", "the name of the store that a line is about",
        details: """
            A string or a number; one store, 'state', unless given. A name that is always the same is a text in a query: \
            '"cart"'.
            """)
    package static let state = Option(
        "state", argument: "QUERY", "the whole new state of the line's store",
        details: """
            The first line of a store opens it; a commit has what differs from the state before. With '--before' or '--initial' \
            the first line is a commit, too.
            """)
    package static let before = Option(
        "before", argument: "QUERY", "the state of the line's store before the line",
        details: "It opens the store, so that the first line is a commit. Of later lines it is not asked.")
    package static let set = Option(
        "set", argument: "PATH=QUERY", isRepeatable: true, "the new value at a path of the line's store",
        details: """
            As '/cart/total=.sum'. Objects on the way are made; '-' is the end of an array. A plain path that is not on the line \
            changes nothing. Names stand as they are: a path with '{id}' or '\\(.id)' in it is refused, with the '--merge' that \
            makes a name of a value.
            """)
    static let importPatch = Option("patch", argument: "QUERY", "a JSON Patch (RFC 6902) for the line's store")
    package static let merge = Option(
        "merge", argument: "QUERY", "a JSON Merge Patch (RFC 7396) for the line's store",
        details: "Null takes a member out.")
    package static let each = Option(
        "each", argument: "QUERY", "the records of a line, where it has several",
        details:
            "Each output is a record, about which the other queries are asked; one that does not fit is left out alone."
    )
    static let importWhere = Option("where", argument: "QUERY", "only lines of which this is true")
    static let importName = Option("name", argument: "QUERY", "what the line's commit is called")
    static let importAction = Option(
        "action", argument: "QUERY", "the action that made the line's commit: a name, or an object with 'type'",
        details: "The other members of the object are what it carried.")
    static let importTrace = Option(
        "trace", argument: "QUERY", "the id of the trace of OpenTelemetry that the line belongs to")
    package static let span = Option("span", argument: "QUERY", "the id of the span of that trace")
    package static let time = Option(
        "time", argument: "QUERY", "when the line was written",
        details: """
            RFC 3339, where a space, a comma, slashes or a zone without a colon are as good, and no zone is UTC; or a number \
            since 1970: seconds below 10^11, milliseconds below 10^14, microseconds below 10^17, else nanoseconds. A line without \
            a time has that of the line before. With '--prefix' and without this, the first time before the JSON counts.
            """)
    static let importAt = Option(
        "at", argument: "QUERY", "the place in the source: 'file:line', or an object",
        details: """
            The line of FILE unless given; 'file:line:column' will do as well. An object has 'file' and perhaps 'line', 'column' \
            and 'function'.
            """)
    package static let id = Option(
        "id", argument: "QUERY", "what '--cause' of other lines names a line by; its number unless given")
    package static let cause = Option(
        "cause", argument: "QUERY", "the earlier line that made this one happen",
        details: "It is looked for among the last 65,536 commits.")
    package static let mark = Option(
        "mark", argument: "QUERY", "what a line says that is a mark and no commit; null and false for none",
        details: "True stands for the line's name.")
    package static let close = Option(
        "close", argument: "QUERY", "true where a line ends its store",
        details: "One that was not open, as in a log that begins in the middle, is counted and reported.")
    package static let prefix = Option(
        "prefix", "cut off text before the first '{' of a line",
        details: """
            And a key with the tab after it, as consoles of Kafka print them. Queries see that text as '$prefix'; a time in it is \
            the line's, where '--time' says none.
            """)
    package static let strict = Option(
        "strict", "a line that does not fit is an error",
        details: "So is a query that gives several outputs, or nothing on any line.")
    package static let suggest = Option("suggest", "print a first guess at FILE as a command to paste")
    static let initial = Option(
        "initial", argument: "FILE", completion: .file, "the state before the first patch, or line; '{}' unless given")
    package static let key = Option(
        "key", argument: "NAME", isRepeatable: true,
        "the member by which elements of arrays are matched; 'id' unless given",
        details: "Of rows, the columns of the primary key with commas between them; 'TABLE=NAME' is for one table.")
    static let importFollow = Option(
        "follow", short: "f", "go on as the file grows, up to Ctrl-C",
        details: """
            Any signal ends the journal in order, and what was read stands in it meanwhile. A file that is rotated, emptied or \
            written anew is read on at its front.
            """)
    static let skipBad = Option("skip-bad", "leave out what does not fit, count it, and end with status 5")
    package static let preset = Option(
        "preset", argument: "NAME", completion: .file, "options from a file, one a line",
        details: """
            NAME is a file, or one in the folder '.state-inspect' here, above, or at home. After an option and a space stands its \
            value, which needs no quotes; '#' begins a comment. What is typed counts more; of an option that may be repeated \
            both count.
            """)

    // MARK: What queries may name

    package static let arg = Option(
        "arg", argument: "NAME", second: .init(name: "VALUE", completion: .none), isRepeatable: true,
        "give queries a text as '$NAME'",
        details: "'$ARGS.named' has all values by name. Of two with one name the first counts.")
    package static let argjson = Option(
        "argjson", argument: "NAME", second: .init(name: "JSON", completion: .none), isRepeatable: true,
        "give queries a JSON value as '$NAME'")
    package static let definitions = Option(
        "definitions", argument: "FILE", completion: .file, isRepeatable: true,
        "functions that queries may call: a file of 'def's",
        details: "They may name the values that are given.")
    static let slurpfile = Option(
        "slurpfile", argument: "NAME", second: .init(name: "FILE", completion: .file), isRepeatable: true,
        "give queries the JSON texts of a file as the array '$NAME'")
    static let rawfile = Option(
        "rawfile", argument: "NAME", second: .init(name: "FILE", completion: .file), isRepeatable: true,
        "give queries the text of a file as '$NAME'")
    static let args = Option("args", "take what follows the query as texts, in '$ARGS.positional'")
    static let jsonargs = Option("jsonargs", "take what follows the query as JSON values, in '$ARGS.positional'")

    // MARK: What a query on plain JSON reads

    package static let fromFile = Option(
        "from-file", short: "f", argument: "FILE", completion: .file,
        "read the query from a file; every operand is an input then")
    package static let nullInput = Option(
        "null-input", short: "n", "run the query once, on null; only 'input' and 'inputs' read")
    package static let rawInput = Option(
        "raw-input", short: "R", "each line is a string; with '-s', the whole input is one")
    package static let slurp = Option("slurp", short: "s", "make one array of all texts")
    package static let stream = Option("stream", "each text as the events of 'tostream'")
    package static let nan = Option("nan", "take 'nan', 'NaN' and 'Infinity' in the texts for numbers")
    package static let footprint = Option("footprint", "print the paths that the query can read, and run nothing")

    // MARK: How a query on plain JSON prints

    static let compactOutput = Option(
        "compact-output", short: "c", "one line an output, as to a file or a pipe unless asked otherwise")
    static let colorOutput = Option(
        "color-output", short: "C", "short for '--color always'; colours also to a file or a pipe")
    static let monochromeOutput = Option("monochrome-output", short: "M", "short for '--color never'")
    package static let tab = Option("tab", "one line a member and element, indented by tabs")
    package static let indent = Option("indent", argument: "N", "the same, indented by 1 to 7 spaces; 0 is one line")
    static let sortKeys = Option("sort-keys", short: "S", "members in ascending order")
    static let asciiOutput = Option("ascii-output", short: "a", "escape every character that is not ASCII")
    static let joinOutput = Option("join-output", short: "j", "as '-r', and no line break after an output")
    static let rawOutput0 = Option("raw-output0", "as '-r', and a NUL in the place of the line break")
    package static let seq = Option("seq", "an RS before each output, as in RFC 7464, and allow them between the texts")
}
