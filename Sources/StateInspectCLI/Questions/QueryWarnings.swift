import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage

/// What there is to say of a query before it is asked along a run: that it cannot be meant, or reads what is not there.
///
/// Existing paths are looked up in the states at both ends of the range, which costs two seeks. A path that is at
/// neither is reported if its name is near another one; else only if it is nowhere in the journal, which costs a pass.
struct QueryWarnings {
    /// The states at some of the ends, as far as they can be read, with what is read of them at least.
    private let states: (_ ends: Range<Int>, _ reading: PathSet) -> [JSONValue]
    /// The journal, where it can be read again.
    private let journal: Journal?
    private let ends: [CommitNumber]
    private let scope: StoreScope

    /// Warnings of queries about a range of a journal.
    init(_ journal: Journal, _ range: PositionRange, _ scope: StoreScope) {
        self.init(journal, range.lower == range.upper ? [range.upper] : [range.lower, range.upper], scope)
    }

    /// Warnings of queries about one position.
    init(_ journal: Journal, at position: CommitNumber, _ scope: StoreScope) {
        self.init(journal, [position], scope)
    }

    private init(_ journal: Journal, _ ends: [CommitNumber], _ scope: StoreScope) {
        self.ends = ends
        self.scope = scope
        self.journal = journal
        // The pass reports damage at an end, if it matters.
        states = { places, paths in ends[places].compactMap { try? journal.state(at: $0, pruning: paths).value } }
    }

    /// Warnings of queries about a journal that was read once, from some of its whole states.
    init(_ states: [(position: CommitNumber, state: JSONValue)], _ scope: StoreScope) {
        ends = states.map(\.position)
        self.scope = scope
        journal = nil
        self.states = { places, _ in states[places].map(\.state) }
    }

    /// Reports the warnings about a query.
    func report(of query: ScopedQuery, _ messages: MessageWriter) {
        for warning in diagnostics(of: query.typed, asks: query.purpose) { messages.reportOnce(warning) }
    }

    /// What there is to say of a query as it was typed.
    func diagnostics(of query: Query, asks purpose: ScopedQuery.Purpose) -> [Diagnostic] {
        let asksMeaning = purpose == .condition || purpose == .change && query.form == .constant
        let meaning = (asksMeaning ? Self.meaning(of: query) : []) + Self.texts(in: query)
        let paths = query.footprint.paths
        guard !paths.isEmpty, !paths.isEverything else { return meaning }
        guard isAnyAbsent(query, paths) else { return meaning }
        let states = states(ends.indices, whole(paths).withSiblings)
        let parts = states.map(scope.part)
        let absent = MisspeltPath.all(of: paths, in: parts).compactMap { diagnostic(of: $0, query) }
        let stores = scope.store.map { storeTwice(query, $0, parts) } ?? unknownStores(query, states)
        return meaning + stores + absent
    }

    // MARK: What cannot be meant

    /// How many bytes of a constant are shown.
    private static let previewLimit = 60

    private static func meaning(of query: Query) -> [Diagnostic] {
        switch query.form {
        case .constant:
            let value = try? query.first(of: .null)
            return [
                Diagnostic(
                    .warning, code: "query.constant", "'\(query.name)' is the same at every position",
                    place: place(in: query, marking: 0..<query.text.utf8.count, "looks at no part of the state"),
                    notes: value.map { ["it gives \(ValuePreview.text($0, limit: Self.previewLimit))"] } ?? [],
                    help: ["compare a part of the state with it, such as '.cart.total == …'"])
            ]
        case .assignment(let target, let value, let isPlain):
            let bytes = Array(query.text.utf8)
            let left = String(decoding: bytes[target], as: UTF8.self)
            let right = String(decoding: bytes[value], as: UTF8.self)
            return [
                Diagnostic(
                    .warning, code: "query.assignment",
                    "'\(query.name)' assigns: it gives the whole state, edited, which always counts as true",
                    place: place(in: query, marking: target.lowerBound..<value.upperBound, "an assignment"),
                    help: isPlain ? ["write '\(left) == \(right)' to compare"] : [])
            ]
        case .question: return []
        }
    }

    private static func texts(in query: Query) -> [Diagnostic] {
        query.orderedTexts.prefix(1).map { text in
            Diagnostic(
                .warning, code: "query.text-for-number", "'$\(text.name)' is a text, not a number",
                place: place(in: query, marking: text.range, "a text"),
                notes: ["every text is greater than every number"],
                help: ["'--argjson \(text.name) …' gives it as a number, and so does '$\(text.name) | tonumber'"])
        }
    }

    // MARK: What is not there

    private func whole(_ paths: PathSet) -> PathSet { scope.store.map { paths.below($0) } ?? paths }

    /// Whether something that a query reads is at no end: only then is what is beside it looked at, which may be much more, and
    /// the second end only where something is not at the first.
    private func isAnyAbsent(_ query: Query, _ paths: PathSet) -> Bool {
        ends.indices.allSatisfy { place in
            let states = states(ends.startIndex..<place + 1, whole(paths))
            let parts = states.map(scope.part)
            return states.isEmpty || MisspeltPath.isAnyAbsent(of: paths, in: parts)
                || !(scope.store.map { storeTwice(query, $0, parts) } ?? unknownStores(query, states)).isEmpty
        }
    }

    private func unknownStores(_ query: Query, _ states: [JSONValue]) -> [Diagnostic] {
        guard let open = states.last?.object?.keys, let end = ends.last else { return [] }
        let names = Set(states.flatMap { $0.object?.keys ?? [] }.map { ByteName($0) }).sorted().map(\.text)
        let unknown = query.footprint.topLevelNames.filter { found in
            !names.contains { UTF8Order.equal($0, found.name) }
        }
        let known =
            open.isEmpty
            ? "no store is open there" : "open are " + open.map { "'\($0)'" }.joined(separator: ", ")
        return unknown.map { found in
            Diagnostic(
                .warning, code: "query.no-such-store", "there is no store '\(found.name)' at \(end)",
                place: Self.place(in: query, marking: found.range, "no such store"), notes: [known],
                help: SimilarNames.nearest(to: found.name, in: names).map { "write '.\($0)'" })
        }
    }

    /// Under `--store` a query begins at the store, so that the store's name at the top is a member that is not there.
    private func storeTwice(_ query: Query, _ store: String, _ parts: [JSONValue]) -> [Diagnostic] {
        guard let found = query.footprint.topLevelNames.first(where: { UTF8Order.equal($0.name, store) }),
            let end = ends.last, !parts.isEmpty, parts.allSatisfy({ $0.object?[store] == nil })
        else { return [] }
        let text = Array(query.text.utf8)
        let rest = text[found.range.upperBound...]
        let start =
            Array(text[..<found.range.lowerBound]) + (rest.first == UInt8(ascii: ".") ? [] : [UInt8(ascii: ".")])
        return [
            Diagnostic(
                .warning, code: "query.store-twice", "the store '\(store)' has no member '\(store)' at \(end)",
                place: Self.place(in: query, marking: found.range, "already in the store"),
                notes: ["under '--store \(store)' a query begins at that store"],
                help: ["write '\(String(decoding: start + rest, as: UTF8.self))'"])
        ]
    }

    private func diagnostic(of path: MisspeltPath, _ query: Query) -> Diagnostic? {
        guard path.segments.count > (scope.store == nil ? 1 : 0), let name = path.segments.last else { return nil }
        guard let nearest = path.nearest else { return neverThere(path, name, query) }
        return Diagnostic(
            .warning, code: "query.no-such-path",
            "there is no '\(JSONPointer(path.segments).text)' at \(ends.map { "\($0)" }.joined(separator: " nor at "))",
            place: Self.place(in: query, marking: Self.range(of: name, in: query.text), "no such member"),
            help: [help(nearest, for: path)])
    }

    /// Nothing is called alike, so the whole journal is looked through: what is there now and then may be meant.
    private func neverThere(_ path: MisspeltPath, _ name: String, _ query: Query) -> Diagnostic? {
        let steps = path.segments.map { $0 == "*" ? PathSteps.Step.one : .key($0) }
        let pattern = scope.whole(PathPattern(PathSteps(steps)))
        var things = [NamedThing.path(pattern, scope)]
        guard let journal, (try? NamedThing.look(for: &things, in: journal, touching: pattern.paths)) == true,
            !things[0].isMet
        else { return nil }
        return Diagnostic(
            .warning, code: "query.no-such-path", "nothing was ever at '\(JSONPointer(path.segments).text)'",
            place: Self.place(in: query, marking: Self.range(of: name, in: query.text), "no such member"),
            notes: ["it is null at every position"])
    }

    private func help(_ nearest: String, for path: MisspeltPath) -> String {
        let meant = path.segments.dropLast() + [nearest]
        guard !meant.contains("*") else { return "write '\(nearest)'" }
        // All are names of members: elements are '*'.
        return "write '\(JQPath.text(of: JSONPointer(Array(meant)), in: .null))'"
    }

    // MARK: Places

    private static func place(in query: Query, marking range: Range<Int>, _ label: String) -> Place {
        .source(SourceExcerpt(name: query.name, text: query.text, marks: [.init(range, label)]))
    }

    /// Where a name stands in a query; the whole query where it stands there several times, or in another form.
    private static func range(of name: String, in text: String) -> Range<Int> {
        let (text, name) = (Array(text.utf8), Array(name.utf8))
        let starts = text.indices.filter { text[$0...].starts(with: name) }
        guard let start = starts.first, starts.count == 1 else { return 0..<text.count }
        return start..<start + name.count
    }
}
