/// How a completion script finds what the journal on the command line has: it asks this program, as a person would.
///
/// The lines stand in a function of the shell; names with control or invisible characters are left out, since they would act
/// on the terminal that lists them.
enum JournalValues {
    /// What a kind of value is called in the scripts.
    static func name(_ kind: CompletionKind) -> String? {
        switch kind {
        case .store: "stores"
        case .position: "positions"
        case .path: "paths"
        case .none, .file, .command, .choices: nil
        }
    }

    /// How the variables of a script are written in its shell.
    struct Variables {
        let journal: String
        /// An option `--store=NAME`, or nothing.
        let store: String
        /// What is typed of the value.
        let typed: String
    }

    /// No more paths are offered at a time.
    private static let pathLimit = 500

    /// The commands that print the values of a kind, one a line.
    static func commands(_ name: String, _ variables: Variables) -> [String] {
        let journal = "-- " + variables.journal
        let shown = #"select(test("\\p{C}") | not)"#
        switch name {
        case "stores":
            return [
                "command state-inspect info --json \(journal) 2>/dev/null"
                    + " | command state-inspect query -r '.stores[].store | \(shown)'"
            ]
        case "positions":
            return [
                #"printf '%s\n' start end"#,
                "command state-inspect marks --json \(journal) 2>/dev/null"
                    + #" | command state-inspect query -r '"mark:" + .text | \#(shown)'"#,
            ]
        default:
            let select = "limit(\(pathLimit); \(paths) | \(shown))"
            return [
                "command state-inspect state --json -r \(variables.store) --arg typed \(variables.typed)"
                    + " --select '\(select)' \(journal) 2>/dev/null"
            ]
        }
    }

    /// The members, or elements, of what the typed pointer's last but one segment leads to.
    private static let paths = """
        ($typed | split("/")[1:-1] | map(gsub("~1"; "/") | gsub("~0"; "~"))) as $up \
        | reduce $up[] as $k (.; if type == "array" then .[$k | tonumber?] else .[$k]? end) \
        | if type == "object" then keys[] elif type == "array" then (range(length) | tostring) else empty end \
        | "/" + ($up + [.] | map(gsub("~"; "~0") | gsub("/"; "~1")) | join("/"))
        """

    /// The options whose value is a file other than a journal.
    static var fileOptions: [String] {
        OptionTable.all.map(\.option).filter { $0.argument?.completion == .file }.flatMap(typed)
    }

    /// An option's spellings.
    static func typed(_ option: Option) -> [String] {
        [option.typed] + (option.short.map { ["-\($0)"] } ?? [])
    }

    /// What a command's operands after the journal are, if they are values in the journal.
    static func laterOperands(_ command: CommandDefinition) -> String? {
        command.operands.dropFirst().lazy.compactMap { name($0.completion) }.first
    }
}
