import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

/// Motions, each one of the session's.
extension DapAdapter {
    /// How many commits after one are looked through for what it caused: a commit's delivery makes them soon.
    private static let causedReach = 4096

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
        } else if let commit = try caused(name, direction) {
            action = .goTo(commit)
        } else {
            action = .step(direction)
        }
        let stop = try perform(action)
        return .then { self.report(stop, thread, otherwise: "step") }
    }

    /// The next or the previous commit of a store.
    private func commit(of store: String, _ direction: SessionDirection) throws -> CommitNumber? {
        let session = try opened().session
        let commit = try long("the next commit of '\(store)'") {
            let from = session.position.commit
            // Inside a commit, the one that is being made is the next.
            let found = try session.journal.nearestCommit(
                of: store, from: session.position.isInside && direction == .forward ? from.previous : from, direction,
                without: session.skipped, isInterrupted: self.isInterrupted)
            if self.work?.end != nil { throw DapError.cancelled }
            return found
        }
        return commit
    }

    /// The commit that a step into goes to, the first that this one caused; or a step out, the last that what caused it led to.
    private func caused(_ name: DapRequestName, _ direction: SessionDirection) throws -> CommitNumber? {
        let session = try opened().session
        guard direction == .forward, name == .stepIn || name == .stepOut, !session.position.isInside,
            let record = try session.commitRecord()
        else { return nil }
        var causes: Set<CommitNumber> = [record.seq]
        if name == .stepOut {
            let chain = try CauseChain(of: record.seq, in: session.journal)
            guard chain.commits.count > 1 else { return nil }
            causes = Set(chain.commits.dropFirst().map(\.seq))
        }
        let end = session.bounds.upper
        let isNear = end.rawValue - record.seq.rawValue <= DapAdapter.causedReach
        let limit = isNear ? end : CommitNumber(record.seq.rawValue + DapAdapter.causedReach)
        var reader = try session.journal.records(after: record.seq, through: limit, recover: true)
        var last: CommitNumber?
        while let line = try reader.next() {
            guard line.kind == .commit, line.seq > record.seq, let cause = try Record(line).cause,
                causes.contains(CommitNumber(cause)), !session.skipped.contains(line.seq)
            else { continue }
            if name == .stepIn { return line.seq }
            causes.insert(line.seq)
            last = line.seq
        }
        return last
    }

    // MARK: Jumps

    func goTo(_ arguments: DapArguments) throws -> Answer {
        let thread = try arguments.integer("threadId") ?? DapAdapter.wholeRun
        _ = try store(ofThread: thread)
        let commit = try references.target(try arguments.require("targetId", arguments.integer("targetId")))
        let stop = try perform(.goTo(commit))
        return .then { self.report(stop, thread, otherwise: "goto") }
    }

    /// Goes to a frame's commit: back to the cause.
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

    /// Goes on to the next stop; what stops may change on the way.
    private func scan(_ direction: SessionDirection) throws -> SessionStop {
        try long(direction == .forward ? "continue" : "reverse-continue", holdsSession: true, isScan: true) {
            if stops.hasPending { try readAllLines() }
            while true {
                if work?.end == .changed { work?.end = nil }
                let stop = try perform(.resume(direction))
                guard work?.end == .changed, stop.isInterrupted else { return stop }
            }
        }
    }

    // MARK: What came of it

    /// Carries out an action of the session.
    func perform(_ action: SessionAction) throws -> SessionStop {
        let run = try opened()
        take(try run.session.perform(action, run.interpreter.calls))
        return run.session.lastStop
    }

    /// Takes what a session reported.
    func take(_ events: [SessionEvent]) {
        for event in events {
            switch event {
            case .stopped: references.clear()
            case .stopChanged(let stop, .removed): remove(stop)
            case .journalChanged: followGrowth()
            case .skipping:
                references.clear()
                if client.hasInvalidated { send(event: "invalidated", ["areas": ["all"]]) }
            case .conflict, .checkpointMade, .displayChanged, .displayed, .stopChanged: break
            }
        }
    }

    /// Takes note of what was written at the end of the journal, before anything of it is searched.
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

    /// Says that the run stands still.
    func stop(_ reason: String, _ thread: Int, text: String? = nil) {
        self.thread = thread
        let stopped = DapStopped(reason: reason, description: text, text: text, thread: thread)
        send(event: "stopped", stopped.json)
    }

    /// Reports a stop of the session.
    ///
    /// - Parameter reason: why, where nothing was met.
    func report(_ stop: SessionStop, _ thread: Int, otherwise reason: String) {
        self.thread = thread
        var stopped = DapStopped(reason: reason, thread: thread)
        var texts: [String] = []
        for reason in stop.reasons {
            let (kind, text) = words(for: reason)
            if let kind, stopped.hits.isEmpty { stopped.reason = kind }
            if let text { texts.append(text) }
            if let id = hit(reason) { stopped.hits.append(id) }
        }
        stopped.text = texts.isEmpty ? nil : texts.joined(separator: "; ")
        stopped.description = stopped.text
        send(event: "stopped", stopped.json)
    }

    private func hit(_ reason: SessionStop.Reason) -> Int? {
        switch reason {
        case .breakpoint(let stop), .changed(let stop, _), .caught(let stop, _), .conditionFailed(let stop, _):
            stops.first(ofSession: stop.id)?.id
        default: nil
        }
    }

    /// The protocol's word for a reason, and what there is to say.
    private func words(for reason: SessionStop.Reason) -> (kind: String?, text: String?) {
        switch reason {
        case .arrived, .holds, .unanswered, .lastChange, .noChange: return (nil, nil)
        case .start: return (nil, "the start of the run")
        case .end: return (nil, "the end of the run")
        case .interrupted: return ("pause", nil)
        case .breakpoint(let stop):
            if case .function = stop.trigger { return ("function breakpoint", nil) }
            return ("breakpoint", nil)
        case .changed(let stop, let changes):
            let subject = DapStops.subject(of: stop.trigger)
            let change = changes.first.map { ": \(words(for: $0.old)) → \(words(for: $0.new))" } ?? ""
            return ("data breakpoint", subject + change)
        case .caught(let stop, let text):
            let title = stops.first(ofSession: stop.id)?.title ?? DapStops.subject(of: stop.trigger)
            let said = text.map { ": " + ControlCharacters.escaped(String($0.prefix(400))) } ?? ""
            return ("exception", title + said)
        case .conditionFailed(_, let error):
            return ("breakpoint", "the condition fails: " + ControlCharacters.escaped(error.diagnostic.message))
        case .hole(let hole):
            let (first, last) = (hole.lost.lowerBound, hole.lost.upperBound)
            let lost = first == last ? "commit \(first) was lost" : "commits \(first) to \(last) were lost"
            return (nil, hole.damage == nil ? lost : lost + " in damage")
        }
    }

    func words(for outcome: QueryOutcome) -> String {
        switch outcome {
        case .value(let value): preview(value)
        case .nothing: "nothing"
        case .failed(let error): "(fails: " + ControlCharacters.escaped(error.diagnostic.message) + ")"
        }
    }
}

extension SessionStop {
    /// Whether the caller ended the motion.
    fileprivate var isInterrupted: Bool {
        reasons.contains { if case .interrupted = $0 { true } else { false } }
    }
}
