internal import JournalFormat
internal import Platform

extension Recorder {
    /// The variable of the environment that names the folder for the process's own journal.
    static let environmentVariable = "STATE_JOURNAL"

    /// The process's own recorder, where the environment names a folder in `STATE_JOURNAL`; nil where it does not.
    ///
    /// The journal is named after the program, the time and the process. It is made when the first store asks for it, and
    /// lasts until the process ends. Where it cannot be made, a message goes to standard error, once, and the app goes on
    /// unrecorded. A store that is made with `recorder: nil` is not recorded.
    public static let fromEnvironment: Recorder? = {
        guard let folder = Environment.variable(environmentVariable) else { return nil }
        let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "app"
        do throws(JournalWriteError) {
            return try Recorder("\(JournalPath.escaped("\(folder)/\(program)"))-%t-%p.jsonl")
        } catch {
            printToStandardError(.writing(error))
            return nil
        }
    }()
}
