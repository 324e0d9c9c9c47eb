import Diagnostics
import JSONCore
import QueryLanguage

/// `query QUERY [FILE]…`: tries a query on plain JSON.
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
            is no JSON ends it with status 3.
            """,
            "The options are those of jq 1.8 but that an output is one line unless '--tab' or '--indent' is given.",
        ],
        examples: [
            .init(line: "state-inspect query --footprint '.cart.items | length'", purpose: "what a query reads")
        ])

    private let query: Query
    private let input: QueryInput
    private let typed: TypedArguments

    init(_ typed: TypedArguments) throws {
        self.typed = typed
        let environment = try QueryEnvironment(typed)
        if let file = typed.value(.fromFile) {
            query = try Query(Self.text(of: file), name: file, in: environment)
            input = try QueryInput(typed, files: typed.operands)
        } else {
            guard let text = typed.operands.first else { throw UsageError.missingOperand(.query, "QUERY") }
            query = try Query(text, name: "query", in: environment)
            input = try QueryInput(typed, files: Array(typed.operands.dropFirst()))
        }
    }

    /// How many bytes a file with a query may have.
    static let lengthLimit = 1 << 20

    private static func text(of file: String) throws(CommandFailure) -> String {
        String(decoding: try InputFile.whole(file, limit: lengthLimit, code: "query.unreadable"), as: UTF8.self)
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        if typed.has(.footprint) { return try writeFootprint(in: context) }
        var output = try QueryOutput(typed, in: context)
        let status = try input.forEach(in: context) { value in
            try output.writeAll(of: query, value) { $0.diagnostic }
        }
        return status == .done ? output.status : status
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
