package import JSONCore
package import QueryLanguage

/// What the options of a command give to each of its paths and queries: where they begin, and what queries may name.
///
/// Under `--store NAME` they begin at that store, without it at the store's name.
package struct StoreScope: Sendable {
    /// The one store that is looked at; nil for the whole state.
    package let store: String?
    package let environment: QueryEnvironment
    package let recovers: Bool

    package init(_ typed: TypedArguments) throws {
        store = typed.value(.store)
        environment = try QueryEnvironment(typed)
        recovers = typed.has(.recover)
    }

    package init(store: String?, _ environment: QueryEnvironment = .empty, recovers: Bool = false) {
        self.store = store
        self.recovers = recovers
        self.environment = environment
    }

    /// The scope in which words of queries name places of a state; none for nil.
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

    /// A path of the whole state as it is printed.
    package func text(of path: JSONPointer) -> String {
        store == nil ? path.text : JSONPointer(shown(path)).text
    }

    /// A path of the whole state as it is typed: a name in it that is `*` stands for itself.
    package func pattern(of path: JSONPointer) -> String { PathPattern(JSONPointer(shown(path))).text }

    package func text(of pattern: PathPattern) -> String {
        PathPattern(PathSteps(Array(pattern.steps.steps.dropFirst(store == nil ? 0 : 1)))).text
    }

    private func shown(_ path: JSONPointer) -> [String] {
        Array(path.segments.dropFirst(store == nil ? 0 : 1))
    }

    package func includes(_ store: String) -> Bool { self.store.map { UTF8Order.equal($0, store) } ?? true }

    /// What is read of a whole state to have that part of it.
    package var paths: PathSet {
        guard let store else { return .everything }
        var paths = PathSet.nothing
        paths.insert(JSONPointer([store]))
        return paths
    }

    /// The patterns of an option, as the whole state has them.
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

    /// A pattern that was typed, as the whole state has it.
    package func whole(_ pattern: PathPattern) -> PathPattern { store.map { pattern.below(store: $0) } ?? pattern }

    /// The part of a whole state that is looked at; null where the store is not open.
    package func part(of state: JSONValue) -> JSONValue {
        guard let store else { return state }
        guard case .object(let stores) = state else { return .null }
        return stores[store] ?? .null
    }
}
