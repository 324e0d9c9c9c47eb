/// Every command of the tool, in the order in which a help lists them.
enum CommandTable {
    /// The declarations, one for each `CommandName`.
    static let all: [CommandDefinition] = CommandName.allCases.map { $0.type.definition }

    /// The commands by what one wants, as the short help lists them.
    static let groups: [(title: String, commands: [CommandName])] = [
        ("find", [.bisect, .check, .suspects, .learn]),
        (
            "look",
            [
                .info, .log, .marks, .show, .state, .history, .blame, .origin, .why, .grep, .derived, .stats,
            ]
        ),
        ("compare and walk", [.diff, .replay, .debug, .dap, .report]),
        ("cut and share", [.slice, .merge, .redact, .minimize, .verify]), ("convert", [.import, .export, .query]),
        ("connect", [.mcp, .cite, .completions, .help]),
    ]

    /// The declaration of a command.
    static func definition(of name: CommandName) -> CommandDefinition { name.type.definition }
}

extension [Option] {
    /// What a command that takes queries takes for them.
    static let queryValues: [Option] = [.arg, .argjson, .definitions]

    /// How 'query' reads, and what else its query may name.
    static let queryInput: [Option] = [
        .slurpfile, .rawfile, .args, .jsonargs, .fromFile, .nullInput, .rawInput, .slurp, .stream, .nan,
        .footprint,
    ]

    /// How 'query' prints.
    static let queryOutput: [Option] = [
        .compactOutput, .colorOutput, .monochromeOutput, .tab, .indent, .sortKeys, .asciiOutput, .joinOutput,
        .rawOutput0, .seq,
    ]

    /// The options that choose commits.
    static let filters: [Option] =
        [.range, .store, .path, .source, .function, .name, .action, .trace, .where]
}

/// A command of the tool, by the word that is typed; the order is that of the helps and the manual.
enum CommandName: String, CaseIterable, Sendable {
    case info, log, marks, show, state, replay, diff, bisect, derived, blame, history, origin, why, grep, check
    case learn, suspects, cite
    case stats, verify
    case debug, dap, report
    case slice, merge, redact, minimize
    case `import`, export
    case query, mcp, completions, help
}

extension CommandName {
    /// What carries the command out.
    var type: any Command.Type {
        switch self {
        case .info: InfoCommand.self
        case .log: LogCommand.self
        case .marks: MarksCommand.self
        case .show: ShowCommand.self
        case .state: StateCommand.self
        case .replay: ReplayCommand.self
        case .diff: DiffCommand.self
        case .bisect: BisectCommand.self
        case .derived: DerivedCommand.self
        case .blame: BlameCommand.self
        case .history: HistoryCommand.self
        case .origin: OriginCommand.self
        case .why: WhyCommand.self
        case .grep: GrepCommand.self
        case .check: CheckCommand.self
        case .learn: LearnCommand.self
        case .suspects: SuspectsCommand.self
        case .cite: CiteCommand.self
        case .stats: StatsCommand.self
        case .verify: VerifyCommand.self
        case .debug: DebugCommand.self
        case .dap: DapCommand.self
        case .report: ReportCommand.self
        case .slice: SliceCommand.self
        case .merge: MergeCommand.self
        case .redact: RedactCommand.self
        case .minimize: MinimizeCommand.self
        case .import: ImportCommand.self
        case .export: ExportCommand.self
        case .query: QueryCommand.self
        case .mcp: AgentServerCommand.self
        case .completions: CompletionsCommand.self
        case .help: HelpCommand.self
        }
    }
}
