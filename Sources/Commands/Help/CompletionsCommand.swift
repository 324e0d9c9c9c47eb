import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform

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

struct ShellCompletion {
    private let before: ArraySlice<String>
    /// The word that is typed, and what of it stands before the value of an option, as `--store=`.
    private let typed: String
    private let lead: String
    private let command: CommandDefinition?
    private let options: [Option]
    private var operands: [String] = []
    private var store: String?
    private var pending: Option?

    private static let limit = 500

    /// The last of the words is being typed.
    init(_ words: [String]) {
        before = words.dropLast()
        let last = words.last ?? ""
        let name = before.lazy.compactMap { CommandName(rawValue: $0) }.first
        command = name.map { CommandTable.definition(of: $0) }
        options = OptionTable.options(of: name)
        let sign = UTF8Order.begins(last, with: "--") ? last.firstIndex(of: "=") : nil
        lead = sign.map { String(last[...$0]) } ?? ""
        typed = String(last.dropFirst(lead.count))
        for word in before { read(word) }
        if let sign { pending = option(String(last[..<sign])) }
    }

    private func option(_ word: String) -> Option? {
        options.first { word == $0.typed || $0.short.map { word == "-\($0)" } ?? false }
    }

    private mutating func read(_ word: String) {
        if let option = pending {
            pending = nil
            if option == .store { store = word }
        } else if let option = option(word) {
            if option.argument != nil { pending = option }
        } else if UTF8Order.begins(word, with: Option.store.typed + "=") {
            store = String(word.dropFirst(Option.store.typed.count + 1))
        } else if !UTF8Order.begins(word, with: "-"), !(operands.isEmpty && word == command?.name.rawValue) {
            operands.append(word)
        }
    }

    /// The candidates, a line each, with what each is after a tab.
    var lines: [String] {
        if let pending {
            let kind = pending.argument?.completion ?? .none
            return values(kind)
        }
        guard let command else {
            return begins(CommandTable.all.map { ($0.name.rawValue, $0.summary) }) + optionLines
        }
        if UTF8Order.begins(typed, with: "-") { return optionLines }
        let place = min(operands.count, command.operands.count - 1)
        guard place >= 0, place == operands.count || command.operands[place].isRepeated else { return [] }
        let kind = command.operands[place].completion
        // A second journal, or what is asked of the first.
        let later = command.operands.dropFirst().lazy.map(\.completion).first { Self.isOfJournal($0) }
        guard kind == .file, place > 0, let later else { return values(kind) }
        return values(later) + values(.file)
    }

    private static func isOfJournal(_ kind: CompletionKind) -> Bool {
        [CompletionKind.store, .position, .path].contains(kind)
    }

    private var optionLines: [String] {
        begins(
            options.flatMap { option in
                ([option.typed] + (option.short.map { ["-\($0)"] } ?? [])).map { ($0, option.summary) }
            })
    }

    private func values(_ kind: CompletionKind) -> [String] {
        switch kind {
        case .none: []
        case .file: ["\t"]
        case .command: begins(CommandTable.all.map { ($0.name.rawValue, $0.summary) })
        case .choices(let words): begins(words.map { ($0, "") })
        case .store: begins(stores.map { ($0, "a store") })
        case .position:
            begins([("start", "before the first commit"), ("end", "after the last")] + marks.map { ($0, "") })
        case .path: begins(paths.map { ($0, "") })
        }
    }

    /// Those that begin as what is typed; what would act on the terminal that lists them is left out.
    private func begins(_ candidates: [(text: String, summary: String)]) -> [String] {
        candidates.filter { candidate in
            UTF8Order.begins(candidate.text, with: typed)
                && ControlCharacters.escaped(candidate.text) == candidate.text
        }
        .prefix(Self.limit).map { lead + $0.text + ($0.summary.isEmpty ? "" : "\t" + $0.summary) }
    }

    private var journal: Journal? {
        operands.lazy.map(Self.withHome).first { (try? FileStatus($0))?.kind == .regular }
            .flatMap { try? Journal.open($0, access: .random) }
    }

    private static func withHome(_ path: String) -> String {
        guard UTF8Order.begins(path, with: "~/"), let home = Environment.ofProcess()["HOME"] else { return path }
        return home + path.dropFirst(1)
    }

    private var stores: [String] {
        guard let journal else { return [] }
        return (try? JournalSummary(journal).stores.map(\.name)) ?? []
    }

    private var marks: [String] {
        guard var reader = journal?.records() else { return [] }
        var filter = RecordFilter(touching: .nothing, kinds: .mark)
        var marks: [String] = []
        while marks.count < Self.limit, let line = try? reader.next(matching: &filter) {
            if line.kind == .mark, let text = try? Record(line).text { marks.append("mark:" + text) }
        }
        return marks
    }

    /// The members, or elements, of what the typed pointer's last but one segment leads to.
    private var paths: [String] {
        let end = typed.lastIndex(of: "/") ?? typed.startIndex
        guard let journal, let up = try? JSONPointer(parsing: String(typed[..<end])),
            let last = try? journal.lastCommit,
            let state = try? journal.state(at: last).value,
            let value = up.value(in: StoreScope(store: store).part(of: state))
        else { return [] }
        let keys: [String] =
            switch value {
            case .object(let object): object.keys
            case .array(let elements): elements.indices.map(String.init)
            default: []
            }
        return keys.map { JSONPointer(up.segments + [$0]).text }
    }
}
