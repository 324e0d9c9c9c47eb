import CommandLine
import Commands
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import TimeTravel

final class DapRun {
    let launch: DapLaunch
    let session: Session
    let interpreter: DebugInterpreter
    let sources: DapSources
    let follows: Bool
    var lines: SourceLines
    /// What the console has printed since it was taken.
    private let printed: PrintedLines
    /// What the session reported to the console since it was taken.
    var events: [SessionEvent] = []
    private var declared: (byteCount: Int?, names: [String])?

    private static let console = DebugSettings.usualElements

    init(_ launch: DapLaunch, follows: Bool, _ adapter: DapAdapter) throws {
        let journal = try launch.open(adapter.environment)
        let start = try launch.position == .end ? nil : journal.position(launch.position)
        let reopen = journal.reopening
        let printed = PrintedLines()
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
        interpreter = DebugInterpreter(session, surroundings, width: nil, output: printed.append)
        interpreter.settings.elements = DapRun.console
        interpreter.settings.direction = launch.direction
        interpreter.progress = { [weak adapter] in adapter?.show($0) }
        interpreter.observe = { [weak self] in self?.events.append($0) }
    }

    func takePrinted() -> String { printed.takeLines().map(\.text).joined(separator: "\n") }

    func takeEvents() -> [SessionEvent] {
        defer { events = [] }
        return events
    }

    /// Looked through again only where the journal has grown.
    func declaredDerivedNames() throws -> [String] {
        let count = session.journal.byteCount
        if let declared, declared.byteCount == count { return declared.names }
        let names = try session.declaredDerivedNames(interpreter.calls)
        // A look that was interrupted has not seen all of them.
        declared = interpreter.calls.isInterrupted() ? nil : (count, names)
        return names
    }

    var files: [String] {
        var files: [String] = []
        for line in lines.lines where files.last != line.file && !files.contains(line.file) { files.append(line.file) }
        return files
    }

    func part(of state: JSONValue) -> JSONValue { launch.scope.part(of: state) }
}

/// What a `launch` or an `attach` asks for, each member of its type.
struct DapLaunch {
    let journals: [String]
    let sourceRoots: [String]
    let position: PositionText
    let invariants: [Invariant]
    let definitions: [DerivedValue]
    let scope: StoreScope
    let recovers: Bool
    let direction: SessionDirection
    let warnings: [String]

    private static let known = [
        "journal", "program", "sourceRoot", "stopOnEntry", "invariants", "define", "definitions", "store", "recover",
        "direction",
    ]
    /// Members that an editor adds for itself.
    private static let editorsOwn: Set = ["type", "name", "request", "noDebug"]

    /// - Throws: `DapError` for a member of another type, and what the command line throws for what it means.
    init(_ arguments: DapArguments) throws {
        // Editors fill in a program by themselves.
        let named = try arguments.strings("journal")
        journals = try named.isEmpty ? arguments.strings("program") : named
        guard !journals.isEmpty, !journals.contains("-") else {
            throw DapError("'journal' is missing: the path of the journal, or a list of them", isShown: true)
        }
        sourceRoots = try arguments.strings("sourceRoot")
        var typed = TypedArguments()
        typed.command = .dap
        if let store = try arguments.string("store") { typed.add(.store, store) }
        for path in try arguments.strings("definitions") { typed.add(.definitions, path) }
        for path in try arguments.strings("invariants") { typed.add(.invariants, path) }
        if let defined = try arguments.arguments("define") {
            for name in defined.object.keys { typed.add(.define, name + "=" + (try defined.string(name) ?? "")) }
        }
        recovers = try arguments.bool("recover") ?? false
        if recovers { typed.add(.recover, "--recover") }
        scope = try StoreScope(typed)
        definitions = try DerivedDefinitions(typed, scope).values(declared: [])
        invariants = try typed.has(.invariants) ? InvariantDefinitions(typed).invariants : []
        position = try DapLaunch.entry(arguments)
        switch try arguments.string("direction") {
        case nil, "forward"?: direction = .forward
        case "reverse"?: direction = .backward
        case let word?: throw DapError("'direction' is '\(word)', should be 'forward' or 'reverse'", isShown: true)
        }
        warnings = arguments.object.keys.filter { name in
            !DapLaunch.known.contains(name) && !DapLaunch.editorsOwn.contains(name)
                && !UTF8Order.begins(name, with: "__")
        }.map { name in
            let nearest = SimilarNames.nearest(to: name, in: DapLaunch.known).first.map { "; write '\($0)'" } ?? ""
            return "there is no '\(ControlCharacters.escaped(name))' in a launch" + nearest
        }
    }

    private static func entry(_ arguments: DapArguments) throws -> PositionText {
        switch arguments.object["stopOnEntry"] {
        case nil, .null?, .bool?: return .end
        case .string(let text)?: return try PositionText(parsing: text)
        case .number(let number)?: return try PositionText(parsing: number.text)
        default: throw DapError("'stopOnEntry' is not a position", isShown: true)
        }
    }

    /// Several journals are merged into one without a name.
    func open(_ environment: Environment) throws -> Journal {
        let limit = JournalOpener.spoolLimit(environment)
        var path = journals[0]
        var merged: FileDescriptor?
        if journals.count > 1 {
            let file = try TemporaryFile.make()
            var merge = try JournalMerge(journals.map { try Journal.open($0, access: .sequential, spoolLimit: limit) })
            let number = file.number
            _ = try merge.write(
                to: LineSink { bytes in try FileDescriptor.write(bytes, to: number) })
            path = "/dev/fd/\(number)"
            merged = consume file
        }
        let journal = try Journal.open(path, access: .random, spoolLimit: limit, recover: recovers)
        // The journal has a descriptor of its own now.
        _ = consume merged
        return recovers ? journal.recovering() : journal
    }
}

extension Journal {
    /// Nil for what was copied or unpacked, which does not grow.
    var reopening: (() throws(JournalError) -> Journal)? {
        guard path != "-", let status = try? FileStatus(path), status.kind == .regular, status.byteCount == byteCount
        else { return nil }
        return { [path, recovers] () throws(JournalError) in
            let journal = try Journal.open(path, access: .random)
            return recovers ? journal.recovering() : journal
        }
    }
}

struct DapWork {
    enum EarlyEnd {
        case paused, cancelled
        /// What stops has changed: it goes on with that.
        case changed
    }

    private static let clock = ContinuousClock()

    let title: String
    let id: String
    let request: Int
    /// Whether it moves the session, of which nothing can be asked meanwhile.
    let holdsSession: Bool
    let isScan: Bool
    var end: EarlyEnd?
    private(set) var isShown = false
    private var shown: ContinuousClock.Instant

    /// How long it takes before it is shown, and between two reports.
    private static let (patience, interval) = (Duration.milliseconds(400), Duration.milliseconds(200))

    init(_ title: String, id: String, request: Int, holdsSession: Bool, isScan: Bool) {
        self.title = title
        self.id = id
        self.request = request
        self.holdsSession = holdsSession
        self.isScan = isScan
        shown = DapWork.clock.now
    }

    mutating func report(_ progress: SessionProgress) -> (event: String, body: JSONValue)? {
        let now = DapWork.clock.now
        guard now - shown > (isShown ? DapWork.interval : DapWork.patience) else { return nil }
        shown = now
        defer { isShown = true }
        let percentage = JSONValue.number(min(100, max(0, Int(progress.fraction * 100))))
        let message = JSONValue.string("commit \(progress.position)")
        if isShown {
            return ("progressUpdate", ["progressId": .string(id), "message": message, "percentage": percentage])
        }
        return (
            "progressStart",
            [
                "progressId": .string(id), "title": .string(ControlCharacters.escaped(title)), "cancellable": true,
                "message": message,
                "percentage": percentage,
            ]
        )
    }
}
