import JournalReading

/// Words of other debuggers.
extension DebugVerbTable {
    /// What to type for a word of gdb, rr or lldb that is not a command here; nil where it is not one.
    ///
    /// - Parameter rest: what follows the word.
    static func advice(for word: String, before rest: String) -> String? {
        if motions.contains(word), (try? PositionText(parsing: rest)) != nil { return "write 'goto \(rest)'" }
        if word == "echo" || word == "output", !rest.isEmpty { return "write 'shell \(word) \(rest)'" }
        return foreign.first { $0.words.contains(word) }?.advice
    }

    /// What to type for a topic of gdb's `info`; nil where it is not one.
    static func advice(forInfo topic: String) -> String? {
        if (try? PositionText(parsing: topic)) != nil { return "write 'goto \(topic)', then 'why'" }
        return topics.first { $0.words.contains(topic) }?.advice
    }

    /// Words before a position to go to.
    private static let motions = [
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
