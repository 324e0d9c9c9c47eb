internal import JSONCore

class ArithmeticNode: BinaryNode {
    final let op: BinaryOperator
    private let leftIsInput: Bool
    /// The right side, if it is a whole number that is written in the program, and the left side likewise: most
    /// arithmetic.
    private let constant: Int?
    private let firstConstant: Int?

    init(_ op: BinaryOperator, _ left: Node, _ right: Node) {
        self.op = op
        leftIsInput = left is IdentityNode
        constant = Self.constant(right)
        firstConstant = Self.constant(left)
        super.init(left, right)
    }

    private static func constant(_ node: Node) -> Int? {
        (node as? LiteralNode)?.wholeNumber.flatMap { Arithmetic.isExact($0) ? $0 : nil }
    }

    override var traits: NodeTraits { .readsInputOnly }
    override func with(_ left: Node, _ right: Node) -> Node? { ArithmeticNode(op, left, right) }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        if let constant {
            if leftIsInput {
                if let result = Arithmetic.quick(op, input, constant) { return result }
                return try compute(input, .number(JSONNumber(constant)), frame.machine)
            }
            guard let a = try left.one(input, frame) else { return nil }
            if let result = Arithmetic.quick(op, a, constant) { return result }
            return try compute(a, .number(JSONNumber(constant)), frame.machine)
        }
        guard let b = try right.one(input, frame) else { return nil }
        if let firstConstant, let result = Arithmetic.quick(op, firstConstant, b) { return result }
        guard let a = try left.one(input, frame) else { return nil }
        if let result = Arithmetic.quick(op, a, b) { return result }
        return try compute(a, b, frame.machine)
    }
    @inline(never)
    private func compute(_ a: JSONValue, _ b: JSONValue, _ machine: Machine) throws(Interruption) -> JSONValue {
        try Arithmetic.apply(op, a, b, machine)
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try right.each(input, frame) { b throws(Interruption) in
            try frame.machine.charge(left.stepCost)
            return try left.each(input, frame) { a throws(Interruption) in try sink(try compute(a, b, frame.machine)) }
        }
    }
    override func change(_ value: inout JSONValue, _ frame: Frame) throws(Interruption) -> Bool {
        if leftIsInput, let constant, let result = Arithmetic.quick(op, value, constant) {
            value = result
            return true
        }
        guard op == .add else { return try super.change(&value, frame) }
        guard let b = try right.one(value, frame) else { return false }
        if !leftIsInput { guard try left.change(&value, frame) else { return false } }
        if let sum = Arithmetic.quick(.add, value, b) {
            value = sum
            return true
        }
        try frame.machine.charge(work: b.readingCost)
        try Arithmetic.add(b, to: &value, frame.machine.limits)
        return true
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.consumed(right.trace(input, frame), left.trace(input, frame))
    }
}

/// `. + {k: v}`: in place it sets a member, instead of building an object and merging it.
final class MemberAdditionNode: ArithmeticNode {
    private let member: ObjectNode

    /// `member` has one entry.
    init(_ input: IdentityNode, _ member: ObjectNode) {
        self.member = member
        super.init(.add, input, member)
    }

    override func with(_ left: Node, _ right: Node) -> Node? { nil }
    override func change(_ value: inout JSONValue, _ frame: Frame) throws(Interruption) -> Bool {
        guard case .object = value else { return try super.change(&value, frame) }
        return try member.set(in: &value, frame)
    }
}

final class ComparisonNode: BinaryNode {
    let op: BinaryOperator
    private let leftIsInput: Bool
    private let member: MemberNode?
    private let constant: Int?

    init(_ op: BinaryOperator, _ left: Node, _ right: Node) {
        self.op = op
        leftIsInput = left is IdentityNode
        member = left as? MemberNode
        constant = (right as? LiteralNode)?.wholeNumber
        super.init(left, right)
    }

    override var traits: NodeTraits { .plain }
    override func with(_ left: Node, _ right: Node) -> Node? { ComparisonNode(op, left, right) }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        try truth(input, frame).map { .bool($0) }
    }
    override func truth(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> Bool? {
        if let constant {
            if leftIsInput { return try Self.holds(op, input, constant, frame.machine) }
            if let a = member?.quickValue(below: input) { return try Self.holds(op, a, constant, frame.machine) }
            guard let a = try left.one(input, frame) else { return nil }
            return try Self.holds(op, a, constant, frame.machine)
        }
        guard let b = try right.one(input, frame), let a = try left.one(input, frame) else { return nil }
        return try Self.holds(op, a, b, frame.machine)
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try right.each(input, frame) { b throws(Interruption) in
            try frame.machine.charge(left.stepCost)
            return try left.each(input, frame) { a throws(Interruption) in
                try sink(.bool(try Self.holds(op, a, b, frame.machine)))
            }
        }
    }

    @inline(__always)
    static func holds(
        _ op: BinaryOperator, _ a: JSONValue, _ b: JSONValue, _ machine: Machine
    ) throws(Interruption) -> Bool {
        if case .number(let m) = a, case .number(let n) = b, case .integer(let x) = m.storage,
            case .integer(let y) = n.storage
        {
            return holds(op, x, y)
        }
        return try decide(op, a, b, machine)
    }

    @inline(__always)
    private static func holds(
        _ op: BinaryOperator, _ a: JSONValue, _ b: Int, _ machine: Machine
    ) throws(Interruption) -> Bool {
        if case .number(let m) = a, case .integer(let x) = m.storage { return holds(op, x, b) }
        return try decide(op, a, .number(JSONNumber(b)), machine)
    }

    @inline(__always)
    private static func holds(_ op: BinaryOperator, _ x: Int, _ y: Int) -> Bool {
        switch op {
        case .equal: x == y
        case .notEqual: x != y
        case .less: x < y
        case .lessOrEqual: x <= y
        case .greater: x > y
        default: x >= y
        }
    }

    private static func decide(
        _ op: BinaryOperator, _ a: JSONValue, _ b: JSONValue, _ machine: Machine
    ) throws(Interruption) -> Bool {
        switch op {
        case .equal: try ValueOrder.equal(a, b, machine)
        case .notEqual: try !ValueOrder.equal(a, b, machine)
        default: holds(op, try ValueOrder.compare(a, b, machine), 0)
        }
    }

    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        let b = right.trace(input, frame)
        return frame.tracer.compared(left.trace(input, frame), b)
    }
}

final class NegateNode: UnaryNode {
    override var traits: NodeTraits { .readsInputOnly }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard let value = try operand.one(input, frame) else { return nil }
        return try Arithmetic.negate(value)
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try operand.each(input, frame) { value throws(Interruption) in try sink(try Arithmetic.negate(value)) }
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try operand.pathValues(at, frame) { value throws(Interruption) in
            try sink(at.computed(try Arithmetic.negate(value)))
        }
    }
}

final class LogicNode: BinaryNode {
    let decisive: Bool

    init(_ left: Node, _ right: Node, decisive: Bool) {
        self.decisive = decisive
        super.init(left, right)
    }

    override var traits: NodeTraits { .plain }
    override func with(_ left: Node, _ right: Node) -> Node? { LogicNode(left, right, decisive: decisive) }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        try truth(input, frame).map { .bool($0) }
    }
    override func truth(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> Bool? {
        guard let a = try left.truth(input, frame) else { return nil }
        return a == decisive ? decisive : try right.truth(input, frame)
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try left.each(input, frame) { a throws(Interruption) in
            if a.isTruthy == decisive { return try sink(.bool(decisive)) }
            try frame.machine.charge(right.stepCost)
            return try right.each(input, frame) { b throws(Interruption) in try sink(.bool(b.isTruthy)) }
        }
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try left.pathValues(at, frame) { a throws(Interruption) in
            if a.isTruthy == decisive { return try sink(at.computed(.bool(decisive))) }
            try frame.machine.charge(right.stepCost)
            return try right.pathValues(at, frame) { b throws(Interruption) in
                try sink(at.computed(.bool(b.isTruthy)))
            }
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.touch(left.trace(input, frame))
        frame.tracer.touch(right.trace(input, frame))
        return .derived
    }
}

/// `a // b`: the outputs of `a` that are neither false nor null, or else those of `b`.
final class AlternativeNode: BinaryNode {
    override var traits: NodeTraits { [.plain, .navigation] }
    override var inferredCardinality: Cardinality { left.cardinality == .many ? .many : right.cardinality }
    override func with(_ left: Node, _ right: Node) -> Node? { AlternativeNode(left, right) }
    override func markTail() { right.markTail() }

    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        if let value = try leftValue(input, frame) { return value }
        return try right.one(input, frame)
    }

    private func leftValue(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard let value = try left.one(input, frame), value.isTruthy else { return nil }
        return value
    }

    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        if left.cardinality != .many {
            if let value = try leftValue(input, frame) { return try sink(value) }
            return try right.run(input, frame, sink)
        }
        var found = false
        let flow = try left.run(input, frame) { value throws(Interruption) in
            guard value.isTruthy else { return .more }
            found = true
            return try sink(value)
        }
        if flow == .stop { return .stop }
        return found ? .more : try right.run(input, frame, sink)
    }

    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        var found = false
        let flow = try left.paths(at, frame) { located throws(Interruption) in
            guard located.value.isTruthy else { return .more }
            found = true
            return try sink(located)
        }
        if flow == .stop { return .stop }
        return found ? .more : try right.paths(at, frame, sink)
    }

    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        let a = left.trace(input, frame)
        frame.tracer.touch(a)
        return a.joined(with: right.trace(input, frame))
    }
}
