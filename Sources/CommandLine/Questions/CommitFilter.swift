package import JSONCore
package import JournalFormat
package import JournalReading
package import QueryLanguage
package import TimeTravel

package struct CommitFilter {
    package let scope: StoreScope
    /// A change must touch one of these; none: any change will do.
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

    /// Whether every commit of the stores that are looked at passes.
    package var passesByStore: Bool {
        paths.isEmpty && file == nil && function == nil && name == nil && action == nil && trace == nil
            && condition == nil
    }

    package var asksStates: Bool { condition != nil }

    /// Whether the state before a commit may decide what passes.
    package var mayAskOld: Bool { asksStates || touched != nil }

    /// Says which commits will be asked about, whose states are followed if that is needed.
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

    /// Takes the state after the commit that is asked about next, and the one before it.
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

    /// Whether a commit record passes.
    package func passes(_ commit: Record) throws(JournalError) -> Bool {
        guard passesRecord(commit, touched?.contains(commit)) else { return false }
        guard let condition else { return true }
        return try condition.holds(at: commit.seq, commit)
    }

    /// Whether a record passes that changed a value.
    ///
    /// What changed the store that is named is not left out with the commits of other stores: its opening, the commit with which
    /// it ended, and a gap after which it is another.
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

    /// Whether the store is another after a gap; also where it is not known what it was before.
    private func differs(around gap: OwnedRecord, _ journal: Journal) throws -> Bool {
        let first = try gap.decode { (object) throws(RecordFault) in try GapRecord(object) }.first
        guard first > journal.start, let before = try? journal.state(at: first.previous, pruning: scope.paths) else {
            return true
        }
        return scope.part(of: before.value)
            != scope.part(of: try journal.state(at: gap.seq, pruning: scope.paths).value)
    }

    /// Whether a commit record passes, after which the state is not the journal's own.
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
