import CommandLine
import Diagnostics
import JSONCore
import QueryLanguage

struct QueryCommand: Command {
    static let definition = CommandDefinition(
        name: .query, summary: "try a query on plain JSON",
        synopsis: ["QUERY [FILE]... [OPTIONS]", "-f FILE [FILE]... [OPTIONS]", "QUERY [OPTIONS] --args [VALUE]..."],
        operands: [
            .optional("QUERY"), .init(name: "FILE", isRequired: false, completion: .file, isRepeated: true),
        ],
        options: [.rawOutput, .exitStatus] + .queryValues + .queryInput + .queryOutput,
        details: [
            """
            Runs a query on each JSON text of the files or of standard input and prints its outputs, each as soon as it \
            is known. A run-time error is reported, the next text is tried, and the status is 5 at the end. A text that \
            is no JSON ends it with status 3. What gzip or zstd has packed is unpacked by these programs.
            """,
            """
            The options are those of jq 1.8 but that to a file or a pipe an output is one line unless '--tab' or \
            '--indent' is given. 'input', 'inputs' and 'input_filename' read on, one text at a time.
            """,
        ],
        examples: [
            .init(line: "state-inspect query --footprint '.cart.items | length'", purpose: "what a query reads"),
            .init(
                line: "state-inspect query -n 'reduce inputs as $r (0; . + 1)' samples/checkout.jsonl",
                purpose: "how many records there are, with one in memory at a time"),
        ],
        isAnswer: false)

    private let query: Query
    private let input: QueryInput
    private let typed: TypedArguments

    init(_ typed: TypedArguments) throws {
        self.typed = typed
        var environment = try QueryEnvironment(typed)
        let file = typed.value(.fromFile)
        input = QueryInput(typed, files: file == nil ? Array(typed.operands.dropFirst()) : typed.operands)
        environment.inputs = input.inputs
        if let file {
            query = try Query(Self.text(of: file), name: file, in: environment)
        } else {
            guard let text = typed.operands.first else { throw UsageError.missingOperand(.query, "QUERY") }
            query = try Query(text, name: "query", in: environment)
        }
    }

    static let lengthLimit = 1 << 20

    private static func text(of file: String) throws(CommandFailure) -> String {
        String(decoding: try InputFile.whole(file, limit: lengthLimit, code: "query.unreadable"), as: UTF8.self)
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        if typed.has(.footprint) { return try writeFootprint(in: context) }
        var output = try QueryOutput(typed, in: context)
        input.begin(in: context)
        var next: JSONValue? = typed.has(.nullInput) ? .null : try input.next()
        while let value = next {
            // What could not be read is thrown below, and is not an error of the query.
            try output.writeAll(of: query, value) { $0 == .unreadInput ? nil : $0.diagnostic }
            try input.checkFailure()
            next = typed.has(.nullInput) ? nil : try input.next()
        }
        return input.status == .done ? output.status : input.status
    }

    /// The paths that the query can read, one a line: a JSON Pointer in which `*` is every part.
    private func writeFootprint(in context: CommandContext) throws -> ExitStatus {
        for path in query.footprint.paths.patterns {
            let isBare = context.format == .human || typed.has(.rawOutput)
            let text = isBare ? ControlCharacters.escaped(path) : JSONValue.string(path).text()
            try context.output.writeLine(text)
        }
        return .done
    }
}
