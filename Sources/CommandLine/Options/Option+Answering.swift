extension Option {
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
