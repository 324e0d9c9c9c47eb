import Diagnostics
import JSONCore
import JournalFormat
package import JournalReading
import TimeTravel

/// What a filter names and whether it was met, for all copies of the filter.
package final class FilterNames {
    package var isMet = false
    /// The things that are looked for while a journal is read that can be read once only.
    package var things: [NamedThing] = []
}

extension CommitFilter {
    /// Ends an answer: if no commit passed, refuses names that occur nowhere in the journal; reports where the query
    /// failed.
    ///
    /// - Returns: the status that this comes to.
    /// - Complexity: a pass over the journal where no commit had what is named, else nothing.
    package func finish(_ journal: Journal, _ messages: MessageWriter) throws -> ExitStatus {
        try checkNames(in: journal)
        return reportFailures(messages)
    }

    /// Prepares for a journal that can be read once only: its records are to be noted.
    package func begin(_ journal: Journal) { if !journal.isSeekable { names.things = things } }

    package var isNoting: Bool { !names.things.isEmpty }

    /// Notes a record of a journal that is read once, before it is asked whether it passes.
    package func note(_ line: RecordLine) throws(JournalError) {
        touched?.read(line)
        guard NamedThing.isNamed(by: line.kind) else { return }
        let record = try Record(line)
        for index in names.things.indices { names.things[index].note(line.kind, record) }
    }

    /// Refuses names that occur nowhere in the journal, where no commit passed.
    package func checkNames(in journal: Journal) throws {
        guard !names.isMet else { return }
        var things = names.things
        if things.isEmpty {
            things = self.things
            guard !things.isEmpty, try NamedThing.look(for: &things, in: journal) else { return }
        }
        guard let index = things.firstIndex(where: { !$0.isMet }) else { return }
        throw things[index].absence(in: journal.path, help: help(ofThing: index, in: journal))
    }

    private var things: [NamedThing] {
        [storeThing, sourceThing, functionThing, nameThing, actionThing, traceThing].compactMap(\.self)
            + paths.map { .path($0, scope) }
    }

    private func help(ofThing index: Int, in journal: Journal) -> [String] {
        let path = index - (things.count - paths.count)
        guard path >= 0, journal.isSeekable, let state = try? journal.state(at: journal.lastCommit).value else {
            return []
        }
        return NearestPath.help(for: paths[path], in: state, scope)
    }

    private var storeThing: NamedThing? { scope.store.map(StoreNames.thing) }

    private var sourceThing: NamedThing? {
        guard let file else { return nil }
        let typed = file + (line.map { ":\($0)" } ?? "")
        return NamedThing(code: "filter.no-such-source", typed: typed) { [line] kind, record in
            guard kind == .commit, let place = SourcePlace(record) else { return .none }
            if SourceNames.isFile(place.file, file), line == nil || line == place.line { return .itself }
            let base = place.file.split(separator: "/").last.map(String.init) ?? place.file
            let number = line == nil ? "" : place.line.map { ":\($0)" } ?? ""
            return .others([base + number, place.file + number])
        } message: {
            "no commit of \($0) was made in '\(typed)'"
        }
    }

    private var functionThing: NamedThing? {
        guard let function else { return nil }
        return NamedThing(code: "filter.no-such-function", typed: function) { kind, record in
            guard kind == .commit, let found = SourcePlace(record)?.function else { return .none }
            if SourceNames.isFunction(found, function) { return .itself }
            return .others([found, String(found.prefix { $0 != "(" })])
        } message: {
            "no commit of \($0) was made in the function '\(function)'"
        }
    }

    private var nameThing: NamedThing? {
        guard let name else { return nil }
        return NamedThing(code: "filter.no-such-name", typed: name.text) { kind, record in
            guard kind == .commit, let found = record.title else { return .none }
            return name.matches(found) ? .itself : .others([found])
        } message: {
            "no commit of \($0) has a name like '\(name.text)'"
        }
    }

    private var actionThing: NamedThing? {
        guard let action else { return nil }
        return NamedThing(code: "filter.no-such-action", typed: action.text) { kind, record in
            guard kind == .commit, let found = record.action?.type else { return .none }
            return action.matches(found) ? .itself : .others([found])
        } message: {
            "no commit of \($0) was made by an action like '\(action.text)'"
        }
    }

    private var traceThing: NamedThing? {
        guard let trace else { return nil }
        return NamedThing(code: "filter.no-such-trace", typed: trace) { kind, record in
            guard kind == .commit, let found = record.string(.trace)?.lowercased() else { return .none }
            return found == trace ? .itself : .others([found])
        } message: {
            "no commit of \($0) was made in the trace '\(trace)'"
        }
    }
}
