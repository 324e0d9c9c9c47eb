import CommandLine
import Interchange
import JournalReading

/// `import jsonl FILE --suggest`: a first guess at what a file means, as a command to paste.
struct ImportSuggestion {
    private let path: String

    init(_ path: String) { self.path = path }

    func report(in context: CommandContext) throws -> ExitStatus {
        let (bytes, isWhole) = try FileLook.head(of: path)
        guard !bytes.isEmpty else { throw ImportError(file: path, line: nil, fault: .empty) }
        guard let look = FileLook(path, bytes, isWhole: isWhole) else {
            context.messages.note("no line of '\(path)' is JSON, or has any after other text")
            return .negative
        }
        context.messages.note("'\(path)' looks like \(look.what)")
        guard let command = look.command else { return .negative }
        try context.output.writeLine(command)
        for reason in look.reasons { context.messages.note(reason) }
        return .done
    }
}
