import Diagnostics
package import JSONCore
package import JournalFormat
package import JournalReading
package import QueryLanguage
package import TimeTravel

package struct CommitFilter {
    package let scope: StoreScope
    /// A change must touch one of these; without any, every change will do.
    package let paths: [PathPattern]
    package let file: String?
    package let line: Int?
    package let function: String?
    package let name: Glob?
    package let action: Glob?
    package let trace: String?
    package let names = FilterNames()
    private let condition: WhereQuestion?
    private let ends: StoreEnds?
    package let touched: TouchedCommits?

    package init(_ typed: TypedArguments) throws {
        scope = try StoreScope(typed)
        paths = try scope.patterns(typed, .path)
        (file, line) = try Self.place(typed)
        function = typed.value(.function)
        name = typed.value(.name).map(Glob.init)
        action = typed.value(.action).map(Glob.init)
        trace = typed.value(.trace)?.lowercased()
        condition = try WhereQuestion(typed, scope)
        ends = scope.store.map { StoreEnds(of: $0) }
        touched = paths.isEmpty ? nil : TouchedCommits(PathMatcher(paths.map(\.steps)))
    }

    /// Whether every commit passes, so that no line needs to be parsed.
    package var passesAll: Bool { scope.store == nil && passesByStore }

    package var passesByStore: Bool {
        paths.isEmpty && file == nil && function == nil && name == nil && action == nil && trace == nil
            && condition == nil
    }

    package var asksStates: Bool { condition != nil }

    /// Whether the state before a commit may decide what passes.
    package var mayAskOld: Bool { asksStates || touched != nil }

    package func follow(
        _ journal: Journal, _ range: PositionRange?, recovers: Bool = false, _ messages: MessageWriter
    ) throws {
        touched?.follow(journal, range, recover: recovers)
        if let ends, journal.isSeekable {
            ends.follow(journal, try range ?? journal.range(RangeText()), recovers: recovers)
        }
        guard let condition else { return }
        try condition.follow(journal, try range ?? journal.range(RangeText()), recovers: recovers, messages)
    }

    package var queries: [Query] { condition.map { [$0.wholeQuery] } ?? [] }

    package func know(_ state: JSONValue, old: JSONValue) { condition?.know(state, old: old) }

    package func reportWarnings(_ states: [(position: CommitNumber, state: JSONValue)], _ messages: MessageWriter) {
        condition?.reportWarnings(QueryWarnings(states, scope), messages)
    }

    package func reportFailures(_ messages: MessageWriter) -> ExitStatus {
        condition?.reportFailures(messages) ?? .done
    }

    /// What a commit that passes touches, and perhaps others do; empty commits pass only where nothing is asked of paths.
    package var touching: PathSet {
        guard !paths.isEmpty else { return .everything }
        return paths.reduce(.nothing) { $0.union($1.paths) }
    }

    package func passes(_ commit: Record) throws(JournalError) -> Bool {
        guard passesRecord(commit, touched?.contains(commit)) else { return false }
        guard let condition else { return true }
        return try condition.holds(at: commit.seq, commit)
    }

    /// The opening of the store that is named, the commit with which it ended and a gap that changed it pass too.
    package func passes(changing record: OwnedRecord, in journal: Journal) throws -> Bool {
        if passesAll { return true }
        if record.kind == .commit, try passes(try Record(record)) { return true }
        guard passesByStore else { return false }
        switch record.kind {
        case .commit: return ends?.contains(record.seq) ?? false
        case .store: return try Record(record).store.map(scope.includes) ?? false
        case .gap: return try differs(around: record, journal)
        default: return true
        }
    }

    /// Also where it is not known what the store was before.
    private func differs(around gap: OwnedRecord, _ journal: Journal) throws -> Bool {
        let first = try gap.decode { (object) throws(RecordFault) in try GapRecord(object) }.first
        guard first > journal.start, let before = try? journal.state(at: first.previous, pruning: scope.paths) else {
            return true
        }
        return scope.part(of: before.value)
            != scope.part(of: try journal.state(at: gap.seq, pruning: scope.paths).value)
    }

    package func passes(_ commit: Record, making state: JSONValue, of old: JSONValue) -> Bool {
        guard passesRecord(commit, touched?.contains(commit, appliedTo: old)) else { return false }
        guard let condition else { return true }
        return condition.holds(of: state, at: commit.seq, commit, old: old)
    }

    private func passesRecord(_ commit: Record, _ isTouching: @autoclosure () -> Bool?) -> Bool {
        guard let store = commit.store, scope.includes(store), passesPlace(commit), passesNames(commit),
            isTouching() ?? true
        else { return false }
        names.isMet = true
        return true
    }

    private func passesPlace(_ commit: Record) -> Bool {
        guard file != nil || function != nil else { return true }
        guard let place = commit.place else { return false }
        if let file, !SourceNames.isFile(place.file ?? "", file) { return false }
        if let line, place.line != line { return false }
        guard let function else { return true }
        return SourceNames.isFunction(place.function ?? "", function)
    }

    private func passesNames(_ commit: Record) -> Bool {
        if let name, !name.matches(commit.title ?? "") { return false }
        if let trace, commit.string(.trace)?.lowercased() != trace { return false }
        guard let action else { return true }
        return commit.action?.type.map(action.matches) ?? false
    }

    private static func place(_ typed: TypedArguments) throws(UsageError) -> (String?, Int?) {
        guard let text = typed.value(.source) else { return (nil, nil) }
        guard let colon = text.lastIndex(of: ":") else { return (text, nil) }
        guard let line = Int(text[text.index(after: colon)...]), line > 0, colon > text.startIndex else {
            throw .value(.source, text, expected: "a file, or a file and a line such as 'Cart.swift:42'")
        }
        return (String(text[..<colon]), line)
    }
}

package final class FilterNames {
    package var isMet = false
    /// The things that are looked for while a journal is read that can be read once only.
    package var things: [NamedThing] = []
}

extension CommitFilter {
    /// Refuses names that occur nowhere, which takes a pass over the journal if no commit passed; reports where the
    /// query failed.
    package func finish(_ journal: Journal, _ messages: MessageWriter) throws -> ExitStatus {
        try checkNames(in: journal)
        return reportFailures(messages)
    }

    /// The records of a journal that can be read once only are to be noted.
    package func begin(_ journal: Journal) { if !journal.isSeekable { names.things = things } }
    package var isNoting: Bool { !names.things.isEmpty }

    /// Call it before it is asked whether the record passes.
    package func note(_ line: RecordLine) throws(JournalError) {
        touched?.read(line)
        guard NamedThing.isNamed(by: line.kind) else { return }
        let record = try Record(line)
        for index in names.things.indices { names.things[index].note(line.kind, record) }
    }

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

    private var storeThing: NamedThing? { scope.store.map(NamedThing.store) }

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
        thing("function", function, "was made in the function '\(function ?? "")'") { record, function in
            guard let found = SourcePlace(record)?.function else { return nil }
            return (SourceNames.isFunction(found, function), [found, String(found.prefix { $0 != "(" })])
        }
    }

    private var nameThing: NamedThing? {
        thing("name", name?.text, "has a name like '\(name?.text ?? "")'") { [name] record, _ in
            record.title.map { (name?.matches($0) ?? false, [$0]) }
        }
    }

    private var actionThing: NamedThing? {
        thing("action", action?.text, "was made by an action like '\(action?.text ?? "")'") { [action] record, _ in
            record.action?.type.map { (action?.matches($0) ?? false, [$0]) }
        }
    }

    private var traceThing: NamedThing? {
        thing("trace", trace, "was made in the trace '\(trace ?? "")'") { record, trace in
            record.string(.trace).map { ($0.lowercased() == trace, [$0.lowercased()]) }
        }
    }

    /// A name that commits have; `found` gives whether a commit has it, and what it has in its place.
    private func thing(
        _ code: String, _ typed: String?, _ what: String,
        _ found: @escaping (_ commit: Record, _ typed: String) -> (isMet: Bool, names: [String])?
    ) -> NamedThing? {
        guard let typed else { return nil }
        return NamedThing(code: "filter.no-such-\(code)", typed: typed) { kind, record in
            guard kind == .commit, let found = found(record, typed) else { return .none }
            return found.isMet ? .itself : .others(found.names)
        } message: {
            "no commit of \($0) \(what)"
        }
    }
}

/// A class because a filter is handed around by value, and how far the states are known is the same for all copies.
package final class WhereQuestion {
    private let query: ScopedQuery
    private let scope: StoreScope
    private var intervals: VerdictIntervals?
    /// The state that is asked about, and the one before it, where the states are not followed here.
    private var known: (state: JSONValue, old: JSONValue)?
    private var failures = Unanswered()

    package init?(_ typed: TypedArguments, _ scope: StoreScope) throws {
        guard let text = typed.value(.where) else { return nil }
        self.scope = scope
        query = try ScopedQuery(text, name: "--where", scope: scope, asks: .condition)
    }

    /// Begins to follow the states of a range; asked of other states (``holds(of:at:_:old:)``), it need not.
    package func follow(_ journal: Journal, _ range: PositionRange, recovers: Bool, _ messages: MessageWriter) throws {
        QueryWarnings(journal, range, scope).report(of: query, messages)
        intervals = try VerdictIntervals(Condition(bad: query.whole), range, in: journal, recover: recovers)
    }

    var wholeQuery: Query { query.whole }

    package func know(_ state: JSONValue, old: JSONValue) { known = (state, old) }

    package func reportWarnings(_ warnings: QueryWarnings, _ messages: MessageWriter) {
        warnings.report(of: query, messages)
    }

    /// Whether it holds after a commit of the range; where it fails it does not.
    package func holds(at position: CommitNumber, _ record: Record) throws(JournalError) -> Bool {
        if let known { return holds(of: known.state, at: position, record, old: known.old) }
        guard let intervals else { preconditionFailure("'holds(at:)' before 'follow'") }
        return note(try intervals.verdict(at: position), at: position)
    }

    package func holds(of state: JSONValue, at position: CommitNumber, _ record: Record, old: JSONValue) -> Bool {
        let context = query.context(at: position, record) { old }
        return note(Condition(bad: query.whole).verdict(on: state, context: context), at: position)
    }

    private func note(_ verdict: Condition.Verdict, at position: CommitNumber) -> Bool {
        if case .failed(let error) = verdict { failures.fail(error, at: position) }
        return verdict.isBad == true
    }

    package func reportFailures(_ messages: MessageWriter) -> ExitStatus {
        failures.reportFailures(
            of: query, one: "that commit was left out", several: "commits that were left out", messages)
    }
}
