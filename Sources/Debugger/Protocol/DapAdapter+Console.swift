import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

extension DapAdapter {
    func evaluate(_ arguments: DapArguments) throws -> Answer {
        let text = try arguments.require("expression", arguments.string("expression"))
        let frame = try arguments.integer("frameId").map { try references.frame($0) }
        let context = try arguments.string("context") ?? "repl"
        if context == "repl", isCommand(text) { return try console(text) }
        let place = try place(text, frame, isSource: context == "hover")
        if context == "clipboard" {
            return .body(["result": .string(place?.value.text() ?? ""), "variablesReference": 0])
        }
        let shown = place.map(value) ?? DapValue(text: "no output")
        return .body(
            .members([
                "result": .string(shown.text), "type": shown.type.map(JSONValue.string),
                "variablesReference": .number(shown.reference), "namedVariables": shown.named.map(JSONValue.number),
                "indexedVariables": shown.indexed.map(JSONValue.number),
                "valueLocationReference": shown.location.map(JSONValue.number),
            ]))
    }

    private func isCommand(_ text: String) -> Bool { (try? DebugLine(parsing: text)) != nil }

    /// Nil for no output; in a line of source (`isSource`) a name is a variable before it is a function of queries.
    private func place(_ text: String, _ frame: DapFrame?, isSource: Bool) throws -> DapPlace? {
        let session = try opened().session
        let current = DapFrame(
            position: session.position.commit, isCurrent: true, record: try session.commitRecord())
        let frame = frame ?? current
        if let pattern = try (isSource ? member(text, frame) : nil) ?? path(text, frame) {
            let state = try state(of: frame)
            guard let found = pattern.matches(in: state).first, let value = found.value(in: state) else {
                throw DapError("nothing is at '\(ControlCharacters.escaped(text))' here")
            }
            let query = query(of: found, in: state)
            return DapPlace(value: value, path: found, query: query, frame: frame, isFixed: isFixed(found, in: state))
        }
        let query = try ScopedQuery(text, name: "evaluate", scope: try opened().launch.scope).whole
        do throws(SessionQueryError) {
            let outputs =
                try frame.isCurrent ? session.outputs(of: query) : session.outputs(of: query, at: frame.position)
            return outputs.first.map { DapPlace(value: $0) }
        } catch {
            switch error {
            case .journal(let error): throw error
            case .query(let error): throw DapError(ControlCharacters.escaped(error.diagnostic.message))
            }
        }
    }

    /// Whether no array lies above a place.
    private func isFixed(_ path: JSONPointer, in state: JSONValue) -> Bool {
        var value = state
        for segment in path.segments {
            guard case .object(let members) = value, let next = members[segment] else { return false }
            value = next
        }
        return true
    }

    /// Nil for a query.
    func path(_ text: String, _ frame: DapFrame? = nil) throws -> PathPattern? {
        let run = try opened()
        let scope = run.launch.scope
        if UTF8Order.begins(text, with: "/") { return scope.whole(try PathPattern(parsing: text, operand: "PATH")) }
        guard (try? ScopedQuery(text, name: "evaluate", scope: scope)) == nil else { return nil }
        return try BarePath.pattern(text, run.part(of: run.session.state)).map(scope.whole) ?? member(text, frame)
    }

    /// What stands before a member in a line of source that has no name for its store.
    private static let owners = ["self.", "state.", "$0."]

    /// The one of the store that a frame's commit is of, else of the only store that has one; nil where none or several
    /// have.
    private func member(_ text: String, _ frame: DapFrame?) throws -> PathPattern? {
        let run = try opened()
        guard run.launch.scope.store == nil else { return nil }
        let session = run.session
        guard case .object(let stores) = try frame.map({ try state(of: $0) }) ?? session.state else { return nil }
        let own = try (frame.map(\.record) ?? session.commitRecord()).flatMap { try Record($0).store }
        // A store that is called so is meant first.
        guard BarePath.pattern(text, .object(stores)) == nil else { return nil }
        for spelling in [text]
            + Self.owners.filter({ UTF8Order.begins(text, with: $0) }).map({ String(text.dropFirst($0.count)) })
        {
            let found = stores.compactMap { name, state -> (store: String, pattern: PathPattern)? in
                guard let pattern = BarePath.pattern(spelling, state), !pattern.matches(in: state).isEmpty else {
                    return nil
                }
                return (name, pattern.below(store: name))
            }
            if let own = found.first(where: { UTF8Order.equal($0.store, own ?? "") }) { return own.pattern }
            if found.count == 1 { return found[0].pattern }
        }
        return nil
    }

    // MARK: The line session

    private func console(_ line: String) throws -> Answer {
        let run = try opened()
        var goesOn = true
        var failure: (any Error)?
        interruptible(line, holdsSession: true) {
            do { goesOn = try run.interpreter.execute(line) } catch { failure = error }
        }
        let (text, events) = (run.takePrinted(), run.takeEvents())
        take(events)
        for case .stopChanged(let stop, .added) in events { show(stop) }
        let hasStopped = events.contains { if case .stopped = $0 { true } else { false } }
        // What a script did before it failed stands: the request did not fail, since it moved.
        if let failure, !hasStopped { throw failure }
        let problem = failure.map { (text.isEmpty ? "" : "\n") + DapError($0).text } ?? ""
        return .then(["result": .string(text + problem), "variablesReference": 0]) {
            if !goesOn {
                self.phase = .ended
                return self.send(event: "terminated")
            }
            if hasStopped { self.report(run.session.lastStop, self.thread, otherwise: "step") }
        }
    }

    func completions(_ arguments: DapArguments) throws -> JSONValue {
        let run = try opened()
        let text = try arguments.require("text", arguments.string("text"))
        let column = try arguments.require("column", arguments.place("column")) - client.firstColumn
        let units = Array(text.utf16.prefix(max(0, column)))
        let typed = String(decoding: units, as: UTF16.self)
        // A query that begins the line is completed as after the command that prints it.
        let isQuery = typed.first == "." || typed.first == "$"
        let before = isQuery ? "print " : ""
        let completion = DebugCompletion(session: run.session, definitions: run.launch.definitions)
            .completion(of: before + typed)
        let start = max(0, completion.start - before.count)
        let word = Array(typed).dropFirst(start)
        let first = String(typed.prefix(start)).utf16.count
        return [
            "targets": .array(
                completion.candidates.map { candidate in
                    [
                        "label": .string(ControlCharacters.escaped(candidate)), "text": .string(candidate),
                        "start": .number(first), "length": .number(String(word).utf16.count),
                    ]
                })
        ]
    }
}
