internal import JSONCore

/// An assignment whose right side is evaluated on the input, with one result for each of its outputs.
class AssignmentNode: Node {
    final let target: Node
    final let value: Node
    final let editor: PathEditor

    init(_ target: Node, _ value: Node) {
        self.target = target
        editor = PathEditor(target)
        self.value = value
    }

    var readsOld: Bool { false }

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
final class UpdateNode: AssignmentNode {
    override var inferredCardinality: Cardinality { .one }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        guard let result = try one(input, frame) else { return .more }
        return try sink(result)
    }
    override func change(_ state: inout JSONValue, _ frame: Frame) throws(Interruption) -> Bool {
        if value.cardinality == .one {
            try editor.edit(&state, frame) { (place: inout JSONValue) throws(Interruption) in
                try frame.machine.charge(value.stepCost)
                _ = try value.change(&place, frame)
            }
            return true
        }
        var emptied: [JSONValue] = []
        for path in try target.allPaths(state, frame) {
            var isEmpty = false
            try frame.machine.charge(value.stepCost)
            if case .null = try Access.path(state, path, frame.machine) {
                // If there is no output, the containers on the path are not made either.
                var fresh = JSONValue.null
                isEmpty = try !Self.first(of: value, &fresh, frame)
                if !isEmpty { try Edit.set(&state, at: path, to: fresh, frame.machine) }
            } else {
                try Edit.change(&state, at: path[...], frame.machine) { (place: inout JSONValue) throws(Interruption) in
                    isEmpty = try !Self.first(of: value, &place, frame)
                }
            }
            if isEmpty { emptied.append(.array(path)) }
        }
        if !emptied.isEmpty { state = try Edit.delete(.array(emptied), from: state, frame.machine) }
        return true
    }

    static func first(of update: Node, _ place: inout JSONValue, _ frame: Frame) throws(Interruption) -> Bool {
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
        frame.tracer.edit(of: input, at: target, frame) { value.trace($0, frame) }
    }
}

/// `paths += value` and the like, and `paths //= value`: one result for each value.
final class OperateNode: AssignmentNode {
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

struct PathEditor {
    let target: Node
    private let simple: SimplePath?

    init(_ target: Node) {
        self.target = target
        simple = SimplePath(target)
    }

    func edit(
        _ state: inout JSONValue, _ frame: Frame, _ body: (inout JSONValue) throws(Interruption) -> Void
    ) throws(Interruption) {
        if let path = try simple?.resolved(state, frame), path.leadsThrough(state) {
            return try path.change(&state, frame.machine, body)
        }
        for path in try target.allPaths(state, frame) {
            try Edit.change(&state, at: path[...], frame.machine, body)
        }
    }
}

/// A path expression of members and iterations only, like `.items[].price` or `.count[$name]`: the target of most
/// assignments.
///
/// In general an assignment collects all paths first, because what it writes may change where the expression leads. A
/// simple path leads to the same places before and after, so the value is walked once and edited on the way;
/// `leadsThrough` finds errors before any edit.
struct SimplePath {
    private enum Hop {
        case member(String)
        case computed(Node)
        case each
    }

    private let steps: [Hop]

    init?(_ node: Node) {
        var steps: [Hop] = []
        var next = node
        while true {
            switch next {
            case let member as MemberNode:
                steps.append(.member(member.name))
                next = member.target
            case let index as IndexNode where Self.isPlain(index.key):
                steps.append(.computed(index.key))
                next = index.target
            case let iteration as IterateNode:
                steps.append(.each)
                next = iteration.operand
            case is IdentityNode:
                self.steps = steps.reversed()
                return
            default: return nil
            }
        }
    }

    /// Whether a key can be evaluated twice without a difference: it only reads.
    private static func isPlain(_ key: Node) -> Bool {
        switch key {
        case is VariableNode, is IdentityNode: true
        case let member as MemberNode: isPlain(member.target)
        default: false
        }
    }

    /// Nil if one of the keys is not a string.
    func resolved(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> Resolved? {
        var result: [Resolved.KnownHop] = []
        result.reserveCapacity(steps.count)
        for step in steps {
            switch step {
            case .member(let name): result.append(.member(name))
            case .each: result.append(.each)
            case .computed(let key):
                guard key.cardinality == .one, case .string(let name)? = try key.one(input, frame) else { return nil }
                result.append(.member(name))
            }
        }
        return Resolved(steps: result)
    }

    struct Resolved {
        enum KnownHop {
            case member(String)
            case each
        }

        let steps: [KnownHop]

        func leadsThrough(_ value: JSONValue, from place: Int = 0) -> Bool {
            guard place < steps.count else { return true }
            switch (steps[place], value) {
            case (.member(let name), .object(let members)):
                return place + 1 == steps.count || leadsThrough(members[name] ?? .null, from: place + 1)
            case (.member, .null): return leadsThrough(.null, from: place + 1)
            case (.each, .array(let elements)): return elements.allSatisfy { leadsThrough($0, from: place + 1) }
            case (.each, .object(let members)): return members.allSatisfy { leadsThrough($0.value, from: place + 1) }
            default: return false
            }
        }

        var endsInMember: Bool {
            if case .member? = steps.last { return true }
            return false
        }

        /// Only for a value that the path leads through, and if the last step is a member.
        func remove(from value: inout JSONValue, at place: Int = 0, _ machine: Machine) throws(Interruption) {
            let former = value.storageIdentity
            switch steps[place] {
            case .member(let name):
                _ = try value.modifyObject { (members: inout JSONObject) throws(Interruption) in
                    if place + 1 == steps.count {
                        members.removeValue(forKey: name)
                    } else {
                        _ = try members.modify(name) { (member: inout JSONValue) throws(Interruption) in
                            try remove(from: &member, at: place + 1, machine)
                        }
                    }
                }
            case .each:
                try changeEach(&value, machine) { (part: inout JSONValue) throws(Interruption) in
                    try remove(from: &part, at: place + 1, machine)
                }
            }
            try machine.charge(copyOf: value, from: former)
        }

        /// Adds missing members; only for a value that the path leads through.
        func change(
            _ value: inout JSONValue, from place: Int = 0, _ machine: Machine,
            _ body: (inout JSONValue) throws(Interruption) -> Void
        ) throws(Interruption) {
            guard place < steps.count else { return try body(&value) }
            let former = value.storageIdentity
            switch steps[place] {
            case .member(let name):
                if case .null = value { value = .object(JSONObject()) }
                _ = try value.modifyObject { (members: inout JSONObject) throws(Interruption) in
                    let found: Void? = try members.modify(name) { (member: inout JSONValue) throws(Interruption) in
                        try change(&member, from: place + 1, machine, body)
                    }
                    if found != nil { return }
                    try machine.charge(work: Machine.insertionCost)
                    var fresh = JSONValue.null
                    try change(&fresh, from: place + 1, machine, body)
                    members[name] = fresh
                }
            case .each:
                try changeEach(&value, machine) { (part: inout JSONValue) throws(Interruption) in
                    try change(&part, from: place + 1, machine, body)
                }
            }
            try machine.charge(copyOf: value, from: former)
        }

        private func changeEach(
            _ value: inout JSONValue, _ machine: Machine, _ body: (inout JSONValue) throws(Interruption) -> Void
        ) throws(Interruption) {
            let done: Void? = try value.modifyArray { (elements: inout [JSONValue]) throws(Interruption) in
                for index in elements.indices {
                    try machine.charge(1)
                    try body(&elements[index])
                }
            }
            if done != nil { return }
            _ = try value.modifyObject { (members: inout JSONObject) throws(Interruption) in
                try members.modifyValues { (member: inout JSONValue) throws(Interruption) in
                    try machine.charge(1)
                    try body(&member)
                }
            }
        }
    }
}
