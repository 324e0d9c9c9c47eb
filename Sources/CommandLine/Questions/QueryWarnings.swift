package import Diagnostics
package import JSONCore
package import JournalFormat
package import JournalReading
package import QueryLanguage

/// Paths are looked up in the states at both ends of the range, which costs two seeks; a path that is at neither is
/// reported if it is nowhere in the journal, which costs a pass.
package struct QueryWarnings {
    /// The states at some of the ends, as far as they can be read, with what is read of them at least.
    private let states: (_ ends: Range<Int>, _ reading: PathSet) -> [JSONValue]
    /// Which of some paths the run has at any position; nil where that is not known.
    private let met: (_ parts: [[String]]) -> MetPaths?
    /// Whether it can be known, so that a name that the run never has is an error in a condition.
    private let knowsRun: Bool
    private let ends: [CommitNumber]
    private let scope: StoreScope

    package init(_ journal: Journal, _ range: PositionRange, _ scope: StoreScope, of queries: [Query] = []) {
        let ends = range.lower == range.upper ? [range.upper] : [range.lower, range.upper]
        self.init(journal, ends, scope, of: queries)
    }

    package init(_ journal: Journal, at position: CommitNumber, _ scope: StoreScope) {
        self.init(journal, [position], scope)
    }

    private init(_ journal: Journal, _ ends: [CommitNumber], _ scope: StoreScope, of queries: [Query] = []) {
        (self.ends, self.scope) = (ends, scope)
        knowsRun = true
        met = { parts in
            var met = MetPaths(parts, scope)
            return (try? met.look(in: journal)) == true ? met : nil
        }
        var known = queries.map(\.footprint.paths).filter { !$0.isEverything }.reduce(PathSet.nothing) { $0.union($1) }
        var found: [Int: JSONValue?] = [:]
        states = { places, paths in
            let needed = known.union(paths)
            if needed != known {
                known = needed
                found.removeAll()
            }
            return places.compactMap { place in
                if let state = found[place] { return state }
                // The run reports damage at an end, if it matters.
                let state = try? journal.state(at: ends[place], pruning: known).value
                found[place] = .some(state)
                return state
            }
        }
    }

    package init(_ states: [(position: CommitNumber, state: JSONValue)], _ scope: StoreScope, met: MetPaths? = nil) {
        ends = states.map(\.position)
        self.scope = scope
        self.met = { _ in met }
        knowsRun = met != nil
        self.states = { places, _ in states[places].map(\.state) }
    }

    /// What is not there may be meant by the query, such as a filter.
    package func report(of query: ScopedQuery, _ messages: MessageWriter) {
        for var warning in diagnostics(of: query.typed, asks: query.purpose) {
            warning.severity = .warning
            messages.reportOnce(warning)
        }
    }

    package func check(_ condition: ScopedQuery, _ messages: MessageWriter) throws {
        try check(condition) { messages.reportOnce($0) }
    }

    package func check(_ condition: ScopedQuery, warn: (Diagnostic) throws -> Void) throws {
        let diagnostics = diagnostics(of: condition.typed, asks: .condition)
        if let error = Self.absence(in: diagnostics) { throw CommandFailure(.notThere, error) }
        for warning in diagnostics { try warn(warning) }
    }

    package static func absence(in diagnostics: [Diagnostic]) -> Diagnostic? {
        diagnostics.first { $0.severity == .error }
    }

    package func diagnostics(of query: Query, asks purpose: ScopedQuery.Purpose) -> [Diagnostic] {
        let asksMeaning = purpose == .condition || purpose == .change && query.form == .constant
        let meaning = (asksMeaning ? Self.meaning(of: query) : []) + Self.texts(in: query)
        let paths = query.footprint.paths
        guard !paths.isEmpty, !paths.isEverything else { return meaning }
        if let store = scope.store {
            let twice = storeTwice(query, store, states(ends.indices, whole(paths)).map(scope.part))
            if !twice.isEmpty { return meaning + twice.map { errorOfCondition($0, purpose) } }
        }
        let absent = absentNames(query, paths).map { errorOfCondition($0, purpose, of: query) }
        guard purpose == .condition, absent.isEmpty else { return meaning + absent.map(\.diagnostic) }
        return meaning + types(in: query, states(ends.indices, whole(paths)).map(scope.part))
    }

    private func errorOfCondition(_ diagnostic: Diagnostic, _ purpose: ScopedQuery.Purpose) -> Diagnostic {
        var diagnostic = diagnostic
        if purpose == .condition, knowsRun { diagnostic.severity = .error }
        return diagnostic
    }

    private func errorOfCondition(
        _ absent: AbsentName, _ purpose: ScopedQuery.Purpose, of query: Query
    ) -> AbsentName {
        var absent = absent
        // What is compared with null may well never be there.
        if absent.isNever, !query.mayLack(absent.segments) {
            absent.diagnostic = errorOfCondition(absent.diagnostic, purpose)
        }
        return absent
    }

    private static let previewLimit = 60

    private static func meaning(of query: Query) -> [Diagnostic] {
        switch query.form {
        case .constant:
            let value = try? query.first(of: .null)
            return [
                Diagnostic(
                    .warning, code: "query.constant", "'\(query.name)' is the same at every position",
                    place: place(in: query, marking: 0..<query.text.utf8.count, "looks at no part of the state"),
                    notes: value.map { ["it gives \(FittedValue.text($0, limit: Self.previewLimit))"] } ?? [],
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

    private func whole(_ paths: PathSet) -> PathSet { scope.store.map { paths.below($0) } ?? paths }

    struct AbsentName {
        let segments: [String]
        let isNever: Bool
        var diagnostic: Diagnostic
    }

    /// Of a journal that was read once, those that are not in the known states and are like others that are.
    ///
    /// What is in a state at one of the ends costs a seek; else the journal is looked through.
    private func absentNames(_ query: Query, _ paths: PathSet) -> [AbsentName] {
        func absent(in states: [JSONValue]) -> [[String]] { MetPaths.absent(paths, in: states) }
        for place in ends.indices {
            let states = states(ends.startIndex..<place + 1, whole(paths)).map(scope.part)
            if states.isEmpty || absent(in: states).isEmpty { return [] }
        }
        let states = states(ends.indices, whole(paths).withSiblings).map(scope.part)
        // From the shortest part of a path that is at no end.
        let parts = absent(in: states).map { MetPaths.parts(of: $0, absentIn: states) }
        guard let met = met(parts.flatMap { $0 }) else {
            return parts.compactMap { $0.first }.compactMap { notAtEnds($0, query, states) }
        }
        var found: [AbsentName] = []
        for path in parts {
            guard let absent = path.first(where: { !met.contains($0) }), let name = absent.last else { continue }
            // An array that was always empty says nothing of what would be in it.
            guard name != "*", JSONPointer.arrayIndex(name) == nil else { continue }
            guard !found.contains(where: { $0.segments.elementsEqual(absent, by: UTF8Order.equal) }) else { continue }
            found.append(AbsentName(segments: absent, isNever: true, diagnostic: neverThere(absent, query, states)))
        }
        return found
    }

    private func siblings(of path: [String], _ states: [JSONValue]) -> [String] {
        let above = MetPaths.values(at: Array(path.dropLast()), in: states)
        return Set(above.compactMap(\.object).flatMap(\.keys).map { ByteName($0) }).sorted().map(\.text)
    }

    private func neverThere(_ path: [String], _ query: Query, _ states: [JSONValue]) -> Diagnostic {
        let (name, others) = (path.last ?? "", siblings(of: path, states))
        let nearest = SimilarNames.nearest(to: name, in: others).first
        let help = nearest.map { [self.help($0, for: path)] } ?? []
        guard path.count == 1, scope.store == nil else {
            return Diagnostic(
                .warning, code: "query.no-such-path", "nothing was ever at '\(JSONPointer(path).text)'",
                place: Self.place(in: query, marking: Self.range(of: name, in: query.text), "no such member"),
                notes: ["it is null at every position"], help: help)
        }
        let range = query.footprint.topLevelNames.first { UTF8Order.equal($0.name, name) }?.range
        // A member of a store may be meant, whose name was left out.
        let members = nearest == nil ? self.states(ends.indices, BarePath.names(of: nil)) : []
        let meant = members.lazy.flatMap { BarePath.near(name, in: $0, isStore: false) }.first
        return Diagnostic(
            .warning, code: "query.no-such-store", "there is no store '\(name)' at any position",
            place: Self.place(in: query, marking: range ?? 0..<query.text.utf8.count, "no such store"),
            notes: [
                others.isEmpty
                    ? "no store is open at the ends"
                    : "the stores are " + others.map { "'\($0)'" }.joined(separator: ", ")
            ], help: help + (meant.map { ["write '\(JQPath.text(of: $0, in: .null))'"] } ?? []))
    }

    private func notAtEnds(_ path: [String], _ query: Query, _ states: [JSONValue]) -> AbsentName? {
        let places = ends.map { "\($0)" }.joined(separator: " nor at ")
        var diagnostic = neverThere(path, query, states)
        guard !diagnostic.help.isEmpty || path.count == 1 && scope.store == nil else { return nil }
        diagnostic.message =
            path.count == 1 && scope.store == nil
            ? "there is no store '\(path[0])' at \(places)" : "there is no '\(JSONPointer(path).text)' at \(places)"
        if path.count > 1 || scope.store != nil { diagnostic.notes = [] }
        return AbsentName(segments: path, isNever: false, diagnostic: diagnostic)
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

    private func help(_ nearest: String, for path: [String]) -> String {
        let meant = path.dropLast() + [nearest]
        guard !meant.contains("*") else { return "write '\(nearest)'" }
        // All are names of members: elements are '*'.
        return "write '\(JQPath.text(of: JSONPointer(Array(meant)), in: .null))'"
    }

    package static func place(in query: Query, marking range: Range<Int>, _ label: String) -> Place {
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
