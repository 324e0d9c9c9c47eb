import CommandLine
import JournalFormat
import JournalReading
import TimeTravel

struct SliceCommand: Command {
    static let definition = CommandDefinition(
        name: .slice, summary: "a part of a journal that replays alone", synopsis: ["JOURNAL A..B [-o FILE]"],
        operands: [.required("JOURNAL", .file), .required("A..B")],
        options: [.output],
        details: [
            """
            Writes the commits after A up to B as a journal: a segment that begins with the stores as they are at \
            A. Its lines keep their numbers, times and causes.
            """
        ],
        examples: [
            .init(
                line: "state-inspect slice samples/checkout.jsonl end-20..end",
                purpose: "the last 20 commits")
        ],
        isAnswer: false)

    private let path: String
    private let range: RangeText
    private let output: String?

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        range = try RangeText(parsing: typed.operands[1])
        output = JournalOutput.path(typed)
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.random(path, in: context)
        let range = try input.range(range)
        let output = try JournalOutput(output, of: [path], context)
        var slice = JournalSlice(input.journal, range)
        let commits = try slice.write(to: output.sink)
        try output.finish()
        if let path = self.output {
            context.messages.note("'\(path)' has \(commits.counted("commit"))")
        }
        return .done
    }
}
