/// The script for zsh: `_arguments` with a state for the command.
enum ZshCompletions {
    /// The whole script.
    static var script: String {
        var lines = ["#compdef state-inspect", "", "_state_inspect() {", "    local -a commands"]
        lines += ["    commands=("]
        lines += CommandTable.all.map { "        '\($0.name.rawValue):\(quoted($0.summary))'" }
        lines += ["    )", "    local line state", "    _arguments -C \\"]
        lines += OptionTable.options(of: nil).flatMap(specifications).map { "        \($0) \\" }
        lines += ["        '1:command:->command' '*::argument:->arguments'", "    case $state in"]
        lines += [
            "        command) _describe command commands ;;", "        arguments)", "            case $line[1] in",
        ]
        for command in CommandTable.all {
            lines += ["                \(command.name.rawValue)) _arguments \\"]
            lines += OptionTable.options(of: command.name).flatMap(specifications).map {
                "                    \($0) \\"
            }
            lines += ["                    " + command.operands.map(operand).joined(separator: " ") + " ;;"]
        }
        lines += ["            esac ;;", "    esac", "}", ""]
        // Found in a folder of functions it is the function itself; sourced it only tells of it.
        lines += ["if [[ $funcstack[1] == _state_inspect ]]; then _state_inspect \"$@\""]
        lines += ["else compdef _state_inspect state-inspect; fi"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The option and its letter as `_arguments` takes them.
    private static func specifications(_ option: OptionDefinition) -> [String] {
        let spellings = [option.name.typed] + (option.short.map { ["-\($0)"] } ?? [])
        return spellings.map { spelling in
            var text = (option.isRepeatable ? "'*" : "'") + spelling
            if option.argument != nil, !option.takesRest, spelling.hasPrefix("--") { text += "=" }
            text += "[\(quoted(option.summary))]"
            if let argument = option.argument {
                text +=
                    option.takesRest
                    ? ":*::command:_normal" : ":\(quoted(argument.name)):" + action(argument.completion)
                if let second = option.second { text += ":\(second.name):" + action(second.completion) }
            }
            return text + "'"
        }
    }

    private static func operand(_ operand: CommandDefinition.Operand) -> String {
        "'\(operand.isRepeated ? "*" : ""):\(operand.name):\(action(operand.completion))'"
    }

    private static func action(_ completion: CompletionKind) -> String {
        switch completion {
        case .none: " "
        case .file: "_files"
        case .command: "(\(CommandTable.all.map(\.name.rawValue).joined(separator: " ")))"
        case .choices(let words): "(\(words.joined(separator: " ")))"
        }
    }

    /// Text inside single quotes and brackets, where zsh gives `'`, `:`, `[` and `]` a meaning.
    private static func quoted(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "'": result += "'\\''"
            case ":", "[", "]": result += "\\\(character)"
            default: result.append(character)
            }
        }
        return result
    }
}
