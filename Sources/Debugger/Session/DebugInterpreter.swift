import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import Platform
import QueryLanguage
import Synchronization
import TimeTravel

final class DebugInterpreter {
    struct Surroundings {
        var scope = StoreScope(store: nil)
        /// Derived values with a definition, for `catch derived`.
        var definitions: [DerivedValue] = []
        var sources = SourceTexts(folder: nil)
        /// Whether `continue` waits at the end for more.
        var follows = false
        var environment = Environment()
        /// Whether a program that is started may read what this one reads: no script comes from there.
        var isInputFree = false
        /// Whether what such a program writes is printed here, since the output is not for people.
        var capturesPrograms = false
        /// Called along what takes long; true ends it.
        var isInterrupted: () -> Bool = { false }
        /// Called at the end of a journal that is followed; false ends the wait.
        var pause: () -> Bool = {
            SystemClock.sleep(microseconds: 100_000)
            return true
        }
        /// If nil, a problem that does not end the command is written among the other lines.
        var warn: ((Diagnostic) throws -> Void)?
        /// Runs a program that uses the terminal, and takes the terminal back afterwards.
        var releaseTerminal: (() throws -> Void) throws -> Void = { try $0() }
    }

    let session: Session
    let surroundings: Surroundings
    let printer: DebugPrinter
    let interruption = DebugInterruption()
    private let output: (StoryLine) throws -> Void
    var progress: ((SessionProgress) -> Void)?
    /// Nil where only the text matters.
    var observe: ((SessionEvent) -> Void)?
    /// Called where the journal has grown, before what is new is searched; nil where nothing depends on it.
    var grown: (() -> Void)?
    /// Receives what stops that log report; nil where it is printed.
    var log: ((SessionBreakpoint, CommitNumber, [QueryOutcome]) -> Void)?
    /// How deep files have been sourced from files.
    private var depth = 0
    /// The last source line that `list` showed, its file, and where the session stood.
    var listed: (position: SessionPosition, file: String, line: Int)?
    /// The chain of causes that `up` and `down` go along, and where in it the session is, as long as nothing else moves it.
    var frames: (chain: CauseChain, frame: Int)?
    var searched: String?
    let paired: PairedRuns?
    var settings = DebugSettings()

    static let scriptLimit = 1 << 24
    /// No file sources files deeper than this.
    private static let depthLimit = 16

    init(
        _ session: Session, _ surroundings: Surroundings, paired: PairedRuns? = nil, width: Int?,
        output: @escaping (StoryLine) throws -> Void
    ) {
        self.session = session
        self.surroundings = surroundings
        self.paired = paired
        printer = DebugPrinter(width: width)
        self.output = output
    }

    var scope: StoreScope { surroundings.scope }

    func write(_ line: StoryLine) throws { try output(line) }

    func write(_ lines: [StoryLine], orElse empty: StoryLine? = nil) throws {
        for line in lines { try write(line) }
        if lines.isEmpty, let empty { try write(empty) }
    }

    func warn(_ diagnostic: Diagnostic) throws {
        if let warn = surroundings.warn { return try warn(diagnostic) }
        try write(DiagnosticRenderer(width: printer.width).lines(diagnostic))
    }

    func report(_ error: any Error) throws {
        if let error = error as? DebugScriptError { return try error.diagnostics.forEach(warn) }
        for diagnostic in ExitStatus.diagnostics(of: DebugInterpreter.facts(of: error), in: .debug) {
            try warn(diagnostic)
        }
    }

    static func facts(of error: any Error) -> any Error {
        guard let error = error as? SessionError else { return error }
        switch error {
        case .journal(let error): return error
        case .position(let error): return error
        case .unknown(let kind, let name):
            return CommandFailure(
                .notThere,
                Diagnostic(
                    code: "debug.no-such-\(kind.rawValue)", "there is no \(kind.rawValue) '\(name)'",
                    help: ["'info \(kind == .display ? "display" : kind.rawValue + "s")' lists them"]))
        case .noHistory(let direction):
            let place = direction == .backward ? "back" : "forward"
            return CommandFailure(
                .notThere, Diagnostic(code: "debug.no-history", "there is no place to go \(place) to"))
        }
    }

    /// - Returns: false where it was the last line.
    /// - Throws: what is wrong with the line, or why it could not be done; `OutputError` if the output has no reader.
    func execute(_ text: String) throws -> Bool {
        guard let line = try DebugLine(parsing: text) else { return true }
        interruption.arm()
        defer { interruption.disarm() }
        switch line.verb {
        case .quit:
            try line.checkAlone()
            return false
        case .source: return try source(try line.argument("a file"))
        case .help: try write(DebugHelp(width: printer.width).lines(line.rest))
        case .pipe: try pipe(line)
        case .shell: try runShell(try line.argument("a command"))
        case .set, .execDirection: try change(line)
        default:
            if let paired {
                try carryOut(line, typed: text, on: paired)
                return true
            }
            if try move(line) || setStop(line) || look(line) || remember(line) { return true }
        }
        return true
    }

    // MARK: Doing

    var calls: SessionCalls {
        var calls = SessionCalls()
        calls.isInterrupted = { [interruption, surroundings] in interruption.isMade || surroundings.isInterrupted() }
        if let progress { calls.progress = progress }
        if let log { calls.log = log }
        if let grown { calls.grown = grown }
        if surroundings.follows {
            calls.wait = { [interruption, pause = surroundings.pause] in pause() && !interruption.isMade }
        }
        return calls
    }

    func perform(_ action: SessionAction) throws {
        for event in try session.perform(action, calls) {
            observe?(event)
            try write(printer.lines(event, session))
            if case .stopped(let stop) = event { try warnOfNull(stop) }
        }
    }

    /// Warns where what stopped the session may be about what is not there.
    private func warnOfNull(_ stop: SessionStop) throws {
        for reason in stop.reasons {
            let condition: (query: Query, isBad: Bool)? =
                switch reason {
                case .holds(let query): (query, true)
                case .caught(let stop, _): if case .violation(let query) = stop.trigger { (query, false) } else { nil }
                default: nil
                }
            guard let condition else { continue }
            let query = ScopedQuery(condition: condition.query)
            for warning in AbsentPaths(of: query, isBad: condition.isBad, in: session.state, scope).warnings {
                try warn(warning)
            }
        }
    }

    // MARK: Files

    /// Stops at a line that fails; false where one was to quit.
    func source(_ path: String) throws -> Bool {
        guard depth < DebugInterpreter.depthLimit else {
            throw CommandFailure(
                .usage, Diagnostic(code: "debug.source-depth", "'\(path)' is sourced by files that it sources"))
        }
        depth += 1
        defer { depth -= 1 }
        let bytes = try InputFile.whole(path, limit: DebugInterpreter.scriptLimit, code: "debug.script")
        return try run(
            String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
                String.init), of: path)
    }

    /// Stops at a line that fails, which is reported with its number.
    func run(_ lines: [String], of name: String) throws -> Bool {
        for (index, line) in lines.enumerated() {
            do { if try !execute(line) { return false } } catch {
                throw DebugInterpreter.placed(error, line: index + 1, text: line, of: name)
            }
        }
        return true
    }

    static func placed(_ error: any Error, line: Int, text: String, of name: String) -> any Error {
        if error is OutputError || error is DebugScriptError || error is OutputPager.Ended { return error }
        return DebugScriptError(facts(of: error), line: line, text: text, of: name)
    }
}

/// Kept until the interpreter's face takes it.
final class PrintedLines {
    private var lines: [StoryLine] = []
    private var bytes = 0
    /// No more bytes are kept.
    private static let limit = 1 << 20

    func append(_ line: StoryLine) {
        guard bytes < Self.limit else { return }
        lines.append(line)
        bytes += line.text.utf8.count
    }

    func takeLines() -> [StoryLine] {
        defer { (lines, bytes) = ([], 0) }
        return lines
    }
}

/// A line of a script that could not be carried out, with which the script ends.
struct DebugScriptError: Error {
    let cause: any Error
    let note: String

    init(_ cause: any Error, line: Int, text: String, of name: String) {
        self.cause = cause
        note = "line \(line) of '\(name)': \(text)"
    }

    var diagnostics: [Diagnostic] {
        var diagnostics = ExitStatus.diagnostics(of: cause, in: .debug)
        if !diagnostics.isEmpty { diagnostics[0].notes.append(note) }
        return diagnostics
    }
}

/// Lets a Ctrl-C end what a session does, and not the session.
final class DebugInterruption: Sendable {
    private let request = Mutex<StopRequest?>(nil)

    var isMade: Bool { request.withLock { $0?.isMade ?? false } }

    func arm() { request.withLock { $0 = StopRequest() } }

    func disarm() { request.withLock { $0 = nil } }

    /// False if an earlier interrupt has not ended the command.
    func interrupt() -> Bool {
        guard let request = request.withLock({ $0 }) else { return true }
        if request.isMade { return false }
        request.make()
        return true
    }
}

/// The command is only ever one that was typed.
enum DebugPipe {
    /// `bytes` is what the command reads, `output` where it writes, also its errors; nil for what this program has.
    static func run(
        _ command: String, input bytes: [UInt8]?, output: Int32? = nil, environment: Environment
    ) throws(CommandFailure) -> ChildProcess.Ending {
        let output = output.map { ChildProcess.Stream.descriptor($0) } ?? .shared
        var reading: FileDescriptor?
        var writing: FileDescriptor?
        do throws(SystemFailure) {
            guard let bytes else {
                return try ChildProcess.start(
                    ["/bin/sh", "-c", command], environment: environment, output: output, error: output
                ).wait()
            }
            try FileDescriptor.pipe(reading: &reading, writing: &writing)
            let process = try ChildProcess.start(
                ["/bin/sh", "-c", command], environment: environment, input: .descriptor(reading?.number ?? -1),
                output: output, error: output)
            reading = nil
            // One that does not read everything has read what it wanted.
            try? writing?.write(bytes)
            writing = nil
            return process.wait()
        } catch {
            throw CommandFailure(
                .unreadable, Diagnostic(code: "debug.pipe", "'\(command)' cannot be started: \(error.text)"))
        }
    }
}
