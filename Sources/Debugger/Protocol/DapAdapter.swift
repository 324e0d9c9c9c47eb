import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import TimeTravel

/// A state machine that reads and writes nothing itself.
///
/// It belongs to one thread; what takes long takes the next requests in between, answers those that need no state, and
/// is ended by `pause`, `cancel` and what ends the session.
final class DapAdapter {
    struct Link {
        var send: (JSONValue) -> Void
        var next: () -> DapRequest?
        /// Lets so many milliseconds pass, or fewer where a request comes.
        var pause: (Int32) -> Void = { _ in }
        var isClosed: () -> Bool = { false }
    }

    enum Phase: Comparable {
        case new, initialized, configuring, stopped, ended
    }

    struct Client {
        var firstLine = 1
        var firstColumn = 1
        var hasProgress = false
        var hasInvalidated = false
    }

    enum Answer {
        case body(JSONValue? = nil)
        case then(JSONValue? = nil, () throws -> Void)
    }

    private let link: Link
    let environment: Environment
    var phase = Phase.new
    var client = Client()
    var run: DapRun?
    var references = DapReferences()
    var stops = DapStops()
    /// The names of the threads from the second on, each a store's, in the order in which they were seen.
    var stores: [String] = []
    var thread = DapAdapter.wholeRun
    var work: DapWork?
    private var waiting: [DapRequest] = []
    private var current = 0
    private var workCount = 0
    private var seq = 0

    static let wholeRun = 1

    init(_ link: Link, environment: Environment = Environment()) {
        self.link = link
        self.environment = environment
    }

    // MARK: Messages

    private func send(_ type: String, _ members: KeyValuePairs<String, JSONValue?>) {
        seq += 1
        var object = JSONObject()
        object["seq"] = .number(seq)
        object["type"] = .string(type)
        for (name, value) in members { if let value { object[name] = value } }
        link.send(.object(object))
    }

    func send(event: String, _ body: JSONValue? = nil) { send("event", ["event": .string(event), "body": body]) }

    func output(_ text: String, category: String = "console") {
        send(event: "output", ["category": .string(category), "output": .string(text + "\n")])
    }

    private func respond(_ request: DapRequest, _ body: JSONValue?) {
        send(
            "response",
            [
                "request_seq": .number(request.seq), "success": true, "command": .string(request.command), "body": body,
            ])
    }

    private func refuse(_ request: DapRequest, _ error: DapError) {
        refuse(request.seq, request.command, error)
    }

    func refuse(_ number: Int, _ command: String, _ error: DapError) {
        send(
            "response",
            [
                "request_seq": .number(number), "success": false, "command": .string(command),
                "message": .string(error.word ?? error.text),
                "body": ["error": ["id": 1, "format": .string(error.text), "showUser": .bool(error.isShown)]],
            ])
    }

    // MARK: Requests

    func receive(_ request: DapRequest) {
        waiting.append(request)
        while phase != .ended, let request = waiting.first {
            waiting.removeFirst()
            while let next = link.next() { waiting.append(next) }
            if takeCancellation(of: request) {
                refuse(request, .cancelled)
            } else {
                answer(request)
            }
        }
    }

    private func takeCancellation(of request: DapRequest) -> Bool {
        waiting.contains { other in
            other.command == "cancel" && (try? other.arguments.integer("requestId")) == request.seq
        }
    }

    private func answer(_ request: DapRequest) {
        let before = current
        current = request.seq
        defer { current = before }
        do {
            guard let name = DapRequestName(rawValue: request.command) else {
                throw DapError("there is no request '\(ControlCharacters.escaped(request.command))'")
            }
            try check(name)
            switch try carryOut(name, request) {
            case .body(let body): respond(request, body)
            case .then(let body, let action):
                respond(request, body)
                do { try action() } catch { output(DapError(error).text, category: "important") }
            }
        } catch {
            refuse(request, DapError(error, isShown: request.command == "launch" || request.command == "attach"))
        }
    }

    private func check(_ name: DapRequestName) throws(DapError) {
        if work?.holdsSession == true, name.needsStop { throw .notStopped }
        switch phase {
        case .new where name != .initialize && name != .disconnect:
            throw DapError("'initialize' has to be the first request")
        case .initialized where name.needsRun: throw DapError("no run is open yet: 'launch' or 'attach' opens one")
        case .configuring where name.moves: throw DapError("'configurationDone' has to come first")
        default: break
        }
    }

    private func carryOut(_ name: DapRequestName, _ request: DapRequest) throws -> Answer {
        let arguments = request.arguments
        switch name {
        case .initialize: return try initialize(arguments)
        case .launch, .attach: return try open(arguments, follows: name == .attach)
        case .configurationDone: return configurationDone()
        case .disconnect, .terminate: return end()
        case .cancel: return try cancel(arguments)
        case .pause: return pause()
        case .threads: return .body(["threads": .array(try threads())])
        case .stackTrace: return .body(try stackTrace(arguments))
        case .scopes: return .body(try scopes(arguments))
        case .variables: return .body(try variables(arguments))
        case .locations: return .body(try location(arguments))
        case .evaluate: return try evaluate(arguments)
        case .completions: return .body(try completions(arguments))
        case .source: return .body(try source(arguments))
        case .loadedSources: return .body(try loadedSources())
        case .setBreakpoints: return .body(try setBreakpoints(arguments))
        case .setFunctionBreakpoints: return .body(try setFunctionBreakpoints(arguments))
        case .setDataBreakpoints: return .body(try setDataBreakpoints(arguments))
        case .setExceptionBreakpoints: return .body(try setExceptionBreakpoints(arguments))
        case .dataBreakpointInfo: return .body(try dataBreakpointInfo(arguments))
        case .breakpointLocations: return .body(try breakpointLocations(arguments))
        case .gotoTargets: return .body(try gotoTargets(arguments))
        case .goto: return try goTo(arguments)
        case .restartFrame: return try restartFrame(arguments)
        case .next, .stepBack, .stepIn, .stepOut: return try step(name, arguments)
        case .continue, .reverseContinue: return try resume(name, arguments)
        }
    }

    // MARK: What takes long

    /// Nothing can be asked meanwhile of a session that the work holds; in a scan, stops may change on the way.
    func interruptible<Value>(
        _ title: String, holdsSession: Bool = false, isScan: Bool = false, _ body: () throws -> Value
    ) rethrows -> Value {
        guard work == nil else { return try body() }
        workCount += 1
        work = DapWork(title, id: "work-\(workCount)", request: current, holdsSession: holdsSession, isScan: isScan)
        defer {
            if work?.isShown == true, let id = work?.id { send(event: "progressEnd", ["progressId": .string(id)]) }
            work = nil
        }
        return try body()
    }

    /// Called all along what takes long; true ends the work.
    func isInterrupted() -> Bool {
        guard work != nil else { return false }
        while let request = link.next() {
            guard let name = DapRequestName(rawValue: request.command) else {
                answer(request)
                continue
            }
            switch name {
            case .disconnect, .terminate:
                waiting.append(request)
                work?.end = .cancelled
            case _ where work?.holdsSession == false && mayMove(request, name): waiting.append(request)
            default: answer(request)
            }
        }
        return work?.end != nil
    }

    /// Such a request waits until what goes on is done.
    private func mayMove(_ request: DapRequest, _ name: DapRequestName) -> Bool {
        if name == .evaluate { return ((try? request.arguments.string("context")) ?? nil ?? "repl") == "repl" }
        return name.moves
    }

    /// Does something on another thread that cannot be asked to stop; meanwhile requests are answered.
    ///
    /// - Throws: what it throws; `DapError.cancelled` where the client took it back, and what it comes to is forgotten.
    func detached<Value: Sendable>(
        _ title: String, _ body: @escaping @Sendable () throws(JournalError) -> Value
    ) throws -> Value {
        let box = ThreadCondition<Result<Value, JournalError>?>(nil)
        let thread = try SystemThread.start(stackSize: LargeStack.size) {
            let result = Result { () throws(JournalError) in try body() }
            box.change { $0 = result }
        }
        thread.detach()
        return try interruptible(title) {
            while true {
                if let result = box.wait(for: { Optional.some($0) }) { return try result.get() }
                if isInterrupted() { throw DapError.cancelled }
                link.pause(1)
            }
        }
    }

    /// False ends the wait.
    func waitForMore() -> Bool {
        link.pause(50)
        return !isInterrupted() && !link.isClosed()
    }

    func changeStops() {
        if let work, work.isScan, work.end == nil { self.work?.end = .changed }
    }

    func show(_ progress: SessionProgress) {
        guard client.hasProgress, let body = work?.report(progress) else { return }
        send(event: body.event, body.body)
    }

    private func cancel(_ arguments: DapArguments) throws -> Answer {
        let (id, request) = (try arguments.string("progressId"), try arguments.integer("requestId"))
        if let work, id == work.id || request == work.request { self.work?.end = .cancelled }
        return .body()
    }

    private func pause() -> Answer {
        guard work == nil else {
            work?.end = .paused
            return .body()
        }
        return .then {
            guard self.phase == .stopped else { return }
            self.send(event: "stopped", DapStopped(reason: "pause", thread: self.thread).json)
        }
    }

    private func end() -> Answer {
        .then {
            self.phase = .ended
            self.send(event: "terminated")
        }
    }
}

extension DapAdapter {
    func initialize(_ arguments: DapArguments) throws -> Answer {
        guard phase == .new else { throw DapError("the session is initialized already") }
        client.firstLine = try arguments.bool("linesStartAt1") ?? true ? 1 : 0
        client.firstColumn = try arguments.bool("columnsStartAt1") ?? true ? 1 : 0
        _ = try arguments.bool("supportsVariablePaging")
        client.hasProgress = try arguments.bool("supportsProgressReporting") ?? false
        client.hasInvalidated = try arguments.bool("supportsInvalidatedEvent") ?? false
        phase = .initialized
        return .body(DapCapabilities.json)
    }

    /// `initialized` comes after the journal is open, so that breakpoints can be verified.
    func open(_ arguments: DapArguments, follows: Bool) throws -> Answer {
        guard phase == .initialized else { throw DapError("a run is open already") }
        let launch = try DapLaunch(arguments)
        let run = try DapRun(launch, follows: follows, self)
        run.interpreter.log = { [weak self] in self?.log($0, $1, $2) }
        run.interpreter.grown = { [weak self] in self?.noteGrowth() }
        self.run = run
        phase = .configuring
        return .then {
            for warning in launch.warnings { self.output(warning, category: "important") }
            if let torn = try run.session.journal.tail().torn {
                self.output(torn.diagnostic(path: run.session.journal.path).message, category: "important")
            }
            self.send(event: "initialized")
        }
    }

    func configurationDone() -> Answer {
        guard phase == .configuring else { return .body() }
        phase = .stopped
        return .then {
            guard let run = self.run else { return }
            self.report(run.session.lastStop, DapAdapter.wholeRun, otherwise: "entry")
        }
    }

    func opened() throws(DapError) -> DapRun {
        guard let run else { throw DapError("no run is open yet: 'launch' or 'attach' opens one") }
        return run
    }

    // MARK: Threads

    func threads() throws -> [JSONValue] {
        let run = try opened()
        let names = run.session.state.object.map { Array($0.keys) } ?? []
        for name in names where number(ofStore: name) == nil { stores.append(name) }
        let open = names.compactMap { name -> JSONValue? in
            number(ofStore: name).map { ["id": .number($0), "name": .string(ControlCharacters.escaped(name))] }
        }
        return [["id": .number(DapAdapter.wholeRun), "name": "run"]] + open
    }

    private func number(ofStore name: String) -> Int? {
        stores.firstIndex { UTF8Order.equal($0, name) }.map { $0 + DapAdapter.wholeRun + 1 }
    }

    /// Nil for the whole run.
    func store(ofThread id: Int) throws -> String? {
        if id == DapAdapter.wholeRun { return nil }
        let index = id - DapAdapter.wholeRun - 1
        // A client may ask by a number of an earlier session before it asks for the threads.
        if !stores.indices.contains(index) { _ = try threads() }
        guard stores.indices.contains(index) else { throw DapError("there is no thread \(id)") }
        return stores[index]
    }
}
