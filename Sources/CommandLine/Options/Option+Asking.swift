extension Option {
    // MARK: Which position, store or part of the state is asked about

    package static let at = Option(
        "at", argument: "POS", completion: .position, "the position that is asked about",
        details: """
            A position is a commit's number (the state after it), 'start', 'end', 'end-3', an RFC 3339 time or \
            'mark:TEXT'. Of 'state' and 'blame' it is 'end' unless given ('blame --reverse': 'start'); 'derived' answers for \
            that one commit.
            """)
    package static let regexp = Option(
        "regexp", short: "e", argument: "REGEX", "look for a regular expression instead of a text",
        details: "It is one of the query language, as 'test' takes it.")
    package static let ignoreCase = Option(
        "ignore-case", short: "i", "small letters stand for capitals, and capitals for small ones")
    package static let maxHops = Option(
        "max-hops", argument: "N", "follow the value through at most so many places; 32 unless given")
    package static let select = Option(
        "select", argument: "QUERY", "print what this query gives, not the whole state",
        details: "'state' prints every output of the query, 'replay' the first at each position.")
    package static let rawOutput = Option("raw-output", short: "r", "print strings bare, without quotes and escapes")
    package static let exitStatus = Option(
        "exit-status", short: "e", "set the status by the last output: 1 where it is false or null",
        details: "As in jq, it is 4 where there is no output.")

    // MARK: Bisection

    package static let bad = Option("bad", argument: "QUERY", "bad is where any output is neither false nor null")
    package static let good = Option(
        "good", argument: "QUERY", "good is where every output is neither false nor null, and there is one")
    package static let run = Option(
        "run", argument: "CMD...", takesRest: true, "ask a program: status 0 is good, 125 skips, below 128 is bad",
        details: """
            Takes every argument after it, so it comes last. The program gets the state on its standard input, and \
            STATE_INSPECT_SEQ, STATE_INSPECT_FILE, STATE_INSPECT_LINE, STATE_INSPECT_FUNCTION and \
            STATE_INSPECT_STORE in its environment; what it prints goes to standard error. Its status 0 is good, 1 to 124, 126 \
            and 127 are bad, 125 skips the position, and 128 or more, or a signal, ends the search with status 5. A first 126 or \
            127 is checked on the good end: the same there is status 5. How many runs are left is reported.
            """)
    package static let from = Option(
        "from", argument: "POS", completion: .position, "the good end of the search; 'start' unless given")
    package static let interactive = Option(
        "interactive", "ask you: answer 'good', 'bad' or 'skip' to one commit after another",
        details: """
            The answers are lines of standard input; 'print' shows the state, and 'quit' ends the search with status 5. So it is \
            on a terminal where nothing else says what is bad.
            """)
    package static let to = Option(
        "to", argument: "POS", completion: .position, "the bad end of the search; 'end' unless given")
    package static let monotone = Option(
        "monotone", "search by halves, for huge journals",
        details: """
            Evaluates a number of states that grows with the logarithm of the range, and holds only where the state \
            turns bad once; both ends and the two neighbours of the answer are tested.
            """)
    package static let log = Option(
        "log", argument: "FILE", completion: .file,
        "with '--run' or '--interactive', write each verdict to this file",
        details: "A line of JSON for each. A file that is no log of this journal is refused.")
    package static let resume = Option(
        "resume", argument: "FILE", completion: .file,
        "with '--run' or '--interactive', take the verdicts of such a file as given",
        details: "So a search that was interrupted goes on.")
    package static let skip = Option("skip", argument: "LIST", "positions not to ask about, as '3,5,10..20'")

    // MARK: Derived values

    package static let define = Option(
        "define", argument: "NAME=QUERY", isRepeatable: true, "a derived value: the query's first output",
        details: """
            NAME is a letter, then letters, digits and '_', and is given once. It takes the place of a recorded value of its name.
            """)
    package static let derivedDefinitions = Option(
        "definitions", argument: "FILE", completion: .file, isRepeatable: true,
        "derived values: each 'def' without parameters of a file in the query language")
    package static let summary = Option("summary", "one line for each derived value: how often it fired and did not")
    package static let check = Option(
        "check", "hold what the app recorded against the definitions; status 1 on a difference",
        details: """
            Whether a value fired, and the value where it was recorded. An outcome is held against the versions of the stores \
            that it saw, where the journal names them. Where it does not, and several threads committed, what an earlier commit \
            explains that was delivered later is counted as 'incomparable'.
            """)
    package static let why = Option(
        "why", argument: "NAME", "which input changed at '--at', or why this value did not fire")

    // MARK: Invariants

    package static let invariant = Option(
        "invariant", argument: "[NAME=]QUERY", isRepeatable: true,
        "what must hold: every output is neither false nor null, and there is one",
        details: """
            NAME is a letter, then letters, digits and '_', and is given once; without it the text of the query is the name.
            """)
    package static let invariants = Option(
        "invariants", argument: "FILE", completion: .file, isRepeatable: true,
        "invariants: each 'def' without parameters of a file in the query language")
    package static let counts = Option(
        "counts", "how often each is violated, first and last, and by which lines of the source")
    package static let jobs = Option(
        "jobs", argument: "N", "check so many journals at a time; 1 unless given",
        details: "The answers stand in the order of the journals all the same.")
    package static let sourceRoot = Option(
        "source-root", argument: "DIR", completion: .file,
        "the folder below which the source files lie",
        details: """
            A journal names a file as 'Module/File.swift'; the file of that name below a folder of the module's name \
            is meant. An absolute path is the file that lies there, below DIR; a name that is no module's is the end of a \
            path. Another file of the same base name is never taken, and what a link leads out of DIR to is not \
            read. 'github' has its path with DIR, 'sarif' relative to DIR, so '.' in the folder of the \
            repository suits both. A page has five lines before and after each place, 512 kB at most, and for '{file}' in \
            '--source-url' the path below DIR.
            """)
}
