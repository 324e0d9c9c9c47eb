import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// Stacks and scopes: a commit, and what caused it.
extension DapAdapter {
    /// How many frames a client gets that names no number.
    private static let frameLimit = 1000

    func stackTrace(_ arguments: DapArguments) throws -> JSONValue {
        let id = try arguments.require("threadId", arguments.integer("threadId"))
        let first = try arguments.count("startFrame") ?? 0
        let levels = try arguments.count("levels") ?? 0
        let count = levels > 0 ? min(levels, CauseChain.lengthLimit) : DapAdapter.frameLimit
        let frames = try frames(ofThread: id, limit: min(first, CauseChain.lengthLimit) + count + 1)
        let shown = frames.dropFirst(first).prefix(count).enumerated().map { offset, frame in
            stackFrame(frame, isCause: first + offset > 0)
        }
        return ["stackFrames": .array(shown.map(\.json)), "totalFrames": .number(frames.count)]
    }

    /// A thread's commit, then what caused it, then what caused that.
    private func frames(ofThread id: Int, limit: Int) throws -> [DapFrame] {
        let run = try opened()
        let session = run.session
        let place = session.position
        let current = try session.commitRecord()
        guard let store = try store(ofThread: id) else {
            guard let current else { return [DapFrame(position: place.commit, isCurrent: true, record: nil)] }
            return try chain(from: current, isCurrent: true, limit)
        }
        if let current, try UTF8Order.equal(Record(current).store ?? "", store) {
            return try chain(from: current, isCurrent: true, limit)
        }
        let found = try long("the last commit of '\(store)'") {
            try session.journal.nearestCommit(
                of: store, from: place.commit.next, .backward, without: session.skipped,
                isInterrupted: self.isInterrupted)
        }
        guard let found else { return [] }
        return try chain(from: session.journal.record(of: found), isCurrent: false, limit)
    }

    private func chain(from record: OwnedRecord, isCurrent: Bool, _ limit: Int) throws -> [DapFrame] {
        let chain = try CauseChain(of: record.seq, in: try opened().session.journal, limit: max(1, limit))
        return chain.commits.enumerated().map { depth, commit in
            DapFrame(position: commit.seq, isCurrent: isCurrent && depth == 0, record: commit)
        }
    }

    private func stackFrame(_ frame: DapFrame, isCause: Bool) -> DapStackFrame {
        let id = references.add(frame)
        let record = frame.record.flatMap { try? Record($0) }
        guard let record, let run else {
            let isStart = frame.position == run?.session.bounds.lower
            return DapStackFrame(id: id, name: isStart ? "start  \(frame.position)" : "position \(frame.position)")
        }
        let title = ControlCharacters.escaped(record.title ?? record.store ?? "commit")
        var shown = DapStackFrame(id: id, name: "\(title)  \(frame.position)")
        if let made = run.session.position.changes, frame.isCurrent {
            shown = DapStackFrame(id: id, name: "\(title)  \(frame.position), \(made) of its changes made")
        }
        shown.isSubtle = isCause
        if let place = SourcePlace(record) {
            shown.source = run.sources.source(place.file)
            shown.line = (place.line ?? 1) - 1 + client.firstLine
            shown.column = (place.column ?? 1) - 1 + client.firstColumn
        }
        return shown
    }

    func scopes(_ arguments: DapArguments) throws -> JSONValue {
        let run = try opened()
        let frame = try references.frame(try arguments.require("frameId", arguments.integer("frameId")))
        let state = run.part(of: try state(of: frame))
        let path = JSONPointer(run.launch.scope.store.map { [$0] } ?? [])
        let place = DapPlace(value: state, path: path, query: ".", frame: frame)
        var scopes: [DapScope] = []
        if frame.record != nil { scopes.append(DapScope(name: "Changed", reference: references.add(.changed(frame)))) }
        scopes.append(
            DapScope(
                name: "State", reference: references.add(.value(place)), isLocals: true, named: state.object?.count))
        if frame.record != nil {
            scopes.append(DapScope(name: "Derived", reference: references.add(.derived(frame)), isExpensive: true))
            scopes.append(DapScope(name: "Commit", reference: references.add(.commit(frame))))
        }
        return ["scopes": .array(scopes.map(\.json))]
    }

    /// The whole state at a frame.
    func state(of frame: DapFrame) throws -> JSONValue {
        let session = try opened().session
        return try frame.isCurrent ? session.state : session.state(at: frame.position)
    }
}
