internal import JSONCore

/// What is made of all elements of an array in the state: a sum, a count, whether any or all are so.
///
/// With a ``QueryMemo`` what each element gives is kept, and only those that were replaced since are looked at again. Without,
/// and wherever something is not as it expects (an error, no array, a sum of what are no numbers), it stands aside for the node
/// that evaluates everything.
final class FoldNode: Node {
    /// What is made of what the elements give.
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
    /// What each element gives: one output at most, that hangs on the element alone.
    let transform: Node
    /// What is given in place of null or false, as by `add // 0`.
    let otherwise: JSONValue?
    /// The node that it stands for.
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

/// What each element of an array gives to a fold, and what that comes to.
struct FoldState {
    /// What one element gives.
    private struct Part {
        /// Whether it gives anything.
        var isPresent = false
        /// The number that it gives to a sum; whether it decides, as 1 or 0, to a quantifier.
        var number = 0.0
    }

    private let kind: FoldNode.Kind
    private var parts: [Part] = []
    /// How many elements give something.
    private var present = 0
    /// The sum of the small whole numbers, and that of their magnitudes.
    private var sum = 0
    private var magnitude = 0
    /// How many of the numbers are others: where there are any, the sum hangs on the order.
    private var others = 0
    /// How many steps it takes to look at all elements.
    private var cost = 0

    /// Whole numbers, and sums of them, up to here are exact as doubles.
    private static let exactLimit = 1 << 53
    /// Of small whole numbers no array is so long that their sum overflows.
    private static let smallLimit = 2_147_483_648.0

    /// Looks at every element; nil where one fails, or gives what cannot be kept.
    init?(_ fold: FoldNode, _ elements: [JSONValue], _ frame: Frame) {
        kind = fold.kind
        parts.reserveCapacity(elements.count)
        for element in elements {
            guard
                let part = pay(frame, fold.transform.toll + 2, { () -> Part? in FoldState.part(fold, element, frame) })
            else { return nil }
            parts.append(part)
            add(part, 1)
        }
    }

    /// Looks again at some elements; false where that cannot be kept.
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

    /// What the parts come to; nil where everything is to be evaluated.
    func result(_ frame: Frame) -> JSONValue? {
        guard frame.machine.stepsLeft > 2 * cost, (try? frame.machine.pay(cost)) != nil else { return nil }
        switch kind {
        case .count: return .number(JSONNumber(present))
        case .quantifier(let decisive): return .bool(sum > 0 ? decisive : !decisive)
        case .sum:
            // One alone is given as it stands.
            if present < 2 { return present == 0 ? .null : nil }
            if others == 0, magnitude < FoldState.exactLimit { return .number(JSONNumber(sum)) }
            return Arithmetic.number(orderedSum)
        }
    }

    /// The sum as it is made from the first to the last.
    private var orderedSum: Double {
        var (sum, isFirst) = (0.0, true)
        for part in parts where part.isPresent {
            sum = isFirst ? part.number : sum + part.number
            isFirst = false
        }
        return sum
    }

    private mutating func pay(_ frame: Frame, _ toll: Int, _ body: () -> Part?) -> Part? {
        let before = frame.machine.stepsLeft
        let part = body()
        cost += before - frame.machine.stepsLeft + toll
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
            // What is not exact as a double, or no number, is added as the language says.
            guard value.isFinite, abs(value) < Double(exactLimit) else { return nil }
            return Part(isPresent: true, number: value)
        }
    }
}
