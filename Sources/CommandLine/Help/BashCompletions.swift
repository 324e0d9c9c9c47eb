/// The script for bash: one function that looks at the command and at the option before the cursor, and some that help it.
package enum BashCompletions {
    /// The whole script.
    package static var script: String {
        let lines =
            ["# bash completion for state-inspect"] + main + words + journal + values
            + ["complete -F _state_inspect state-inspect"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static var names: [String] { CommandTable.all.map(\.name.rawValue) }

    private static var main: [String] {
        var lines = ["_state_inspect() {", "    local current previous journal store option command= word words=()"]
        lines += ["    _state_inspect_words", "    for word in \"${words[@]:1:${#words[@]}-2}\"; do"]
        lines += ["        case $word in", "            \(names.joined(separator: "|"))) command=$word; break ;;"]
        lines += ["        esac", "    done", "    local prefix="]
        lines += ["    [[ $current == --*=* ]] && previous=${current%%=*} prefix=$previous= current=${current#*=}"]
        lines += ["    case \"$command $previous\" in"]
        lines += OptionTable.ownChoices.compactMap { valueCase($1, after: "'\($0.rawValue) ", "'") }
        lines += ["    esac", "    case $previous in"]
        lines += OptionTable.all.compactMap { valueCase($0.option) }
        lines += ["    esac", "    local options= later= choices=", "    case $command in"]
        let common = OptionTable.options(of: nil).flatMap(JournalValues.typed)
        lines += ["        '') options='\((names + common).joined(separator: " "))' ;;"]
        lines += CommandTable.all.map(commandCase)
        lines += [
            "    esac",
            "    if [[ $current == -* || -z $command || $command == help ]]; then",
            "        COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))",
            "    elif [[ $choices && $previous == \"$command\" ]]; then",
            "        COMPREPLY=($(compgen -W \"$choices\" -- \"$current\"))",
            "    elif _state_inspect_journal && [[ $journal && $later ]]; then", "        _state_inspect_values $later",
            "    else", "        _state_inspect_files", "    fi", "}",
        ]
        // A name with a space is one name, and is quoted only where names are completed.
        lines += ["_state_inspect_files() {", "    local IFS=$'\\n'"]
        lines += ["    compopt -o filenames 2> /dev/null", "    COMPREPLY=($(compgen -f -- \"$current\"))", "}"]
        return lines
    }

    /// What was typed, word by word: bash takes '--format=json' and 'mark:x' for several.
    private static let words = [
        "_state_inspect_words() {",
        "    local index piece glue=",
        "    for ((index = 0; index <= COMP_CWORD; index++)); do",
        "        piece=${COMP_WORDS[index]}",
        "        if [[ ($glue || $piece =~ ^[=:]+$) && ${#words[@]} -gt 1 ]]; then",
        "            words[${#words[@]}-1]+=$piece",
        "        else",
        "            words+=(\"$piece\")",
        "        fi",
        "        glue=; [[ $piece =~ ^[=:]+$ ]] && glue=1",
        "    done",
        "    current=${words[${#words[@]}-1]} previous=",
        "    ((${#words[@]} > 1)) && previous=${words[${#words[@]}-2]}",
        "}",
        "_state_inspect_plain() {",
        "    local text=${1//\\\\/}",
        "    text=${text#[\\\"\\']}",
        "    REPLY=${text%[\\\"\\']}",
        "}",
    ]

    /// The journal that was typed, and the store.
    private static var journal: [String] {
        [
            "_state_inspect_journal() {",
            "    local word before= REPLY",
            "    journal= store=",
            "    for word in \"${words[@]:1:${#words[@]}-2}\"; do",
            "        _state_inspect_plain \"$word\"",
            "        [[ $REPLY == '~/'* ]] && REPLY=$HOME/${REPLY#'~/'}",
            "        case $before in",
            "            --store) store=$REPLY ;;",
            "            \(JournalValues.fileOptions.joined(separator: "|"))) ;;",
            "            *)",
            "                [[ $word == --store=* ]] && store=${REPLY#--store=}",
            "                [[ -z $journal && $word != -* && -f $REPLY ]] && journal=$REPLY",
            "                ;;",
            "        esac",
            "        before=$word",
            "    done",
            "    return 0",
            "}",
        ]
    }

    /// What the journal has, as far as it begins with what was typed.
    private static var values: [String] {
        var lines = [
            "_state_inspect_values() {",
            "    local value typed lead= REPLY",
            "    _state_inspect_journal",
            "    [[ $journal ]] || return",
            "    _state_inspect_plain \"$current\"",
            "    typed=$REPLY",
            // The shell replaces only the text after the last ':' with what is offered.
            "    [[ $COMP_WORDBREAKS == *:* && $typed == *:* && $current != [\\\"\\']* ]] && lead=${typed%\"${typed##*:}\"}",
            "    [[ $1 == paths ]] && compopt -o nospace 2> /dev/null",
            "    while IFS= read -r value; do",
            "        [[ $value == \"$typed\"* ]] || continue",
            "        value=${value#\"$lead\"}",
            "        [[ $current == [\\\"\\']* ]] || printf -v value %q \"$value\"",
            "        COMPREPLY+=(\"$value\")",
            "    done < <(case $1 in",
        ]
        let variables = JournalValues.Variables(
            journal: "\"$journal\"", store: "${store:+--store=\"$store\"}", typed: "\"$typed\"")
        for name in ["stores", "positions", "paths"] {
            lines += ["        \(name))"] + JournalValues.commands(name, variables).map { "            " + $0 }
            lines += ["            ;;"]
        }
        return lines + ["    esac)", "}"]
    }

    /// What follows an option that takes a value.
    ///
    /// - Parameters:
    ///   - front: what stands before the option in the pattern of the case, and after it.
    private static func valueCase(_ option: Option, after front: String = "", _ back: String = "") -> String? {
        guard let argument = option.argument else { return nil }
        let pattern = JournalValues.typed(option).map { front + $0 + back }.joined(separator: "|")
        switch argument.completion {
        case .choices(let words):
            return
                "        \(pattern)) COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$current\")); return ;;"
        case .file: return "        \(pattern)) _state_inspect_files; return ;;"
        case .command, .none: return option.takesRest ? nil : "        \(pattern)) return ;;"
        case .store, .position, .path:
            return JournalValues.name(argument.completion).map {
                "        \(pattern)) _state_inspect_values \($0); return ;;"
            }
        }
    }

    private static func commandCase(_ command: CommandDefinition) -> String {
        var words = OptionTable.options(of: command.name).flatMap(JournalValues.typed)
        var first = ""
        for operand in command.operands {
            if case .choices(let choices) = operand.completion {
                first = " choices='\(choices.joined(separator: " "))'"
            }
            if case .command = operand.completion { words += names }
        }
        let later = JournalValues.laterOperands(command).map { " later=\($0)" } ?? ""
        return "        \(command.name.rawValue)) options='\(words.joined(separator: " "))'\(first)\(later) ;;"
    }
}
