/// A command of the tool, by the word that is typed; the order is that of the helps and the manual.
enum CommandName: String, CaseIterable, Sendable {
    case info, log, marks, show, state, replay, diff, bisect, derived, blame, history, why, check, stats, verify
    case report
    case slice, merge, redact, minimize
    case query, completions, help
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
        case .why: WhyCommand.self
        case .check: CheckCommand.self
        case .stats: StatsCommand.self
        case .verify: VerifyCommand.self
        case .report: ReportCommand.self
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
