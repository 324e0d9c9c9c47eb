import JSONCore

/// What `--store NAME` makes of paths: with it they begin at that store, without it at the store's name.
struct StoreScope: Sendable, Equatable {
    /// The one store that is looked at; nil for the whole state.
    let store: String?

    /// The scope that was typed.
    init(_ typed: TypedArguments) { store = typed.value(.store) }

    /// The scope of one store, or of the whole state.
    init(store: String?) { self.store = store }

    /// A path of the whole state as it is printed.
    func text(of path: JSONPointer) -> String {
        store == nil ? path.text : JSONPointer(Array(path.segments.dropFirst())).text
    }

    /// Whether a store's commits are looked at.
    func includes(_ store: String) -> Bool { self.store.map { UTF8Order.equal($0, store) } ?? true }

    /// What is read of a whole state to have that part of it.
    var paths: PathSet {
        guard let store else { return .everything }
        var paths = PathSet.nothing
        paths.insert(JSONPointer([store]))
        return paths
    }

    /// The patterns of an option, as the whole state has them.
    func patterns(_ typed: TypedArguments, _ option: OptionName) throws(UsageError) -> [PathPattern] {
        var patterns: [PathPattern] = []
        for text in typed.all(option) {
            let pattern = try PathPattern(parsing: text, of: option)
            patterns.append(store.map { pattern.below(store: $0) } ?? pattern)
        }
        return patterns
    }

    /// The part of a whole state that is looked at; null where the store is not open.
    func part(of state: JSONValue) -> JSONValue {
        guard let store else { return state }
        guard case .object(let stores) = state else { return .null }
        return stores[store] ?? .null
    }
}
