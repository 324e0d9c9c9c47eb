internal import JSONCore

/// A fold over all elements of an array in the state: a sum, a count, or whether any or all fulfil a condition.
///
/// It is a fast path for `plain`. With a ``QueryMemo`` it keeps what each element gives and evaluates only the elements that
/// were replaced since. Without a memo, and wherever something is unexpected (an error, a value that is not an array, a sum
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
    /// Where the array is in the state.
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

/// What each element of an array contributes to a fold, and the result.
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
    }

    private let kind: FoldNode.Kind
    private var parts: [Part] = []
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
    init?(_ fold: FoldNode, _ elements: [JSONValue], _ frame: Frame) {
        kind = fold.kind
        parts.reserveCapacity(elements.count)
        for element in elements {
            guard
                let part = measured(
                    frame, fold.transform.stepCost + 2, { () -> Part? in FoldState.part(fold, element, frame) })
            else { return nil }
            parts.append(part)
            add(part, 1)
        }
    }

    /// Evaluates the replaced elements; false if the outputs cannot be kept.
    mutating func update(_ fold: FoldNode, _ elements: [JSONValue], at indices: [Int], _ frame: Frame) -> Bool {
        guard elements.count == parts.count else { return false }
        let before = frame.machine.stepsLeft
        defer { frame.machine.restore(steps: before) }
        for index in indices {
            guard index < parts.count, let part = FoldState.part(fold, elements[index], frame) else { return false }
            add(parts[index], -1)
            parts[index] = part
            add(part, 1)
        }
        return true
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
            return Arithmetic.number(orderedSum)
        }
    }

    /// The sum in the order of the elements.
    private var orderedSum: Double {
        var (sum, isFirst) = (0.0, true)
        for part in parts where part.isPresent {
            sum = isFirst ? part.number : sum + part.number
            isFirst = false
        }
        return sum
    }

    /// Runs the filter on an element and adds what it charged to `cost`.
    private mutating func measured(_ frame: Frame, _ stepCost: Int, _ body: () -> Part?) -> Part? {
        let before = frame.machine.stepsLeft
        let part = body()
        cost += before - frame.machine.stepsLeft + stepCost
        return part
    }

    private mutating func add(_ part: Part, _ sign: Int) {
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
