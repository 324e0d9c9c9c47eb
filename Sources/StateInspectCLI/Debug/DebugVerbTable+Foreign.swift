/// Words of other debuggers.
extension DebugVerbTable {
    /// What to type for a word of gdb, rr or lldb that is not a command here; nil where it is not one.
    static func advice(for word: String) -> String? {
        foreign.first { $0.words.contains(word) }?.advice
    }

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
        (["log", "commits"], "write 'info marks', or 'shell state-inspect log JOURNAL'"),
        (["stepping", "over", "into"], "write 'step'"),
    ]
}
