/// The script for fish: one `complete` line an option.
package enum FishCompletions {
    /// The whole script.
    package static var script: String {
        var lines = ["# fish completion for state-inspect"] + values
        lines += ["complete -c state-inspect -n __fish_use_subcommand -f"]
        for command in CommandTable.all {
            let name = command.name.rawValue
            lines.append("complete -c state-inspect -n __fish_use_subcommand -a \(name) -d \(quoted(command.summary))")
        }
        lines += OptionTable.options(of: nil).map { line($0, condition: nil) }
        for (option, takers) in OptionTable.all where !option.isCommon {
            let commands = CommandTable.all.map(\.name).filter(takers.contains).map(\.rawValue)
            lines.append(line(option, condition: commands.joined(separator: " ")))
        }
        lines += OptionTable.ownChoices.map { line($1, condition: $0.rawValue) }
        for command in CommandTable.all {
            for case .choices(let words) in command.operands.map(\.completion) {
                lines.append(
                    "complete -c state-inspect -n 'test \"$(commandline -opc)[-1]\" = \(command.name.rawValue)' -f -a "
                        + quoted(words.joined(separator: " ")))
            }
        }
        lines += CommandTable.all.compactMap { command in
            JournalValues.laterOperands(command).map { kind in
                "complete -c state-inspect -n '__fish_seen_subcommand_from \(command.name.rawValue);"
                    + " and test -n \"$(__state_inspect_values journal)\"' -f -a '(__state_inspect_values \(kind))'"
            }
        }
        let names = CommandTable.all.map(\.name.rawValue).joined(separator: " ")
        lines.append("complete -c state-inspect -n '__fish_seen_subcommand_from help' -f -a \(quoted(names))")
        return lines.joined(separator: "\n") + "\n"
    }

    /// What the journal that was typed has.
    private static var values: [String] {
        var lines = [
            "function __state_inspect_values",
            "    set -l journal",
            "    set -l store",
            "    set -l before",
            "    set -l typed (commandline -ct | string replace -r '^--[^=]*=' '' | string unescape)",
            "    for word in (commandline -opc)[2..]",
            "        set word (string replace -r '^~/' $HOME/ -- $word)",
            "        switch $before",
            "            case --store",
            "                set store --store=$word",
            "            case \(JournalValues.fileOptions.joined(separator: " "))",
            "            case '*'",
            "                string match -q -- '--store=*' $word; and set store $word",
            "                test -z \"$journal\"; and not string match -q -- '-*' $word; and test -f $word",
            "                and set journal $word",
            "        end",
            "        set before $word",
            "    end",
            "    test -n \"$journal\"; or return",
            "    switch $argv[1]",
            "        case journal",
            "            printf '%s\\n' $journal",
        ]
        let variables = JournalValues.Variables(journal: "$journal", store: "$store", typed: "\"$typed\"")
        for name in ["stores", "positions", "paths"] {
            lines += ["        case \(name)"]
            lines += JournalValues.commands(name, variables).map {
                "            " + $0.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
            }
        }
        return lines + ["    end", "end"]
    }

    private static func line(_ option: Option, condition: String?) -> String {
        var text = "complete -c state-inspect"
        if let condition { text += " -n '__fish_seen_subcommand_from \(condition)'" }
        text += " -l \(option.name)"
        if let short = option.short { text += " -s \(short)" }
        if let argument = option.argument {
            switch argument.completion {
            case .choices(let words): text += " -x -a \(quoted(words.joined(separator: " ")))"
            case .file: text += " -r -F"
            case .store, .position, .path:
                let name = JournalValues.name(argument.completion) ?? ""
                text += " -x -a '(__state_inspect_values \(name))'"
            case .command, .none: text += " -x"
            }
        }
        return text + " -d \(quoted(option.summary))"
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'") + "'"
    }
}
