/// The script for bash: one function that looks at the command and at the option before the cursor.
enum BashCompletions {
    /// The whole script.
    static var script: String {
        var lines = ["# bash completion for state-inspect", "_state_inspect() {"]
        lines += ["    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}"]
        // bash takes '--format=json' for three words.
        lines += ["    [[ $current == = ]] && current="]
        lines += ["    [[ $previous == = && COMP_CWORD -gt 2 ]] && previous=${COMP_WORDS[COMP_CWORD-2]}"]
        lines += ["    local command= word", "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do"]
        lines += ["        case $word in", "            \(names.joined(separator: "|"))) command=$word; break ;;"]
        lines += ["        esac", "    done", "    case $previous in"]
        lines += OptionTable.all.compactMap(valueCase)
        lines += ["    esac", "    local words=", "    case $command in"]
        lines += ["        '') words='\((names + typed(OptionTable.options(of: nil))).joined(separator: " "))' ;;"]
        lines += CommandTable.all.map(commandCase)
        lines += [
            "    esac",
            "    if [[ $current == -* || -z $command || $command == completions || $command == help ]]; then",
        ]
        lines += ["        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))", "    else"]
        lines += ["        _state_inspect_files", "    fi", "}"]
        // A name with a space is one name, and is quoted only where names are completed.
        lines += ["_state_inspect_files() {", "    local IFS=$'\\n'"]
        lines += ["    compopt -o filenames 2> /dev/null", "    COMPREPLY=($(compgen -f -- \"$current\"))", "}"]
        lines += ["complete -F _state_inspect state-inspect"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static var names: [String] { CommandTable.all.map(\.name.rawValue) }

    private static func typed(_ options: [OptionDefinition]) -> [String] {
        options.flatMap { option in [option.name.typed] + (option.short.map { ["-\($0)"] } ?? []) }
    }

    /// What follows an option that takes a value.
    private static func valueCase(_ option: OptionDefinition) -> String? {
        guard let argument = option.argument else { return nil }
        let pattern = typed([option]).joined(separator: "|")
        switch argument.completion {
        case .choices(let words):
            return
                "        \(pattern)) COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$current\")); return ;;"
        case .file: return "        \(pattern)) _state_inspect_files; return ;;"
        case .command, .none: return option.takesRest ? nil : "        \(pattern)) return ;;"
        }
    }

    private static func commandCase(_ command: CommandDefinition) -> String {
        var words = typed(OptionTable.options(of: command.name))
        for operand in command.operands {
            if case .choices(let choices) = operand.completion { words += choices }
            if case .command = operand.completion { words += names }
        }
        return "        \(command.name.rawValue)) words='\(words.joined(separator: " "))' ;;"
    }
}
