internal import JSONCore

/// The names of the members that lead to a part of a state.
struct FoldPath {
    var isOld = false
    var names: [String] = []

    static func + (first: FoldPath, second: FoldPath) -> FoldPath {
        second.isOld ? second : FoldPath(isOld: first.isOld, names: first.names + second.names)
    }
}

/// A fold over all elements of an array in the state, or members of an object: a sum, a count, `any` or `all`.
///
/// It is a fast path for `plain`. With a ``QueryMemo`` it evaluates only the elements that changed since. Without one,
/// and wherever something is unexpected (an error, a value without elements, a sum of other values than numbers), it
/// falls back to `plain`.
final class FoldNode: Node {
    enum Combination: Equatable {
        case sum
        case count
        /// Whether one is true (`any`), or none is false (`all`).
        case quantifier(decisive: Bool)
        /// Whether the whole is what it is in `$old`, or is not.
        case sameness(isSame: Bool)
    }

    let kind: Combination
    let place: FoldPath
    let path: FoldPath
    /// The filter that runs on each element, whose outputs depend on that alone; of a quantifier it has one at most.
    let transform: Node
    /// What is given in place of null or false, as by `add // 0`.
    let otherwise: JSONValue?
    let plain: Node
    let index: Int

    init(
        _ kind: Combination, place: FoldPath, path: FoldPath, _ transform: Node, otherwise: JSONValue? = nil,
        plain: Node,
        index: Int
    ) {
        self.kind = kind
        self.place = place
        self.path = path
        self.transform = transform
        self.otherwise = otherwise
        self.plain = plain
        self.index = index
    }

    override var parts: [Node] { [transform, plain] }
    override var inferredCardinality: Cardinality { .one }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard let memo = frame.machine.memo, let result = memo.result(of: self, input, frame) else {
            return try plain.one(input, frame)
        }
        if let otherwise, !result.isTruthy { return otherwise }
        return result
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract { plain.trace(input, frame) }
}

/// What each element contributes to a fold, and the result: that of evaluating all elements in order.
///
/// A sum of floating-point numbers depends on that order, so it is added up again, by chunks (``ChunkSum``); a sum of
/// small whole numbers is exact, and kept.
struct FoldState {
    fileprivate struct Part {
        var isPresent = false
        /// For a sum the number; for a quantifier 1 if the element decides, else 0.
        var number = 0.0
        var cost = 0
        var name = ""
    }

    private let kind: FoldNode.Combination
    /// Members are in the ascending order that a state has.
    private var parts: ChunkedList<Part>
    private let isObject: Bool
    /// Whether an element may contribute the sum of several numbers: then that of all cannot be added up in order.
    private let isGrouped: Bool
    private var present = 0
    /// The sum of the small whole numbers, and the sum of their magnitudes.
    private var sum = 0
    private var magnitude = 0
    /// How many numbers are not small and whole: if there are any, the sum depends on the order of addition.
    private var others = 0
    private var chunkSums: [ChunkSum] = []
    /// How many steps it takes to evaluate all elements; they are charged each time, so that limits act as without a memo.
    private var cost = 0

    private static let exactLimit = 1 << 53
    /// The most outputs for an element that are added up, so that no sum on the way is greater than those that are checked.
    private static let outputLimit = 1024
    /// Below this, no array is so long that the sum of its numbers overflows.
    private static let smallLimit = 2_147_483_648.0

    /// The most elements that come and go at once and are followed: each moves the places of the others.
    private static let shiftLimit = 64

    /// Nil if an element fails, or its output cannot be kept.
    init?(_ fold: FoldNode, _ container: JSONValue, _ frame: Frame) {
        kind = fold.kind
        isGrouped = fold.transform.cardinality == .many
        var parts: [Part] = []
        switch container {
        case .array(let values):
            isObject = false
            parts.reserveCapacity(values.count)
            for value in values {
                guard let part = FoldState.part(fold, value, frame) else { return nil }
                parts.append(part)
            }
        case .object(let object):
            isObject = true
            parts.reserveCapacity(object.count)
            for (name, value) in object {
                guard var part = FoldState.part(fold, value, frame) else { return nil }
                // In any other order a name would have to be searched for.
                if let last = parts.last, !UTF8Order.isLess(last.name, name) { return nil }
                part.name = name
                parts.append(part)
            }
        default: return nil
        }
        self.parts = ChunkedList(parts)
        for part in parts { add(part, 1) }
    }

    /// False if the outputs cannot be kept; `changes` came one after another; each part is an index as a text, or a
    /// name.
    mutating func update(
        _ fold: FoldNode, _ container: JSONValue, _ changes: [(part: [UInt8], change: ChangedPlace.Change)],
        _ frame: Frame
    ) -> Bool {
        let before = frame.machine.stepsLeft
        defer { frame.machine.restore(steps: before) }
        switch container {
        case .array(let values) where !isObject:
            guard let indices = moved(changes), parts.count == values.count else { return false }
            for index in indices where !replace(at: index, fold, values[index], frame) { return false }
            return true
        case .object(let object) where isObject:
            for change in changes {
                guard change.change == .value else { return false }
                let name = String(decoding: change.part, as: UTF8.self)
                let index = index(of: name)
                let isKnown = index < parts.count && UTF8Order.equal(parts[index].name, name)
                if let value = object[name] {
                    if !isKnown { parts.insert(Part(name: name), at: index) }
                    guard replace(at: index, fold, value, frame) else { return false }
                } else if isKnown {
                    add(parts.remove(at: index), -1)
                }
            }
            return parts.count == object.count
        default: return false
        }
    }

    /// Lets elements come and go; the indices that those which changed have in the end, nil if they cannot be followed.
    private mutating func moved(_ changes: [(part: [UInt8], change: ChangedPlace.Change)]) -> Set<Int>? {
        guard changes.count(where: { $0.change != .value }) <= FoldState.shiftLimit else { return nil }
        var indices: Set<Int> = []
        for (part, change) in changes {
            guard let index = JSONPointer.arrayIndex(String(decoding: part, as: UTF8.self)),
                index < parts.count || change == .insertion && index == parts.count
            else { return nil }
            if change == .removal {
                add(parts.remove(at: index), -1)
                indices.remove(index)
                if index < parts.count { indices = Set(indices.map { $0 < index ? $0 : $0 - 1 }) }
                continue
            }
            if change == .insertion {
                if index < parts.count { indices = Set(indices.map { $0 < index ? $0 : $0 + 1 }) }
                parts.insert(Part(), at: index)
            }
            indices.insert(index)
        }
        return indices
    }

    private func index(of name: String) -> Int {
        var (low, high) = (0, parts.count)
        while low < high {
            let middle = (low + high) / 2
            if UTF8Order.isLess(parts[middle].name, name) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func replace(at index: Int, _ fold: FoldNode, _ value: JSONValue, _ frame: Frame) -> Bool {
        guard var part = FoldState.part(fold, value, frame) else { return false }
        let former = parts[index]
        part.name = former.name
        parts[index] = part
        add(former, -1)
        add(part, 1)
        return true
    }

    mutating func result(_ frame: Frame) -> JSONValue? {
        guard frame.machine.stepsLeft > 2 * cost, (try? frame.machine.charge(work: cost)) != nil else { return nil }
        switch kind {
        case .count: return .number(JSONNumber(sum))
        case .quantifier(let decisive): return .bool(sum > 0 ? decisive : !decisive)
        case .sameness: return nil
        case .sum:
            // A single number is the sum itself, with its text as written.
            if present < 2 { return present == 0 ? .null : nil }
            // Among several numbers of an element the sum may have been greater than after it.
            if others == 0, magnitude < (isGrouped ? FoldState.exactLimit / 2 : FoldState.exactLimit) {
                return .number(JSONNumber(sum))
            }
            if isGrouped { return nil }
            return Arithmetic.number(orderedSum())
        }
    }

    /// - Complexity: that of the chunks that changed, and O(1) for each other in which the sum keeps its exponent.
    private mutating func orderedSum() -> Double {
        var sum: Double?
        var place = 0
        parts.forEachChunk { chunk, version in
            if place == chunkSums.count { chunkSums.append(ChunkSum()) }
            let end = sum.flatMap { chunkSums[place].end(from: $0, of: chunk, version) }
            if let end {
                sum = end
            } else {
                for part in chunk where part.isPresent { sum = sum.map { $0 + part.number } ?? part.number }
            }
            place += 1
        }
        return sum ?? 0
    }

    private mutating func add(_ part: Part, _ sign: Int) {
        cost += sign * part.cost
        guard part.isPresent else { return }
        present += sign
        let isZeroBelow = part.number == 0 && part.number.sign == .minus
        if let whole = Int(exactly: part.number), abs(part.number) < FoldState.smallLimit, !isZeroBelow {
            sum += sign * whole
            magnitude += sign * abs(whole)
        } else {
            others += sign
        }
    }

    private static func part(_ fold: FoldNode, _ element: JSONValue, _ frame: Frame) -> Part? {
        let before = frame.machine.stepsLeft
        guard var part = output(fold, element, frame) else { return nil }
        part.cost = before - frame.machine.stepsLeft + fold.transform.stepCost + 2
        return part
    }

    private static func output(_ fold: FoldNode, _ element: JSONValue, _ frame: Frame) -> Part? {
        guard fold.transform.cardinality != .many else { return outputs(fold, element, frame) }
        let output: JSONValue?
        do throws(Interruption) { output = try fold.transform.one(element, frame) } catch { return nil }
        guard let output else { return Part() }
        switch fold.kind {
        case .count: return Part(isPresent: true, number: 1)
        case .quantifier(let decisive): return Part(isPresent: true, number: output.isTruthy == decisive ? 1 : 0)
        case .sum: return number(output).map { Part(isPresent: true, number: $0) }
        case .sameness: return nil
        }
    }

    /// The outputs for an element that has many: how many there are, or their sum where it is that of small whole numbers.
    private static func outputs(_ fold: FoldNode, _ element: JSONValue, _ frame: Frame) -> Part? {
        var (part, count, isKept) = (Part(), 0, true)
        do throws(Interruption) {
            _ = try fold.transform.each(element, frame) { output throws(Interruption) in
                count += 1
                part.isPresent = true
                guard fold.kind == .sum else { return .more }
                guard let number = number(output), abs(number) < smallLimit / 2, number == number.rounded(),
                    number != 0 || number.sign == .plus
                else {
                    isKept = false
                    return .stop
                }
                part.number += number
                return .more
            }
        } catch { return nil }
        if fold.kind == .count { part.number = Double(count) }
        return isKept && count <= outputLimit && abs(part.number) < smallLimit ? part : nil
    }

    /// A number that is exact as a double; nil for what is left to the language's own addition.
    private static func number(_ output: JSONValue) -> Double? {
        guard case .number(let number) = output else { return nil }
        let value = number.doubleValue
        return value.isFinite && abs(value) < Double(exactLimit) ? value : nil
    }
}

/// What the numbers of a chunk add, one after another, to a sum that keeps its exponent on the way.
///
/// Such a sum is a whole number of units, those of its last place, and so is each result: a number adds the whole number of units that is
/// nearest to it, whatever the sum is, and one that lies half way between two makes the sum even (IEEE 754, 4.3.1). So what they add
/// depends on the unit alone, and on whether the sum is even, and is kept.
private struct ChunkSum {
    /// What is added to an even sum, or to an odd one, in units: in the end, and at the least and the most on the way.
    private struct Steps {
        var (total, least, most) = (0, 0, 0)

        mutating func add(_ step: Int) {
            total += step
            least = min(least, total)
            most = max(most, total)
        }
    }

    private var version = 0
    private var unit = 0.0
    private var isKept = false
    private var steps = (even: Steps(), odd: Steps())

    /// The most units of a number: so many do not overflow, added up, and are added exactly.
    private static let unitLimit = 4_503_599_627_370_496.0

    /// The sum after a chunk, by the one before it; nil where its exponent may change on the way.
    mutating func end(from start: Double, of chunk: [FoldState.Part], _ version: Int) -> Double? {
        guard start.isNormal else { return nil }
        if self.version != version || unit != start.ulp {
            (self.version, unit) = (version, start.ulp)
            isKept = add(chunk)
        }
        guard isKept, let count = Int(exactly: start / unit) else { return nil }
        let steps = count & 1 == 0 ? steps.even : steps.odd
        // Nearer to zero than the least number of this exponent, the unit is smaller.
        let (least, most) =
            count > 0 ? (count + steps.least, count + steps.most) : (-count - steps.most, -count - steps.least)
        guard Double(least) > ChunkSum.unitLimit, Double(most) < 2 * ChunkSum.unitLimit else { return nil }
        return Double(count + steps.total) * unit
    }

    /// Adds the numbers up; false where one is too large.
    private mutating func add(_ chunk: [FoldState.Part]) -> Bool {
        steps = (Steps(), Steps())
        for part in chunk where part.isPresent {
            let units = part.number / unit
            guard abs(units) < ChunkSum.unitLimit else { return false }
            let nearest = units.rounded(.toNearestOrEven)
            let step = Int(nearest)
            guard abs(units - nearest) == 0.5 else {
                steps.even.add(step)
                steps.odd.add(step)
                continue
            }
            let other = units > nearest ? step + 1 : step - 1
            steps.even.add((steps.even.total + step) & 1 == 0 ? step : other)
            steps.odd.add((1 + steps.odd.total + step) & 1 == 0 ? step : other)
        }
        return true
    }
}
