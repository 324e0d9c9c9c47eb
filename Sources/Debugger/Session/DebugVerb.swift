import JournalReading

/// A command of the debugger, by its whole name.
enum DebugVerb: String, CaseIterable, Sendable {
    case step, stepi, `continue`, run, goto, start, end, back, forward, until, last, up, down, frame
    case reverseStep = "reverse-step"
    case reverseStepi = "reverse-stepi"
    case reverseContinue = "reverse-continue"
    case reverseUntil = "reverse-until"
    case reverseSearch = "reverse-search"
    case execDirection = "exec-direction"
    case `break`, tbreak, watch, `catch`, delete, disable, enable, condition, ignore, info
    case print, display, undisplay, diff, blame, history, origin, search, why, list, bt, when
    case checkpoint, restart, skip, unskip, pipe, shell, set, source, help, quit
}

/// Said once for the parser, the helps, the completion and the manual.
struct DebugVerbDefinition: Sendable {
    enum Argument: Sendable {
        case none, position, query, path, place, caught, stop, topic, checkpoint, file, verb
    }

    let verb: DebugVerb
    let short: [String]
    let synopsis: String
    /// One line; lower case, no full stop.
    let summary: String
    let details: String
    let argument: Argument
    /// Whether Enter does it again.
    let isRepeated: Bool

    init(
        _ verb: DebugVerb, _ short: [String], takes arguments: String = "", completing argument: Argument = .none,
        repeated: Bool = false, _ summary: String, _ details: String = ""
    ) {
        self.verb = verb
        self.short = short
        synopsis = verb.rawValue + (arguments.isEmpty ? "" : " " + arguments)
        self.argument = argument
        self.summary = summary
        self.details = details
        isRepeated = repeated
    }
}

/// The help lists them in this order.
enum DebugVerbTable {
    struct Group: Sendable {
        let title: String
        let verbs: [DebugVerbDefinition]
    }

    static let groups = [
        Group(title: "motions", verbs: motions), Group(title: "stops", verbs: stops),
        Group(title: "looking", verbs: looking), Group(title: "the rest", verbs: rest),
    ]

    static let all = groups.flatMap(\.verbs)

    static func definition(of verb: DebugVerb) -> DebugVerbDefinition {
        guard let found = all.first(where: { $0.verb == verb }) else {
            preconditionFailure("'\(verb.rawValue)' is not in the table")
        }
        return found
    }

    private static let motions = [
        DebugVerbDefinition(
            .step, ["s", "next", "n", "finish", "fin"], takes: "[N]", repeated: true,
            "to the next commit, or N commits on", "Inside a commit, 'finish' and the others make the rest of it."),
        DebugVerbDefinition(
            .reverseStep, ["rs", "reverse-next", "rn", "reverse-finish"], takes: "[N]", repeated: true,
            "to the commit before, or N commits back",
            "What a commit did is undone: the state is the one that was."),
        DebugVerbDefinition(
            .stepi, ["si", "nexti", "ni"], takes: "[N]", repeated: true, "over one change of a commit",
            "A commit of several changes is gone through one by one; 'step' makes the rest of them."),
        DebugVerbDefinition(
            .reverseStepi, ["rsi", "reverse-nexti", "rni"], takes: "[N]", repeated: true,
            "back over one change of a commit"),
        DebugVerbDefinition(
            .continue, ["c"], takes: "[N]", repeated: true, "to the next stop, or the Nth",
            "At the end of the run it stops; with '--follow' it waits for more. Ctrl-C ends it where it is."),
        DebugVerbDefinition(
            .reverseContinue, ["rc"], takes: "[N]", repeated: true, "to the stop before, or the Nth back",
            """
            It stops after the commit that did it, as 'continue' does, so that both ways stop at the same places; the \
            place where it begins does not count.
            """),
        DebugVerbDefinition(.run, ["r"], takes: "[POS]", "from the start to the first stop, or to a position"),
        DebugVerbDefinition(
            .until, ["u"], takes: "QUERY|POS", completing: .query, repeated: true,
            "to the next position at which a query holds, or to a position",
            "Stops count on the way. A position at which the query fails is passed, and reported at the end."),
        DebugVerbDefinition(
            .reverseUntil, ["ru"], takes: "QUERY", completing: .query, repeated: true,
            "to the position before at which a query holds"),
        DebugVerbDefinition(
            .last, [], takes: "PATH|QUERY", completing: .path, repeated: true, "to the commit that made it what it is",
            """
            Goes back to the commit that last changed what is at the path, or what the query gives; the same again goes on \
            from there to the change before. It stays where it is if that commit is the one.
            """),
        DebugVerbDefinition(
            .goto, ["g"], takes: "POS", completing: .position, "to a position",
            "A position is a commit's number, 'start', 'end', 'end-3', an RFC 3339 time or 'mark:TEXT'."),
        DebugVerbDefinition(.start, [], "to the start of the run"),
        DebugVerbDefinition(.end, [], "to the end of the run, also of a journal that has grown"),
        DebugVerbDefinition(.back, [], takes: "[N]", repeated: true, "to where you were before the last motion"),
        DebugVerbDefinition(.forward, [], takes: "[N]", repeated: true, "to where 'back' came from"),
        DebugVerbDefinition(
            .up, [], takes: "[N]", repeated: true, "to the commit that caused this one",
            "The chain of causes is that of 'bt'; it stays that of the commit at which it began until something else moves."
        ),
        DebugVerbDefinition(.down, [], takes: "[N]", repeated: true, "back to the commit that it caused"),
        DebugVerbDefinition(
            .frame, ["f"], takes: "[N]", "to the commit '#N' of 'bt', or which one this is"),
        DebugVerbDefinition(
            .execDirection, [], takes: "[forward|reverse]", "which way 'step', 'continue' and 'until' go",
            "Without a word it says which way. 'set exec-direction' does it too."),
    ]

    private static let stops = [
        DebugVerbDefinition(
            .break, ["b"], takes: "FILE[:LINE]|FUNCTION [if QUERY]", completing: .place, "stop at commits made there",
            """
            A commit that the app named is met by its name too. The condition is asked of the state after the commit. 'break' \
            alone takes the place of the present commit.
            """
        ),
        DebugVerbDefinition(
            .tbreak, ["tb"], takes: "FILE[:LINE]|FUNCTION [if QUERY]", completing: .place, "the same, but only once"),
        DebugVerbDefinition(
            .watch, [], takes: "PATH|QUERY [if QUERY]", completing: .path, "stop when a value changes",
            """
            What begins with '/' is a path, in which '*' and '**' may stand, and so is a bare 'cart.total'; anything else is \
            a query, of which the first output counts. 'if QUERY' may follow. It stops in both directions.
            """),
        DebugVerbDefinition(
            .catch, [], takes: "derived NAME|mark|abort|violation QUERY", completing: .caught,
            "stop when something happens",
            """
            'derived': the value fired, by its definition if '--define' or '--definitions' has it, else as the app recorded \
            it. 'mark': the app said something. 'abort': a commit's closure threw. 'violation': the query was true and no \
            longer is.
            """),
        DebugVerbDefinition(.delete, ["d"], takes: "[N...]", completing: .stop, "take stops away, or all of them"),
        DebugVerbDefinition(.disable, ["dis"], takes: "[N...]", completing: .stop, "let stops not count for now"),
        DebugVerbDefinition(.enable, ["en"], takes: "[N...]", completing: .stop, "let them count again"),
        DebugVerbDefinition(
            .condition, ["cond"], takes: "N [QUERY]", completing: .stop,
            "stop only where a query holds, or always again"),
        DebugVerbDefinition(
            .ignore, [], takes: "N COUNT", completing: .stop, "pass a stop so many times before it counts"),
        DebugVerbDefinition(
            .info, ["i"], takes: "breakpoints|watchpoints|stores|derived|marks|checkpoints|display",
            completing: .topic, "list what there is"),
    ]

    private static let looking = [
        DebugVerbDefinition(
            .print, ["p", "inspect", "call", "output"], takes: "[QUERY|PATH]", completing: .query,
            "what a query gives, or is at a path, or the whole state",
            """
            '$old' is the state before the commit: 'print $old.cart.total'. On a terminal long values are cut; 'set print \
            elements N' says where, and 'set print elements 0' not at all.
            """),
        DebugVerbDefinition(.display, [], takes: "[QUERY|PATH]", completing: .query, "print it at every stop"),
        DebugVerbDefinition(.undisplay, [], takes: "[N...]", completing: .none, "no longer print it"),
        DebugVerbDefinition(
            .diff, [], takes: "[POS]", completing: .position,
            "what differs from another position, or from the one before"),
        DebugVerbDefinition(.blame, [], takes: "PATH", completing: .path, "who last wrote each value at a path"),
        DebugVerbDefinition(
            .history, [], takes: "PATH|QUERY", completing: .path, "every change of a value in the run",
            """
            A line for each: the commit, what it was and became, when and where; of numbers, a line that is drawn besides. \
            Ctrl-C ends it with what was found so far.
            """),
        DebugVerbDefinition(
            .origin, [], takes: "PATH", completing: .path, "where a value comes from, hop by hop",
            "A hop is dim where equal values say so and not the journal."),
        DebugVerbDefinition(
            .search, ["/"], takes: "[TEXT]", completing: .none, repeated: true,
            "to the next commit that has a text, or the mark after it",
            """
            In its names, in the paths and values that it changed, in its action, and in marks; small letters stand for large \
            ones too. At the end of the run it goes on from the start, and says so. Without a text it looks for the last one \
            again.
            """),
        DebugVerbDefinition(
            .reverseSearch, [], takes: "[TEXT]", completing: .none, repeated: true,
            "to the commit before that has a text"),
        DebugVerbDefinition(.why, [], "the commit, what it changed, and what caused it"),
        DebugVerbDefinition(.bt, ["where", "backtrace"], "the chain of causes"),
        DebugVerbDefinition(
            .list, ["l"], takes: "[LINE|FILE:LINE]", repeated: true, "the source around the commit's line, or another",
            "The file is looked for below the folder of '--source-root', or below the present one."),
        DebugVerbDefinition(.when, [], "where and when this is"),
    ]

    private static let rest = [
        DebugVerbDefinition(.checkpoint, [], takes: "[NAME]", completing: .none, "remember this place"),
        DebugVerbDefinition(.restart, [], takes: "NAME", completing: .checkpoint, "go to a place that is remembered"),
        DebugVerbDefinition(
            .skip, [], takes: "[--with-effects] LIST", completing: .none,
            "leave commits out: the run as it would have been",
            """
            Commits that no longer fit are reported and left out too. LIST is as '3,5,10..20'. What the commits caused stays, \
            which is said; with '--with-effects' it is left out too.
            """),
        DebugVerbDefinition(.unskip, [], takes: "[LIST]", completing: .none, "take them back, or all of them"),
        DebugVerbDefinition(
            .pipe, [], takes: "QUERY | COMMAND", completing: .query,
            "give a query's outputs to a shell command, one a line",
            "The first '|' outside of quotes and brackets ends the query."),
        DebugVerbDefinition(
            .shell, ["!"], takes: "COMMAND", completing: .none, "run a shell command", "'!ls' does it too."),
        DebugVerbDefinition(
            .set, [], takes: "exec-direction|print elements|pagination VALUE", completing: .none,
            "how the session behaves",
            """
            'exec-direction forward|reverse', 'print elements N' (how much of a string, an array or an object is printed; 0 is \
            all), 'pagination on|off'.
            """),
        DebugVerbDefinition(.source, [], takes: "FILE", completing: .file, "carry out the commands of a file"),
        DebugVerbDefinition(
            .help, ["h", "?", "apropos"], takes: "[COMMAND|WORD]", completing: .verb,
            "this list, more of one command, or the commands about a word"),
        DebugVerbDefinition(.quit, ["q", "exit"], "leave"),
    ]
}

extension DebugVerbTable {
    /// What to type for a word of gdb, rr or lldb that is not a command here; nil where it is not one.
    static func advice(for word: String, before rest: String) -> String? {
        if foreignMotions.contains(word), (try? PositionText(parsing: rest)) != nil { return "write 'goto \(rest)'" }
        if word == "echo" || word == "output", !rest.isEmpty { return "write 'shell \(word) \(rest)'" }
        return foreign.first { $0.words.contains(word) }?.advice
    }

    /// What to type for a topic of gdb's `info`; nil where it is not one.
    static func advice(forInfo topic: String) -> String? {
        if (try? PositionText(parsing: topic)) != nil { return "write 'goto \(topic)', then 'why'" }
        return topics.first { $0.words.contains(topic) }?.advice
    }

    /// Words before a position to go to.
    private static let foreignMotions = [
        "advance", "jump", "seek", "seek-ticks", "run-to", "show", "checkout", "commit", "at", "state", "go", "to",
        "tick",
    ]

    private static let topics: [(words: [String], advice: String)] = [
        (["locals", "args", "variables", "registers", "all-registers", "scope", "types"], "write 'print'"),
        (["source", "sources", "line", "symbol"], "write 'list'"),
        (["threads", "inferiors", "functions", "shared", "sharedlibrary", "files", "store"], "write 'info stores'"),
        (["frame", "program", "status", "record", "target"], "write 'when'"), (["stack"], "write 'bt'"),
        (["b", "br", "break"], "write 'info breakpoints'"), (["watch"], "write 'info watchpoints'"),
        (["macro", "signals", "signal", "os", "proc"], "a run is recorded: 'info marks' lists what the app said"),
    ]

    private static let foreign: [(words: [String], advice: String)] = [
        (["x", "examine", "ptype", "whatis", "printf", "echo", "po", "explore", "args", "locals"], "write 'print'"),
        (["thread", "threads", "inferior", "t"], "write 'info stores': a run has stores, not threads"),
        (["advance"], "write 'tbreak FILE:LINE' and 'continue'"),
        (["jump", "seek", "seek-ticks", "run-to"], "write 'goto POS'"),
        (["clear"], "write 'delete'"),
        (["rwatch", "awatch"], "write 'watch': a run has no reads"),
        (["hbreak", "thbreak", "rbreak", "dprintf"], "write 'break'"),
        (["commands"], "write 'display', or a file for '-x'"),
        (["return"], "write 'finish'"),
        (["kill", "detach", "disconnect"], "write 'quit'"),
        (["show", "status"], "write 'info'"),
        (["layout", "tui", "focus", "winheight", "refresh"], "write 'state-inspect debug --tui JOURNAL'"),
        (
            ["attach", "core", "exec", "file", "load", "symbol-file", "target"],
            "write 'quit' and open the other journal"
        ),
        (["call-stack", "stack"], "write 'bt'"),
        (["disassemble", "edit"], "write 'list'"),
        (["forward-search", "grep", "find"], "write 'search TEXT'"),
        (["rev"], "write 'reverse-search TEXT'"),
        (
            ["record", "signal", "handle", "var"],
            "a run is recorded and cannot be changed; 'skip N' leaves a commit out"
        ),
        (["define", "python", "py", "script"], "write 'source FILE'"),
        (["cd", "pwd", "make"], "write 'shell \u{2026}'"),
        (["save"], "write 'info breakpoints'; a file with such lines is read by 'source FILE'"),
        (["who"], "write 'blame PATH'"), (["what", "actions"], "write 'why'"), (["keys"], "write 'print keys'"),
        (["undo"], "write 'reverse-step'"), (["redo"], "write 'step'"), (["reset"], "write 'start'"),
        (["replay"], "write 'run'"),
        (["dispatch"], "a run is recorded and cannot be changed; 'skip N' leaves a commit out"),
        (["log", "commits"], "write 'info marks', or 'shell state-inspect log JOURNAL'"),
        (["stepping", "over", "into"], "write 'step'"),
    ]
}
