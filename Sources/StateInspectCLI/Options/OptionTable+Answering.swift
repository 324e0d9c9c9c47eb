/// Which commits an answer is about, and how much it says.
extension OptionTable {
    /// Which commits an answer is about.
    static let filters: [OptionDefinition] = [
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
            .recover, "go on after damage, at the next keyframe"),
    ]

    /// A session of the debugger.
    static let sessions: [OptionDefinition] = [
        OptionDefinition(
            .command, short: "x", argument: "FILE", completion: .file, isRepeatable: true,
            "carry out the commands of this file first"),
        OptionDefinition(.batch, "end after the files of '--command'; read no commands"),
        OptionDefinition(.tui, "walk on the whole screen"),
    ]

    /// How much an answer says.
    static let answers: [OptionDefinition] = [
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
            .follow, meantBy: [.check], "report violations as they come, up to the end record or Ctrl-C"),
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
}
