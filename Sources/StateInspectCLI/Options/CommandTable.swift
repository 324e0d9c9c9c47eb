/// Every command of the tool, in the order in which a help lists them.
enum CommandTable {
    /// The declarations, one for each `CommandName`.
    static let all: [CommandDefinition] = journalCommands + comparisons + journalsOut + tools

    /// The declaration of a command.
    static func definition(of name: CommandName) -> CommandDefinition {
        guard let definition = all.first(where: { $0.name == name }) else {
            preconditionFailure("'\(name.rawValue)' is not in the table")
        }
        return definition
    }

    private static let journalCommands: [CommandDefinition] = [
        CommandDefinition(
            name: .info, summary: "what a journal holds", synopsis: ["JOURNAL"],
            operands: [.required("JOURNAL", .file)],
            details: [
                """
                Says which stores, commits, derived values and marks a journal holds, when it began and ended, and \
                whether it ended cleanly. It reads the first records and the last totals; where there are no totals it \
                counts.
                """
            ],
            examples: [.init(line: "state-inspect info samples/checkout.jsonl", purpose: "what is in this journal")]),
        CommandDefinition(
            name: .log, summary: "list the commits", synopsis: ["JOURNAL [OPTIONS]"],
            operands: [.required("JOURNAL", .file)],
            details: [
                """
                Lists the commits, oldest first: number, time, store, function, source location and what changed. As \
                JSON these are the commit lines of the journal, byte for byte.
                """
            ],
            examples: [
                .init(
                    line: "state-inspect log samples/checkout.jsonl -p --range end-3..end",
                    purpose: "the last three commits with their changes"),
                .init(
                    line: "state-inspect log samples/checkout.jsonl --path /cart/total",
                    purpose: "the commits that touched the total"),
            ]),
        CommandDefinition(
            name: .show, summary: "one commit, its changes and what fired", synopsis: ["JOURNAL POS"],
            operands: [.required("JOURNAL", .file), .required("POS")],
            details: [
                "Shows one commit: where it was made, what it changed, which derived values fired, and its marks."
            ],
            examples: [.init(line: "state-inspect show samples/checkout.jsonl end", purpose: "the last commit")]),
        CommandDefinition(
            name: .state, summary: "the state at a position", synopsis: ["JOURNAL [--at POS] [--select QUERY]"],
            operands: [.required("JOURNAL", .file)],
            details: [
                """
                Prints the state after a commit as one JSON value: an object with a member for each open store. It \
                reads a bounded stretch of the journal, however long that is.
                """
            ],
            examples: [
                .init(
                    line: "state-inspect state samples/checkout.jsonl --at end-1 --select .cart.total",
                    purpose: "the total before the last commit")
            ]),
        CommandDefinition(
            name: .replay, summary: "the state after each commit", synopsis: ["JOURNAL [--select QUERY] [OPTIONS]"],
            operands: [.required("JOURNAL", .file)],
            details: [
                """
                Prints a line for each commit with the state after it, or a query's first output there (no output: no \
                line). With '--without' and '--only' it tells what would have been without some commits.
                """
            ],
            examples: [
                .init(
                    line: "state-inspect replay samples/checkout.jsonl --select .cart.total --changed",
                    purpose: "each new value of the total")
            ]),
    ]

    private static let comparisons: [CommandDefinition] = [
        CommandDefinition(
            name: .diff, summary: "what differs between two positions, or where two runs part",
            synopsis: ["JOURNAL POS POS [OPTIONS]", "LEFT RIGHT [OPTIONS]"],
            operands: [.required("JOURNAL", .file), .required("POS or JOURNAL", .file), .optional("POS")],
            details: [
                "Prints the changes that lead from the first position to the second, in either direction.",
                """
                Of two journals it finds the first divergence. The commits of each store are held against those of \
                the store of that name in the other run, in their order, by source location and changes: another \
                interleaving of the stores, another clock and other causes are no divergence. The changes lead from \
                that store's state in the left run to the one in the right run.
                """,
            ],
            examples: [
                .init(line: "state-inspect diff samples/checkout.jsonl start end", purpose: "everything that changed"),
                .init(
                    line: "state-inspect diff samples/checkout-good.jsonl samples/checkout.jsonl",
                    purpose: "where the good and the bad run part"),
            ]),
        CommandDefinition(
            name: .bisect, summary: "find the commit that made the state bad",
            synopsis: [
                "JOURNAL --bad QUERY [OPTIONS]", "JOURNAL --good QUERY [OPTIONS]", "JOURNAL [OPTIONS] --run CMD...",
            ],
            operands: [.required("JOURNAL", .file)],
            details: [
                """
                Finds the first commit after which the state is bad, with the source line that made it. One pass sees \
                every change between good and bad, so a history that goes bad twice is told as such.
                """,
                """
                With '--run' a program is the judge and the search goes by halves; both ends are tested first.
                """,
            ],
            examples: [
                .init(
                    line: "state-inspect bisect samples/checkout.jsonl --bad '.cart.total < 0'",
                    purpose: "which line made the total negative"),
                .init(
                    line: "state-inspect bisect samples/checkout.jsonl --run jq -e '.cart.total >= 0'",
                    purpose: "the same, with jq as the judge"),
            ]),
        CommandDefinition(
            name: .derived, summary: "which derived values would have fired", synopsis: ["JOURNAL [OPTIONS]"],
            operands: [.required("JOURNAL", .file)],
            details: [
                """
                Tells for each commit which derived values would have fired. They come from '--define', from a file \
                of definitions and from the journal's own records.
                """
            ],
            examples: [
                .init(
                    line: "state-inspect derived samples/checkout.jsonl --define 'total=.cart.total' --summary",
                    purpose: "how often the total changed")
            ]),
        CommandDefinition(
            name: .blame, summary: "who last wrote each value", synopsis: ["JOURNAL [PATH] [OPTIONS]"],
            operands: [.required("JOURNAL", .file), .optional("PATH")],
            details: [
                """
                Names, for each scalar and empty container at and below PATH, the commit that last wrote it, or the \
                opening of its store where no commit did. An element keeps its author when its array shifts or it is \
                moved. The journal is read backwards from the position, only as far as there are answers to be found.
                """
            ],
            examples: [
                .init(
                    line: "state-inspect blame samples/checkout.jsonl /cart/total", purpose: "which line set the total"),
                .init(
                    line: "state-inspect blame samples/checkout.jsonl '/cart/items/*/price' --at 118",
                    purpose: "who wrote each price that was in the cart after commit 118"),
            ]),
        CommandDefinition(
            name: .history, summary: "each change of one value", synopsis: ["JOURNAL PATH|QUERY [OPTIONS]"],
            operands: [.required("JOURNAL", .file), .required("PATH|QUERY")],
            details: [
                """
                Prints a line each time the value at a path, or a query's first output, differs from the one before: \
                the commit, what was there and what is there. What begins with '/' is a path; with '*' or '**' in it \
                each place that matches has its own lines.
                """
            ],
            examples: [
                .init(
                    line: "state-inspect history samples/checkout.jsonl /cart/total", purpose: "every total there was"),
                .init(
                    line: "state-inspect history samples/checkout.jsonl '.cart.items | length' --reverse -n 3",
                    purpose: "the last three changes of the number of items"),
            ]),
        CommandDefinition(
            name: .why, summary: "what made a commit happen", synopsis: ["JOURNAL POS"],
            operands: [.required("JOURNAL", .file), .required("POS")],
            details: [
                """
                Prints the chain of causes: the commit, the one whose delivery made it (a subscriber, a derived value, \
                a task that it started), what made that one, and so on.
                """
            ],
            examples: [
                .init(line: "state-inspect why samples/checkout.jsonl 118", purpose: "what led to commit 118")
            ]),
        CommandDefinition(
            name: .check, summary: "hold invariants against every position",
            synopsis: ["JOURNAL... --invariant NAME=QUERY [OPTIONS]", "JOURNAL... --invariants FILE [OPTIONS]"],
            operands: [.repeated("JOURNAL", .file)],
            details: [
                """
                Holds every invariant against every position of each journal, all in one pass, and tells of each that \
                is violated the record that began it, for how long it was, and how often. An invariant holds where its \
                query has an output and none is false or null.
                """,
                """
                The status is 0 where every invariant held, 1 where one is violated, 3 where a journal could not be \
                read (the others are checked all the same), and otherwise 5 where an invariant could not be evaluated.
                """,
                """
                '--format github' also annotates the source lines in a GitHub workflow, 'sarif' is a document for code \
                scanning, 'junit' one for test reports.
                """,
            ],
            examples: [
                .init(
                    line: "state-inspect check samples/checkout-good.jsonl --invariants samples/invariants.jq",
                    purpose: "does what must always hold, hold"),
                .init(
                    line:
                        "state-inspect check samples/checkout-good.jsonl --invariant 'total=.cart.total >= 0' --jobs 2",
                    purpose: "the same of one invariant, which is typed"),
            ]),
        CommandDefinition(
            name: .stats, summary: "what a run's commits are like", synopsis: ["JOURNAL [OPTIONS]"],
            operands: [.required("JOURNAL", .file)],
            details: [
                """
                Counts commits by path, source location, function and store, and tells how large patches are, how the \
                commits are spread over time, which changed nothing and which values were put back within a few commits. \
                In paths, segments that are numbers count as '*'.
                """
            ],
            examples: [
                .init(
                    line: "state-inspect stats samples/checkout.jsonl", purpose: "what this run spent its commits on"),
                .init(
                    line: "state-inspect stats samples/checkout.jsonl --store cart -n 3",
                    purpose: "the three hottest paths and lines of one store"),
            ]),
        CommandDefinition(
            name: .verify, summary: "hold a journal against itself", synopsis: ["JOURNAL [--repair OUT]"],
            operands: [.required("JOURNAL", .file)],
            details: [
                """
                Replays the whole journal and reports what does not fit: line sums, numbers, times, the old value of \
                every change, keyframes and totals. A journal without an end, and gaps, are noted but are no damage.
                """,
                "With '--repair' what is whole of a damaged journal is written to another file.",
            ],
            examples: [.init(line: "state-inspect verify samples/checkout.jsonl", purpose: "is this journal whole")]),
    ]

    /// Journals out.
    private static let journalsOut: [CommandDefinition] = [
        CommandDefinition(
            name: .slice, summary: "a part of a journal that replays alone", synopsis: ["JOURNAL A..B [-o FILE]"],
            operands: [.required("JOURNAL", .file), .required("A..B")],
            details: [
                """
                Writes the commits after A up to B as a journal: a segment that begins with the stores as they are at \
                A. Its lines keep their numbers, times and causes.
                """
            ],
            examples: [
                .init(
                    line: "state-inspect slice samples/checkout.jsonl end-20..end",
                    purpose: "the last 20 commits")
            ]),
        CommandDefinition(
            name: .merge, summary: "several journals as one, by time", synopsis: ["JOURNAL... [-o FILE]"],
            operands: [.repeated("JOURNAL", .file)],
            details: [
                """
                Writes the records of several journals in the order of their times, of several processes for example. \
                Commits are numbered anew, and causes follow. A store whose name is taken gets another one ('cart_2'). \
                Segments of one run, told by their 'id' and 'after', are put together again.
                """
            ],
            examples: [
                .init(
                    line: "state-inspect merge samples/checkout.jsonl samples/checkout-good.jsonl",
                    purpose: "two runs in one journal")
            ]),
        CommandDefinition(
            name: .redact, summary: "a journal without the values at some paths",
            synopsis: ["JOURNAL --path PATH [--check SECRET] [-o FILE]", "JOURNAL --check SECRET"],
            operands: [.required("JOURNAL", .file)],
            details: [
                """
                Replaces each value at a path by a keyed hash, in states, patches, keyframes and gaps: equal values \
                have equal hashes, and the key is thrown away. The texts that were redacted so are also taken out of \
                payloads, outcomes, marks and errors, if they have four bytes or more.
                """,
                """
                With '--check' the result is searched for a text: where it is left is told, the status is 1, and FILE \
                is not written.
                """,
            ],
            examples: [
                .init(
                    line: "state-inspect redact samples/checkout.jsonl --path /session/token",
                    purpose: "a journal to hand on")
            ]),
        CommandDefinition(
            name: .minimize, summary: "the fewest commits that still end bad",
            synopsis: ["JOURNAL --bad QUERY [-o FILE]"], operands: [.required("JOURNAL", .file)],
            details: [
                """
                Leaves out commits as long as the last state is bad, and writes the journal of those that are left: \
                none of them can be left out. Which they are is told on standard error. A patch that no longer \
                applies without others is left out with them.
                """
            ],
            examples: [
                .init(
                    line: "state-inspect minimize samples/checkout.jsonl --bad '.cart.total < 0'",
                    purpose: "what it takes to make the total negative")
            ]),
    ]

    private static let tools: [CommandDefinition] = [
        CommandDefinition(
            name: .query, summary: "try a query on plain JSON", synopsis: ["QUERY [FILE] [OPTIONS]"],
            operands: [.required("QUERY"), .optional("FILE", .file)],
            details: [
                """
                Runs a query on each JSON text of a file or of standard input and prints its outputs. A run-time error \
                is reported, the next text is tried, and the status is 5 at the end.
                """
            ],
            examples: [
                .init(line: "state-inspect query --footprint '.cart.items | length'", purpose: "what a query reads")
            ]),
        CommandDefinition(
            name: .completions, summary: "a completion script for a shell", synopsis: ["SHELL"],
            operands: [.required("SHELL", .choices(Shell.allCases.map(\.rawValue)))],
            details: ["Prints a script that teaches bash, zsh or fish the commands and options."],
            examples: [
                .init(
                    line: "state-inspect completions fish",
                    purpose: "the script, for ~/.config/fish/completions/state-inspect.fish")
            ]),
        CommandDefinition(
            name: .help, summary: "what a command does and takes", synopsis: ["[COMMAND]"],
            operands: [.optional("COMMAND", .command)],
            details: ["Prints the long help of a command, or of the whole program."],
            examples: [.init(line: "state-inspect help bisect", purpose: "all about bisect")]),
    ]
}
