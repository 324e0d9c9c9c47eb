/// The script for fish: one `complete` line an option.
enum FishCompletions {
    /// The whole script.
    static var script: String {
        var lines = ["# fish completion for state-inspect", "complete -c state-inspect -n __fish_use_subcommand -f"]
        for command in CommandTable.all {
            let name = command.name.rawValue
            lines.append("complete -c state-inspect -n __fish_use_subcommand -a \(name) -d \(quoted(command.summary))")
        }
        lines += OptionTable.options(of: nil).map { line($0, condition: nil) }
        for option in OptionTable.all where !option.isCommon {
            let commands = CommandTable.all.map(\.name).filter(option.commands.contains).map(\.rawValue)
            lines.append(line(option, condition: commands.joined(separator: " ")))
        }
        for command in CommandTable.all {
            for case .choices(let words) in command.operands.map(\.completion) {
                lines.append(
                    "complete -c state-inspect -n '__fish_seen_subcommand_from \(command.name.rawValue)' -f -a "
                        + quoted(words.joined(separator: " ")))
            }
        }
        let names = CommandTable.all.map(\.name.rawValue).joined(separator: " ")
        lines.append("complete -c state-inspect -n '__fish_seen_subcommand_from help' -f -a \(quoted(names))")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ option: OptionDefinition, condition: String?) -> String {
        var text = "complete -c state-inspect"
        if let condition { text += " -n '__fish_seen_subcommand_from \(condition)'" }
        text += " -l \(option.name.rawValue)"
        if let short = option.short { text += " -s \(short)" }
        if let argument = option.argument {
            switch argument.completion {
            case .choices(let words): text += " -x -a \(quoted(words.joined(separator: " ")))"
            case .file: text += " -r -F"
            case .command, .none: text += " -x"
            }
        }
        return text + " -d \(quoted(option.summary))"
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'") + "'"
    }
}
