import JSONCore

/// What people type who know git, jq, a debugger or a shell: words for which this program has another command.
enum CommandWords {
    /// The command to type for a word, with its options; nil where none is meant.
    static func command(for word: String) -> String? {
        words[word.lowercased()]?.first {
            CommandName(rawValue: String($0.prefix { $0 != " " })) != nil || UTF8Order.begins($0, with: "-")
        }
    }

    /// Of several commands the first that there is.
    private static let words: [String: [String]] = [
        "annotate": ["blame"], "praise": ["blame"], "compare": ["diff"], "cmp": ["diff"], "difftool": ["diff"],
        "whatchanged": ["log -p"], "shortlog": ["log"], "reflog": ["log"], "ls": ["log"], "list": ["log"],
        "less": ["log"],
        "commits": ["log"], "head": ["log -n 10"], "tail": ["log -n 10 --reverse"], "watch": ["log --follow"],
        "follow": ["log --follow"], "grep": ["grep", "log --where QUERY"], "search": ["grep", "log --where QUERY"],
        "find": ["grep", "log --where QUERY"], "cat": ["state"], "print": ["state"], "get": ["state"],
        "checkout": ["state --at POS"],
        "dump": ["state"], "status": ["info"], "stat": ["info"], "describe": ["info"], "file": ["info"],
        "tag": ["marks"], "tags": ["marks"], "fsck": ["verify"], "validate": ["verify"], "lint": ["verify"],
        "repair": ["verify --repair OUT"], "open": ["debug"], "gdb": ["debug"], "rr": ["debug"], "step": ["debug"],
        "tui": ["debug --tui"], "html": ["report -o FILE.html"], "page": ["report -o FILE.html"],
        "view": ["report -o FILE.html"], "convert": ["import"], "load": ["import"], "save": ["export"],
        "cut": ["slice"], "split": ["slice"], "join": ["merge"], "concat": ["merge"], "anonymize": ["redact"],
        "mask": ["redact"], "shrink": ["minimize"], "reduce": ["minimize"], "assert": ["check"], "test": ["check"],
        "cause": ["why"], "trace": ["why"], "play": ["replay"], "rewind": ["replay --reverse"],
        "revert": ["replay --without LIST"],
        "jq": ["query"], "select": ["query"], "filter": ["query"], "summary": ["stats"], "top": ["stats"],
        "man": ["help"],
        "version": ["--version"], "complete": ["completions"], "completion": ["completions"],
    ]
}
