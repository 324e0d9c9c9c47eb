package import JSONCore
package import TimeTravel

extension Change {
    package init(_ change: StateChange, scope: StoreScope) {
        path = scope.text(of: change.path)
        switch change.kind {
        case .added(let value): effect = .added(value)
        case .removed(let old): effect = .removed(old)
        case .replaced(let value, let old): effect = .replaced(old: old, new: value)
        case .moved(let from): effect = .moved(from: scope.text(of: from))
        }
    }

    package static func all(of patch: JSONPatch, store: String, scope: StoreScope) -> [Change] {
        StateChange.all(in: patch.inStore(store)).map { Change($0, scope: scope) }
    }
}
