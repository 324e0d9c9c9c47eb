package import CommandLine
import Commands
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import TimeTravel

/// `debug J`: a walk through a run in both directions.
package struct DebugCommand: Command {
    package static let definition = CommandDefinition(
        name: .debug, summary: "walk through a run in both directions",
        synopsis: ["JOURNAL [OPTIONS]", "LEFT RIGHT [OPTIONS]"],
        operands: [.required("JOURNAL", .file), .optional("RIGHT", .file)],
        options: [.at, .define, .sourceRoot, .command, .batch, .tui, .debugFollow] + .queryValues,
        details: [
            """
            Opens a session at the end of the run, where the failure is. From there 'last /cart/total' goes to the commit \
            that made the total what it is, 'reverse-step' undoes commits, 'watch' and 'reverse-continue' go back to the \
            change before, 'print' and 'diff' show the state, 'why' and 'list' where it came from. The words are those of \
            gdb and rr; 'help' lists them.
            """,
            """
            Without a terminal the commands are read from standard input, without prompts; a line that cannot be carried \
            out ends the script with its number and status 2 (that of the error, if the line is right). Ctrl-C ends what a \
            command does, and not the session.
            """,
            """
            With '--tui' the session has the whole screen: a timeline of the run, the commits, the state as a tree, the \
            change with its line of source, and the same commands after ':'. '?' shows the keys.
            """,
            """
            Two journals are walked through side by side, in step along the commits that both have, and begin where they \
            part: 'next' goes to the next difference, 'print' asks both, 'diff' shows what differs between their states.
            """,
        ],
        examples: [
            .init(line: "state-inspect debug samples/checkout.jsonl", purpose: "begin at the end of the run"),
            .init(
                line: "state-inspect debug samples/checkout.jsonl -x samples/total.debug --batch",
                purpose: "carry out the commands of a file"),
            .init(line: "state-inspect debug samples/checkout.jsonl --tui", purpose: "the same on the whole screen"),
            .init(
                line: "state-inspect debug samples/checkout-good.jsonl samples/checkout.jsonl",
                purpose: "two runs side by side, from where they part"),
        ],
        isAnswer: false,
        verbs: DebugVerbTable.all.map { verb in
            .init(
                names: [verb.verb.rawValue] + verb.short, synopsis: verb.synopsis, summary: verb.summary,
                details: verb.details)
        })

    private let path: String
    private let rightPath: String?
    private let position: PositionText
    private let scripts: [String]
    private let isBatch: Bool
    private let isFullScreen: Bool
    private let follows: Bool
    private let folder: String?
    private let scope: StoreScope
    private let definitions: [DerivedValue]

    package init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        rightPath = typed.operands.count > 1 ? typed.operands[1] : nil
        position = try typed.value(.at).map { try PositionText(parsing: $0) } ?? .end
        scripts = typed.all(.command)
        isBatch = typed.has(.batch)
        isFullScreen = typed.has(.tui)
        follows = typed.has(.follow)
        folder = typed.value(.sourceRoot)
        scope = try StoreScope(typed)
        definitions = try DerivedDefinitions(typed, scope).values(declared: [])
        if typed.has(.format), typed.value(.format) != OutputFormat.human.rawValue {
            throw UsageError.value(.format, typed.value(.format) ?? "", expected: "'human': a session is text")
        }
        if isFullScreen, isBatch || !scripts.isEmpty {
            throw UsageError.exclusive([.tui, isBatch ? .batch : .command])
        }
        if rightPath != nil, follows || typed.has(.at) {
            throw UsageError.operand("RIGHT", rightPath ?? "", expected: "left out with '--follow' and '--at'")
        }
        if rightPath == "-" { throw UsageError.operand("RIGHT", "-", expected: "a file") }
        if JournalFiles.isStandardInput(path), !isFullScreen, !isBatch || scripts.isEmpty {
            throw UsageError.operand("JOURNAL", path, expected: "a file: standard input has the commands")
        }
    }

    package func run(in context: CommandContext) throws -> ExitStatus {
        if isFullScreen { try FullScreenFace.check(context, path: path) }
        let input = try JournalInput.random(path, in: context)
        // Lines for people, wherever they go.
        context.output.protection = .lines
        let start = try position == .end ? nil : input.position(position)
        let reopen = input.journal.reopening
        // A journal that is opened again reports no progress: a scan that goes back in parts reports how far it is
        // itself.
        let session = try Session(try reopen?() ?? input.journal, at: start, reopen: reopen)
        let paired = try rightPath.map { try pair(session, with: $0, context) }
        var surroundings = DebugInterpreter.Surroundings()
        surroundings.scope = scope
        surroundings.definitions = definitions
        surroundings.sources = SourceTexts(folder: folder)
        surroundings.follows = follows
        surroundings.environment = context.environment
        surroundings.isInputFree = TerminalDevice.isTerminal(context.input)
        if isFullScreen {
            return try FullScreenFace(session: session, paired: paired, context: context, surroundings: surroundings)
                .run(path)
        }
        surroundings.releaseTerminal = { body in
            try context.output.flush()
            try body()
        }
        surroundings.pause = {
            context.progress.report("at the end, waits for more")
            SystemClock.sleep(microseconds: 100_000)
            return true
        }
        surroundings.warn = { warning in
            try context.output.flush()
            context.messages.report(warning)
        }
        let pager = OutputPager { try context.output.writeLine($0.text(context.style)) }
        let interpreter = DebugInterpreter(
            session, surroundings, paired: paired, width: context.terminal.width
        ) { try pager.write($0) }
        interpreter.progress = { progress in
            context.progress.report("commit \(progress.position), \(Int((progress.fraction * 100).rounded())) %")
        }
        let interruption = interpreter.interruption
        SignalHandling.giveInterrupts { interruption.interrupt() }
        defer { SignalHandling.giveInterrupts(to: nil) }
        return try DebugConsole(interpreter: interpreter, context: context, pager: pager)
            .run(scripts: scripts, isBatch: isBatch)
    }

    private func pair(_ left: Session, with path: String, _ context: CommandContext) throws -> PairedRuns {
        let right = try Session(try JournalInput.random(path, in: context).journal)
        let paired: PairedRuns
        do { paired = try PairedRuns((self.path, left), (path, right)) } catch is RunPairs.TooLong {
            throw CommandFailure(
                .unreadable,
                Diagnostic(
                    code: "debug.pair-limit",
                    "no runs of more than \(RunPairs.commitLimit) commits are put side by side",
                    help: ["'state-inspect slice JOURNAL A..B' cuts a part out of each"]))
        }
        for (name, gap) in [(self.path, paired.pairs.gaps.left), (path, paired.pairs.gaps.right)] {
            guard let gap else { continue }
            context.messages.report(
                Diagnostic(
                    .warning, code: "debug.pair-gap", "the runs are in step up to commit \(gap.previous) of '\(name)'",
                    notes: ["the commits from \(gap) on were lost"]))
        }
        return paired
    }
}
