package import JSONCore
package import TimeTravel

package struct Change: Sendable, Equatable {
    package enum Effect: Sendable, Equatable {
        case added(JSONValue)
        case removed(JSONValue?)
        case replaced(old: JSONValue?, new: JSONValue)
        case moved(from: String)
    }

    /// The path, beginning with the store's name unless one store is looked at.
    package let path: String
    package let effect: Effect

    package init(path: String, effect: Effect) { (self.path, self.effect) = (path, effect) }

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

package struct ChangeCounts: Equatable {
    package private(set) var added = 0
    package private(set) var removed = 0
    package private(set) var replaced = 0
    package private(set) var moved = 0

    package init(_ changes: [Change]) {
        for change in changes {
            switch change.effect {
            case .added: added += 1
            case .removed: removed += 1
            case .replaced: replaced += 1
            case .moved: moved += 1
            }
        }
    }

    /// As `1 added, 2 replaced`; kinds that do not occur are left out.
    package var text: String {
        [(added, "added"), (removed, "removed"), (replaced, "replaced"), (moved, "moved")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    /// As `3 changes: 1 added, 2 replaced`.
    package var sentence: String {
        let count = added + removed + replaced + moved
        return count == 0 ? "no changes" : count.counted("change") + ": " + text
    }

    package var json: JSONValue {
        .members([
            "added": .number(added), "removed": .number(removed), "replaced": .number(replaced),
            "moved": .number(moved),
        ])
    }
}

extension Int {
    /// So many of something, as `1 commit` or `3 commits`.
    package func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
