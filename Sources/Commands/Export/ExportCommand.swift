import CommandLine
import Diagnostics
import Interchange
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

struct ExportCommand: JournalCommand {
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
        ],
        isAnswer: false)

    private(set) var subject: JournalSubject
    private let format: ExportFormat
    private let output: String?
    private let at: PositionText?
    private let select: ScopedQuery?
    private let limit: Int
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
        output = JournalOutput.path(typed)
        at = try typed.value(.at).map { try PositionText(parsing: $0) }
        subject = try JournalSubject(typed, at.map { .position($0, isState: false) }, journal: 1)
        let scope = subject.scope
        select = try typed.value(.select).map { try ScopedQuery($0, name: "--select", scope: scope) }
        limit = try typed.number(.maxCount, atLeast: 0) ?? .max
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

    var isPaged: Bool { false }

    func answer(_ asked: AskedJournal) throws -> Answered {
        let test = try at.map { _ in
            try Self.test(of: asked.position, in: asked.journal, subject.scope, type: type, asked.messages)
        }
        let output = try JournalOutput(output, of: [subject.path], asked.context)
        let answered: Answered
        if let test {
            try output.append(Array(test.utf8))
            answered = .lookedUp(.done)
        } else {
            answered = try ExportPass(
                asked: asked, select: select, limit: limit, isTable: isTable, isRaw: isRaw
            ).write(format, to: output)
            try asked.checkNames()
        }
        try output.finish()
        return answered
    }
}
