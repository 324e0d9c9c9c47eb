import Diagnostics
import JSONCore
import Platform
import QueryLanguage

/// `query QUERY [FILE]`: tries a query on plain JSON.
struct QueryCommand: Command {
    static let definition = CommandDefinition(
        name: .query, summary: "try a query on plain JSON", synopsis: ["QUERY [FILE] [OPTIONS]"],
        operands: [.required("QUERY"), .optional("FILE", .file)],
        options: [.rawOutput, .exitStatus, .footprint],
        details: [
            """
            Runs a query on each JSON text of a file or of standard input and prints its outputs. A run-time error \
            is reported, the next text is tried, and the status is 5 at the end.
            """
        ],
        examples: [
            .init(line: "state-inspect query --footprint '.cart.items | length'", purpose: "what a query reads")
        ])

    private let query: Query
    private let file: String?
    private let typed: TypedArguments

    init(_ typed: TypedArguments) throws {
        self.typed = typed
        query = try Query(typed.operands.first ?? "", name: "query")
        file = typed.operands.dropFirst().first.flatMap { $0 == "-" ? nil : $0 }
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        if typed.has(.footprint) { return try writeFootprint(in: context) }
        let bytes = try read(context)
        var output = QueryOutput(typed, isPretty: false, in: context)
        for text in JSONTexts(bytes) {
            let value = try text.result.mapError { notJSON($0, text, in: bytes) }.get()
            try output.writeAll(of: query, value) { $0.diagnostic }
        }
        return output.status
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

    private func read(_ context: CommandContext) throws -> [UInt8] {
        do throws(SystemFailure) {
            guard let file else { return try FileDescriptor.readAll(from: context.input) }
            return try FileDescriptor.readAll(of: file)
        } catch {
            throw CommandFailure(
                .unreadable,
                Diagnostic(
                    code: "input.unreadable", "'\(file ?? "standard input")' cannot be read: \(error.text)"))
        }
    }

    private func notJSON(_ error: JSONError, _ text: JSONTexts.Text, in bytes: [UInt8]) -> CommandFailure {
        let byte = min(text.range.lowerBound + error.offset, bytes.count)
        let line = bytes[..<byte].count { $0 == UInt8(ascii: "\n") } + 1
        var diagnostic = error.diagnostic
        diagnostic.place = .file(path: file ?? "standard input", line: line, byte: byte, length: nil)
        return CommandFailure(.unreadable, diagnostic)
    }
}
