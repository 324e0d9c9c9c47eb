/// The command `state-inspect` with all of its commands.
public enum StateInspect {
    /// Every command, from the modules that declare them.
    static let commands: [any Command.Type] = [
        InfoCommand.self, LogCommand.self, MarksCommand.self, ShowCommand.self, StateCommand.self, ReplayCommand.self,
        DiffCommand.self, BisectCommand.self, DerivedCommand.self, BlameCommand.self, HistoryCommand.self,
        OriginCommand.self, WhyCommand.self, GrepCommand.self, CheckCommand.self, LearnCommand.self,
        SuspectsCommand.self, CiteCommand.self, StatsCommand.self, VerifyCommand.self, DebugCommand.self,
        DapCommand.self, ReportCommand.self, SliceCommand.self, MergeCommand.self, RedactCommand.self,
        MinimizeCommand.self, ImportCommand.self, ExportCommand.self, QueryCommand.self, AgentServerCommand.self,
        CompletionsCommand.self, HelpCommand.self,
    ]

    /// Runs with this process's arguments, streams and environment, and ends the process.
    public static func main() -> Never { Program.main(commands, Array(CommandLine.arguments.dropFirst())) }
}
