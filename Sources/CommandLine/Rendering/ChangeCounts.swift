package import JSONCore

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
        var object = JSONObject()
        object["added"] = .number(JSONNumber(added))
        object["removed"] = .number(JSONNumber(removed))
        object["replaced"] = .number(JSONNumber(replaced))
        object["moved"] = .number(JSONNumber(moved))
        return .object(object)
    }
}

extension Int {
    /// So many of something, as `1 commit` or `3 commits`.
    package func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
