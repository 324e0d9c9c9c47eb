import CommandLine
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// A run that is open: its session, the console that shares it, and the lines of source that it knows.
final class DapRun {
    let launch: DapLaunch
    let session: Session
    let interpreter: DebugInterpreter
    let sources: DapSources
    /// Whether the journal is still written.
    let follows: Bool
    var lines: SourceLines
    /// What the console has printed since it was taken.
    private let printed: PrintedText
    /// What the session reported to the console since it was taken.
    var events: [SessionEvent] = []
    private var declared: (byteCount: Int?, names: [String])?

    /// How many characters, elements and members of a value the console prints.
    private static let console = DebugSettings.usualElements
    /// No more bytes are printed at once.
    private static let printedLimit = 1 << 20

    private final class PrintedText {
        var text = ""
    }

    init(_ launch: DapLaunch, follows: Bool, _ adapter: DapAdapter) throws {
        let journal = try launch.open(adapter.environment)
        let start = try launch.position == .end ? nil : journal.position(launch.position)
        let reopen = journal.reopening
        let printed = PrintedText()
        session = try Session(try reopen?() ?? journal, at: start, reopen: reopen)
        sources = DapSources(launch.sourceRoots)
        lines = try SourceLines(session.journal)
        self.launch = launch
        self.follows = follows
        self.printed = printed
        var surroundings = DebugInterpreter.Surroundings()
        surroundings.scope = launch.scope
        surroundings.definitions = launch.definitions
        surroundings.sources = SourceTexts(folder: launch.sourceRoots.first)
        surroundings.follows = follows
        surroundings.environment = adapter.environment
        surroundings.capturesPrograms = true
        surroundings.isInterrupted = { [weak adapter] in adapter?.isInterrupted() ?? true }
        surroundings.pause = { [weak adapter] in adapter?.waitForMore() ?? false }
        interpreter = DebugInterpreter(session, surroundings, style: .plain, width: nil) { text in
            if printed.text.utf8.count < DapRun.printedLimit { printed.text += text }
        }
        interpreter.settings.elements = DapRun.console
        interpreter.settings.direction = launch.direction
        interpreter.progress = { [weak adapter] in adapter?.show($0) }
        interpreter.observe = { [weak self] in self?.events.append($0) }
    }

    /// What the console printed.
    func takePrinted() -> String {
        defer { printed.text = "" }
        return UTF8Order.ends(printed.text, with: "\n") ? String(printed.text.dropLast()) : printed.text
    }

    func takeEvents() -> [SessionEvent] {
        defer { events = [] }
        return events
    }

    /// The names of the derived values that the journal declares, which is looked through again only where it has grown.
    func declaredDerivedNames() throws -> [String] {
        let count = session.journal.byteCount
        if let declared, declared.byteCount == count { return declared.names }
        let names = try session.declaredDerivedNames(interpreter.calls)
        // A look that was interrupted has not seen all of them.
        declared = interpreter.calls.isInterrupted() ? nil : (count, names)
        return names
    }

    /// The files that commits were made in, as far as the journal was read.
    var files: [String] {
        var files: [String] = []
        for line in lines.lines where files.last != line.file && !files.contains(line.file) { files.append(line.file) }
        return files
    }

    /// The part of a state that the launch asked about.
    func part(of state: JSONValue) -> JSONValue { launch.scope.part(of: state) }
}
