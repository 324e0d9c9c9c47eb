internal import JSONCore

/// A fold over all elements of an array in the state, or all members of an object: a sum, a count, or whether any or all fulfil a
/// condition.
///
/// It is a fast path for `plain`. With a ``QueryMemo`` it keeps what each element gives and evaluates only the elements that
/// changed since. Without a memo, and wherever something is unexpected (an error, a value that has no elements, a sum
/// of values that are not numbers), it falls back to `plain`.
final class FoldNode: Node {
    /// What the outputs for the elements are combined to.
    enum Kind: Equatable {
        /// Their sum.
        case sum
        /// How many there are.
        case count
        /// Whether one is true (`any`), or none is false (`all`).
        case quantifier(decisive: Bool)
    }

    let kind: Kind
    /// Where the array or object is in the state.
    let place: [String]
    /// Where it is in the node's input.
    let path: [String]
    /// The filter that runs on each element: it has one output at most, which depends on the element alone.
    let transform: Node
    /// What is given in place of null or false, as by `add // 0`.
    let otherwise: JSONValue?
    /// The node that evaluates every element.
    let plain: Node
    /// Which of a program's folds it is.
    let index: Int

    init(
        _ kind: Kind, place: [String], path: [String], _ transform: Node, otherwise: JSONValue? = nil, plain: Node,
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

/// What each element of an array, or each member of an object, contributes to a fold, and the result.
///
/// The result equals that of evaluating the elements from the first to the last. For a sum of floating-point numbers that
/// depends on the order of addition, so it is added up again in order; a sum of small whole numbers is exact, and kept.
struct FoldState {
    /// What one element contributes.
    private struct Part {
        /// Whether the filter has an output for it.
        var isPresent = false
        /// For a sum the number; for a quantifier 1 if the element decides, else 0.
        var number = 0.0
        /// How many steps it takes to evaluate it.
        var cost = 0
    }

    private let kind: FoldNode.Kind
    /// What the elements of an array contribute.
    private var elements: [Part] = []
    /// What the members of an object do, by the bytes of their names; nil for an array.
    private var members: [[UInt8]: Part]?
    /// How many elements have an output.
    private var present = 0
    /// The sum of the small whole numbers, and the sum of their magnitudes.
    private var sum = 0
    private var magnitude = 0
    /// How many numbers are not small and whole: if there are any, the sum depends on the order of addition.
    private var others = 0
    /// How many steps it takes to evaluate all elements; they are charged each time, so that limits act as without a memo.
    private var cost = 0

    /// Up to here whole numbers and their sums are exact as doubles.
    private static let exactLimit = 1 << 53
    /// Below this, no array is so long that the sum of its numbers overflows.
    private static let smallLimit = 2_147_483_648.0

    /// Evaluates every element; nil if one fails, or its output cannot be kept.
    init?(_ fold: FoldNode, _ container: JSONValue, _ frame: Frame) {
        kind = fold.kind
        switch container {
        case .array(let values):
            elements.reserveCapacity(values.count)
            for value in values {
                guard let part = FoldState.part(fold, value, frame) else { return nil }
                elements.append(part)
                add(part, 1)
            }
        case .object(let object):
            var members: [[UInt8]: Part] = [:]
            members.reserveCapacity(object.count)
            for (name, value) in object {
                guard let part = FoldState.part(fold, value, frame) else { return nil }
                members[Array(name.utf8)] = part
                add(part, 1)
            }
            self.members = members
        default: return nil
        }
    }

    /// Evaluates the elements that changed, came or went; false if the outputs cannot be kept.
    ///
    /// - Parameter changed: their indices as texts, or their names.
    mutating func update(_ fold: FoldNode, _ container: JSONValue, at changed: [[UInt8]], _ frame: Frame) -> Bool {
        let before = frame.machine.stepsLeft
        defer { frame.machine.restore(steps: before) }
        switch container {
        case .array(let values): return members == nil && update(fold, values, at: changed, frame)
        case .object(let object): return members != nil && update(fold, object, at: changed, frame)
        default: return false
        }
    }

    private mutating func update(
        _ fold: FoldNode, _ values: [JSONValue], at changed: [[UInt8]], _ frame: Frame
    ) -> Bool {
        var indices: Set<Int> = []
        for text in changed {
            guard let index = JSONPointer.arrayIndex(String(decoding: text, as: UTF8.self)) else { return false }
            indices.insert(index)
        }
        // Elements come and go at the end alone: elsewhere all that follow would be others.
        while elements.count > values.count {
            guard indices.contains(elements.count - 1) else { return false }
            add(elements.removeLast(), -1)
        }
        for index in elements.count..<max(elements.count, values.count) where !indices.contains(index) { return false }
        for index in indices.sorted() where index < values.count {
            guard let part = FoldState.part(fold, values[index], frame) else { return false }
            add(part, 1)
            if index < elements.count {
                add(elements[index], -1)
                elements[index] = part
            } else {
                elements.append(part)
            }
        }
        return true
    }

    private mutating func update(
        _ fold: FoldNode, _ object: JSONObject, at changed: [[UInt8]], _ frame: Frame
    ) -> Bool {
        for name in changed {
            if let part = members?.removeValue(forKey: name) { add(part, -1) }
            guard let value = object[String(decoding: name, as: UTF8.self)] else { continue }
            guard let part = FoldState.part(fold, value, frame) else { return false }
            members?[name] = part
            add(part, 1)
        }
        return members?.count == object.count
    }

    /// The result; nil if every element has to be evaluated.
    func result(_ frame: Frame) -> JSONValue? {
        guard frame.machine.stepsLeft > 2 * cost, (try? frame.machine.charge(work: cost)) != nil else { return nil }
        switch kind {
        case .count: return .number(JSONNumber(present))
        case .quantifier(let decisive): return .bool(sum > 0 ? decisive : !decisive)
        case .sum:
            // A single number is the sum itself, with its text as written.
            if present < 2 { return present == 0 ? .null : nil }
            if others == 0, magnitude < FoldState.exactLimit { return .number(JSONNumber(sum)) }
            return orderedSum.map { Arithmetic.number($0) }
        }
    }

    /// The sum in the order of the elements; nil of members, whose order is not kept.
    private var orderedSum: Double? {
        guard members == nil else { return nil }
        var (sum, isFirst) = (0.0, true)
        for part in elements where part.isPresent {
            sum = isFirst ? part.number : sum + part.number
            isFirst = false
        }
        return sum
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

    /// Runs the filter on an element; nil where its output cannot be kept.
    private static func part(_ fold: FoldNode, _ element: JSONValue, _ frame: Frame) -> Part? {
        let before = frame.machine.stepsLeft
        guard var part = output(fold, element, frame) else { return nil }
        part.cost = before - frame.machine.stepsLeft + fold.transform.stepCost + 2
        return part
    }

    private static func output(_ fold: FoldNode, _ element: JSONValue, _ frame: Frame) -> Part? {
        let output: JSONValue?
        do throws(Interruption) { output = try fold.transform.one(element, frame) } catch { return nil }
        guard let output else { return Part() }
        switch fold.kind {
        case .count: return Part(isPresent: true)
        case .quantifier(let decisive): return Part(isPresent: true, number: output.isTruthy == decisive ? 1 : 0)
        case .sum:
            guard case .number(let number) = output else { return nil }
            let value = number.doubleValue
            // A value that is not a number, or not exact as a double, is left to the language's own addition.
            guard value.isFinite, abs(value) < Double(exactLimit) else { return nil }
            return Part(isPresent: true, number: value)
        }
    }
}
