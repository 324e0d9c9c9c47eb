/// Every option of the tool, each declared once; an option that means another thing to another command, once for each.
///
/// Which commands take an option is said by their own definitions; the order here is that of the helps and the manual.
enum OptionTable {
    /// The options in the order in which a help lists them.
    static let all: [OptionDefinition] = declared.map { option in
        var option = option
        option.commands = commands(taking: option)
        return option
    }

    /// The declarations of an option, no two for one command.
    static func definitions(of name: OptionName) -> [OptionDefinition] {
        guard let definitions = byName[name] else { preconditionFailure("'\(name.typed)' is not in the table") }
        return definitions
    }

    /// The commands that know an option.
    static func commands(of name: OptionName) -> Set<CommandName> {
        definitions(of: name).reduce(into: []) { $0.formUnion($1.commands) }
    }

    /// The options that a command takes, in the order of the table; without a command, those that every one takes.
    static func options(of command: CommandName?) -> [OptionDefinition] {
        guard let command else { return ofEveryCommand }
        return byCommand[command] ?? []
    }

    private static let declared =
        questions + searches + derivedValues + invariants + filters + sessions + answers + journals + imports
        + queryValues + queryInput
        + queryOutput + common

    private static let byName = Dictionary(grouping: all, by: \.name)

    private static let byCommand: [CommandName: [OptionDefinition]] = Dictionary(
        uniqueKeysWithValues: CommandName.allCases.map { command in
            (command, all.filter { $0.commands.contains(command) })
        })

    private static let ofEveryCommand = all.filter(\.isCommon)

    private static let commonNames = Set(common.map(\.name))

    /// The commands that take an option in the meaning of one declaration.
    private static func commands(taking option: OptionDefinition) -> Set<CommandName> {
        if let commands = option.meantBy { return commands }
        if commonNames.contains(option.name) { return Set(CommandName.allCases) }
        let others = declared.filter { $0.name == option.name }.compactMap(\.meantBy)
        let takers = CommandTable.all.filter { $0.options.contains(option.name) }.map(\.name)
        return Set(takers).subtracting(others.joined())
    }

    /// Which position, store or part of the state is asked about.
    private static let questions: [OptionDefinition] = [
        OptionDefinition(
            .at, argument: "POS", completion: .position, "the position that is asked about",
            details: """
                A position is a commit's number (the state after it), 'start', 'end', 'end-3', an RFC 3339 time or \
                'mark:TEXT'. Of 'state' and 'blame' it is 'end' unless given ('blame --reverse': 'start'); 'derived' answers for \
                that one commit.
                """),
        OptionDefinition(
            .select, argument: "QUERY", "print what this query gives, not the whole state",
            details: "'state' prints every output of the query, 'replay' the first at each position."),
        OptionDefinition(
            .rawOutput, short: "r", "print strings bare, without quotes and escapes"),
        OptionDefinition(
            .exitStatus, short: "e", "set the status by the last output: 1 where it is false or null",
            details: "As in jq, it is 4 where there is no output."),
    ]

    /// Bisection.
    private static let searches: [OptionDefinition] = [
        OptionDefinition(
            .bad, argument: "QUERY", "bad is where any output is neither false nor null"),
        OptionDefinition(
            .good, argument: "QUERY", "good is where every output is neither false nor null, and there is one"),
        OptionDefinition(
            .run, argument: "CMD...", takesRest: true, "ask a program: status 0 is good, 125 skips, below 128 is bad",
            details: """
                Takes every argument after it, so it comes last. The program gets the state on its standard input, and \
                STATE_INSPECT_SEQ, STATE_INSPECT_FILE, STATE_INSPECT_LINE, STATE_INSPECT_FUNCTION and \
                STATE_INSPECT_STORE in its environment. A status from 128 or a signal ends the search with status 5.
                """),
        OptionDefinition(
            .from, argument: "POS", completion: .position, "the good end of the search; 'start' unless given"),
        OptionDefinition(
            .interactive, "ask you: answer 'good', 'bad' or 'skip' to one commit after another",
            details: "So it is on a terminal where nothing else says what is bad."),
        OptionDefinition(
            .to, argument: "POS", completion: .position, "the bad end of the search; 'end' unless given"),
        OptionDefinition(
            .monotone, "search by halves, for huge journals",
            details: """
                Evaluates a number of states that grows with the logarithm of the range, and holds only where the state \
                turns bad once; both ends and the two neighbours of the answer are tested.
                """),
        OptionDefinition(
            .log, argument: "FILE", completion: .file,
            "with '--run' or '--interactive', write each verdict to this file"),
        OptionDefinition(
            .resume, argument: "FILE", completion: .file,
            "with '--run' or '--interactive', take the verdicts of such a file as given"),
        OptionDefinition(.skip, argument: "LIST", "positions not to ask about, as '3,5,10..20'"),
    ]

    /// Derived values.
    private static let derivedValues: [OptionDefinition] = [
        OptionDefinition(
            .define, argument: "NAME=QUERY", isRepeatable: true, "a derived value: the query's first output"),
        OptionDefinition(
            .definitions, argument: "FILE", completion: .file, isRepeatable: true, meantBy: [.derived],
            "derived values: each 'def' without parameters of a file in the query language"),
        OptionDefinition(
            .summary, "one line for each derived value: how often it fired and did not"),
        OptionDefinition(
            .check, "hold what the app recorded against the definitions; status 1 on a difference"
        ),
        OptionDefinition(
            .why, argument: "NAME", "which input changed at '--at', or why this value did not fire"),
    ]

    /// Invariants.
    private static let invariants: [OptionDefinition] = [
        OptionDefinition(
            .invariant, argument: "NAME=QUERY", isRepeatable: true,
            "what must hold: every output is neither false nor null, and there is one"),
        OptionDefinition(
            .invariants, argument: "FILE", completion: .file, isRepeatable: true,
            "invariants: each 'def' without parameters of a file in the query language"),
        OptionDefinition(
            .jobs, argument: "N", "check so many journals at a time; 1 unless given",
            details: "The answers stand in the order of the journals all the same."),
        OptionDefinition(
            .sourceRoot, argument: "DIR", completion: .file,
            "the folder below which the source files lie",
            details: """
                A journal names a file as 'Module/File.swift'; the file of that name below a folder of the module's name \
                is meant. 'github' has its path with DIR, 'sarif' relative to DIR, so '.' in the folder of the \
                repository suits both.
                """),
    ]

    /// Which commits an answer is about.
    private static let filters: [OptionDefinition] = [
        OptionDefinition(
            .range, argument: "A..B", "the commits after A up to B",
            details: "Either side may be left out; 'start..end' unless given."),
        OptionDefinition(
            .store, argument: "NAME", completion: .store,
            "look at one store only",
            details: """
                Queries and paths, taken and printed, then begin at that store ('.total', '/total'), and the commits of \
                other stores are left out.
                """),
        OptionDefinition(
            .path, argument: "PATH", completion: .path, isRepeatable: true,
            "only commits that touch this path",
            details: """
                It is a JSON Pointer such as '/cart/items/0', or 'cart.items[0]'; '*' stands for one segment and '**' for \
                any number. A path is touched by a change that is equal to it, \
                above it or below it.
                """),
        OptionDefinition(
            .source, argument: "FILE[:LINE]", "only commits made in this source file, or on this line of it"),
        OptionDefinition(
            .function, argument: "NAME", "only commits made in this function"),
        OptionDefinition(
            .name, argument: "GLOB", "only commits with a name like this"
        ),
        OptionDefinition(
            .action, argument: "GLOB", "only commits made by an action of a type like this"),
        OptionDefinition(
            .where, argument: "QUERY", "only commits after which this is true of the state",
            details: """
                True is where any output is neither false nor null. '$old', '$seq', '$store', '$at', '$name' and '$time' \
                are those of the commit. A commit after which the query fails is left out, and the status is 5.
                """),
        OptionDefinition(
            .maxCount, short: "n", argument: "K", "stop after K lines"),
        OptionDefinition(
            .maxCount, short: "n", argument: "K", meantBy: [.stats], "rows of each table; 10 unless given"),
        OptionDefinition(.reverse, "newest first"),
        OptionDefinition(
            .reverse, meantBy: [.blame], "the commit that next wrote over each value, not the one that wrote it"),
        OptionDefinition(
            .recover, "go on behind damage, at the next keyframe"),
    ]

    /// A session of the debugger.
    private static let sessions: [OptionDefinition] = [
        OptionDefinition(
            .command, short: "x", argument: "FILE", completion: .file, isRepeatable: true,
            "carry out the commands of this file first"),
        OptionDefinition(.batch, "end behind the files of '--command'; read no commands"),
        OptionDefinition(.tui, "walk on the whole screen"),
    ]

    /// How much an answer says.
    private static let answers: [OptionDefinition] = [
        OptionDefinition(
            .all, meantBy: [.log], "every kind of record, not only commits"),
        OptionDefinition(
            .all, meantBy: [.derived], "every outcome, not only what fired"),
        OptionDefinition(
            .marks, "the marks too, among the commits",
            details: "So it is for people where no filter but '--range' is given."),
        OptionDefinition(.noMarks, "no marks"),
        OptionDefinition(.follow, "go on as the file grows, up to its end record"),
        OptionDefinition(
            .follow, meantBy: [.debug], "'continue' waits at the end of the journal for more, up to the end of the run"),
        OptionDefinition(
            .follow, meantBy: [.check], "tell of violations as they come, up to the end record or Ctrl-C"),
        OptionDefinition(.patch, short: "p", "with the changes of each commit"),
        OptionDefinition(
            .stat, "count the changes instead of printing them"),
        OptionDefinition(.nameOnly, "print only the paths that differ"),
        OptionDefinition(
            .ignore, argument: "PATH", completion: .path, isRepeatable: true, "leave out what is at or below this path"),
        OptionDefinition(
            .ignore, argument: "LIST", isRepeatable: true, meantBy: [.blame],
            "commits that do not count, as '3,5,10..20'",
            details: """
                What they replaced is looked for before them, so that a commit that resets everything does not hide who \
                wrote what.
                """),
        OptionDefinition(.changed, "only where the value differs from the last"),
        OptionDefinition(.final, "compare the last states of two runs instead"),
        OptionDefinition(.final, meantBy: [.replay], "only the last line, also where there is no commit"),
        OptionDefinition(
            .without, argument: "LIST", "as if these commits had not been",
            details: """
                A patch that no longer applies is printed as a line of the kind 'conflict' and left out.
                """),
        OptionDefinition(
            .only, argument: "QUERY", "as if only commits had been after which this holds"),
        OptionDefinition(.pace, argument: "X", "as slow as it was, X times as fast"),
    ]

    /// Journals out.
    private static let journals: [OptionDefinition] = [
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
                the hashes only.
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
    private static let imports: [OptionDefinition] = [
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
        OptionDefinition(.strict, "a line that does not fit is an error"),
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

    /// What queries may name.
    private static let queryValues: [OptionDefinition] = [
        OptionDefinition(
            .arg, argument: "NAME", second: .init(name: "VALUE", completion: .none), isRepeatable: true,
            "give queries a text as '$NAME'",
            details: "'$ARGS.named' has all values by name. Of two with one name the first counts."),
        OptionDefinition(
            .argjson, argument: "NAME", second: .init(name: "JSON", completion: .none), isRepeatable: true,
            "give queries a JSON value as '$NAME'"),
        OptionDefinition(
            .definitions, argument: "FILE", completion: .file, isRepeatable: true,
            "functions that queries may call: a file of 'def's"),
        OptionDefinition(
            .slurpfile, argument: "NAME", second: .init(name: "FILE", completion: .file), isRepeatable: true,
            "give queries the JSON texts of a file as the array '$NAME'"),
        OptionDefinition(
            .rawfile, argument: "NAME", second: .init(name: "FILE", completion: .file), isRepeatable: true,
            "give queries the text of a file as '$NAME'"),
        OptionDefinition(.args, "take what follows the query as texts, in '$ARGS.positional'"),
        OptionDefinition(.jsonargs, "take what follows the query as JSON values, in '$ARGS.positional'"),
    ]

    /// What a query on plain JSON reads.
    private static let queryInput: [OptionDefinition] = [
        OptionDefinition(
            .fromFile, short: "f", argument: "FILE", completion: .file,
            "read the query from a file; every operand is an input then"),
        OptionDefinition(.nullInput, short: "n", "run the query once, on null, and read nothing"),
        OptionDefinition(.rawInput, short: "R", "each line is a string; with '-s', the whole input is one"),
        OptionDefinition(.slurp, short: "s", "make one array of all texts"),
        OptionDefinition(.stream, "each text as the events of 'tostream'"),
        OptionDefinition(
            .footprint, "print the paths that the query can read, and run nothing"),
    ]

    /// How a query on plain JSON prints.
    private static let queryOutput: [OptionDefinition] = [
        OptionDefinition(.compactOutput, short: "c", "one line an output, which it is unless asked otherwise"),
        OptionDefinition(.tab, "one line a member and element, indented by tabs"),
        OptionDefinition(.indent, argument: "N", "the same, indented by 1 to 7 spaces; 0 is one line"),
        OptionDefinition(.sortKeys, short: "S", "members in ascending order"),
        OptionDefinition(.asciiOutput, short: "a", "escape every character that is not ASCII"),
        OptionDefinition(.joinOutput, short: "j", "as '-r', and no line break behind an output"),
        OptionDefinition(.rawOutput0, "as '-r', and a NUL in the place of the line break"),
        OptionDefinition(.seq, "an RS before each output, as in RFC 7464, and allow them between the texts"),
    ]

    /// What every command takes.
    private static let common: [OptionDefinition] = [
        OptionDefinition(
            .format, argument: "FORMAT", completion: .choices(ReportFormat.allCases.map(\.rawValue)),
            "'human' on a terminal and 'json' otherwise, unless given",
            details: """
                'json' is one object a line, each with a member 'kind'; 'state' prints the bare value. 'check' also has \
                'github', 'sarif', 'junit' and 'markdown', 'bisect' all of these but 'junit'. 'github' writes annotations to \
                standard error, beside what a person reads, or beside JSON with '--json'; 'markdown' is for a job's summary.
                """),
        OptionDefinition(.json, "short for '--format json'"),
        OptionDefinition(
            .messages, argument: "FORMAT", completion: .choices(MessageFormat.allCases.map(\.rawValue)),
            "'text', or 'json' for one line each on standard error"),
        OptionDefinition(
            .color, argument: "WHEN", completion: .choices(ColorChoice.allCases.map(\.rawValue)),
            "'auto', 'always' or 'never'",
            details: "It beats NO_COLOR, which beats TERM=dumb, which beats whether standard output is a terminal."),
        OptionDefinition(.noPager, "do not run a pager on a terminal"),
        OptionDefinition(.help, short: "h", "a short help; '--help' is a long one"),
        OptionDefinition(.version, "the version of this program"),
    ]
}
