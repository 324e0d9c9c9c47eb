internal import JSONCore

/// What an evaluation of a query keeps for the next, where states follow one another and it is known what differs.
///
/// What a query makes of all elements of an array (a sum, a count, `any`, `all`) is then not evaluated anew, but only what the
/// elements give that were replaced. The answers are those of an evaluation without it. Before each evaluation it is told what
/// differs (``note(replaced:)``); where it is not, nothing is taken for known.
///
/// Belongs to one thread and one query.
package final class QueryMemo {
    private var folds: [Fold]
    /// The places that were replaced lately, as pointers' texts.
    private var replaced: [[UInt8]] = []
    /// How many were forgotten.
    private var forgotten = 0
    /// Whether it was said since the last evaluation what differs: else nothing is known of the state.
    private var isFollowed = false

    /// For how many evaluations more nothing is kept.
    private var idle = 0

    /// For how many evaluations nothing is looked for where all arrays are short.
    private static let idleEvaluations = 15
    /// More places than this are not remembered: whoever has not looked at them looks at everything.
    private static let placeLimit = 1024
    /// Fewer elements than this are as soon looked at as it is found out which of them were replaced.
    package static let fewestElements = 32
    /// How often at most a fold is passed over that could not be kept.
    private static let patience = 1 << 10

    /// What is kept of one fold.
    private struct Fold {
        var state: FoldState?
        /// How many of the places it has looked at.
        var seen = 0
        /// How often it could not be kept, and for how many evaluations it is not tried again.
        var failures = 0
        var rest = 0
        /// Whether its array was worth it when it was looked at last.
        var isLarge = false
    }

    /// How many elements an array has at least of which anything is kept.
    private let fewest: Int

    init(folds count: Int, fewest: Int) {
        folds = Array(repeating: Fold(), count: count)
        self.fewest = fewest
    }

    /// Whether it is of use to be told what is replaced: nothing is kept of short arrays.
    package private(set) var wantsPlaces = false

    /// Takes what differs from the state before.
    ///
    /// - Parameter places: the pointers of values that were replaced, from the whole state; nil where something else changed, or
    ///   it is not known.
    package func note(replaced places: [[UInt8]]?) {
        // Of what is not kept nothing differs.
        guard wantsPlaces else { return }
        isFollowed = true
        guard let places, replaced.count + places.count <= QueryMemo.placeLimit else { return forget() }
        replaced += places
    }

    /// Nothing is known of what differs.
    private func forget() {
        // One more than there are, so that nobody has seen the last.
        forgotten += replaced.count + 1
        if !replaced.isEmpty { replaced.removeAll(keepingCapacity: true) }
    }

    /// Begins an evaluation; false where it is as well done without.
    func begin() -> Bool {
        guard idle == 0 else {
            idle -= 1
            return false
        }
        if !isFollowed { forget() }
        isFollowed = false
        return true
    }

    /// Ends it: where all arrays are short, it is looked again only now and then.
    func end() {
        wantsPlaces = folds.contains(where: \.isLarge)
        if !wantsPlaces { idle = QueryMemo.idleEvaluations }
    }

    /// What a fold gives; nil where everything is to be evaluated.
    func result(of fold: FoldNode, _ input: JSONValue, _ frame: Frame) -> JSONValue? {
        guard case .array(let elements)? = value(at: fold.path, of: input) else {
            folds[fold.index].state = nil
            folds[fold.index].isLarge = false
            return nil
        }
        folds[fold.index].isLarge = elements.count >= fewest
        guard folds[fold.index].isLarge else {
            folds[fold.index].state = nil
            return nil
        }
        let total = forgotten + replaced.count
        defer { folds[fold.index].seen = total }
        if let result = updated(fold, elements, frame) { return result }
        guard folds[fold.index].rest == 0 else {
            folds[fold.index].rest -= 1
            return nil
        }
        let steps = frame.machine.stepsLeft
        folds[fold.index].state = FoldState(fold, elements, frame)
        frame.machine.restore(steps: steps)
        let result = folds[fold.index].state?.result(frame)
        if result != nil {
            folds[fold.index].failures = 0
        } else {
            folds[fold.index].failures = min(folds[fold.index].failures * 2 + 1, QueryMemo.patience)
            folds[fold.index].rest = folds[fold.index].failures
        }
        return result
    }

    /// What a fold gives that was kept, once the elements that were replaced were looked at again.
    private func updated(_ fold: FoldNode, _ elements: [JSONValue], _ frame: Frame) -> JSONValue? {
        guard folds[fold.index].state != nil else { return nil }
        guard let indices = indices(fold), folds[fold.index].state?.update(fold, elements, at: indices, frame) == true
        else {
            folds[fold.index].state = nil
            return nil
        }
        return folds[fold.index].state?.result(frame)
    }

    private func value(at path: [String], of input: JSONValue) -> JSONValue? {
        path.isEmpty ? input : input.value(alongMembers: path)
    }

    /// The elements of a fold's array that were replaced since it was looked at; nil where that is not known.
    private func indices(_ fold: FoldNode) -> [Int]? {
        let seen = folds[fold.index].seen - forgotten
        guard seen >= 0 else { return nil }
        var indices: [Int] = []
        for place in replaced[seen...] {
            switch QueryMemo.relation(of: place, to: fold.place) {
            case .beside: break
            case .element(let index): indices.append(index)
            case .unknown: return nil
            }
        }
        return indices
    }

    /// How a place lies to an array.
    private enum Relation {
        case beside
        case element(Int)
        case unknown
    }

    private static func relation(of place: [UInt8], to array: [String]) -> Relation {
        var start = 0
        for name in array {
            guard start < place.count else { return .unknown }
            let end = place[(start + 1)...].firstIndex(of: UInt8(ascii: "/")) ?? place.count
            guard place[(start + 1)..<end].elementsEqual(name.utf8) else { return .beside }
            start = end
        }
        guard start < place.count else { return .unknown }
        let end = place[(start + 1)...].firstIndex(of: UInt8(ascii: "/")) ?? place.count
        guard let index = JSONPointer.arrayIndex(String(decoding: place[(start + 1)..<end], as: UTF8.self)) else {
            return .unknown
        }
        return .element(index)
    }
}

extension Query {
    /// What evaluations of the query can keep from one state to the next; nil where there is nothing to keep.
    ///
    /// - Parameter fewest: how many elements an array has at least of which anything is kept.
    package func memo(fewest: Int = QueryMemo.fewestElements) -> QueryMemo? {
        foldCount > 0 ? QueryMemo(folds: foldCount, fewest: fewest) : nil
    }
}
