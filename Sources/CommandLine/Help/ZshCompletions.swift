import JSONCore

/// The script for zsh: `_arguments` with a state for the command.
package enum ZshCompletions {
    /// The whole script.
    package static var script: String {
        var lines = ["#compdef state-inspect", ""] + values + ["_state_inspect() {", "    local -a commands"]
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
            lines += ["                    " + operands(of: command).joined(separator: " ") + " ;;"]
        }
        lines += ["            esac ;;", "    esac", "}", ""]
        // A file in a folder of functions is the function itself; a sourced one only registers it.
        lines += ["if [[ $funcstack[1] == _state_inspect ]]; then _state_inspect \"$@\""]
        lines += ["else compdef _state_inspect state-inspect; fi"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// What the journal that was typed has.
    private static var values: [String] {
        var lines = [
            "_state_inspect_values() {",
            "    local word before= journal= store= typed=${(Q)PREFIX}",
            "    local -a found",
            "    for word in \"${(@Q)words[2,CURRENT-1]}\"; do",
            "        [[ $word == '~/'* ]] && word=$HOME/${word#'~/'}",
            "        case $before in",
            "            --store) store=$word ;;",
            "            \(JournalValues.fileOptions.joined(separator: "|"))) ;;",
            "            *)",
            "                [[ $word == --store=* ]] && store=${word#--store=}",
            "                [[ -z $journal && $word != -* && -f $word ]] && journal=$word",
            "                ;;",
            "        esac",
            "        before=$word",
            "    done",
            "    [[ -n $journal ]] || return 1",
            "    case $1 in",
        ]
        let variables = JournalValues.Variables(
            journal: "\"$journal\"", store: "${store:+--store=$store}", typed: "\"$typed\"")
        for name in ["stores", "positions", "paths"] {
            let commands = JournalValues.commands(name, variables).joined(separator: "; ")
            lines += ["        \(name)) found=(\"${(@f)$(\(commands))}\") ;;"]
        }
        return lines + [
            "    esac", "    [[ $1 == paths ]] && compadd -S '' -a found || compadd -a found", "}", "",
        ]
    }

    /// The option and its letter as `_arguments` takes them.
    private static func specifications(_ option: Option) -> [String] {
        let spellings = JournalValues.typed(option)
        return spellings.map { spelling in
            var text = (option.isRepeatable ? "'*" : "'") + spelling
            if option.argument != nil, !option.takesRest, UTF8Order.begins(spelling, with: "--") { text += "=" }
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

    private static func operands(of command: CommandDefinition) -> [String] {
        let later = JournalValues.laterOperands(command)
        return command.operands.enumerated().map { place, operand in
            var action = action(operand.completion)
            // A second journal, or what is asked of the first.
            if place > 0, operand.completion == .file, let later { action = "{_state_inspect_values \(later); _files}" }
            return "'\(operand.isRepeated ? "*" : ""):\(operand.name):\(action)'"
        }
    }

    private static func action(_ completion: CompletionKind) -> String {
        switch completion {
        case .none: " "
        case .file: "_files"
        case .store, .position, .path: JournalValues.name(completion).map { " _state_inspect_values " + $0 } ?? " "
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
