import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

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
        let found = try interruptible("the last commit of '\(store)'") {
            try session.lastCommit(of: store, isInterrupted: self.isInterrupted)
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

    func state(of frame: DapFrame) throws -> JSONValue {
        let session = try opened().session
        return try frame.isCurrent ? session.state : session.state(at: frame.position)
    }
}

extension DapAdapter {
    /// How many bytes of a text are shown, and of the preview of a value that can be opened.
    private static let (textLimit, previewLimit) = (1000, 100)
    /// How many children a client gets that names no number: more are in pages of so many.
    private static let pageLength = 1000

    func variables(_ arguments: DapArguments) throws -> JSONValue {
        let id = try arguments.require("variablesReference", arguments.integer("variablesReference"))
        let start = try arguments.count("start") ?? 0
        let count = try arguments.count("count") ?? 0
        let filter = try arguments.string("filter")
        let list: [DapVariable]
        switch try references.container(id) {
        case .changed(let frame): list = page(try changed(frame), start, count)
        case .derived(let frame): list = page(try derived(frame), start, count)
        case .commit(let frame): list = page(try commit(frame), start, count)
        case .value(let place, let range):
            list = try children(of: place, range, start, count > 0 ? count : nil, filter: filter)
        }
        return ["variables": .array(list.map(\.json))]
    }

    private func page(_ list: [DapVariable], _ start: Int, _ count: Int) -> [DapVariable] {
        Array(list.dropFirst(start).prefix(count > 0 ? count : .max))
    }

    // MARK: Values

    private func children(
        of place: DapPlace, _ page: Range<Int>?, _ start: Int, _ count: Int?, filter: String?
    ) throws -> [DapVariable] {
        let total = place.value.count ?? 0
        if let filter, (filter == "indexed") != place.value.isArray { return [] }
        let whole = page ?? 0..<total
        let first = min(whole.lowerBound + min(start, total), whole.upperBound)
        let wanted = first..<min(whole.upperBound, first + min(count ?? total, total))
        if count == nil, wanted.count > DapAdapter.pageLength { return pages(of: place, wanted) }
        let changes = try changes(below: place)
        switch place.value {
        case .array(let elements):
            return wanted.map { child("\($0)", of: place, elements[$0], changes, isFixed: false) }
        case .object(let members):
            return members.dropFirst(wanted.lowerBound).prefix(wanted.count).map { name, value in
                child(name, of: place, value, changes, isFixed: place.isFixed)
            }
        default: return []
        }
    }

    private func pages(of place: DapPlace, _ range: Range<Int>) -> [DapVariable] {
        var length = DapAdapter.pageLength
        while range.count / length > DapAdapter.pageLength { length *= DapAdapter.pageLength }
        return stride(from: range.lowerBound, to: range.upperBound, by: length).map { first in
            let part = first..<min(first + length, range.upperBound)
            let reference = references.add(.value(place, page: part))
            return DapVariable(
                name: "[\(part.lowerBound)…\(part.upperBound - 1)]", value: DapValue(text: "", reference: reference))
        }
    }

    private func child(
        _ name: String, of place: DapPlace, _ value: JSONValue, _ changes: MemberChanges, isFixed: Bool
    ) -> DapVariable {
        let query = place.query.map { DapPlace.query(below: $0, name, isElement: place.value.isArray) }
        var shown = self.value(
            DapPlace(
                value: value, path: place.path?.appending(name), query: query, frame: place.frame, isFixed: isFixed))
        let isChanged = changes.isAll || changes.names.contains(Array(name.utf8))
        if isChanged, let old = changes.old[Array(name.utf8)] {
            shown.type = (shown.type ?? "") + ", was " + preview(old)
        }
        return DapVariable(
            name: ControlCharacters.escaped(name), value: shown, evaluateName: query, isChanged: isChanged)
    }

    func query(of path: JSONPointer, in state: JSONValue) -> String {
        guard let scope = run?.launch.scope else { return path.text }
        return JQPath.text(of: scope.shown(path), in: scope.part(of: state))
    }

    func value(_ place: DapPlace) -> DapValue {
        var shown = DapValue(text: text(place.value), type: DapAdapter.type(of: place.value))
        switch place.value {
        case .array(let elements) where !elements.isEmpty: shown.indexed = elements.count
        case .object(let members) where !members.isEmpty: shown.named = members.count
        default: break
        }
        if shown.indexed != nil || shown.named != nil { shown.reference = references.add(.value(place)) }
        let isLeaf = shown.reference == 0
        if place.path?.segments.count ?? 0 > 0, place.frame?.record != nil, isLeaf || place.isFixed,
            let session = run?.session, session.skipped.isEmpty,
            place.frame?.isCurrent == false || !session.position.isInside
        {
            shown.location = references.add(location: place)
        }
        return shown
    }

    private static func type(of value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array(let elements): "array of \(elements.count)"
        case .object(let members): "object of \(members.count)"
        }
    }

    /// A scalar whole, long text cut with its length.
    private func text(_ value: JSONValue) -> String {
        if case .string(let text) = value, text.utf8.count > DapAdapter.textLimit {
            let shown = JSONValue.string(text.prefix(bytes: DapAdapter.textLimit)).text()
            return ControlCharacters.escapedJSON(shown) + "… \(text.utf8.count) bytes"
        }
        return value.isScalar ? ControlCharacters.escapedJSON(value.text()) : preview(value)
    }

    func preview(_ value: JSONValue) -> String {
        let limit = DapAdapter.previewLimit
        return DisplayWidth.clipped(ControlCharacters.escapedJSON(FittedValue.text(value, limit: limit)), to: limit)
    }

    // MARK: What changed

    private struct MemberChanges {
        /// Whether the value itself, or one above it, was written.
        var isAll = false
        var names: Set<[UInt8]> = []
        var old: [[UInt8]: JSONValue] = [:]
    }

    private func changes(below place: DapPlace) throws -> MemberChanges {
        var changes = MemberChanges()
        guard let path = place.path, let frame = place.frame, frame.record != nil else { return changes }
        for change in try made(by: frame) {
            let segments = change.path.segments
            let common = zip(segments, path.segments).prefix { UTF8Order.equal($0, $1) }.count
            if common == segments.count {
                changes.isAll = true
            } else if common == path.segments.count {
                let name = Array(segments[common].utf8)
                changes.names.insert(name)
                if segments.count == common + 1, case .replaced(_, let old?) = change.kind { changes.old[name] = old }
            }
        }
        return changes
    }

    private func made(by frame: DapFrame) throws -> [StateChange] {
        guard let record = frame.record, let run else { return [] }
        let read = try Record(record)
        guard let patch = read.patch, let store = read.store else { return [] }
        let changes = StateChange.all(in: patch.inStore(store))
        return Array(changes.prefix(frame.isCurrent ? run.session.position.changes ?? .max : .max))
    }

    private func changed(_ frame: DapFrame) throws -> [DapVariable] {
        let (state, scope) = (try state(of: frame), try opened().launch.scope)
        let story = CommitStory(width: nil)
        return try made(by: frame).map { change in
            let query = query(of: change.path, in: state)
            let place = change.path.value(in: state).map {
                DapPlace(value: $0, path: change.path, query: query, frame: frame, isFixed: false)
            }
            var value = place.map(self.value) ?? DapValue(text: "")
            value.text = story.effect(change.shown(in: scope).kind, room: DapAdapter.previewLimit).text
            let name = ControlCharacters.escaped(change.shown(in: scope).place)
            return DapVariable(
                name: name, value: value, evaluateName: place?.query, isChanged: true)
        }
    }

    private func derived(_ frame: DapFrame) throws -> [DapVariable] {
        let run = try opened()
        guard let record = frame.record else { return [] }
        let session = run.session
        let details = try CommitDetails(record.seq, in: session.journal)
        let facts = CommitFacts(details, session.journal, run.launch.scope)
        let story = CommitStory(width: nil)
        var list = facts.firings.fired.map { firing in
            DapVariable(
                name: ControlCharacters.escaped(firing.name),
                value: DapValue(
                    text: firing.change.map { story.effect($0, room: DapAdapter.previewLimit).text } ?? "fired"),
                isChanged: true)
        }
        for (names, word) in [(facts.firings.same, "equal"), (facts.firings.unchanged, "its input is equal")] {
            list += names.map { DapVariable(name: ControlCharacters.escaped($0), value: DapValue(text: word)) }
        }
        let asked = facts.firings.fired.map(\.name) + facts.firings.same + facts.firings.unchanged
        let declared = try interruptible("the derived values") { try run.declaredDerivedNames() }
        for name in declared where !asked.contains(where: { UTF8Order.equal($0, name) }) {
            list.append(DapVariable(name: ControlCharacters.escaped(name), value: DapValue(text: "untouched")))
        }
        for definition in run.launch.definitions {
            guard case .query(let query) = definition.formula else { continue }
            let output = try? session.outputs(of: query, at: frame.position).first
            list.append(
                DapVariable(
                    name: ControlCharacters.escaped(definition.name),
                    value: value(DapPlace(value: output ?? .null)), evaluateName: query.text))
        }
        return list
    }

    private func commit(_ frame: DapFrame) throws -> [DapVariable] {
        let run = try opened()
        guard let record = frame.record else { return [] }
        let details = try CommitDetails(record.seq, in: run.session.journal)
        let read = try Record(record)
        func fact(_ name: String, _ value: JSONValue?) -> DapVariable? {
            value.map { DapVariable(name: name, value: self.value(DapPlace(value: $0))) }
        }
        let marks = details.marks.compactMap { (try? Record($0).text).map(JSONValue.string) }
        return [
            fact("number", .number(record.seq.rawValue)), fact("store", read.store.map(JSONValue.string)),
            fact("version", read.version.map(JSONValue.number)), fact("time", read.time.map(JSONValue.string)),
            fact("name", read.name.map(JSONValue.string)), fact("cause", read.cause.map(JSONValue.number)),
            fact("action", read.action?.type.map(JSONValue.string)), fact("payload", read.action?.payload),
            fact("marks", marks.isEmpty ? nil : .array(marks)),
        ].compactMap(\.self)
    }

    // MARK: Where a value came from

    func location(_ arguments: DapArguments) throws -> JSONValue {
        let run = try opened()
        let place = try references.location(
            try arguments.require("locationReference", arguments.integer("locationReference")))
        guard let path = place.path, let frame = place.frame,
            let record = try lastWriter(of: path, frame), let source = SourcePlace(try Record(record))
        else { throw DapError("nothing says where this was written") }
        return .members([
            "source": run.sources.source(source.file).json, "line": .number((source.line ?? 1) - 1 + client.firstLine),
            "column": source.column.map { .number($0 - 1 + client.firstColumn) },
        ])
    }

    private func lastWriter(of path: JSONPointer, _ frame: DapFrame) throws -> OwnedRecord? {
        let (journal, state) = (try opened().session.journal, try state(of: frame))
        return try detached("what wrote '\(path.text)'") { () throws(JournalError) in
            try Blame.lastWriter(of: path, in: state, at: frame.position, journal: journal)
        }
    }
}
