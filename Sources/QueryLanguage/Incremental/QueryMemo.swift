package import JSONCore

/// What one evaluation of a query keeps for the next, along a run of states that differ little.
///
/// A fold (a sum, a count, `any`, `all`) keeps what each element gave, and the next evaluation runs its filter only on
/// those that changed, came or went. The answers are those of an evaluation without a memo; `QueryMemoTests` compares
/// the two. Unless the caller reports before an evaluation what differs (``note(changed:)``), every element is
/// evaluated.
///
/// A memo belongs to one thread and one query.
package final class QueryMemo {
    private var folds: [Fold]
    /// The places that changed since the last `forget`, one after another.
    private var places: [ChangedPlace] = []
    /// How many places were forgotten; a fold counts the places that it has applied from the first evaluation on.
    private var forgotten = 0
    /// How many of the places, forgotten ones included, lie before the state that `$old` is; nil if that is unknown.
    private var old: Int?
    /// Whether the caller has reported since the last evaluation what differs; if not, nothing is known of the state.
    private var isReported = false

    /// For how many more evaluations the memo is bypassed.
    private var idle = 0

    /// For how many evaluations the memo is bypassed after one that found only short arrays.
    private static let idleEvaluations = 15
    /// The most places that are kept; a fold that has not applied them by then evaluates every element.
    private static let placeLimit = 1024
    /// Below this length, re-evaluating every element is as fast as finding the changed ones.
    package static let fewestElements = 32
    /// The most evaluations for which a fold is not tried again after it could not be kept.
    private static let longestPause = 1 << 10

    private struct Fold {
        var state: FoldState?
        /// How many of the places, forgotten ones included, it has applied.
        var applied = 0
        /// For how many evaluations it is not tried again, and how many that was when it last failed.
        var pause = 0
        var lastPause = 0
        var isLarge = false
    }

    private let fewest: Int

    init(folds count: Int, fewest: Int) {
        folds = Array(repeating: Fold(), count: count)
        self.fewest = fewest
    }

    /// Whether the caller should report what changed: nothing is kept for short arrays.
    package private(set) var wantsPlaces = false

    /// - Parameter changed: the values that differ, came or went, one after another, where each was at that time; nil
    ///   if the difference is unknown. Their pointers contain no escapes (`~0`, `~1`): they are compared with the names
    ///   as bytes.
    package func note(changed: [ChangedPlace]?) {
        // Without a kept fold there is nothing that a difference could affect.
        guard wantsPlaces else { return }
        isReported = true
        guard let changed else { return forget() }
        if places.count + changed.count > QueryMemo.placeLimit { dropApplied() }
        guard places.count + changed.count <= QueryMemo.placeLimit else { return forget() }
        places += changed
    }

    private func dropApplied() {
        let applied = folds.lazy.filter { $0.state != nil }.map(\.applied).min() ?? forgotten
        guard applied > forgotten else { return }
        places.removeFirst(applied - forgotten)
        forgotten = applied
    }

    /// Reports that `$old` is the state that the differences up to now lead to, or that it is not known which one it is.
    package func note(oldIsKnown isKnown: Bool) { old = isKnown ? forgotten + places.count : nil }

    /// Makes every fold evaluate all of its elements.
    private func forget() {
        // One more than there are, so that no fold has applied the last one.
        forgotten += places.count + 1
        if !places.isEmpty { places.removeAll(keepingCapacity: true) }
    }

    func begin() -> Bool {
        guard idle == 0 else {
            idle -= 1
            return false
        }
        if !isReported { forget() }
        isReported = false
        return true
    }

    func end() {
        wantsPlaces = folds.contains(where: \.isLarge)
        if !wantsPlaces { idle = QueryMemo.idleEvaluations }
    }

    func result(of fold: FoldNode, _ input: JSONValue, _ frame: Frame) -> JSONValue? {
        let input = fold.path.isOld ? frame.machine[.old] : input
        guard let container = value(at: fold.path.names, of: input), let count = container.partCount else {
            folds[fold.index].state = nil
            folds[fold.index].isLarge = false
            return nil
        }
        if case .sameness(let isSame) = fold.kind {
            folds[fold.index].isLarge = true
            return self.isSame(fold, container, frame).map { .bool($0 == isSame) }
        }
        folds[fold.index].isLarge = count >= fewest
        guard folds[fold.index].isLarge else {
            folds[fold.index].state = nil
            return nil
        }
        guard let total = fold.place.isOld ? old : forgotten + places.count else {
            folds[fold.index].state = nil
            return nil
        }
        defer { folds[fold.index].applied = total }
        if let result = updated(fold, container, upTo: total, frame) { return result }
        guard folds[fold.index].pause == 0 else {
            folds[fold.index].pause -= 1
            return nil
        }
        let steps = frame.machine.stepsLeft
        folds[fold.index].state = FoldState(fold, container, frame)
        frame.machine.restore(steps: steps)
        let result = folds[fold.index].state?.result(frame)
        if result != nil {
            folds[fold.index].lastPause = 0
        } else {
            // Twice as long each time: a fold that never can be kept costs next to nothing in the end.
            folds[fold.index].lastPause = min(folds[fold.index].lastPause * 2 + 1, QueryMemo.longestPause)
            folds[fold.index].pause = folds[fold.index].lastPause
        }
        return result
    }

    private func updated(_ fold: FoldNode, _ container: JSONValue, upTo total: Int, _ frame: Frame) -> JSONValue? {
        guard folds[fold.index].state != nil else { return nil }
        guard let changed = changed(in: fold, upTo: total),
            folds[fold.index].state?.update(fold, container, changed, frame) == true
        else {
            folds[fold.index].state = nil
            return nil
        }
        return folds[fold.index].state?.result(frame)
    }

    /// Whether what is at a fold's place is what was there in `$old`; nil where that takes comparing all of it.
    private func isSame(_ fold: FoldNode, _ now: JSONValue, _ frame: Frame) -> Bool? {
        guard let old, forgotten <= old, let before = value(at: fold.place.names, of: frame.machine[.old]) else {
            return nil
        }
        let length = fold.place.names.reduce(0) { $0 + $1.utf8.count + 1 }
        for place in places[(old - forgotten)...] {
            switch QueryMemo.relation(of: place.pointer, to: fold.place.names) {
            case .beside: continue
            case .unknown: return nil
            case .part:
                let rest = String(decoding: place.pointer[length...], as: UTF8.self)
                guard place.change == .value, let pointer = try? JSONPointer(parsing: rest) else { return nil }
                if pointer.value(in: now) != pointer.value(in: before) { return false }
            }
        }
        return true
    }

    private func value(at path: [String], of input: JSONValue) -> JSONValue? {
        path.isEmpty ? input : input.value(alongMembers: path)
    }

    private func changed(in fold: FoldNode, upTo total: Int) -> [(part: [UInt8], change: ChangedPlace.Change)]? {
        let applied = folds[fold.index].applied
        guard forgotten <= applied, applied <= total else { return nil }
        var changed: [(part: [UInt8], change: ChangedPlace.Change)] = []
        for place in places[(applied - forgotten)..<(total - forgotten)] {
            switch QueryMemo.relation(of: place.pointer, to: fold.place.names) {
            case .beside: break
            case .part(let segment, let isWhole): changed.append((segment, isWhole ? place.change : .value))
            case .unknown: return nil
            }
        }
        return changed
    }

    private enum Relation {
        case beside
        /// It is an element or member, or inside of one: its index as a text, or its name.
        case part([UInt8], isWhole: Bool)
        case unknown
    }

    private static func relation(of place: [UInt8], to container: [String]) -> Relation {
        var start = 0
        for name in container {
            guard start < place.count else { return .unknown }
            let end = place[(start + 1)...].firstIndex(of: UInt8(ascii: "/")) ?? place.count
            guard place[(start + 1)..<end].elementsEqual(name.utf8) else { return .beside }
            start = end
        }
        guard start < place.count else { return .unknown }
        let end = place[(start + 1)...].firstIndex(of: UInt8(ascii: "/")) ?? place.count
        return .part(Array(place[(start + 1)..<end]), isWhole: end == place.count)
    }
}

extension JSONValue {
    fileprivate var partCount: Int? {
        switch self {
        case .array(let elements): elements.count
        case .object(let object): object.count
        case .null, .bool, .number, .string: nil
        }
    }
}

extension Query {
    /// Nil if the query has no fold; of an array with fewer elements than `fewest` nothing is kept.
    package func memo(fewest: Int = QueryMemo.fewestElements) -> QueryMemo? {
        foldCount > 0 ? QueryMemo(folds: foldCount, fewest: fewest) : nil
    }
}
