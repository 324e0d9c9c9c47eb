#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import JournalFormat
internal import Platform

extension Recorder {
    /// Makes a journal at the place of a file.
    ///
    /// - Parameters:
    ///   - file: is not replaced; `%` in it is a percent sign.
    ///   - redact: what the journal must not hold.
    /// - Throws: `JournalWriteError` if there is a file already, or it cannot be made.
    public convenience init(_ file: URL, redact: [Redaction] = []) throws(JournalWriteError) {
        try self.init(JournalPath.escaped(file.path), redact: redact)
    }
}

extension Recorder {
    /// The variable of the environment that names the folder for the process's own journal.
    static let environmentVariable = "STATE_JOURNAL"
    /// The variable that names what its journal must not hold: paths with commas between them.
    static let redactVariable = "STATE_JOURNAL_REDACT"

    /// The process's own recorder, where the environment names a folder in `STATE_JOURNAL`; nil where it does not.
    ///
    /// The journal is named after the program, the time and the process. It is made when the first store asks for it, and
    /// lasts until the process ends. Where it cannot be made, a message goes to standard error, once, and the app goes on
    /// unrecorded. `STATE_JOURNAL_REDACT` holds paths with commas between them, as in `/session/token,/**/password`, that are
    /// redacted as by `redact:`; where one of them is not a path, nothing is recorded, and a message goes to standard error.
    /// A store that is made with `recorder: nil` is not recorded.
    public static let fromEnvironment: Recorder? = {
        guard let folder = Environment.variable(environmentVariable) else { return nil }
        let called = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "app"
        let texts = Environment.variable(redactVariable)?.split(separator: ",", omittingEmptySubsequences: false)
        var redact: [Redaction] = []
        for text in texts ?? [] {
            guard let redaction = Redaction(parsing: String(text)) else {
                printToStandardError(.badRedaction(String(text), variable: redactVariable))
                return nil
            }
            redact.append(redaction)
        }
        do throws(JournalWriteError) {
            let name = FileSystem.fitting(
                called, suffix: JournalPath.expanded("-%t-%p.jsonl"), reserve: SegmentFiles.suffixLength)
            return try Recorder(JournalPath.escaped("\(folder)/\(name)"), redact: redact)
        } catch {
            printToStandardError(.writing(error))
            return nil
        }
    }()
}
