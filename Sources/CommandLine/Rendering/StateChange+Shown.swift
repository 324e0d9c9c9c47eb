package import JSONCore
package import TimeTravel

extension StateChange {
    /// With the paths as they are shown: under `--store NAME` they begin at that store.
    package func shown(in scope: StoreScope) -> StateChange {
        guard scope.store != nil else { return self }
        let path = scope.shown(path)
        return switch kind {
        case .added, .removed, .replaced: StateChange(path: path, kind: kind)
        case .moved(let from): StateChange(path: path, kind: .moved(from: scope.shown(from)))
        case .copied(let from): StateChange(path: path, kind: .copied(from: scope.shown(from)))
        }
    }

    /// The path as people read it.
    package var place: String { path.segments.isEmpty ? "(all)" : path.text }
}

package struct ChangeCounts: Equatable {
    package private(set) var added = 0
    package private(set) var removed = 0
    package private(set) var replaced = 0
    package private(set) var moved = 0

    package init(_ changes: [StateChange]) {
        for change in changes {
            switch change.kind {
            case .added, .copied: added += 1
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
