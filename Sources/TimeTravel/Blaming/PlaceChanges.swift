import JSONCore
import JournalFormat
import JournalReading

/// What records change at places that match some paths, found by the paths of their operations.
///
/// What stands there is noted before a record is applied, and compared afterwards: what a record leaves alone is never
/// copied.
struct PlaceChanges: Sendable {
    struct PlaceChange: Sendable {
        let path: JSONPointer
        let old: JSONValue?
        let value: JSONValue?
    }

    typealias Match = (path: JSONPointer, value: JSONValue)

    private struct Root: Sendable {
        let path: [String]
        var matches: [Match]
    }

    private let matcher: PathMatcher
    /// The one path, where there is one: then no patch needs to be examined.
    private let onlyRoot: [[String]]?
    private var roots: [Root] = []
    private var isBroken = false

    init(_ matcher: PathMatcher) {
        self.matcher = matcher
        onlyRoot = matcher.onlyPath.map { [$0] }
    }

    /// - Parameter line: nil for a commit that is known only to make a store go away.
    mutating func note(before line: RecordLine?, _ state: PositionState) {
        let broken = isBroken ? roots : []
        isBroken = false
        let paths = onlyRoot ?? line.flatMap { PlaceChanges.places($0, state) }.map(roots(of:)) ?? [[]]
        roots = paths.map { Root(path: $0, matches: matches(below: $0, in: state.value)) }
        if !broken.isEmpty { restore(broken) }
    }

    mutating func fail() { isBroken = true }

    /// In document order, first what is there and then what is no longer.
    func changes(to state: JSONValue) -> [PlaceChange] {
        var changes: [PlaceChange] = []
        var gone: [PlaceChange] = []
        for root in roots {
            let found = Self.differences(from: root.matches, to: matches(below: root.path, in: state))
            changes += found.there
            gone += found.gone
        }
        return changes + gone
    }

    static func differences(from old: [Match], to new: [Match]) -> (there: [PlaceChange], gone: [PlaceChange]) {
        if old.elementsEqual(new, by: { $0.path == $1.path }) {
            let changed = zip(old, new).filter { $0.value != $1.value }
            return (changed.map { PlaceChange(path: $1.path, old: $0.value, value: $1.value) }, [])
        }
        var before = Dictionary(uniqueKeysWithValues: old.map { ($0.path, $0.value) })
        var there: [PlaceChange] = []
        for match in new {
            let old = before.removeValue(forKey: match.path)
            if old != match.value { there.append(PlaceChange(path: match.path, old: old, value: match.value)) }
        }
        let gone = old.filter { before[$0.path] != nil }
        return (there, gone.map { PlaceChange(path: $0.path, old: $0.value, value: nil) })
    }

    private mutating func restore(_ broken: [Root]) {
        for index in roots.indices {
            let root = roots[index].path
            roots[index].matches.removeAll { match in
                broken.contains { match.path.segments.starts(with: $0.path, by: UTF8Order.equal) }
            }
            let earlier = broken.lazy.flatMap(\.matches).filter {
                $0.path.segments.starts(with: root, by: UTF8Order.equal)
            }
            roots[index].matches = (roots[index].matches + earlier).sorted {
                PlaceChanges.precedes($0.path.segments, $1.path.segments)
            }
        }
    }

    // MARK: Where a record may change something

    /// Nil where it may be any place.
    private static func places(_ line: RecordLine, _ state: PositionState) -> [[String]]? {
        guard line.kind == .commit, state.closing.isEmpty, let commit = CommitText(line),
            let store = commit.store.string
        else { return nil }
        func whole(_ path: JSONToken?) -> [String]? {
            path?.string.flatMap { try? JSONPointer(parsing: $0) }.map { [store] + $0.segments }
        }
        var places: [[String]] = []
        for operation in commit.operations {
            guard let name = operation.name, let path = whole(operation.path) else { return nil }
            switch name {
            case .replace: places.append(path)
            case .add, .remove, .copy: places.append(shifted(path, state))
            case .move:
                guard let from = whole(operation.from) else { return nil }
                places += [shifted(from, state), shifted(path, state)]
            case .test: break
            }
        }
        return places
    }

    /// An element that comes or goes moves those after it, so its array is what changes.
    private static func shifted(_ path: [String], _ state: PositionState) -> [String] {
        let parent = JSONPointer(path.dropLast())
        if case .array? = parent.value(in: state.value) { return parent.segments }
        return path
    }

    private func roots(of paths: [[String]]) -> [[String]] {
        let roots = paths.compactMap { path -> [String]? in
            switch matcher.meeting(path) {
            case .outside: nil
            case .inside(let depth): Array(path.prefix(depth))
            case .above: path
            }
        }
        return roots.count > 1 ? PlaceChanges.outermost(roots) : roots
    }

    private func matches(below root: [String], in state: JSONValue) -> [Match] {
        switch matcher.meeting(root) {
        case .outside: return []
        case .inside(let depth):
            let path = JSONPointer(Array(root.prefix(depth)))
            return path.value(in: state).map { [(path, $0)] } ?? []
        case .above(let place):
            guard let value = JSONPointer(root).value(in: state) else { return [] }
            return matcher.matches(in: value, at: place, path: root)
        }
    }

    private static func outermost(_ paths: [[String]]) -> [[String]] {
        var kept: [[String]] = []
        for path in paths.sorted(by: precedes)
        where kept.last.map({ !path.starts(with: $0, by: UTF8Order.equal) }) ?? true {
            kept.append(path)
        }
        return kept
    }

    private static func precedes(_ left: [String], _ right: [String]) -> Bool {
        for (a, b) in zip(left, right) where !UTF8Order.equal(a, b) {
            if let first = JSONPointer.arrayIndex(a), let second = JSONPointer.arrayIndex(b) { return first < second }
            return UTF8Order.isLess(a, b)
        }
        return left.count < right.count
    }
}
