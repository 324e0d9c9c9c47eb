import CommandLine

/// `completions SHELL`: a script that teaches a shell the commands and options; with the words of a line, what may stand at its end.
struct CompletionsCommand: Command {
    static let definition = CommandDefinition(
        name: .completions, summary: "a completion script for a shell", synopsis: ["SHELL", "SHELL -- WORD..."],
        operands: [.required("SHELL", .choices(Shell.allCases.map(\.rawValue))), .anyNumber("WORD")],
        details: [
            """
            Prints a script that teaches bash, zsh or fish the commands and options. The script asks this program: with \
            the words of a line after '--' it prints what may stand in the place of the last one, a line each with what it is \
            after a tab; a tab alone stands for the names of files.
            """
        ],
        examples: [
            .init(
                line: "state-inspect completions fish",
                purpose: "the script, for ~/.config/fish/completions/state-inspect.fish")
        ],
        isAnswer: false)

    private let shell: Shell
    private let words: [String]

    init(_ typed: TypedArguments) throws {
        let word = typed.operands.first ?? ""
        guard let shell = Shell(rawValue: word) else {
            let known = Shell.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw UsageError.operand("SHELL", word, expected: known)
        }
        self.shell = shell
        words = Array(typed.operands.dropFirst())
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        context.output.protection = .none
        if words.isEmpty {
            try context.output.write(shell.script)
        } else {
            for line in ShellCompletion(words).lines { try context.output.writeLine(line) }
        }
        return .done
    }
}

/// A shell that completions can be made for.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    /// bash takes '--format=json' and 'mark:x' for several words, and replaces only what follows the last of these signs.
    private static let bashScript = #"""
        # bash completion for state-inspect
        _state_inspect() {
            local word words=() glue= lead= value IFS=$'\n'
            for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
                if [[ ($glue || $word =~ ^[=:]+$) && ${#words[@]} -gt 0 ]]; then words[${#words[@]}-1]+=$word
                else words+=("$word"); fi
                glue=; [[ $word =~ ^[=:]+$ ]] && glue=1
            done
            local typed=${words[${#words[@]}-1]} plain=()
            for word in "${words[@]}"; do
                word=${word//\\/}; word=${word#[\"\']}; plain+=("${word%[\"\']}")
            done
            [[ $typed != [\"\']* && $COMP_WORDBREAKS == *:* && $typed == *[=:]* ]] && lead=${typed%"${typed##*[=:]}"}
            while IFS=$'\t' read -r value _; do
                case $value in
                    '') COMPREPLY+=($(compgen -f -- "$typed")); compopt -o filenames 2> /dev/null ;;
                    *) [[ $value == */* ]] && compopt -o nospace 2> /dev/null
                        value=${value#"${lead//\\/}"}
                        [[ $typed == [\"\']* ]] || printf -v value %q "$value"
                        COMPREPLY+=("$value") ;;
                esac
            done < <(command state-inspect completions bash -- "${plain[@]}" 2> /dev/null)
        }
        complete -F _state_inspect state-inspect

        """#
    private static let zshScript = #"""
        #compdef state-inspect
        _state_inspect() {
            local line; local -a found
            for line in "${(@f)$(command state-inspect completions zsh -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2> /dev/null)}"; do
                case $line in
                    $'\t') _files ;;
                    *) found+=("${line%%$'\t'*}") ;;
                esac
            done
            (( $#found )) || return
            [[ $found[1] == */* ]] && compadd -S '' -a found || compadd -a found
        }
        if [[ $funcstack[1] == _state_inspect ]]; then _state_inspect "$@"; else compdef _state_inspect state-inspect; fi

        """#
    private static let fishScript = #"""
        # fish completion for state-inspect
        function __state_inspect
            set -l typed (commandline -ct | string unescape)
            for line in (command state-inspect completions fish -- (commandline -opc)[2..] "$typed" 2> /dev/null)
                string match -q -- \t $line; and __fish_complete_path "$typed"; or echo $line
            end
        end
        complete -c state-inspect -f -a '(__state_inspect)'

        """#
}
