import JSONCore
import JournalFormat

/// What the records of a run change at the places that match some paths, found by the paths of their operations: the other
/// places are not looked at.
///
/// The state before each record is kept for that; objects share what a record left alone, arrays are copied.
struct PlaceChanges {
    /// One place that differs.
    struct Change {
        let path: JSONPointer
        /// What was there; nil for nothing.
        let old: JSONValue?
        /// What is there; nil for nothing.
        let value: JSONValue?
    }

    private let matcher: PathMatcher
    /// The one path, where there is one: then no patch needs to be looked at.
    private let onlyRoot: [[String]]?
    private var before: JSONValue

    /// Begins with a state.
    init(_ matcher: PathMatcher, _ state: JSONValue) {
        self.matcher = matcher
        onlyRoot = matcher.onlyPath.map { [$0] }
        before = state
    }

    /// What a record changed, in document order, first what is there and then what is no longer.
    ///
    /// - Parameter state: the state after it.
    mutating func changes(by record: OwnedRecord, _ step: QuestionPass.Step, to state: JSONValue) -> [Change] {
        defer { before = state }
        var changes: [Change] = []
        var gone: [Change] = []
        for root in onlyRoot ?? roots(of: record, step, state) {
            let new = matches(below: root, in: state)
            for path in new {
                let (old, value) = (path.value(in: before), path.value(in: state))
                if old != value { changes.append(Change(path: path, old: old, value: value)) }
            }
            for path in matches(below: root, in: before) where path.value(in: state) == nil {
                gone.append(Change(path: path, old: path.value(in: before), value: nil))
            }
        }
        return changes + gone
    }

    /// The paths at and below which a record may have changed something, none inside another, in document order.
    private func roots(of record: OwnedRecord, _ step: QuestionPass.Step, _ state: JSONValue) -> [[String]] {
        guard step.kind == .commit, step.offset != nil, storeCount(of: before) <= storeCount(of: state),
            let commit = try? record.decode({ (object) throws(RecordFault) in try CommitRecord(object) })
        else { return [[]] }
        var roots: [[String]] = []
        func add(_ path: [String]) {
            switch matcher.meeting(path) {
            case .outside: return
            case .inside(let depth): roots.append(Array(path.prefix(depth)))
            case .above: roots.append(path)
            }
        }
        for operation in commit.patch.operations {
            switch operation {
            case .replace(let path, _, _): add([commit.store] + path.segments)
            case .add(let path, _), .remove(let path, _), .copy(_, let path):
                add(root([commit.store] + path.segments, state))
            case .move(let from, let path):
                add(root([commit.store] + from.segments, state))
                add(root([commit.store] + path.segments, state))
            case .test: break
            }
        }
        return roots.count > 1 ? PlaceChanges.outermost(roots) : roots
    }

    /// An element that comes or goes moves those behind it: its array is what changes.
    private func root(_ path: [String], _ state: JSONValue) -> [String] {
        let parent = JSONPointer(path.dropLast())
        if case .array? = parent.value(in: state) { return parent.segments }
        if case .array? = parent.value(in: before) { return parent.segments }
        return path
    }

    /// The paths that match at, above or below a root.
    private func matches(below root: [String], in state: JSONValue) -> [JSONPointer] {
        switch matcher.meeting(root) {
        case .outside: return []
        case .inside(let depth):
            let path = JSONPointer(Array(root.prefix(depth)))
            return path.value(in: state) == nil ? [] : [path]
        case .above(let place):
            guard let value = JSONPointer(root).value(in: state) else { return [] }
            return matcher.matches(in: value, at: place, path: root)
        }
    }

    private func storeCount(of state: JSONValue) -> Int {
        guard case .object(let stores) = state else { return 0 }
        return stores.count
    }

    /// The paths without those inside another, as they stand in a document.
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
