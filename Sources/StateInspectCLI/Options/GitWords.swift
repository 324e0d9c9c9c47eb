/// What people type who know git: words that this program has under another name, with what to type instead.
enum GitWords {
    /// The help for an option of git that a command does not have; nil where there is none.
    ///
    /// - Parameters:
    ///   - option: as it was typed, without a value: `--since`, `-L`.
    ///   - command: the command that it was typed for.
    static func help(for option: String, of command: CommandName?) -> String? {
        switch (option, command) {
        case ("--oneline", .log?): "leave it out: 'log' prints one line a commit, and '-p' the changes below it"
        case ("--since", _), ("--after", _): "write '--range TIME..', for example '--range 12:00:03..'"
        case ("--until", _), ("--before", _): "write '--range ..TIME', for example '--range ..12:00:03'"
        case ("--grep", _): "write '--name GLOB' for names of commits, or '--action GLOB'; 'marks' lists marks"
        case ("--author", _), ("--committer", _):
            "write '--function NAME' or '--source FILE:LINE' for who made a commit"
        case ("-S", _), ("-G", _): "'history JOURNAL PATH' lists each change of a value, '--path PATH' the commits"
        case ("-L", .blame?): "name the part of the state instead: 'blame JOURNAL /cart/items'"
        case ("--graph", _): "'why JOURNAL POS' shows what caused a commit"
        case ("--name-status", _): "write '--name-only'"
        case ("--numstat", _), ("--shortstat", _): "write '--stat'"
        case ("--limit", _), ("--count", _): "write '-n K'"
        default: nil
        }
    }
}
