import Diagnostics
import JSONCore
import QueryLanguage

/// How the outputs of a query are written, and what status they come to.
struct QueryOutput {
    /// Whether a value is spread over several lines.
    let isPretty: Bool

    private let isRaw: Bool
    private let setsStatus: Bool
    private let context: CommandContext
    private var last: JSONValue?
    private var failures = 0

    /// Outputs as the options say.
    init(_ typed: TypedArguments, isPretty: Bool, in context: CommandContext) {
        self.isPretty = isPretty
        isRaw = typed.has(.rawOutput)
        setsStatus = typed.has(.exitStatus)
        self.context = context
    }

    /// Writes every output of a query for one input; an error of the run is told, and the outputs before it stand.
    mutating func writeAll(
        of query: Query, _ input: JSONValue, _ variables: QueryContext = .start, failure: (QueryError) -> Diagnostic
    ) throws(OutputError) {
        var values = self
        var refused: OutputError?
        do throws(QueryError) {
            try query.evaluate(input, context: variables) { value in
                do throws(OutputError) {
                    try values.write(value)
                    return true
                } catch {
                    refused = error
                    return false
                }
            }
        } catch {
            values.failures += 1
            context.messages.tell(failure(error))
        }
        self = values
        if let refused { throw refused }
    }

    /// Writes one value.
    mutating func write(_ value: JSONValue) throws(OutputError) {
        last = value
        try context.output.writeLine(text(of: value))
    }

    /// The status that the outputs come to; with `-e` as in jq.
    var status: ExitStatus {
        if failures > 0 { return .inconclusive }
        guard setsStatus else { return .done }
        switch last {
        case nil: return .notThere
        case .null?, .bool(false)?: return .negative
        default: return .done
        }
    }

    private func text(of value: JSONValue) -> String {
        if isRaw, case .string(let text) = value {
            return context.format == .human ? Self.escapedButLines(text) : text
        }
        if isPretty { return ValueTree(style: context.style).text(value) }
        return context.format == .human ? ControlCharacters.escaped(value.text()) : value.text()
    }

    /// A bare string for a terminal: its lines stay lines.
    private static func escapedButLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { ControlCharacters.escaped(String($0)) }.joined(separator: "\n")
    }
}
