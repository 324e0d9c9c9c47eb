import CommandLine
import Diagnostics
import Interchange
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// `export FORMAT J`: writes a journal in the format of another tool.
struct ExportCommand: Command {
    static let definition = CommandDefinition(
        name: .export, summary: "write a journal in the format of another tool",
        synopsis: ["FORMAT JOURNAL [-o FILE] [OPTIONS]", "swift-test JOURNAL --at POS [--store NAME]"],
        operands: [
            .required("FORMAT", .choices(ExportFormat.allCases.map(\.rawValue))), .required("JOURNAL", .file),
        ],
        options: [.at, .select, .type, .csv, .raw] + .filters + [.maxCount, .recover, .output] + .queryValues,
        details: [
            """
            'json-patch' is one patch a line, 'redux-devtools' what its extension imports, 'chrome-trace' what Perfetto \
            opens, 'csv' a row for each change, or with '--select' one for each commit, 'changes' a line for each change with the \
            columns of a change data feed, for engines, 'itf' the trace of a model checker, \
            'swift-test' a test that begins before the commit at '--at' and expects what is after it.
            """,
            """
            The commits that the filters choose are written; where others lie between two of them, a patch has all that \
            differs. With '--store' the state is that of one store.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect export csv samples/checkout.jsonl --select '{total: .cart.total}'",
                purpose: "a table of a value over time"),
            .init(
                line: "state-inspect export changes samples/checkout.jsonl --csv",
                purpose: "every change as a row that Spark and DuckDB read"),
            .init(
                line: "state-inspect export swift-test samples/checkout.jsonl --at 118",
                purpose: "a test that begins just before the bug"),
        ])

    private let format: ExportFormat
    private let path: String
    private let output: String?
    private let range: RangeText
    private let at: PositionText?
    private let filter: CommitFilter
    private let select: ScopedQuery?
    private let limit: Int
    private let recovers: Bool
    private let type: String?
    private let isRaw: Bool
    private let isTable: Bool

    init(_ typed: TypedArguments) throws {
        let word = typed.operands[0]
        let known = ExportFormat.allCases.map(\.rawValue)
        guard let format = ExportFormat(rawValue: FormatNames.format(word, known) ?? word) else {
            throw FormatNames.unknown(word, known)
        }
        self.format = format
        path = typed.operands[1]
        output = JournalOutput.path(typed)
        range = try typed.value(.range).map { try RangeText(parsing: $0) } ?? RangeText()
        at = try typed.value(.at).map { try PositionText(parsing: $0) }
        filter = try CommitFilter(typed)
        let scope = filter.scope
        select = try typed.value(.select).map { try ScopedQuery($0, name: "--select", scope: scope) }
        limit = try typed.number(.maxCount, atLeast: 0) ?? .max
        recovers = typed.has(.recover)
        type = typed.value(.type)
        isRaw = typed.has(.raw)
        isTable = typed.has(.csv)
        try check(typed)
    }

    private func check(_ typed: TypedArguments) throws(UsageError) {
        if format == .swiftTest, at == nil { throw .needsOne(.export, [.at]) }
        for option in [Option.at, .type] where format != .swiftTest && typed.has(option) {
            throw .value(option, typed.value(option) ?? "", expected: "left out: it is for 'export swift-test'")
        }
        if let type, !SwiftTestWriter.isTypeName(type) {
            throw .value(.type, type, expected: "the name of a Swift type, such as 'Shop.Cart'")
        }
        if format != .csv, !isTable, let text = typed.value(.raw) {
            throw .value(.raw, text, expected: "left out: it is for 'export csv' and 'export changes --csv'")
        }
        if format != .changes, let text = typed.value(.csv) {
            throw .value(.csv, text, expected: "left out: it is for 'export changes'")
        }
        if format != .csv, let text = typed.value(.select) {
            throw .value(.select, text, expected: "left out: it is for 'export csv'")
        }
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.random(path, recovers: recovers, in: context)
        if let at {
            let test = try TestExport(input, try input.position(at), filter.scope, type: type, context.messages)
            return try write(in: context) { output in
                try output.append(Array(test.text.utf8))
                return .done
            }
        }
        let range = try input.range(self.range)
        try StoreNames(input.journal).check(filter.scope, near: range.upper)
        try filter.follow(input.journal, range, recovers: recovers, context.messages)
        let pass = ExportPass(
            input: input, path: path, range: range, filter: filter, select: select, limit: limit, recovers: recovers,
            isTable: isTable, isRaw: isRaw, context: context)
        return try write(in: context) { output in
            let status = try pass.write(format, to: output)
            return status.or(try filter.finish(input.journal, context.messages))
        }
    }

    private func write(in context: CommandContext, _ body: (JournalOutput) throws -> ExitStatus) throws -> ExitStatus {
        let output = try JournalOutput(output, of: [path], context)
        let status = try body(output)
        try output.finish()
        return status
    }
}
