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
            "jsonl [FILE] --state QUERY [OPTIONS]", "jsonl FILE --suggest", "git FILE [-o JOURNAL]",
        ],
        operands: [
            .required("FORMAT", .choices(ImportFormat.allCases.map(\.rawValue) + ["git"])), .anyNumber("FILE", .file),
        ],
        options: [.output] + ImportOptions.all + .queryValues,
        details: [
            """
            Reads FILE, or standard input, and writes a journal that every other command takes. 'jsonl' is any log of JSON \
            lines: queries say what a line means. The other formats are \
            \(ImportFormat.allCases.dropFirst().map { "'\($0.rawValue)'" }.joined(separator: ", ")). Without FORMAT it is the \
            one that FILE looks like, which is said. Several files of one state each, or a folder of them, are read in the order of \
            the numbers in their names. 'git' is the history of a JSON file in git.
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
    private let paths: [String]
    private let output: String?
    private let isFollowing: Bool
    private let recognition: String?
    private let isOfGit: Bool

    private var path: String { paths[0] }

    init(_ typed: TypedArguments) throws {
        let recognised = ImportRecognition(try ImportPreset.applied(to: typed))
        let typed = recognised.typed
        recognition = recognised.note
        isOfGit = recognised.isOfGit
        let word = typed.operands.first ?? ""
        let known = ImportFormat.allCases.map(\.rawValue)
        guard let format = ImportFormat(rawValue: FormatNames.format(word, known) ?? word) else {
            // No format has a dot or a slash in its name: a file was meant, which may not be there.
            if word.utf8.contains(where: { [UInt8(ascii: "."), UInt8(ascii: "/")].contains($0) }) {
                _ = try ByteInput(word)
            }
            throw ImportAdvice(word).unrecognised ?? FormatNames.unknown(word, known)
        }
        let files = Array(typed.operands.dropFirst())
        do { options = try ImportOptions(typed, format) } catch UsageError.needsOne(let command, let needed) {
            var diagnostic = UsageError.needsOne(command, needed).diagnostic
            if let file = files.first, let look = FileLook(ofNoJournal: file) {
                diagnostic.notes += [look.columns].compactMap(\.self)
                if let command = look.command { diagnostic.help = [command] }
            }
            throw CommandFailure(.usage, diagnostic)
        }
        guard files.count < 2 || format == .snapshots && !typed.has(.follow) else {
            throw UsageError.extraOperand(.import, files[1])
        }
        paths = files.isEmpty ? ["-"] : files.sorted(by: ImportAdvice.isBefore)
        output = JournalOutput.path(typed)
        isFollowing = typed.has(.follow)
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        if let recognition { context.messages.note(recognition) }
        if options.asksSuggestion { return try suggest(in: context) }
        // What is followed ends with a signal, and is kept.
        let stop = isFollowing ? StopRequest() : nil
        if let stop { SignalHandling.interruptOnce(stop, byAny: true) }
        let output = try JournalOutput(output, of: paths, context)
        let sink = ImportSink(output)
        var work = work(try options.reader(), sink)
        if isOfGit {
            try GitHistory(path).forEachLine { line in
                try line.withBytes { try work.read($0) }
                try sink.check()
            }
        }
        for (index, path) in paths.enumerated() where !isOfGit {
            let input = try context.progress.reading(size: \.byteCount) {
                try ByteInput(path, until: stop, awaitsFile: isFollowing, progress: $0)
            }
            if index > 0 { try work.begin(path, time: Self.time(of: path)) }
            do { try readAll(input, &work, sink, output, context) } catch let error as ImportError {
                guard error.fault == .newestFirst, case .lines = try options.reader().division,
                    let lines = try input.lineCount()
                else { throw error }
                work = self.work(try options.reader(), sink, lastLine: lines)
                try input.readBackward { try work.read($0) }
            } catch  where isFollowing && work.run.lastCommit > .zero {
                // What ends it is reported, and what was read is kept.
                try finish(&work, sink, output)
                throw error
            }
        }
        if isFollowing, stop?.isMade == true, work.texts == 0 {
            throw ImportError(file: name, line: nil, fault: .empty)
        }
        try finish(&work, sink, output)
        return report(work, context)
    }

    private func finish(_ work: inout JournalImport, _ sink: ImportSink, _ output: JournalOutput) throws {
        try work.finish()
        try sink.append(work.takeLines())
        try output.finish()
    }

    private func work(_ reader: any ImportReader, _ sink: ImportSink, lastLine: Int? = nil) -> JournalImport {
        JournalImport(
            reader, of: name, time: Self.time(of: path), skipsBad: options.skipsBad, identities: options.identities,
            lastLine: lastLine, sink: sink.take)
    }

    private func readAll(
        _ input: ByteInput, _ work: inout JournalImport, _ sink: ImportSink, _ file: JournalOutput,
        _ context: CommandContext
    ) throws {
        var (isMore, rotations) = (true, 0)
        while isMore {
            isMore = try input.read(commits: work.run.lastCommit.rawValue) { piece in
                if input.rotations > rotations { try work.begin(name, time: Self.time(of: path)) }
                rotations = input.rotations
                try work.read(piece)
            }
            try sink.check()
            guard isMore, input.isWaiting, output == nil || isFollowing else { continue }
            // What there is to say is said before the next piece is waited for, and is not lost whatever ends that.
            try sink.append(work.takeAllLines())
            if output == nil { try context.output.flush() } else if work.run.lastCommit > .zero { try file.finish() }
        }
        if rotations > 0 {
            context.messages.note(
                "'\(name)' was rotated or emptied \(rotations == 1 ? "once" : "\(rotations) times"), and read on at its front"
            )
        }
    }

    private var name: String { path == "-" ? "stdin" : path }

    /// When what says no time was: when the file was written.
    private static func time(of path: String) -> Timestamp {
        guard path != "-", let status = try? FileStatus(path) else { return .now() }
        return Timestamp(microseconds: status.modificationTime)
    }
}

/// The format is that of the file that stands first.
struct ImportRecognition {
    private(set) var typed: TypedArguments
    /// Nil where a format was typed, or none is recognised.
    private(set) var note: String?
    private(set) var isOfGit = false

    init(_ typed: TypedArguments) {
        self.typed = typed
        if typed.operands.first == "git", typed.operands.count == 2 {
            isOfGit = true
            self.typed.operands.removeFirst()
            use(.jsonl, GitHistory.options)
            note = nil
            return
        }
        if typed.operands.count == 1, let files = ImportAdvice.states(inFolder: typed.operands[0]) {
            self.typed.operands = files
        }
        let typed = self.typed
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

/// Keeps a write error until the caller asks for it.
final class ImportSink {
    private let output: JournalOutput
    private var failure: (any Error)?

    init(_ output: JournalOutput) { self.output = output }

    func take(_ lines: [UInt8]) {
        guard failure == nil else { return }
        do { try output.append(lines) } catch { failure = error }
    }

    /// - Throws: why these lines, or ones before them, could not be written.
    func append(_ lines: [UInt8]) throws {
        take(lines)
        try check()
    }

    func check() throws {
        if let failure { throw failure }
    }
}

extension ImportCommand {
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
        if run.oddTimes > 0 {
            messages.note(
                "\(run.oddTimes.counted("record")) had a time that those around contradict, and got that of the record before"
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
