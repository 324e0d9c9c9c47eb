package import JSONCore
package import JournalFormat
package import JournalReading
package import QueryLanguage

/// Where paths and queries begin: under `--store NAME` at that store, without it at the store's name.
package struct StoreScope: Sendable {
    /// Nil for the whole state.
    package let store: String?
    package let environment: QueryEnvironment
    package let recovers: Bool

    package init(_ typed: TypedArguments) throws {
        store = typed.value(.store)
        environment = try QueryEnvironment(typed)
        recovers = typed.has(.recover)
    }

    package init(store: String?, _ environment: QueryEnvironment = .empty, recovers: Bool = false) {
        (self.store, self.recovers, self.environment) = (store, recovers, environment)
    }

    /// Words of queries then name places of `state`; none for nil.
    package func naming(_ state: JSONValue?) -> StoreScope {
        var environment = environment
        (environment.paths, environment.nearPaths) = (nil, nil)
        if let state {
            let (part, isStore) = (part(of: state), store != nil)
            environment.paths = { BarePath.paths(of: $0, in: part, isStore: isStore) }
            environment.nearPaths = { BarePath.near($0, in: part, isStore: isStore) }
        }
        return StoreScope(store: store, environment, recovers: recovers)
    }

    package func text(of path: JSONPointer) -> String { shown(path).text }

    /// A path of the whole state as it is typed: a name in it that is `*` stands for itself.
    package func pattern(of path: JSONPointer) -> String { PathPattern(shown(path)).text }

    package func text(of pattern: PathPattern) -> String {
        PathPattern(PathSteps(Array(pattern.steps.steps.dropFirst(store == nil ? 0 : 1)))).text
    }

    package func shown(_ path: JSONPointer) -> JSONPointer {
        store == nil ? path : JSONPointer(Array(path.segments.dropFirst()))
    }

    package func includes(_ store: String) -> Bool { self.store.map { UTF8Order.equal($0, store) } ?? true }

    package var paths: PathSet {
        guard let store else { return .everything }
        var paths = PathSet.nothing
        paths.insert(JSONPointer([store]))
        return paths
    }

    package func patterns(_ typed: TypedArguments, _ option: Option) throws(UsageError) -> [PathPattern] {
        var patterns: [PathPattern] = []
        for text in typed.all(option) { patterns.append(whole(try PathPattern(parsing: text, of: option))) }
        return patterns
    }

    package func patterns(operands: [String]) throws(UsageError) -> [PathPattern] {
        var patterns: [PathPattern] = []
        for text in operands { patterns.append(whole(try PathPattern(parsing: text, operand: "PATH"))) }
        return patterns
    }

    package func whole(_ pattern: PathPattern) -> PathPattern { store.map { pattern.below(store: $0) } ?? pattern }

    /// Null where the store is not open.
    package func part(of state: JSONValue) -> JSONValue {
        guard let store else { return state }
        guard case .object(let stores) = state else { return .null }
        return stores[store] ?? .null
    }

    /// Where the journal never has such a store; one seek where it is open there, else a pass over the journal.
    package func checkStore(in journal: Journal, near position: CommitNumber) throws {
        guard let store, try !Self.isOpen(store, in: Self.stores(near: position, in: journal)) else { return }
        var things = [NamedThing.store(store)]
        guard try NamedThing.look(for: &things, in: journal), !things[0].isMet else { return }
        throw things[0].absence(in: journal.path)
    }

    package func checkStore(in journal: Journal, isOpenAt position: CommitNumber) throws {
        guard let store else { return }
        let open = try Self.stores(openAt: position, in: journal)
        guard !Self.isOpen(store, in: open) else { return }
        throw JournalError(path: journal.path, .noSuchStore(name: store, at: position, known: open))
    }

    /// The stores that are open at a position; none where damage hides them that is looked around.
    private static func stores(near position: CommitNumber, in journal: Journal) throws -> [String] {
        do { return try stores(openAt: position, in: journal) } catch let error as JournalError
            where error.isDamage && journal.recovers
        {
            return []
        }
    }

    private static func isOpen(_ store: String, in names: [String]) -> Bool {
        names.contains { UTF8Order.equal($0, store) }
    }

    /// - Complexity: that of one seek; no value of a store is built.
    private static func stores(openAt position: CommitNumber, in journal: Journal) throws -> [String] {
        var kinds = PathSet.nothing
        kinds.insert([.each], reading: .shallow)
        return try journal.state(at: position, pruning: kinds).stores.keys
    }
}

/// The commits with which a store ended (a `close` takes effect with the next commit, whichever store that is of): a
/// class, because a filter is handed around by value, and the ends are looked up once for all copies.
package final class StoreEnds {
    private let store: String
    private var find: (() -> Set<CommitNumber>)?
    private var found: Set<CommitNumber> = []

    package init(of store: String) { self.store = store }

    /// What lies in damage is left out: the answer reports that.
    package func follow(_ journal: Journal, _ range: PositionRange, recovers: Bool) {
        find = { [store] in
            var paths = PathSet.nothing
            paths.insert(JSONPointer([store]))
            var filter = RecordFilter(touching: paths, kinds: [.store, .close])
            // A store that was closed directly before the range ends with its first commit.
            let lower = range.lower
            guard
                var reader = lower == journal.start
                    ? journal.records(recover: recovers)
                    : try? journal.records(after: lower.previous, through: range.upper, recover: recovers)
            else { return [] }
            var ends: Set<CommitNumber> = []
            while let line = try? reader.next(matching: &filter), line.seq < range.upper {
                guard let name = try? line.storeName(), UTF8Order.equal(name, store) else { continue }
                if line.kind == .close { ends.insert(line.seq.next) }
                // Opened again before the next commit, it did not end.
                if line.kind == .store { ends.remove(line.seq.next) }
            }
            return ends
        }
    }

    /// - Complexity: a scan of the range's bytes, once.
    package func contains(_ commit: CommitNumber) -> Bool {
        if let find = find.take() { found = find() }
        return found.contains(commit)
    }
}
