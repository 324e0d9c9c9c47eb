import CommandLine
import Diagnostics
import Platform
import TimeTravel

struct FullScreenFace {
    let session: Session
    let paired: PairedRuns?
    let context: CommandContext
    let surroundings: DebugInterpreter.Surroundings

    /// - Throws: `CommandFailure`, with what to use instead.
    static func check(_ context: CommandContext, path: String) throws {
        let reason: String
        if !context.terminal.isTerminal {
            reason = "standard output is no terminal"
        } else if context.environment["TERM"] == "dumb" {
            reason = "the terminal cannot move its cursor: TERM is 'dumb'"
        } else {
            return
        }
        throw CommandFailure(
            .usage,
            Diagnostic(
                code: "debug.no-screen", "'--tui' needs a terminal that it can draw on", notes: [reason],
                help: Advice(path).help(.debug, to: "has the same commands, line by line")))
    }

    func run(_ name: String) throws -> ExitStatus {
        let owner = ScreenOwner()
        var surroundings = surroundings
        surroundings.releaseTerminal = { body in try owner.releaseTerminal(body) }
        surroundings.isInterrupted = { owner.screen?.isInterrupted() ?? false }
        surroundings.pause = { owner.screen?.waitForMore() ?? false }
        let printed = PrintedLines()
        let interpreter = DebugInterpreter(
            session, surroundings, paired: paired, width: context.terminal.width, output: printed.append)
        let sources = surroundings.sources
        let screen = FullScreen(
            session, paired, name: paired.map { "\(name) | \($0.right.name)" } ?? name, input: context.input, output: 1,
            follows: surroundings.follows,
            depth: context.style.isColored ? ColorDepth(context.environment) : .none,
            isPlain: PlainSigns.areWanted(context.environment),
            commands: commands(interpreter, printed)
        ) { file, line in Self.source(sources, file, line) }
        guard let screen else {
            throw CommandFailure(
                .usage, Diagnostic(code: "debug.no-screen", "there is no terminal to read keys from", help: []))
        }
        owner.screen = screen
        screen.run()
        return .done
    }

    private func commands(_ interpreter: DebugInterpreter, _ printed: PrintedLines) -> FullScreen.Commands {
        let path = DebugConsole.historyPath(context.environment)
        let completion = DebugCompletion(session: session, definitions: surroundings.definitions)
        return FullScreen.Commands(
            execute: { line, progress in
                interpreter.progress = progress
                if let path { LineHistory.append(line, to: path) }
                var goesOn = true
                do { goesOn = try interpreter.execute(line) } catch {
                    let cause = (error as? DebugScriptError)?.cause ?? error
                    try? interpreter.report(cause)
                }
                return (printed.takeLines(), goesOn)
            },
            complete: { completion.completion(of: $0) },
            history: path.map { LineHistory(path: $0) } ?? LineHistory())
    }

    private static func source(_ sources: SourceTexts, _ file: String, _ line: Int) -> FullScreenFacts.Source? {
        let first = max(1, line - 10)
        guard let lines = try? sources.lines(of: file, first..<first + 31), !lines.isEmpty else { return nil }
        return FullScreenFacts.Source(path: file, first: first, lines: lines, line: line)
    }

    private final class ScreenOwner {
        weak var screen: FullScreen?

        func releaseTerminal(_ body: () throws -> Void) throws {
            if let screen { try screen.releaseTerminal(body) } else { try body() }
        }
    }
}
