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

    // MARK: Which commits an answer is about

    package static let range = Option(
        "range", argument: "A..B", "the commits after A up to B",
        details: "Either side may be left out; 'start..end' unless given.")
    package static let store = Option(
        "store", argument: "NAME", completion: .store,
        "look at one store only",
        details: """
            Queries and paths, taken and printed, then begin at that store ('.total', '/total'), and the commits of \
            other stores are left out. What changed the store itself stays: its opening, the commit with which it ended, and a \
            gap. Its state is null where it is not open.
            """)
    package static let path = Option(
        "path", argument: "PATH", completion: .path, isRepeatable: true,
        "only commits that touch this path",
        details: """
            It is a JSON Pointer such as '/cart/items/0', or 'cart.items[0]'; '*' stands for one segment and '**' for \
            any number. A path is touched by a change that is equal to it, \
            above it or below it.
            """)
    package static let source = Option(
        "source", argument: "FILE[:LINE]", "only commits made in this source file, or on this line of it")
    package static let function = Option("function", argument: "NAME", "only commits made in this function")
    package static let name = Option(
        "name", argument: "GLOB", "only commits with a name like this",
        details: "'*' stands for any text, '?' for one character. A commit without a name has that of its function.")
    package static let action = Option(
        "action", argument: "GLOB", "only commits made by an action of a type like this",
        details: "'*' stands for any text, '?' for one character.")
    package static let trace = Option("trace", argument: "ID", "only commits of this trace of OpenTelemetry")
    package static let `where` = Option(
        "where", argument: "QUERY", "only commits after which this is true of the state",
        details: """
            True is where any output is neither false nor null. '$old', '$seq', '$store', '$at', '$name' and '$time' \
            are those of the commit. A commit after which the query fails is left out, and the status is 5.
            """)
    package static let cite = Option(
        "cite", "what the answer rests on, as a citation",
        details: """
            It is a last line 'cite: FILE ID POSITION POINTER = VALUE', in JSON a member 'cite'. 'state-inspect cite' holds \
            texts with such citations against the journals.
            """)
    package static let maxCount = Option(
        "max-count", short: "n", argument: "K", "stop after K lines", details: "'-5' is '-n 5'.")
    package static let statsMaxCount = Option(
        "max-count", short: "n", argument: "K", "rows of each table; 10 unless given")
    package static let reverse = Option("reverse", "newest first")
    package static let blameReverse = Option(
        "reverse", "the commit that next wrote over each value, not the one that wrote it")
    package static let recover = Option("recover", "go on after damage, at the next keyframe")

    // MARK: A session of the debugger

    package static let command = Option(
        "command", short: "x", argument: "FILE", completion: .file, isRepeatable: true,
        "carry out the commands of this file first")
    package static let batch = Option("batch", "end after the files of '--command'; read no commands")
    package static let tui = Option("tui", "walk on the whole screen")
    package static let dapLog = Option(
        "log", argument: "FILE", completion: .file, "add what goes both ways to this file, a line each")

    // MARK: How much an answer says

    package static let logAll = Option("all", "every kind of record, not only commits")
    package static let derivedAll = Option("all", "every outcome, not only what fired")
    package static let marks = Option(
        "marks", "the marks too, among the commits",
        details: "So it is for people where no filter but '--range' is given.")
    package static let noMarks = Option("no-marks", "no marks")
    package static let follow = Option("follow", short: "f", "go on as the file grows, up to its end record")
    package static let debugFollow = Option(
        "follow", short: "f", "'continue' waits at the end of the journal for more, up to the end of the run",
        details:
            "Ctrl-C ends the wait. On the full screen new commits appear by themselves, and what plays goes on with them."
    )
    package static let checkFollow = Option(
        "follow", short: "f", "report violations as they come, up to the end record or Ctrl-C")
    package static let patch = Option("patch", short: "p", "with the action and the changes of each commit")
    package static let byPlace = Option(
        "by-place", "a line for each line of source that committed, with its last commit")
    package static let stat = Option("stat", "count the changes instead of printing them")
    package static let nameOnly = Option("name-only", "print only the paths that differ")
    package static let ignore = Option(
        "ignore", argument: "PATH", completion: .path, isRepeatable: true, "leave out what is at or below this path")
    package static let blameIgnore = Option(
        "ignore", argument: "LIST", isRepeatable: true, "commits that do not count, as '3,5,10..20'",
        details: """
            What they replaced is looked for before them, so that a commit that resets everything does not hide who \
            wrote what.
            """)
    package static let changed = Option(
        "changed", "only where the value differs from the one before",
        details:
            "The first is compared with the value at the beginning of the range, so the lines are those of 'history'.")
    package static let final = Option("final", "compare the last states of two runs instead")
    package static let replayFinal = Option(
        "final", "only the last line, also where there is no commit",
        details: """
            Of a range without commits, or where all of them were lost, it is the state at its end. Filters other than '--store' \
            have no line where no commit passes them.
            """)
    package static let without = Option(
        "without", argument: "LIST", "as if these commits had not been",
        details: """
            A patch that no longer applies is printed as a line of the kind 'conflict' and left out; one that finds another value \
            than it says was there is printed so too, and is applied. What these commits caused stays, which is reported.
            """)
    package static let withEffects = Option(
        "with-effects", "with '--without': and all that those caused",
        details: "Themselves or through others.")
    package static let minimizeWithEffects = Option(
        "with-effects", "leave a commit out only with all that it caused, so that what is kept has its causes")
    package static let only = Option(
        "only", argument: "QUERY", "as if only commits had been after which this holds",
        details: "One at which it fails is left out and reported, and the status is 5.")
    package static let pace = Option("pace", argument: "X", "as slow as it was, X times as fast")
}
