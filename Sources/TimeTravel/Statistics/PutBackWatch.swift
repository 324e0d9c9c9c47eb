import JSONCore

/// Notices values that are written and soon put back: work that nobody sees, or a flicker that everybody does.
///
/// It keeps what the last few commits replaced. A commit that writes at a path what stood there before one of those puts it
/// back. Elements that shift end what is remembered below their array.
struct PutBackWatch {
    /// How many commits a value may be away.
    static let window = 4

    /// How many changes of one commit are remembered; the rest are not watched.
    static let changesPerCommit = 128

    private struct Replaced {
        let path: JSONPointer
        let text: String
        let old: JSONValue
        let commit: Int
    }

    private var remembered: [Replaced] = []
    private var commits = 0

    /// Takes the changes of a commit, with paths of the whole state.
    ///
    /// - Returns: the paths whose values it put back.
    mutating func take(_ patch: JSONPatch) -> [JSONPointer] {
        commits += 1
        let oldest = commits - PutBackWatch.window
        remembered.removeAll { $0.commit < oldest }
        var back: [JSONPointer] = []
        for operation in patch.operations.prefix(PutBackWatch.changesPerCommit) {
            guard case .replace(let path, let value, let old?) = operation else {
                forget(around: operation.path)
                if let from = operation.from { forget(around: from) }
                continue
            }
            if value == old { continue }
            let text = path.text
            let isBack = remembered.contains {
                $0.commit < commits && UTF8Order.equal($0.text, text) && $0.old == value
            }
            if isBack {
                back.append(path)
                remembered.removeAll { UTF8Order.equal($0.text, text) }
            } else {
                remembered.append(Replaced(path: path, text: text, old: old, commit: commits))
            }
        }
        return back
    }

    private mutating func forget(around path: JSONPointer) {
        if remembered.isEmpty { return }
        let container = path.segments.dropLast()
        remembered.removeAll { entry in
            entry.path.segments.count >= container.count
                && zip(entry.path.segments, container).allSatisfy { UTF8Order.equal($0, $1) }
        }
    }
}
