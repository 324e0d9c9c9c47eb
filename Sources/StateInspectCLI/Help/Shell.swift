/// A shell that completions can be made for.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The completion script of this shell, made from the tables.
    var completionScript: String {
        switch self {
        case .bash: BashCompletions.script
        case .zsh: ZshCompletions.script
        case .fish: FishCompletions.script
        }
    }
}
