internal import JSONCore

/// An assignment whose right side is evaluated on the input, with one result for each of its outputs.
class AssignmentNode: Node {
    let target: Node
    let value: Node
    let editor: PathEditor

    init(_ target: Node, _ value: Node) {
        self.target = target
        editor = PathEditor(target)
        self.value = value
    }

    /// Whether the result depends on the values that were at the paths.
    var readsOld: Bool { false }

    /// Writes an operand at every path of the target.
    func assign(_ operand: JSONValue, in state: inout JSONValue, _ frame: Frame) throws(Interruption) {
        preconditionFailure("assign(_:in:_:) belongs to the kind of assignment")
    }

    override var parts: [Node] { [target, value] }
    override var inferredCardinality: Cardinality { value.cardinality }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        var result = input
        return try change(&result, frame) ? result : nil
    }
    override func change(_ state: inout JSONValue, _ frame: Frame) throws(Interruption) -> Bool {
        guard let operand = try value.one(state, frame) else { return false }
        try assign(operand, in: &state, frame)
        return true
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try value.each(input, frame) { operand throws(Interruption) in
            try frame.machine.charge(target.stepCost)
            var result = input
            try assign(operand, in: &result, frame)
            return try sink(result)
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        let operand = value.trace(input, frame)
        return frame.tracer.edit(of: input, at: target, frame) { found in
            if readsOld { frame.tracer.consume(found) }
            return operand
        }
    }
}

/// `paths = value`: for each value, the input with it at every path.
final class SetNode: AssignmentNode {
    override func assign(_ operand: JSONValue, in state: inout JSONValue, _ frame: Frame) throws(Interruption) {
        try editor.edit(&state, frame) { (place: inout JSONValue) in place = operand }
        if !operand.isScalar { try frame.machine.checkNesting(of: state) }
    }
}

/// `paths |= f`: replaces each value at a path by the first output of `f` for it, or removes it if there is none.
final class UpdateNode: Node {
    let target: Node
    let update: Node
    private let editor: PathEditor

    init(_ target: Node, _ update: Node) {
        self.target = target
        editor = PathEditor(target)
        self.update = update
    }

    override var parts: [Node] { [target, update] }
    override var inferredCardinality: Cardinality { .one }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        var result = input
        return try change(&result, frame) ? result : nil
    }
    override func change(_ state: inout JSONValue, _ frame: Frame) throws(Interruption) -> Bool {
        if update.cardinality == .one {
            try editor.edit(&state, frame) { (place: inout JSONValue) throws(Interruption) in
                try frame.machine.charge(update.stepCost)
                _ = try update.change(&place, frame)
            }
            return true
        }
        var emptied: [JSONValue] = []
        for path in try PathCollector.paths(of: target, state, frame) {
            var isEmpty = false
            try frame.machine.charge(update.stepCost)
            if case .null = try Access.path(state, path, frame.machine) {
                // If there is no output, the containers on the path are not made either.
                var fresh = JSONValue.null
                isEmpty = try !Self.first(of: update, &fresh, frame)
                if !isEmpty { try Edit.set(&state, at: path, to: fresh, frame.machine) }
            } else {
                try Edit.change(&state, at: path[...], frame.machine) { (place: inout JSONValue) throws(Interruption) in
                    isEmpty = try !Self.first(of: update, &place, frame)
                }
            }
            if isEmpty { emptied.append(.array(path)) }
        }
        if !emptied.isEmpty { state = try Deletion.delete(.array(emptied), from: state, frame.machine) }
        return true
    }

    /// Replaces a value by the first output for it.
    static func first(
        of update: Node, _ place: inout JSONValue, _ frame: Frame
    ) throws(Interruption) -> Bool {
        if update.cardinality != .many { return try update.change(&place, frame) }
        var result: JSONValue?
        _ = try update.run(place, frame) { value throws(Interruption) in
            result = value
            return .stop
        }
        guard let result else { return false }
        place = result
        return true
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.edit(of: input, at: target, frame) { update.trace($0, frame) }
    }
}

/// `paths += value` and the like, and `paths //= value`: one result for each value.
final class OperateNode: AssignmentNode {
    /// Nil for `//=`.
    let op: BinaryOperator?

    init(_ op: BinaryOperator?, _ target: Node, _ value: Node) {
        self.op = op
        super.init(target, value)
    }

    override var readsOld: Bool { true }

    override func assign(_ operand: JSONValue, in state: inout JSONValue, _ frame: Frame) throws(Interruption) {
        let machine = frame.machine
        let limits = machine.limits
        try editor.edit(&state, frame) { (place: inout JSONValue) throws(Interruption) in
            guard let op else {
                if !place.isTruthy { place = operand }
                return
            }
            if op == .add {
                let former = place.storageIdentity
                try machine.charge(work: operand.readingCost)
                try Arithmetic.add(operand, to: &place, limits)
                try machine.charge(copyOf: place, from: former)
            } else {
                place = try Arithmetic.apply(op, place, operand, machine)
            }
        }
    }
}

/// Edits the places that a path expression leads to.
struct PathEditor {
    let target: Node
    private let simple: SimplePath?

    init(_ target: Node) {
        self.target = target
        simple = SimplePath(target)
    }

    /// Edits each place, in order.
    func edit(
        _ state: inout JSONValue, _ frame: Frame, _ body: (inout JSONValue) throws(Interruption) -> Void
    ) throws(Interruption) {
        if let path = try simple?.resolved(state, frame), path.leadsThrough(state) {
            return try path.change(&state, frame.machine, body)
        }
        for path in try PathCollector.paths(of: target, state, frame) {
            try Edit.change(&state, at: path[...], frame.machine, body)
        }
    }
}
