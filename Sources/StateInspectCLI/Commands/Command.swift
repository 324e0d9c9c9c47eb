/// A command: what was typed becomes what it means, and then an answer.
protocol Command {
    /// Understands what was typed.
    ///
    /// - Throws: `UsageError` or another error of facts where it makes no sense.
    init(_ typed: TypedArguments) throws

    /// Whether a long answer may go through a pager.
    var isPaged: Bool { get }

    /// Writes the answer.
    ///
    /// - Returns: the status that the answer comes to.
    /// - Throws: an error of facts where there is no answer; its status follows from its type (`ExitStatus.of`).
    func run(in context: CommandContext) throws -> ExitStatus
}

extension Command {
    var isPaged: Bool { false }
}

extension CommandName {
    /// What carries the command out.
    var type: any Command.Type {
        switch self {
        case .info: InfoCommand.self
        case .log: LogCommand.self
        case .show: ShowCommand.self
        case .state: StateCommand.self
        case .replay: ReplayCommand.self
        case .diff: DiffCommand.self
        case .bisect: BisectCommand.self
        case .derived: DerivedCommand.self
        case .blame: BlameCommand.self
        case .history: HistoryCommand.self
        case .why: WhyCommand.self
        case .check: CheckCommand.self
        case .stats: StatsCommand.self
        case .verify: VerifyCommand.self
        case .slice: SliceCommand.self
        case .merge: MergeCommand.self
        case .redact: RedactCommand.self
        case .minimize: MinimizeCommand.self
        case .query: QueryCommand.self
        case .completions: CompletionsCommand.self
        case .help: HelpCommand.self
        }
    }
}
