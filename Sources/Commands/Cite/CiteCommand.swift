import CommandLine
import Diagnostics
import JSONCore
import JournalReading

struct CiteCommand: Command {
    static let definition = CommandDefinition(
        name: .cite, summary: "check a text's citations against the journals", synopsis: ["TEXT..."],
        operands: [.repeated("TEXT", .file)],
        details: [
            """
            Reads texts in which answers are cited ('--cite' writes the citations), asks the journals again, and lists \
            each citation with whether it holds; for one that does not, with what is there. A journal is looked for from the current folder, and has \
            to be of the same run.
            """,
            """
            The status is 0 where all hold, 1 where one does not, 3 where a journal cannot be read, and 4 where a text \
            has no citation.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect cite samples/agents/report.md",
                purpose: "whether what a report says of a run is so")
        ],
        answers: [answer.definition])

    private let paths: [String]

    init(_ typed: TypedArguments) throws { paths = typed.operands }

    var isPaged: Bool { true }

    /// In bytes.
    private static let lineLimit = 64 << 20

    func run(in context: CommandContext) throws -> ExitStatus {
        var status = ExitStatus.done
        var journals = NameTable<Result<Journal, any Error>>()
        for path in paths {
            var count = 0
            try Self.lines(of: path, context) { line, number in
                for citation in CitationReader.citations(in: line) {
                    count += 1
                    let verdict = Self.verdict(of: citation, &journals, context.journals)
                    status = status.worse(verdict.status)
                    try Self.write(citation, verdict, path, number, context)
                }
            }
            guard count == 0 else { continue }
            status = status.worse(.notThere)
            context.messages.report(
                Diagnostic(
                    code: "cite.none", "'\(path)' has no citation",
                    help: ["'--cite' adds to an answer what it rests on, as 'cite: FILE ID POSITION POINTER = VALUE'"]))
        }
        return status
    }

    private static func verdict(
        of citation: Citation, _ journals: inout NameTable<Result<Journal, any Error>>, _ opener: JournalOpener
    ) -> CitationVerdict {
        let opened = journals[citation.file] ?? Result { try opener.open(citation.file, .random) }
        if journals.count < 64 { journals[citation.file] = opened }
        switch opened {
        case .success(let journal): return CitationVerdict(of: citation, in: journal)
        case .failure(let error):
            return .unreadable(ExitStatus.diagnostics(of: error, in: nil)[0].message)
        }
    }

    private static func write(
        _ citation: Citation, _ verdict: CitationVerdict, _ path: String, _ line: Int, _ context: CommandContext
    ) throws {
        switch context.format {
        case .json:
            try context.output.writeLine(Self.answer((citation, verdict, path, line)))
        case .human:
            guard let words = verdict.words else {
                return try context.write("\(path):\(line)  holds  \(citation.text)")
            }
            try context.write(["\(path):\(line)  \("does not hold", .error)  \(citation.text)", "  \(words)"])
        }
    }

    private static func lines(
        of path: String, _ context: CommandContext, each: (String, Int) throws -> Void
    ) throws {
        let file =
            try path == "-"
            ? InputFile(standardInput: context.input) : InputFile(path: path, code: "input.unreadable")
        var (bytes, number) = ([UInt8](), 0)
        while try file.read(into: &bytes) {
            while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                number += 1
                try each(String(decoding: bytes[..<end], as: UTF8.self), number)
                bytes.removeFirst(end + 1)
            }
            guard bytes.count <= lineLimit else {
                throw InputFile.tooLong("a line of '\(file.name)'", "input.unreadable", limit: lineLimit)
            }
        }
        if !bytes.isEmpty { try each(String(decoding: bytes, as: UTF8.self), number + 1) }
    }

    static let answer = AnswerKind<(citation: Citation, verdict: CitationVerdict, path: String, line: Int)>(
        "citation", "a citation of a text, held against its journal",
        [
            .always("text", "the text, as it was named", \.path),
            .always("line", "the line of the text, from 1", \.line),
            .always("cited", "the citation, after 'cite: '") { row in
                String(row.citation.text.dropFirst(Citation.label.count))
            },
            .always("holds", "whether the journal has what is cited") { $0.verdict == .holds },
            .sometimes(
                "found", "the value that is there instead, as a citation writes it; null where none is"
            ) { row -> JSONValue? in
                if case .other(let value) = row.verdict { value.map(JSONValue.string) ?? .null } else { nil }
            },
            .sometimes("id", "the id of the run that the journal is of, where it is another") { row in
                if case .otherRun(let id) = row.verdict { id } else { nil }
            },
            .sometimes("problem", "why the journal, or the position, is not there") { row in
                switch row.verdict {
                case .noPosition(let message), .unreadable(let message): message
                case .holds, .other, .otherRun: nil
                }
            },
        ])
}
