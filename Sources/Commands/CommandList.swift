package import CommandLine

package enum CommandList {
    /// `CommandName` has their order.
    package static let all: [any Command.Type] = [
        InfoCommand.self, LogCommand.self, MarksCommand.self, ShowCommand.self, StateCommand.self, ReplayCommand.self,
        DiffCommand.self, BisectCommand.self, DerivedCommand.self, BlameCommand.self, HistoryCommand.self,
        OriginCommand.self, WhyCommand.self, GrepCommand.self, CheckCommand.self, LearnCommand.self,
        SuspectsCommand.self, CiteCommand.self, StatsCommand.self, VerifyCommand.self, SliceCommand.self,
        MergeCommand.self, RedactCommand.self, MinimizeCommand.self, ImportCommand.self, ExportCommand.self,
        QueryCommand.self, CompletionsCommand.self, HelpCommand.self,
    ]
}
