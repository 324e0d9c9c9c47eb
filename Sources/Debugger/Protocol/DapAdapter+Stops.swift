import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

extension DapAdapter {
    // MARK: Requests

    func setBreakpoints(_ arguments: DapArguments) throws -> JSONValue {
        let source = try arguments.require("source", arguments.arguments("source"))
        var wanted = try arguments.list("breakpoints")
        if wanted.isEmpty, let lines = arguments.object["lines"]?.array {
            wanted = lines.map { DapArguments(object: JSONObject("line", $0)) }
        }
        let lines = try wanted.map { try $0.require("line", $0.place("line")) - client.firstLine + 1 }
        try readLines()
        let file = try self.file(source)
        drop { if case .line(let other, _) = $0.origin { UTF8Order.equal(other, file) } else { false } }
        return try set(zip(lines, wanted).map { (.line(file: file, $0), $1) })
    }

    /// The file as the editor names it; one whose text was made, as the journal does.
    private func file(_ source: DapArguments) throws -> String {
        let run = try opened()
        if try source.integer("sourceReference") ?? 0 > 0 {
            return try run.sources.file(source, among: run.files) ?? ""
        }
        let name = try source.string("name")
        return try source.require("path", source.string("path") ?? name)
    }

    func setFunctionBreakpoints(_ arguments: DapArguments) throws -> JSONValue {
        let wanted = try arguments.list("breakpoints")
        let names = try wanted.map { try $0.require("name", $0.string("name")) }
        try readLines()
        drop { if case .function = $0.origin { true } else { false } }
        return try set(zip(names, wanted).map { (.function($0), $1) })
    }

    func setDataBreakpoints(_ arguments: DapArguments) throws -> JSONValue {
        let wanted = try arguments.list("breakpoints")
        let ids = try wanted.map { try $0.require("dataId", $0.string("dataId")) }
        drop { if case .data = $0.origin { true } else { false } }
        return try set(zip(ids, wanted).map { (.data($0), $1) })
    }

    func setExceptionBreakpoints(_ arguments: DapArguments) throws -> JSONValue {
        let run = try opened()
        var wanted = try arguments.strings("filters").map { ($0, DapArguments(object: JSONObject())) }
        for option in try arguments.list("filterOptions") {
            wanted.append((try option.require("filterId", option.string("filterId")), option))
        }
        drop { if case .exception = $0.origin { true } else { false } }
        defer { changeStops() }
        var shown: [JSONValue] = []
        for (name, options) in wanted {
            var stop = stops.add(.exception(name))
            do {
                guard let filter = DapFilter(rawValue: name) else { throw DapError("there is no filter '\(name)'") }
                let triggers = try triggers(of: filter, options.string("condition"), run)
                for (index, trigger) in triggers.enumerated() {
                    if index > 0 { stop = stops.add(.exception(name)) }
                    stop.title = trigger.title
                    try arm(&stop, trigger.trigger)
                    stops.replace(stop)
                }
                if triggers.isEmpty {
                    stop.shown.isVerified = false
                    stop.shown.message = "the launch has no 'invariants'"
                }
            } catch {
                stop.shown.isVerified = false
                stop.shown.message = DapError(error).text
            }
            stops.replace(stop)
            shown.append(stop.shown.json)
        }
        return ["breakpoints": .array(shown)]
    }

    private func triggers(
        of filter: DapFilter, _ condition: String?, _ run: DapRun
    ) throws -> [(title: String, trigger: StopTrigger)] {
        let condition = condition.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        switch filter {
        case .abort: return [("a commit was aborted", .abort)]
        case .mark:
            guard let condition else { return [("a mark", .mark(MarkCondition(level: .error)))] }
            // Compiled as it was typed first, so that problems are reported in the typed text.
            let query = try Query(
                ". as {text: $text, level: $level} | (\(condition)\n)", name: "condition",
                in: run.launch.scope.environment)
            return [("a mark", .mark(MarkCondition(query: query)))]
        case .violation:
            if let condition {
                let query = try ScopedQuery(condition, name: "condition", scope: run.launch.scope, asks: .condition)
                try check(query, in: run)
                return [("violated: " + ControlCharacters.escaped(condition), .violation(query.whole))]
            }
            return run.launch.invariants.map { invariant in
                (
                    "the invariant '\(ControlCharacters.escaped(invariant.name))' is violated",
                    .violation(invariant.query)
                )
            }
        }
    }

    /// - Throws: `CommandFailure` where a condition names what the run never has, unless more of the run can come.
    private func check(_ query: ScopedQuery, in run: DapRun) throws {
        guard !run.follows, run.session.skipped.isEmpty else { return }
        let diagnostics = QueryWarnings(run.session.journal, run.session.bounds, run.launch.scope)
            .diagnostics(of: query.typed, asks: query.purpose)
        if let error = QueryWarnings.absence(in: diagnostics) { throw CommandFailure(.notThere, error) }
        for warning in diagnostics { output(DapError(warning).text, category: "important") }
    }

    // MARK: Setting

    private func drop(where isGone: (DapStop) -> Bool) {
        for stop in stops.remove(where: isGone) {
            if let id = stop.session { _ = try? run?.session.perform(.remove(id)) }
        }
    }

    private func set(_ wanted: [(DapStop.Origin, DapArguments)]) throws -> JSONValue {
        let run = try opened()
        var shown: [JSONValue] = []
        for (origin, arguments) in wanted {
            var stop = stops.add(origin)
            do {
                stop.options = try DapStopOptions(arguments, run.launch.scope) { try check($0, in: run) }
                stops.replace(stop)
                try check(&stop)
            } catch {
                stop.shown.isVerified = false
                stop.shown.message = DapError(error).text
            }
            stops.replace(stop)
            shown.append(stop.shown.json)
        }
        changeStops()
        return ["breakpoints": .array(shown)]
    }

    private func arm(_ stop: inout DapStop, _ trigger: StopTrigger) throws {
        let run = try opened()
        if let id = stop.session { _ = try run.session.perform(.remove(id)) }
        stop.session = nil
        for case .stopChanged(let made, _) in try run.session.perform(.add(stop.options.stop(trigger))) {
            stop.session = made.id
        }
    }

    private func check(_ stop: inout DapStop) throws {
        let run = try opened()
        let isPending = !run.lines.isComplete || run.follows
        switch stop.origin {
        case .line(let file, let line): try check(&stop, file, line, isPending)
        case .function(let name):
            if stop.session == nil { try arm(&stop, .function(name)) }
            let isKnown = run.lines.names.contains { SourceNames.isCalled(name, $0.text, $0.text) }
            stop.shown.isVerified = isKnown
            stop.shown.isPending = !isKnown && isPending
            stop.shown.message = isKnown ? nil : "no commit \(isPending ? "so far " : "")is called so"
        case .data(let id): try arm(&stop, try trigger(ofData: id))
        case .exception, .console: break
        }
    }

    private func check(_ stop: inout DapStop, _ file: String, _ line: Int, _ isPending: Bool) throws {
        let run = try opened()
        let source = DapArguments(object: JSONObject("path", .string(file)))
        let known = try run.sources.file(source, among: run.files)
        let lines = known.map { known in run.lines.lines.filter { UTF8Order.equal($0.file, known) } } ?? []
        let nearest = lines.min { abs($0.line - line) < abs($1.line - line) }
        guard let known, let nearest else {
            stop.shown.isVerified = false
            stop.shown.isPending = isPending
            stop.shown.message = "no commit \(isPending ? "so far " : "")was made in this file"
            stop.shown.line = line - 1 + client.firstLine
            return
        }
        let isMoved = nearest.line != line
        // While more may come the line may turn out to be right.
        let place = isMoved && isPending ? line : nearest.line
        let shownLine = place - 1 + client.firstLine
        if stop.session == nil || stop.shown.line != shownLine { try arm(&stop, .source(file: known, line: place)) }
        stop.shown.source = run.sources.source(known)
        stop.shown.line = shownLine
        stop.shown.isVerified = !isMoved || !isPending
        stop.shown.isPending = !stop.shown.isVerified
        stop.shown.message =
            isMoved
            ? "no commit \(isPending ? "so far " : "")was made at line \(line); the nearest is \(nearest.line)" : nil
    }

    /// Reports those whose place is known by now; returns whether the session has another stop than before.
    @discardableResult
    func checkAgain() -> Bool {
        let armed = stops.all.map(\.session)
        for var stop in stops.all {
            let before = stop.shown
            switch stop.origin {
            case .line, .function: try? check(&stop)
            default: continue
            }
            stops.replace(stop)
            if stop.shown != before {
                send(event: "breakpoint", ["reason": "changed", "breakpoint": stop.shown.json])
            }
        }
        return stops.all.map(\.session) != armed
    }

    func remove(_ stop: SessionBreakpoint) {
        for gone in stops.remove(where: { $0.session == stop.id }) {
            send(event: "breakpoint", ["reason": "removed", "breakpoint": gone.shown.json])
        }
    }

    func show(_ stop: SessionBreakpoint) {
        guard stops.first(ofSession: stop.id) == nil else { return }
        var added = stops.add(.console)
        added.session = stop.id
        if case .source(let file, let line?) = stop.trigger, let run {
            let known = run.files.first { SourceNames.isFile($0, file) }
            added.shown.source = known.map(run.sources.source)
            added.shown.line = line - 1 + client.firstLine
        }
        added.shown.message = stop.subject.text
        stops.replace(added)
        send(event: "breakpoint", ["reason": "new", "breakpoint": added.shown.json])
    }

    func log(_ stop: SessionBreakpoint, _ commit: CommitNumber, _ outcomes: [QueryOutcome]) {
        guard let known = stops.first(ofSession: stop.id), let log = known.options.log else { return }
        let text = ControlCharacters.escaped(log.text(outcomes.map { $0.text(preview) }))
        send(
            event: "output",
            .members([
                "category": "console", "output": .string("\(commit)  \(text)\n"), "source": known.shown.source?.json,
                "line": known.shown.line.map(JSONValue.number),
            ]))
    }
}

extension DapAdapter {
    func dataBreakpointInfo(_ arguments: DapArguments) throws -> JSONValue {
        let run = try opened()
        let name = try arguments.require("name", arguments.string("name"))
        if try arguments.bool("asAddress") == true { return refusal("a run has no addresses") }
        var id = try dataID(name)
        if let reference = try arguments.integer("variablesReference"), reference > 0 {
            switch try references.container(reference) {
            case .value(let place, _):
                guard let path = place.path?.appending(name) else { return refusal("this is not part of the state") }
                id = "path:" + PathPattern(path).text
            case .changed:
                id = "path:" + run.launch.scope.whole(try PathPattern(parsing: name, operand: "PATH")).text
            case .derived: id = "derived:" + name
            case .commit: return refusal("this is not part of the state")
            }
        }
        do { _ = try trigger(ofData: id) } catch { return refusal(DapError(error).text) }
        return [
            "dataId": .string(id), "description": .string(ControlCharacters.escaped(name)), "accessTypes": ["write"],
            "canPersist": true,
        ]
    }

    private func refusal(_ text: String) -> JSONValue { ["dataId": .null, "description": .string(text)] }

    private func dataID(_ text: String) throws -> String {
        let run = try opened()
        if run.launch.definitions.contains(where: { UTF8Order.equal($0.name, text) }) { return "derived:" + text }
        return try self.path(text).map { "path:" + $0.text } ?? "query:" + text
    }

    func trigger(ofData id: String) throws -> StopTrigger {
        let run = try opened()
        let parts = id.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let text = parts.count == 2 ? parts[1] : ""
        switch parts[0] {
        case "path":
            let pattern = try PathPattern(parsing: text, operand: "PATH")
            return .watch(WatchSubject(pattern))
        case "query":
            let query = try ScopedQuery(text, name: "watch", scope: run.launch.scope, asks: .change)
            return .watch(WatchSubject(text, .query(query.whole)))
        case "derived":
            if let known = run.launch.definitions.first(where: { UTF8Order.equal($0.name, text) }),
                case .query(let query) = known.formula
            {
                return .derived(text, query)
            }
            return .derived(text)
        default: throw DapError("'\(ControlCharacters.escaped(id))' names no data")
        }
    }
}
