import Diagnostics
import JSONCore
import JournalReading
import Platform

struct CommandGuess {
    private let word: String
    private let typed: [String]

    init(_ word: String, _ arguments: [String]) {
        self.word = word
        typed = arguments
    }

    /// A journal alone means `info`, one with a position `show`; nil where something else was typed.
    var arguments: [String]? {
        for command in [CommandName.info, .show] {
            let words = [command.rawValue] + typed
            var parser = ArgumentParser(words)
            guard parser.problem() == nil, parser.typed.operands.contains(where: JournalFiles.isThere) else { continue }
            let others = parser.typed.operands.filter { !JournalFiles.isThere($0) }
            let isMeant =
                command == .info
                ? parser.typed.operands.count == 1
                : others.count == 1 && parser.typed.operands.count == 2
                    && (try? PositionText(parsing: others[0])) != nil
            if isMeant { return words }
        }
        return nil
    }

    var problem: UsageError {
        if UTF8Order.begins(word, with: "-") { return .unknownOption(word, nil, line: line(withCommandAt: 0)) }
        if FileSystem.resolved(word) != nil { return .noCommand(word, line: lineWithCommand) }
        return .unknownCommand(word, line: lineWithMeantCommand)
    }

    /// The first command that takes a file and all that was typed is put in.
    private var lineWithCommand: String? {
        guard let place = typed.firstIndex(of: word) else { return nil }
        return line(withCommandAt: place)
    }

    private func line(withCommandAt place: Int) -> String? {
        let isCondition = typed.contains { text in ["<", ">", "=="].contains { text.contains($0) } }
        let likely: [CommandName] =
            [.show] + (isCondition ? [.bisect, .state] : [.state, .bisect]) + [.check, .log, .history, .debug]
        for name in likely + CommandName.allCases {
            let words = typed[..<place] + [name.rawValue] + typed[place...]
            if CommandTable.definition(of: name).operands.first?.name == "JOURNAL", isUnderstood(Array(words)) {
                return Advice.line(Array(words))
            }
        }
        return nil
    }

    private var lineWithMeantCommand: String? {
        guard let place = typed.firstIndex(of: word), typed.count > 1 else { return nil }
        let near = CommandWords.near(word, before: Array(typed[(place + 1)...]))
        guard near.count == 1 else { return nil }
        let command = near[0].split(separator: " ").map(String.init)
        var rest = Array(typed[(place + 1)...])
        // A session takes journals, and where to begin; what is asked of it is typed there.
        if command == [CommandName.debug.rawValue] {
            rest.removeAll { text in
                !JournalFiles.isThere(text) && !UTF8Order.begins(text, with: "-")
                    && (try? PositionText(parsing: text)) == nil
            }
        }
        let words = typed[..<place] + command + rest
        return isUnderstood(Array(words)) ? Advice.line(Array(words)) : nil
    }

    private func isUnderstood(_ words: [String]) -> Bool {
        var parser = ArgumentParser(words)
        guard parser.problem() == nil, let name = parser.typed.command else { return false }
        let definition = CommandTable.definition(of: name)
        guard let read = try? OperandReading(parser.typed, definition).arguments(),
            read.operands.count >= definition.operands.count(where: \.isRequired),
            read.operands.count <= definition.operands.count || definition.operands.last?.isRepeated == true
        else { return false }
        // Without a question it asks a person, which needs a terminal.
        if name == .bisect, ![Option.bad, .good, .run, .interactive].contains(where: read.has) { return false }
        return (try? CommandTable.type(of: name).init(read)) != nil
    }
}

/// What people type who know git, jq, a debugger or a shell: words that this program has under another name.
enum CommandWords {
    /// The command comes with its options; nil where none is meant; what else the debugger has is typed there.
    static func command(for word: String) -> String? {
        let word = word.lowercased()
        if let command = words[word] ?? words[word + "s"] { return command }
        let isDebuggers = CommandTable.definition(of: .debug).verbs.contains { verb in
            verb.names.first == word || word.count > 2 && verb.names.contains(word)
        }
        return isDebuggers ? "debug" : nil
    }

    /// The command for a word with what follows it: `tail -f` follows, `who 118` shows a commit.
    static func near(_ word: String, before rest: [String]) -> [String] {
        if word == "tail", rest.contains("-f") || rest.contains("-F") { return ["log"] }
        if command(for: word) == "blame", rest.contains(where: { Int($0) != nil }) { return ["show"] }
        return near(word)
    }

    /// The commands that a word may mean: what it is called elsewhere, those that begin so, or those that are spelt like it.
    static func near(_ word: String) -> [String] {
        if let command = command(for: word) { return [command] }
        let names = CommandName.allCases.map(\.rawValue)
        let begun = names.filter { UTF8Order.begins($0, with: word) }
        return begun.isEmpty ? SimilarNames.nearest(to: word, in: names) : begun
    }

    private static let words: [String: String] = [
        // git's
        "annotate": "blame", "praise": "blame", "compare": "diff", "cmp": "diff", "difftool": "diff",
        "whatchanged": "log -p", "shortlog": "log", "reflog": "log", "rev-list": "log", "list": "log",
        "commits": "log", "checkout": "state --at POS", "switch": "state --at POS", "status": "info",
        "describe": "info", "tags": "marks", "fsck": "verify", "revert": "replay --without LIST",
        "rebase": "replay --without LIST", "cherry-pick": "slice", "format-patch": "export json-patch",
        "archive": "slice", "clone": "slice", "ls-files": "state", "ls-tree": "state", "cat-file": "state",
        "rev-parse": "show", "gitk": "debug --tui", "changes": "log -p", "patch": "log -p",
        // a shell's
        "ls": "log", "less": "log", "more": "log", "head": "log -n 10", "tail": "log -n 10 --reverse",
        "follow": "log --follow", "search": "grep", "find": "grep", "rg": "grep", "ack": "grep",
        "cat": "state", "dump": "state", "file": "info", "wc": "info", "cut": "slice", "split": "slice",
        "join": "merge", "concat": "merge", "man": "help", "html": "report -o FILE.html",
        "page": "report -o FILE.html", "view": "report -o FILE.html", "convert": "import", "load": "import",
        "save": "export", "validate": "verify", "lint": "verify", "repair": "verify --repair OUT",
        "anonymize": "redact", "mask": "redact", "version": "--version", "complete": "completions",
        "completion": "completions", "assert": "check", "test": "check", "expect": "check",
        // a debugger's
        "open": "debug", "gdb": "debug", "lldb": "debug", "rr": "debug",
        "walk": "debug", "tui": "debug --tui", "print": "state", "p": "state", "x": "state",
        "get": "state", "bt": "why", "backtrace": "why", "where": "why", "watch": "history",
        "cause": "why", "trace": "why", "play": "replay", "rewind": "replay --reverse", "breakpoint": "debug",
        "goto": "show", "jump": "show", "commit": "show", "at": "state --at POS",
        // jq's
        "jq": "query", "select": "query", "filter": "query", "keys": "state", "shrink": "minimize",
        "reduce": "minimize", "summary": "stats", "top": "stats", "length": "info",
        // those of stores and their tools
        "actions": "log", "dispatch": "log", "stores": "info", "getstate": "state",
        "selectors": "derived", "reducers": "log", "memo": "derived", "undo": "replay --without LIST",
        "subscribe": "log --follow", "time-travel": "debug --tui", "timetravel": "debug --tui",
        "devtools": "debug --tui", "inspect": "debug --tui", "record": "import", "persist": "export",
        "mutations": "log -p", "events": "log", "timeline": "debug --tui", "skip": "replay --without LIST",
        // questions
        "who": "blame", "whose": "blame", "when": "history", "whodunit": "bisect", "first": "bisect",
    ]

    /// Whether a word is a step of git's bisection, which goes on from one command to the next.
    static func isStep(_ word: String) -> Bool {
        ["start", "good", "bad", "old", "new", "skip", "next", "reset", "log", "replay", "run", "terms", "view"]
            .contains(word)
    }

    static func help(for option: String, of command: CommandName?) -> String? {
        switch (option, command) {
        case ("--oneline", .log?): "leave it out: 'log' prints one line a commit, and '-p' the changes below it"
        case ("--since", _), ("--after", _): "write '--range TIME..', for example '--range 12:00:03..'"
        case ("--until", _), ("--before", _): "write '--range ..TIME', for example '--range ..12:00:03'"
        case ("--grep", _):
            "'grep JOURNAL TEXT' finds a text; write '--name GLOB' for names of commits, or '--action GLOB'"
        case ("--author", _), ("--committer", _):
            "write '--function NAME' or '--source FILE:LINE' for who made a commit"
        case ("-S", _): "'grep JOURNAL TEXT' says where a text came in, and which commit took it away"
        case ("-G", _): "'grep JOURNAL -e REGEX' says where a text came in, and which commit took it away"
        case ("-L", .blame?): "name the part of the state instead: 'blame JOURNAL /cart/items'"
        case ("--graph", _): "'why JOURNAL POS' shows what caused a commit"
        case ("--name-only", .log?), ("--name-status", .log?):
            "leave it out: 'log' prints the paths of each commit, and '-p' the changes"
        case ("--name-status", _): "write '--name-only'"
        case ("--merges", .log?), ("--no-merges", .log?): "leave it out: a run has no branches that could be merged"
        case ("-e", .debug?), ("--eval-command", .debug?):
            "write the commands to a file, and '-x FILE'; without a terminal they are read from standard input"
        case ("-q", .debug?), ("--quiet", .debug?), ("--args", .debug?): "leave it out"
        case ("--skip", .replay?): "write '--without LIST'"
        case ("--type", .log?): "write '--action GLOB'"
        case ("--filter", _): "write '--where QUERY' or '--path PATH'"
        case ("--numstat", _), ("--shortstat", _): "write '--stat'"
        case ("--limit", _), ("--count", _): "write '-n K'"
        case ("-V", _), ("-v", nil): "write '--version'"
        case ("-k", .help?), ("-k", nil): "write 'help WORD'"
        case ("--to", .history?), ("--value", .history?), ("--equals", .history?), ("--value", .log?):
            "ask for it as a query: history JOURNAL '.cart.total == 12' says when that came to be true"
        case ("--wasted", .derived?), ("--unused", .derived?), ("--recomputed", .derived?):
            "'--summary' counts them: 'same' ran for an output that is equal"
        case ("--argfile", .query?): "write '--slurpfile NAME FILE', which makes an array of the texts"
        case ("-0", .query?): "write '--raw-output0'"
        default: isOfQuery(option, command) ? "'| state-inspect query \(option) .' after it prints its JSON so" : nil
        }
    }

    /// Whether an option of another command is one of jq's for how JSON is printed.
    private static func isOfQuery(_ option: String, _ command: CommandName?) -> Bool {
        guard let command, command != .query else { return false }
        return [
            "-c", "-r", "-S", "-a", "-j", "-M", "-C", "--compact-output", "--raw-output", "--sort-keys", "--tab",
            "--indent",
        ]
        .contains(option)
            && !OptionTable.options(of: command).contains { $0.typed == option || $0.short == option.last }
    }
}
