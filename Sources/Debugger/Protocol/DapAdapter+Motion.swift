import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

extension DapAdapter {
    // MARK: Steps

    func step(_ name: DapRequestName, _ arguments: DapArguments) throws -> Answer {
        let run = try opened()
        let thread = try arguments.integer("threadId") ?? DapAdapter.wholeRun
        let store = try store(ofThread: thread)
        let direction: SessionDirection =
            switch name {
            case .stepBack: .backward
            case .stepOut: .forward
            default: run.interpreter.settings.direction
            }
        let action: SessionAction
        if try arguments.string("granularity") == "instruction" {
            action = .stepChange(direction)
        } else if let store, name == .next || name == .stepBack {
            guard let commit = try commit(of: store, direction) else {
                let end =
                    "no \(direction == .forward ? "later" : "earlier") commit of '\(ControlCharacters.escaped(store))'"
                return .then { self.stop("step", thread, text: end) }
            }
            action = .goTo(commit)
        } else if direction == .forward, name == .stepIn, let commit = try run.session.firstCaused() {
            action = .goTo(commit)
        } else if name == .stepOut, let commit = try run.session.lastOfCauses() {
            action = .goTo(commit)
        } else {
            action = .step(direction)
        }
        let stop = try perform(action)
        return .then { self.report(stop, thread, otherwise: "step") }
    }

    private func commit(of store: String, _ direction: SessionDirection) throws -> CommitNumber? {
        let session = try opened().session
        return try interruptible("the next commit of '\(store)'") {
            let found = try session.nearestCommit(of: store, direction, isInterrupted: self.isInterrupted)
            if self.work?.end != nil { throw DapError.cancelled }
            return found
        }
    }

    // MARK: Jumps

    func goTo(_ arguments: DapArguments) throws -> Answer {
        let thread = try arguments.integer("threadId") ?? DapAdapter.wholeRun
        _ = try store(ofThread: thread)
        let commit = try references.target(try arguments.require("targetId", arguments.integer("targetId")))
        let stop = try perform(.goTo(commit))
        return .then { self.report(stop, thread, otherwise: "goto") }
    }

    func restartFrame(_ arguments: DapArguments) throws -> Answer {
        let frame = try references.frame(try arguments.require("frameId", arguments.integer("frameId")))
        let stop = try perform(.goTo(frame.position))
        return .then { self.report(stop, self.thread, otherwise: "restart") }
    }

    // MARK: Scans

    func resume(_ name: DapRequestName, _ arguments: DapArguments) throws -> Answer {
        let thread = try arguments.integer("threadId") ?? DapAdapter.wholeRun
        _ = try store(ofThread: thread)
        let direction = name == .reverseContinue ? .backward : try opened().interpreter.settings.direction
        let body: JSONValue? = name == .continue ? ["allThreadsContinued": true] : nil
        return .then(body) {
            do {
                let stop = try self.scan(direction)
                self.report(stop, thread, otherwise: "pause")
            } catch {
                self.output(DapError(error).text, category: "important")
                self.stop("pause", thread)
            }
        }
    }

    /// The stops may change on the way.
    private func scan(_ direction: SessionDirection) throws -> SessionStop {
        try interruptible(direction == .forward ? "continue" : "reverse-continue", holdsSession: true, isScan: true) {
            if stops.hasPending { try readAllLines() }
            while true {
                if work?.end == .changed { work?.end = nil }
                let stop = try perform(.resume(direction))
                guard work?.end == .changed, stop.isInterrupted else { return stop }
            }
        }
    }

    // MARK: What came of it

    func perform(_ action: SessionAction) throws -> SessionStop {
        let run = try opened()
        take(try run.session.perform(action, run.interpreter.calls))
        return run.session.lastStop
    }

    func take(_ events: [SessionEvent]) {
        for event in events {
            switch event {
            case .stopped: references.clear()
            case .stopChanged(let stop, .removed): remove(stop)
            case .journalChanged: followGrowth()
            case .skipping:
                references.clear()
                if client.hasInvalidated { send(event: "invalidated", ["areas": ["all"]]) }
            case .conflict, .checkpointMade, .displayed, .stopChanged: break
            }
        }
    }

    /// Call it before anything of what was written is searched.
    func noteGrowth() {
        guard let run, (try? run.lines.follow(run.session.journal)) != nil else { return }
        while !run.lines.isComplete, (try? run.lines.advance()) != nil {}
        if checkAgain() { changeStops() }
    }

    private func followGrowth() {
        guard let run else { return }
        try? run.lines.follow(run.session.journal)
        if client.hasInvalidated { send(event: "invalidated", ["areas": ["threads"]]) }
    }

    func stop(_ reason: String, _ thread: Int, text: String? = nil) {
        self.thread = thread
        let stopped = DapStopped(reason: reason, text: text, thread: thread)
        send(event: "stopped", stopped.json)
    }

    /// - Parameter reason: why, where nothing was met.
    func report(_ stop: SessionStop, _ thread: Int, otherwise reason: String) {
        self.thread = thread
        var stopped = DapStopped(reason: reason, thread: thread)
        var texts: [String] = []
        for reason in stop.reasons {
            let (kind, text) = words(for: reason, at: stop.position.commit)
            if let kind, stopped.hits.isEmpty { stopped.reason = kind }
            if let text { texts.append(text) }
            if let id = hit(reason) { stopped.hits.append(id) }
        }
        stopped.text = texts.isEmpty ? nil : texts.joined(separator: "; ")
        send(event: "stopped", stopped.json)
    }

    private func hit(_ reason: SessionStop.Reason) -> Int? {
        switch reason {
        case .breakpoint(let stop), .changed(let stop, _), .caught(let stop, _), .conditionFailed(let stop, _):
            stops.first(ofSession: stop.id)?.id
        default: nil
        }
    }

    private func words(for reason: SessionStop.Reason, at position: CommitNumber) -> (kind: String?, text: String?) {
        let story = StopStory(reason, at: position)
        let title = story.stop.map { stop in stops.first(ofSession: stop.id)?.title.map { "\($0)" } ?? stop.subject }
        let text = story.row(title, preview)?.text
        switch reason {
        case .arrived, .holds, .unanswered, .lastChange, .noChange: return (nil, nil)
        case .start, .end, .hole: return (nil, text)
        case .interrupted: return ("pause", nil)
        case .breakpoint(let stop):
            if case .function = stop.trigger { return ("function breakpoint", nil) }
            return ("breakpoint", nil)
        case .changed: return ("data breakpoint", text)
        case .caught: return ("exception", text)
        case .conditionFailed: return ("breakpoint", text)
        }
    }
}

extension SessionStop {
    fileprivate var isInterrupted: Bool {
        reasons.contains { if case .interrupted = $0 { true } else { false } }
    }
}
