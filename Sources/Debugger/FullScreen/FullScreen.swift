import CommandLine
import Commands
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// The debugger on all of a terminal; one thread does it all: what takes long looks for keys on its way, and the
/// timeline is read in slices while no key comes.
final class FullScreen {
    struct Commands {
        /// Reports how far a scan has come; returns what the line printed, and whether the session goes on.
        var execute:
            (_ line: String, _ progress: @escaping (SessionProgress) -> Void) -> (output: [StoryLine], goesOn: Bool)
        var complete: (String) -> LineCompletion = { _ in .none }
        var history = LineHistory()
    }

    private let session: Session
    /// Both runs, where two are shown side by side; positions are steps then.
    private let paired: PairedRuns?
    private let terminal: TerminalSession
    private let reader: FullScreenReader
    private let commands: Commands
    private var model: FullScreenModel
    private var writer: ScreenWriter
    private var overview: TimelineScan?
    private let clock = ContinuousClock()
    private var lastDraw: ContinuousClock.Instant
    private var lastTick: ContinuousClock.Instant
    /// Whether the session may stand elsewhere than the screen shows.
    private var isStale = true
    private var waiting: [TerminalInput] = []
    private var isClosed = false
    /// Whether the journal is looked at again and again, since it grows.
    private let follows: Bool
    private var lastLook: ContinuousClock.Instant

    /// How many columns the timeline has at the most, whatever the screen's size.
    private static let overviewColumns = 400
    /// How long the file is looked at between two looks for other news than keys.
    private static let slice = Duration.milliseconds(20)
    private static let frame = Duration.milliseconds(40)
    private static let lookInterval = Duration.milliseconds(500)

    /// Nil where there is no terminal to read keys from; `follows` where the journal grows.
    init?(
        _ session: Session, _ paired: PairedRuns? = nil, name: String, input: Int32, output: Int32, follows: Bool,
        depth: ColorDepth, isPlain: Bool = false,
        commands: Commands, source: @escaping FullScreenReader.SourceFinder
    ) {
        guard let terminal = TerminalSession(.fullScreen, input: input, output: output) else { return nil }
        self.session = session
        self.paired = paired
        self.terminal = terminal
        self.commands = commands
        reader = FullScreenReader(session, paired, source: source)
        self.follows = follows
        model = FullScreenModel(journal: name, size: terminal.size)
        model.follows = follows
        model.restore(commands.history)
        if let paired { model.show(paired.columns(Self.overviewColumns)) }
        writer = ScreenWriter(depth, isPlain: isPlain)
        lastDraw = clock.now - .seconds(1)
        lastTick = clock.now
        lastLook = clock.now
    }

    func run() {
        terminal.begin()
        defer { terminal.end() }
        report(session.lastStop)
        draw()
        while !isClosed {
            if waiting.isEmpty {
                guard take(terminal.next(waiting: patience)) else { return }
            } else {
                let inputs = waiting
                waiting = []
                guard handle(inputs) else { return }
            }
            // Keys that come faster than screens are drawn do not pile up.
            if !terminal.isKeyWaiting || clock.now - lastDraw >= Self.frame { draw() }
        }
    }

    /// Releases the terminal to a program while `body` runs, and until the person has seen its output.
    func releaseTerminal(_ body: () throws -> Void) throws {
        defer { redraw() }
        try terminal.release(untilSeen: body)
    }

    private var patience: Int32? {
        if paired == nil, overview?.isComplete != true { return 0 }
        let now = clock.now
        let nextTick = model.pace.map { Duration.seconds(1) / $0 - (now - lastTick) }
        let nextLook = follows ? Self.lookInterval - (now - lastLook) : nil
        return [nextTick, nextLook].compactMap(\.self).min().map { max(0, Int32($0 / .milliseconds(1))) }
    }

    /// False at the end.
    private func take(_ news: TerminalSession.News) -> Bool {
        switch news {
        case .input(let inputs): return handle(inputs)
        case .redraw: redraw()
        case .closed: return false
        case .nothing:
            tick()
            lookForGrowth()
            scan()
        }
        return true
    }

    private func handle(_ inputs: [TerminalInput]) -> Bool {
        for (index, input) in inputs.enumerated() {
            // What a key means may depend on what those before it did.
            if isStale { refresh() }
            for request in model.handle(input, completing: commands.complete) {
                guard perform(request) else { return false }
            }
            if !waiting.isEmpty {
                waiting = Array(inputs[(index + 1)...]) + waiting
                return true
            }
        }
        return true
    }

    private func tick() {
        guard let pace = model.pace, clock.now - lastTick >= Duration.seconds(1) / pace else { return }
        lastTick = clock.now
        for request in model.tick() { _ = perform(request) }
    }

    private func lookForGrowth() {
        guard follows, clock.now - lastLook >= Self.lookInterval else { return }
        lastLook = clock.now
        let isAtEnd = session.position == SessionPosition(session.bounds.upper)
        guard let events = try? session.perform(.refresh), !events.isEmpty else { return }
        isStale = true
        // What stands at the end stays there, until a motion leaves it.
        if isAtEnd, (try? session.perform(.end)) != nil {
            model.notice = "\("follows the end; a step back leaves it", .dim)"
        }
    }

    // MARK: The timeline

    private func scan() {
        guard paired == nil else { return }
        guard let overview else {
            self.overview = TimelineScan(session.journal, columns: Self.overviewColumns)
            model.show(self.overview?.columns ?? [])
            return
        }
        guard !overview.isComplete else { return }
        let end = clock.now + Self.slice
        overview.advance { !terminal.isKeyWaiting && clock.now < end }
        if overview.isComplete || clock.now - lastDraw >= .milliseconds(100) { model.show(overview.columns) }
    }

    // MARK: Drawing

    private func refresh() {
        isStale = false
        let known = model.facts.bounds.upperBound
        model.show(reader.facts(rows: model.size.rows))
        if overview != nil, model.facts.bounds.upperBound != known { overview?.follow(session.journal) }
    }

    private func draw() {
        if isStale { refresh() }
        lastDraw = clock.now
        if !terminal.write(writer.bytes(for: FullScreenView(model).screen)) { isClosed = true }
    }

    private func redraw() {
        let size = terminal.size
        if size.rows > model.size.rows { isStale = true }
        model.resize(size)
        writer.forget()
    }

    // MARK: Requests

    /// False at the end.
    private func perform(_ request: FullScreenModel.Request) -> Bool {
        switch request {
        case .step(let direction, let count): act(.step(direction, count: count))
        case .stepChange(let direction, let count): act(.stepChange(direction, count: count))
        case .resume(let direction): act(.resume(direction, count: 1))
        case .goTo(let position): act(.goTo(CommitNumber(position)))
        case .start: act(.start)
        case .end: act(.end)
        case .back(let count): act(.back(count))
        case .forward(let count): act(.forward(count))
        case .memberChange(let path, let direction, let count):
            act(.change(WatchSubject(PathPattern(path)), direction, count: count))
        case .lastWriter(let path): act(.last(WatchSubject(PathPattern(path))))
        case .watch(let path): watch(path)
        case .life(let path):
            show { ValuePane(path, try ValueLife(of: WatchSubject(PathPattern(path)), in: session, calls), at: $0) }
        case .origin(let path): show { ValuePane(path, try OriginStory(of: path, in: session), at: $0) }
        case .select(let path):
            refresh()
            model.select(path)
        case .command(let line): return execute(line)
        case .search(let text, let direction): search(text, direction)
        case .copy(let text): copy(text)
        case .mouse(let isOn): terminal.setMouse(isOn)
        case .suspend:
            terminal.suspend()
            redraw()
        case .redraw: redraw()
        case .quit: return false
        }
        return true
    }

    private func act(_ action: SessionAction) {
        isStale = true
        if let paired {
            // Two runs move in step; other actions are those of one run.
            return attempt {
                let words = try paired.perform(action) ?? "two runs side by side do not have this"
                if !words.isEmpty { model.notice = "\(words, .note)" }
            }
        }
        attempt {
            do {
                for event in try session.perform(action, calls) {
                    if case .stopped(let stop) = event { report(stop) }
                }
            } catch {
                model.stopPlaying()
                throw error
            }
        }
        model.progress = nil
    }

    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch { model.notice = "\(Self.words(error), .warning)" }
    }

    private func watch(_ path: JSONPointer) {
        if paired != nil { return refuse() }
        let subject = WatchSubject(PathPattern(path))
        let known = session.breakpoints.first { stop in
            stop.condition == nil && stop.trigger.subject.map { UTF8Order.equal($0.text, subject.text) } ?? false
        }
        attempt {
            if let known {
                _ = try session.perform(.remove(known.id))
                model.notice = "\("watchpoint \(known.id) is gone", .note)"
                return
            }
            _ = try session.perform(.add(SessionBreakpoint(.watch(subject))))
            let id = session.breakpoints.last?.id ?? 0
            model.notice = "\("watchpoint \(id): \(subject.text)   c and C stop where it changes", .note)"
        }
    }

    private func refuse() { model.notice = "\("two runs side by side do not have this", .warning)" }

    private func show(_ pane: (Int) throws -> ValuePane) {
        if paired != nil { return refuse() }
        attempt { model.show(try pane(session.position.commit.rawValue)) }
        model.progress = nil
    }

    private func execute(_ line: String) -> Bool {
        isStale = true
        let before = (session.position, paired?.index)
        let result = commands.execute(line) { [self] in note($0) }
        model.progress = nil
        if (session.position, paired?.index) == before {
            model.show(output: result.output)
        } else {
            // What a stop prints is what the screen shows.
            if paired == nil { report(session.lastStop) }
        }
        return result.goesOn
    }

    private func search(_ text: String, _ direction: SessionDirection) {
        if paired != nil { return refuse() }
        attempt {
            defer { model.progress = nil }
            let found = try RunSearch(text, in: session.journal).find(
                from: session.position.commit, direction, bounds: session.bounds
            ) { self.isInterrupted("looks for '\(text)'") }
            model.progress = nil
            switch found {
            case .found(let position, let isWrapped):
                act(.goTo(position))
                refresh()
                model.selectHit(text, direction)
                if isWrapped { model.notice = "\(RunSearch.wrapped(direction), .note)" }
            case .interrupted: model.notice = "\("the search was stopped", .warning)"
            case .nowhere: model.notice = "\("'\(text)' is nowhere in this run", .warning)"
            }
        }
    }

    private func copy(_ text: String) {
        let isCopied = terminal.copy(text)
        let shown = FittedValue.text(.string(text), limit: 40)
        model.notice =
            isCopied
            ? "\("copied \(shown), if the terminal allows it", .note)"
            : "\("\(text.utf8.count) bytes are more than terminals copy", .warning)"
    }

    private static func words(_ error: any Error) -> String {
        ExitStatus.diagnostics(of: DebugInterpreter.facts(of: error), in: nil).first?.message ?? "\(error)"
    }

    // MARK: What takes long

    private var calls: SessionCalls {
        var calls = SessionCalls()
        calls.isInterrupted = { [self] in isInterrupted() }
        calls.progress = { [self] progress in note(progress) }
        if follows { calls.wait = { [self] in waitForMore() } }
        return calls
    }

    private func note(_ progress: SessionProgress) {
        model.progress = "at \(progress.position.rawValue)  \(Int((progress.fraction * 100).rounded())) %"
    }

    /// Whether a key ends what is going on, for which is looked once in a while.
    func isInterrupted(_ label: String? = nil) -> Bool {
        guard !isClosed, clock.now - lastDraw >= .milliseconds(60) else { return isClosed }
        if let label { model.progress = label }
        return isEnded(waiting: 0)
    }

    /// Lets time pass at the end of a journal that is followed; false where a key ends the wait.
    func waitForMore() -> Bool {
        if model.facts.position != session.position.commit.rawValue { refresh() }
        model.progress = "at the end, waits for more"
        return !isEnded(waiting: 100)
    }

    /// Shows how far something is and looks for keys: Escape and Ctrl-C end it, others wait.
    private func isEnded(waiting milliseconds: Int32) -> Bool {
        lastDraw = clock.now
        _ = terminal.write(writer.bytes(for: FullScreenView(model).screen))
        switch terminal.next(waiting: milliseconds) {
        case .input(let inputs):
            if inputs.contains(.key(Key(.escape))) || inputs.contains(.key(.control("c"))) {
                waiting = []
                return true
            }
            waiting += inputs
            return false
        case .redraw:
            redraw()
            return false
        case .closed:
            isClosed = true
            return true
        case .nothing: return false
        }
    }

    // MARK: Stops

    private func report(_ stop: SessionStop) {
        for case .caught in stop.reasons { model.note(caught: stop.position.commit.rawValue) }
        let reasons = stop.reasons.flatMap { reason in
            let story = StopStory(reason, at: stop.position.commit)
            let title: StoryLine? = story.stop.map { "\($0.kind.lowercased()) \($0.id)" }
            return [
                story.row(title) { FittedValue.text($0, limit: 40) }, try? StopStory.opening(reason, in: session),
            ].compactMap(\.self)
        }
        if !reasons.isEmpty { model.notice = reasons.joined("; ").all(.note) }
        if stop.reasons.contains(where: { if case .arrived = $0 { false } else { true } }) { model.stopPlaying() }
    }
}
