package import CommandLine
import Commands
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import TimeTravel

package struct ReportCommand: Command {
    package static let definition = CommandDefinition(
        name: .report, summary: "a run in one page that any browser shows",
        synopsis: ["JOURNAL... [QUERY] [-o FILE] [OPTIONS]"],
        operands: [.repeated("JOURNAL", .file)],
        options: [
            .bad, .good, .define, .invariant, .invariants, .sourceRoot, .range, .recover, .redact, .sourceURL,
            .traceURL, .title, .note, .reportOutput, .open,
        ] + .queryValues,
        details: [
            """
            Writes one HTML file that holds the journal, packed, and what it takes to look into it: a timeline to play and \
            slide along, the commits, the state as a tree, what each commit changed, what fired, causes, who wrote a member \
            last, filters and search. It needs no network, and nothing to be installed. What '--bad' and invariants found \
            stands on top.
            """,
            """
            Several journals are one page with a switch between them; of two it shows where they part. The status is 0 where \
            the page was written, whatever it says, but 4 where an invariant names what the run never has; 'check' and 'bisect' \
            are for scripts.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect report samples/checkout.jsonl --bad '.cart.total < 0' -o /tmp/run.html",
                purpose: "the run, and the commit that made the total negative, for anybody")
        ],
        isAnswer: false)

    private let paths: [String]
    private let output: String?
    private let opens: Bool
    private let range: RangeText
    private let redacted: [PathPattern]
    private let sourceURL: PageAddress?
    private let traceURL: PageAddress?
    private let arguments: TypedArguments
    private let definitions: DerivedDefinitions?
    private let questions: ReportQuestions
    private let recovers: Bool

    package init(_ typed: TypedArguments) throws {
        paths = try JournalFiles.named(typed.operands)
        output = JournalOutput.path(typed)
        opens = typed.has(.open)
        if opens, typed.has(.output), output == nil { throw UsageError.exclusive([.output, .open]) }
        range = try typed.value(.range).map { try RangeText(parsing: $0) } ?? RangeText()
        redacted = try StoreScope(store: nil).patterns(typed, .redact)
        sourceURL = try PageAddress(
            typed, .sourceURL, with: "{file}", as: "https://host/tree/main/Sources/{file}#L{line}")
        traceURL = try PageAddress(typed, .traceURL, with: "{trace}", as: "https://host/trace/{trace}")
        questions = try ReportQuestions(typed)
        recovers = typed.has(.recover)
        arguments = typed
        definitions = typed.has(.define) ? try DerivedDefinitions(typed, StoreScope(typed)) : nil
    }

    package func run(in context: CommandContext) throws -> ExitStatus {
        let path = output(context)
        let output = try JournalOutput(path, of: paths, context)
        let packer = GzipPacker(context.environment)
        if packer == nil {
            context.messages.note("there is no 'gzip' on PATH, so the page is about ten times as large as it could be")
        }
        let key = RedactionKey.random()
        var runs: [ReportRun] = []
        var unread: [String] = []
        for path in paths {
            do {
                let input = try JournalInput.random(path, recovers: recovers, in: context)
                runs.append(
                    try ReportRun(
                        input, try input.range(range), questions, definitions, redacting: redacted, key: key,
                        packer: packer, recover: recovers, listsPlaces: arguments.has(.sourceRoot), context))
            } catch  where paths.count > 1 && ExitStatus.of(error) == .unreadable {
                // The page says so, and has the others.
                for diagnostic in ExitStatus.diagnostics(of: error, in: .report) { context.messages.report(diagnostic) }
                unread.append(path)
            }
        }
        guard !runs.isEmpty else { return .unreadable }
        let divergence = runs.count == 2 ? try ReportDivergence(runs[0], runs[1]) : nil
        var page = ReportPage(runs, divergence)
        page.sourceURL = sourceURL?.template
        page.traceURL = traceURL?.template
        if let root = try SourceRoot(arguments, context.messages) { take(root, of: runs, into: &page, context) }
        page.title = arguments.value(.title)
        page.note = arguments.value(.note)
        page.redacted = redacted.map(\.text)
        page.isPacked = packer != nil
        page.unread = unread
        try page.write { try output.append($0) }
        try output.finish()
        for damage in runs.flatMap(\.damages) { context.messages.reportOnce(damage.warning) }
        if let path { report(runs, in: path, context) }
        guard unread.isEmpty, runs.allSatisfy(\.damages.isEmpty) else { return .unreadable }
        // Such an invariant was not asked, which 'check' says by the same status.
        return runs.contains { $0.checked?.absent.isEmpty == false } ? .notThere : .done
    }

    /// Files that are not below the folder keep their names.
    private func take(
        _ root: SourceRoot, of runs: [ReportRun], into page: inout ReportPage, _ context: CommandContext
    ) {
        var places: [ByteName: Set<Int>] = [:]
        for run in runs { places.merge(run.chunks.places) { $0.union($1) } }
        var paths = JSONObject()
        for file in places.keys.sorted().map(\.text) {
            if let path = root.path(of: file) { paths[file] = .string(path) }
        }
        if sourceURL != nil { page.sources = paths }
        let excerpts = SourceExcerpts(places, below: root, context.messages)
        page.excerpts = excerpts.files
        guard let first = excerpts.leftOut.first else { return }
        context.messages.note(
            "the page has no room for lines of \(excerpts.leftOut.count.counted("source file")), '\(first)' and so on")
    }

    /// Where the page goes: what was typed, or a new file beside the first journal; nil for standard output.
    private func output(_ context: CommandContext) -> String? {
        if let output { return output }
        guard !arguments.has(.output), opens || context.terminal.isTerminal else { return nil }
        let journal = JournalFiles.isReadOnce(paths[0]) ? "report" : paths[0]
        let base = journal.lastIndex(of: "/").map(journal.index(after:)) ?? journal.startIndex
        // The name of a packed journal ends in '.jsonl.gz'.
        let end =
            journal[base...].firstRange(of: ".jsonl")?.lowerBound ?? journal[base...].dropFirst().lastIndex(of: ".")
        return FreeName.of(journal[..<(end ?? journal.endIndex)] + ".html")
    }

    private func report(_ runs: [ReportRun], in output: String, _ context: CommandContext) {
        let commits = runs.reduce(0) { $0 + $1.chunks.commitCount }
        let size = (try? FileStatus(output)).map { ", \(Progress.size(Double($0.byteCount)))" } ?? ""
        context.messages.note("'\(output)' has \(commits.counted("commit"))\(size)")
        if opens { open(output, context) }
    }

    /// Says so where that is not possible.
    private func open(_ page: String, _ context: CommandContext) {
        // A name that begins as an option does is a path with its folder.
        let path = UTF8Order.begins(page, with: "-") ? "./" + page : page
        let lookup = ExecutableLookup(context.environment)
        let program = lookup.path(of: "xdg-open") ?? lookup.path(of: "open")
        let process = program.flatMap { program in
            try? ChildProcess.start(
                [program, path], environment: context.environment, input: .nothing, output: .nothing, error: .nothing)
        }
        guard process?.wait() != .status(0) else { return }
        context.messages.note("no program here opens '\(page)'; a browser shows that file")
    }
}

/// Where something on a page leads to: an address with places in it, such as `{file}` and `{line}`.
struct PageAddress {
    let template: String

    /// Nil where none was typed.
    ///
    /// - Throws: `UsageError` where it is none of the web, which alone a page may lead to, or lacks the place.
    init?(_ typed: TypedArguments, _ option: Option, with place: String, as example: String) throws(UsageError) {
        guard let text = typed.value(option) else { return nil }
        let isOfTheWeb = ["https://", "http://"].contains { UTF8Order.begins(text.lowercased(), with: $0) }
        guard isOfTheWeb, text.contains(place) else {
            throw .value(option, text, expected: "an address such as '\(example)'")
        }
        template = text
    }
}
