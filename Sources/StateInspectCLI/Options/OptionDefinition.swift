/// An option, by its long name as it is typed after `--`.
enum OptionName: String, CaseIterable, Sendable {
    case action, all, arg, argjson, args, at, bad, batch, branch, cause, changed, check, close, color, command
    case define, definitions, each, final, footprint, format, from, function, good
    case follow, help, id, ignore, indent, initial, interactive, invariant, invariants, jobs, json, jsonargs, key, log,
        mark
    case marks, merge, messages
    case monotone, name, only, output, pace, patch, path, prefix, preset, range, rawfile, recover, redact, repair,
        resume, reverse, run, select, seq, set, skip, slurp, slurpfile
    case source, stat, state, store, stream, strict, suggest, summary, tab, time, to, tui, version, `where`, why,
        without
    case asciiOutput = "ascii-output"
    case compactOutput = "compact-output"
    case exitStatus = "exit-status"
    case fromFile = "from-file"
    case joinOutput = "join-output"
    case maxCount = "max-count"
    case nameOnly = "name-only"
    case noMarks = "no-marks"
    case noPager = "no-pager"
    case nullInput = "null-input"
    case rawInput = "raw-input"
    case rawOutput = "raw-output"
    case rawOutput0 = "raw-output0"
    case skipBad = "skip-bad"
    case sortKeys = "sort-keys"
    case sourceRoot = "source-root"
    case sourceURL = "source-url"

    /// The name as it is typed and as messages quote it.
    var typed: String { "--" + rawValue }
}

/// One option, declared once: the commands that take it list its name; the parser, both helps, the completions and the man page check read it here.
struct OptionDefinition: Sendable {
    let name: OptionName

    /// The letter that stands for it after a single `-`.
    let short: Character?

    /// The value that it takes; nil for a switch.
    let argument: Argument?

    /// The second value, of an option that takes two.
    let second: Argument?

    /// Whether several add up; otherwise the last one typed counts.
    let isRepeatable: Bool

    /// Whether every argument after it belongs to it.
    let takesRest: Bool

    /// The commands to which the name means this, where it means something else to others; nil for all that list it.
    let meantBy: Set<CommandName>?

    /// The commands that know it; the table fills it in from their definitions.
    var commands: Set<CommandName> = []

    /// One line for `-h` and the completions; lower case, no full stop.
    let summary: String

    /// What `--help` adds to the summary; may be empty.
    let details: String

    /// The value of an option.
    struct Argument: Sendable {
        let name: String
        let completion: CompletionKind
    }

    init(
        _ name: OptionName, short: Character? = nil, argument: String? = nil, completion: CompletionKind = .none,
        second: Argument? = nil, isRepeatable: Bool = false, takesRest: Bool = false, meantBy: Set<CommandName>? = nil,
        _ summary: String,
        details: String = ""
    ) {
        self.name = name
        self.short = short
        self.argument = argument.map { Argument(name: $0, completion: completion) }
        self.second = second
        self.isRepeatable = isRepeatable
        self.takesRest = takesRest
        self.meantBy = meantBy
        self.summary = summary
        self.details = details
    }

    /// Whether every command takes it.
    var isCommon: Bool { commands.count == CommandName.allCases.count }

    /// The option with its value, as a help shows it: `--range A..B`.
    var synopsis: String {
        ([name.typed] + [argument, second].compactMap { $0?.name }).joined(separator: " ")
    }
}
