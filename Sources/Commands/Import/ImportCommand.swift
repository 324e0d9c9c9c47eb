import CommandLine
import Diagnostics
import Interchange
import JSONCore
import JournalFormat
import JournalReading
import Platform

struct ImportCommand: Command {
    static let definition = CommandDefinition(
        name: .import, summary: "make a journal of what another program wrote",
        synopsis: [
            "FORMAT [FILE] [-o JOURNAL]", "FILE [-o JOURNAL]", "[snapshots] FILE FILE... [-o JOURNAL]",
            "jsonl [FILE] --state QUERY [OPTIONS]", "jsonl FILE --suggest",
        ],
        operands: [
            .required("FORMAT", .choices(ImportFormat.allCases.map(\.rawValue))), .anyNumber("FILE", .file),
        ],
        options: [.output] + ImportOptions.all + .queryValues,
        details: [
            """
            Reads FILE, or standard input, and writes a journal that every other command takes. 'jsonl' is any log of JSON \
            lines: queries say what a line means. The other formats are \
            \(ImportFormat.allCases.dropFirst().map { "'\($0.rawValue)'" }.joined(separator: ", ")). Without FORMAT it is the \
            one that FILE looks like, which is said. Several files of one state each are read in the order of the numbers in \
            their names.
            """,
            """
            What does not fit ends the import with status 3, its line and why; with '--skip-bad' it is left out, counted and \
            reported, a mark stands in its place, and the status is 5. Of 'jsonl' that is so unless '--strict' is given.
            """,
            """
            With '--state' the first line of a store opens it; with the other queries it is an empty object, or what \
            '--initial' says, before its first line. A query that is a plain path ('.event.state') gives nothing where that \
            path is not there. state-inspect-import(1) has all of it.
            """,
            """
            In the queries '$old' is the state of the line's store before it, null at first, so that a log of events becomes \
            states: '--set /sum=($old.sum // 0) + .amount'. '--each' makes several records of a line. A query that gives \
            several outputs, or nothing on any line, is warned of.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect import jsonl samples/orders.log --suggest",
                purpose: "a first guess at a log, as a command to paste"),
            .init(
                line: "state-inspect import jsonl samples/orders.log --store .service --state .state --time .ts",
                purpose: "a log as a journal, a store for each service"),
        ],
        isAnswer: false)

    private let options: ImportOptions
    /// The files, one but for snapshots.
    private let paths: [String]
    private let output: String?
    private let isFollowing: Bool
    private let branch: String?
    /// What is said of a format that was not typed.
    private let recognition: String?

    private var path: String { paths[0] }

    init(_ typed: TypedArguments) throws {
        let recognised = ImportRecognition(try ImportPreset.applied(to: typed))
        let typed = recognised.typed
        recognition = recognised.note
        let word = typed.operands.first ?? ""
        let known = ImportFormat.allCases.map(\.rawValue)
        guard let format = ImportFormat(rawValue: FormatNames.format(word, known) ?? word) else {
            // No format has a dot or a slash in its name: a file was meant, which may not be there.
            if word.utf8.contains(where: { [UInt8(ascii: "."), UInt8(ascii: "/")].contains($0) }) {
                _ = try ByteInput(word)
            }
            throw FormatNames.unknown(word, known, of: FileLook(ofNoJournal: word))
        }
        options = try ImportOptions(typed, format)
        let files = Array(typed.operands.dropFirst())
        guard files.count < 2 || format == .snapshots && !typed.has(.follow) else {
            throw UsageError.extraOperand(.import, files[1])
        }
        paths = files.isEmpty ? ["-"] : files.sorted(by: ImportAdvice.isBefore)
        output = JournalOutput.path(typed)
        isFollowing = typed.has(.follow)
        branch = typed.value(.branch)
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        if let recognition { context.messages.note(recognition) }
        if options.asksSuggestion { return try suggest(in: context) }
        guard options.format != .trrack else { return try importBranches(in: context) }
        let stop = isFollowing ? StopRequest() : nil
        if let stop { SignalHandling.interruptOnce(stop) }
        let output = try JournalOutput(output, of: paths, context)
        let sink = ImportSink(output)
        var work = work(try options.reader(), sink)
        for (index, path) in paths.enumerated() {
            let input = try context.progress.reading(size: \.byteCount) {
                try ByteInput(path, until: stop, progress: $0)
            }
            if index > 0 { try work.begin(path, time: Self.time(of: path)) }
            try readAll(input, &work, sink, context)
        }
        try work.finish()
        try sink.append(work.takeLines())
        try output.finish()
        return report(work, context)
    }

    private func work(_ reader: any ImportReader, _ sink: ImportSink) -> JournalImport {
        JournalImport(
            reader, of: name, time: Self.time(of: path), skipsBad: options.skipsBad, identities: options.identities,
            sink: sink.take)
    }

    /// A journal for each branch that is wanted of a file that is held whole.
    private func importBranches(in context: CommandContext) throws -> ExitStatus {
        let branches = try TrrackBranches(path, name: name, skipsBad: options.skipsBad, in: context)
        var status = ExitStatus.done
        for branch in try branches.chosen(branch, output: output) {
            let path = output.map { TrrackBranches.path($0, of: branch) }
            let output = try JournalOutput(path, of: [self.path], context)
            let sink = ImportSink(output)
            var work = work(TrrackReader(branch), sink)
            try branches.bytes.withBytes { try work.read($0) }
            try work.finish()
            try sink.append(work.takeLines())
            try output.finish()
            let reported = report(work, context)
            if reported != .done { status = reported }
        }
        return status
    }

    private func readAll(
        _ input: ByteInput, _ work: inout JournalImport, _ sink: ImportSink, _ context: CommandContext
    ) throws {
        var isMore = true
        while isMore {
            isMore = try input.read(commits: work.run.lastCommit.rawValue) { try work.read($0) }
            try sink.check()
            let isWaiting = isMore && input.isWaiting
            if isWaiting { try sink.append(work.takeLines()) }
            // What there is to say is said before the next piece is waited for.
            if isWaiting, output == nil { try context.output.flush() }
        }
    }

    private var name: String { path == "-" ? "stdin" : path }

    /// When what says no time was: when the file was written.
    private static func time(of path: String) -> Timestamp {
        guard path != "-", let status = try? FileStatus(path) else { return .now() }
        return Timestamp(microseconds: status.modificationTime)
    }
}

/// An import without a format: that of the file that stands first.
struct ImportRecognition {
    private(set) var typed: TypedArguments
    /// What is said of it; nil where a format was typed, or none is recognised.
    private(set) var note: String?

    init(_ typed: TypedArguments) {
        self.typed = typed
        let known = ImportFormat.allCases.map(\.rawValue)
        guard let first = typed.operands.first, FormatNames.format(first, known) == nil, !known.contains(first),
            (try? FileStatus(first))?.kind == .regular
        else { return }
        if typed.operands.count > 1 {
            if ImportAdvice.areSnapshots(typed.operands) { use(.snapshots, []) }
            return
        }
        guard let plain = FileLook(first)?.plainImport else { return }
        // Queries that were typed say all of what a line means.
        let isMeant = ImportOptions.lineOptions.contains { ![.strict, .suggest].contains($0) && typed.has($0) }
        use(plain.format, isMeant ? [] : plain.options)
    }

    private mutating func use(_ format: ImportFormat, _ options: [String]) {
        var parser = ArgumentParser([CommandName.import.rawValue, format.rawValue] + options)
        guard parser.problem() == nil else { return }
        typed.operands.insert(format.rawValue, at: 0)
        typed.takeDefaults(from: parser.typed)
        let words = ShellQuoting.line([format.rawValue] + options)
        note = "no format is typed, so this is read by: \(CommandName.import.rawValue) \(words)"
    }
}

/// Writes the lines of an import as they come; keeps a write error until the caller asks for it.
final class ImportSink {
    private let output: JournalOutput
    private var failure: (any Error)?

    init(_ output: JournalOutput) { self.output = output }

    /// Writes lines; does nothing after a failure.
    func take(_ lines: [UInt8]) {
        guard failure == nil else { return }
        do { try output.append(lines) } catch { failure = error }
    }

    /// Writes lines.
    ///
    /// - Throws: why these, or ones before them, could not be written.
    func append(_ lines: [UInt8]) throws {
        take(lines)
        try check()
    }

    func check() throws {
        if let failure { throw failure }
    }
}

extension ImportCommand {
    /// A first guess at what the file means, as a command to paste.
    private func suggest(in context: CommandContext) throws -> ExitStatus {
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

    /// Reports what was read, and what of it did not fit.
    private func report(_ work: JournalImport, _ context: CommandContext) -> ExitStatus {
        let messages = context.messages
        let run = work.run
        let stores = run.totals.commits.count
        messages.note(
            "\(work.texts.counted("text")), \(run.lastCommit.rawValue.counted("commit")), "
                + "\(stores.counted("store"))"
                + (run.totals.marks > 0 ? ", \(run.totals.marks.counted("mark"))" : "")
                + (run.totals.aborts > 0 ? ", \(run.totals.aborts.counted("abort"))" : ""))
        if !run.hasTime, stores > 0 {
            let file = paths.count > 1 ? "their file" : "'\(path)'"
            let source = path == "-" ? "of this import" : "at which \(file) was written"
            messages.note("nothing in it is read as a time: all records have the one \(source)")
        }
        if run.fallenTimes > 0 {
            messages.note(
                "\(run.fallenTimes.counted("record")) had a time before that of the record before, and got that one's"
            )
        }
        for note in work.notes { messages.note(note) }
        let problems = reportProblems(work, messages)
        let status = problems.or(reportWarnings(work, messages))
        guard stores == 0 else { return status }
        messages.warn(
            code: "import.nothing", "nothing in '\(path)' says what a state is",
            help: ImportAdvice(path).help(for: work.likeness))
        return .inconclusive
    }

    private func reportProblems(_ work: JournalImport, _ messages: MessageWriter) -> ExitStatus {
        let problems = work.run.problems
        guard problems.count > 0 else { return .done }
        for var diagnostic in problems.first.flatMap({ ExitStatus.diagnostics(of: $0, in: .import) }) {
            diagnostic.severity = .warning
            messages.report(diagnostic)
        }
        let isOneLine = Int(problems.lineNumbers) != nil
        messages.note(
            "\(problems.count.counted("part")) of '\(path)' did not fit and \(problems.count == 1 ? "was" : "were") left "
                + "out, in line\(isOneLine ? "" : "s") \(problems.lineNumbers)")
        return .inconclusive
    }

    /// The status is that of no answer where the journal may answer otherwise than the log would.
    private func reportWarnings(_ work: JournalImport, _ messages: MessageWriter) -> ExitStatus {
        var status = ExitStatus.done
        for warning in work.warnings {
            var diagnostic = warning.diagnostic
            if options.isStrict { diagnostic.severity = .error }
            messages.report(diagnostic)
            if options.isStrict || warning.leavesDoubt { status = .inconclusive }
        }
        return status
    }
}
