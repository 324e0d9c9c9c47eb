public import JSONCore

/// The states of stores along the lines of a replay of which none is left out, each brought to the next by the patch of its commit.
///
/// They are apart from those of the replay, so that both are changed in place: a state that is held while the replay continues
/// would be copied by its next commit.
public struct FollowedStores {
    private var states: JSONObject
    private let store: String?

    /// Begins with the state at the beginning of the range, of a store or, for nil, of all.
    public init(from state: JSONValue, of store: String?) {
        self.store = store
        states = JSONObject()
        restart(from: state)
    }

    /// Begins with the state before a line, where commits before it were lost.
    public mutating func prepare(for line: ReplayLine) {
        guard let state = line.beside?.restart else { return }
        restart(from: store.map { state.member($0) ?? .null } ?? state)
    }

    private mutating func restart(from state: JSONValue) {
        states = store.map { JSONObject([(key: $0, value: state)]) } ?? state.object ?? JSONObject()
    }

    /// Gives the state of a store to what changes it; null of one that is not open.
    public mutating func change(_ name: String, _ body: (inout JSONValue) -> Void) {
        var other = JSONValue.null
        if states.modify(name, body) == nil { body(&other) }
    }

    /// Opens the stores that opened after a line's commit, by which the states were changed already.
    ///
    /// Those that ended are dropped once they are more than the others, so that each is looked at a few times at most.
    public mutating func open(_ line: ReplayLine) {
        for name in line.beside?.opened ?? [] { states[name] = store == nil ? line.value.member(name) : line.value }
        guard store == nil, let open = line.value.object, states.count > 2 * open.count + 64 else { return }
        drop(ended(open))
    }

    private func ended(_ open: JSONObject) -> [String] { states.keys.filter { open[$0] == nil } }
    private mutating func drop(_ names: [String]) { for name in names { states.removeValue(forKey: name) } }

    /// Follows a line with the state of all stores.
    ///
    /// - Parameter patch: that of its commit, for the store that it has.
    /// - Returns: nil where the patch is all that lies between the line before and this one; else the states of both, without stores
    ///   that are surely the same in them.
    /// - Complexity: that of the patch; where stores opened, of the containers that the patch changes; where some ended, of the names of all.
    public mutating func follow(
        _ line: ReplayLine, _ patch: JSONPatch?, of changed: String
    ) -> (before: JSONValue, after: JSONValue)? {
        let after = line.value.object ?? JSONObject()
        if line.beside?.restart != nil {
            defer { states = after }
            return (.object(states), line.value)
        }
        let opened = line.beside?.opened ?? []
        if opened.isEmpty, after.count == states.count {
            apply(patch, to: changed)
            return nil
        }
        let added = Set(opened.map { ByteName($0) }).filter { states[$0.text] == nil }
        let ended = states.count + added.count == after.count ? [] : self.ended(after)
        let names = Set((opened + ended + [changed]).map { ByteName($0) }).sorted().map(\.text)
        let before = part(names)
        apply(patch, to: changed)
        open(line)
        drop(ended)
        return (before, part(names))
    }

    private mutating func apply(_ patch: JSONPatch?, to store: String) {
        let ascending = JSONPatch((patch?.operations ?? []).map { $0.ascending() })
        change(store) { state in _ = try? ascending.apply(to: &state, order: .ascending) }
    }

    private func part(_ names: [String]) -> JSONValue {
        .object(JSONObject(names.compactMap { name in states[name].map { (key: name, value: $0) } }))
    }
}
