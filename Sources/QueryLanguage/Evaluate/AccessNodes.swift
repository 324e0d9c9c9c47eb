internal import JSONCore

/// `target.name`, with a name that is known when the program is compiled.
final class MemberNode: Node {
    let target: Node
    let name: String
    private let key: JSONValue
    /// The names on the way from the input or a variable, if the target is one of these or such a chain itself: then
    /// one lookup follows the whole chain and retains only its last value.
    private let chain: [String]
    /// The slot of the variable at the start of the chain, and its number of frames outwards; the slot is -1 if the
    /// chain starts at the input.
    private let slot: Int
    private let hops: Int
    /// The name's place in the text; nil if the name is the value of a variable.
    private let range: SourceRange?

    init(_ target: Node, _ name: String, at range: SourceRange?) {
        self.target = target
        self.name = name
        self.range = range
        key = .string(name)
        switch target {
        case is IdentityNode: (chain, slot, hops) = ([name], -1, 0)
        case let start as VariableNode: (chain, slot, hops) = ([name], start.slot, start.hops)
        case let member as MemberNode where !member.chain.isEmpty:
            (chain, slot, hops) = (member.chain + [name], member.slot, member.hops)
        default: (chain, slot, hops) = ([], -1, 0)
        }
    }

    /// The value, if the chain starts at the input and each of its names is found at once.
    @inline(__always)
    func quickValue(below input: JSONValue) -> JSONValue? {
        slot < 0 && !chain.isEmpty ? input.value(alongMembers: chain) : nil
    }

    override var parts: [Node] { [target] }
    override var traits: NodeTraits { [.plain, .navigation] }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        if slot >= 0 {
            let place = frame.place(of: slot, outwards: hops)
            if let value = JSONValue.value(at: place, alongMembers: chain) { return value }
        } else if !chain.isEmpty {
            if let value = input.value(alongMembers: chain) { return value }
            if chain.count == 1 { return try Access.member(input, name, key: key) }
        }
        guard let value = try target.one(input, frame) else { return nil }
        return try Access.member(value, name, key: key)
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try target.each(input, frame) { value throws(Interruption) in try sink(try Access.member(value, name, key: key))
        }
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try target.paths(at, frame) { found throws(Interruption) in
            try found.requireIntact(accessing: key)
            let part = try Access.member(found.value, name, key: key)
            return try sink(try found.down(key, to: part, frame.machine))
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.member(name, of: target.trace(input, frame), at: range)
    }
}

final class IndexNode: Node {
    let target: Node
    let key: Node
    private let constant: Int?

    init(_ target: Node, _ key: Node) {
        self.target = target
        self.key = key
        constant = (key as? LiteralNode)?.wholeNumber
    }

    override var parts: [Node] { [target, key] }
    override var traits: NodeTraits { [.plain, .navigation] }
    override var navigatedParts: [Node] { [target] }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        if let constant {
            guard let value = try target.one(input, frame) else { return nil }
            if case .array(let elements) = value { return Access.element(of: elements, at: constant) }
            return try Access.get(value, .number(JSONNumber(constant)), frame.machine)
        }
        guard let key = try key.one(input, frame), let value = try target.one(input, frame) else { return nil }
        return try Access.get(value, key, frame.machine)
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try key.each(input, frame) { key throws(Interruption) in
            try frame.machine.charge(target.stepCost)
            return try target.each(input, frame) { value throws(Interruption) in
                try sink(try Access.get(value, key, frame.machine))
            }
        }
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try key.each(at.value, frame) { key throws(Interruption) in
            try target.paths(at, frame) { found throws(Interruption) in
                try found.requireIntact(accessing: key)
                let part = try Access.get(found.value, key, frame.machine)
                return try sink(try found.down(key, to: part, frame.machine))
            }
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.index(target.trace(input, frame), by: key.trace(input, frame))
    }
}

final class SliceNode: Node {
    let target: Node
    let from: Node
    let upTo: Node

    init(_ target: Node, from: Node, upTo: Node) {
        self.target = target
        self.from = from
        self.upTo = upTo
    }

    override var parts: [Node] { [target, from, upTo] }
    override var traits: NodeTraits { .navigation }
    override var navigatedParts: [Node] { [target] }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard let start = try from.one(input, frame), let end = try upTo.one(input, frame),
            let value = try target.one(input, frame)
        else { return nil }
        return try Self.slice(value, from: start, upTo: end, frame.machine)
    }

    private static func slice(
        _ value: JSONValue, from start: JSONValue, upTo end: JSONValue, _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        if case .string = value { try machine.charge(work: value.readingCost) }
        let part = try Access.slice(value, from: start, upTo: end)
        try machine.charge(work: Machine.buildingCost &+ part.buildingCost)
        return part
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try from.each(input, frame) { start throws(Interruption) in
            try upTo.each(input, frame) { end throws(Interruption) in
                try frame.machine.charge(target.stepCost)
                return try target.each(input, frame) { value throws(Interruption) in
                    try sink(try Self.slice(value, from: start, upTo: end, frame.machine))
                }
            }
        }
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try from.each(at.value, frame) { start throws(Interruption) in
            try upTo.each(at.value, frame) { end throws(Interruption) in
                try target.paths(at, frame) { found throws(Interruption) in
                    let key = Access.sliceKey(from: start, upTo: end)
                    try found.requireIntact(accessing: key)
                    let part = try Self.slice(found.value, from: start, upTo: end, frame.machine)
                    return try sink(try found.down(key, to: part, frame.machine))
                }
            }
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.consume(from.trace(input, frame))
        frame.tracer.consume(upTo.trace(input, frame))
        return frame.tracer.slice(of: target.trace(input, frame))
    }
}

final class IterateNode: UnaryNode {
    override var traits: NodeTraits { [.readsInputOnly, .navigation] }
    override var inferredCardinality: Cardinality { .many }

    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try operand.each(input, frame) { value throws(Interruption) in
            try Self.forEachPart(of: value, frame.machine, sink)
        }
    }

    static func forEachPart(of value: JSONValue, _ machine: Machine, _ sink: Sink) throws(Interruption) -> Flow {
        switch value {
        case .array(let elements):
            return try elements.eachBorrowed { element throws(Interruption) in
                try machine.charge(1)
                return try element.withValue(sink)
            }
        case .object(let members):
            return try members.eachBorrowed { member throws(Interruption) in
                try machine.charge(1)
                return try member.withValue(sink)
            }
        default: throw cannotIterate(value)
        }
    }

    static func cannotIterate(_ value: JSONValue) -> Interruption {
        if case .null = value { return .message("Cannot iterate over null (null)") }
        return .message("Cannot iterate over \(value.kindName) (\(ValueText.truncated(value)))")
    }

    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try operand.paths(at, frame) { found throws(Interruption) in
            try found.requireIntactForIteration()
            return try Self.forEachPath(below: found, frame.machine, sink)
        }
    }

    static func forEachPath(below found: Located, _ machine: Machine, _ sink: PathSink) throws(Interruption) -> Flow {
        guard !found.value.isScalar else { throw cannotIterate(found.value) }
        return try found.value.eachPart { key, part throws(Interruption) in
            try sink(try found.down(key, to: part.copy(), machine))
        }
    }

    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.parts(of: operand.trace(input, frame))
    }
}

/// `..`: the value and all values inside of it, from the outside in.
final class DescentNode: Node {
    override var inferredCardinality: Cardinality { .many }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try frame.machine.enterCall()
        guard try sink(input) != .stop else { return .stop }
        guard !input.isScalar else { return .more }
        return try IterateNode.forEachPart(of: input, frame.machine) { part throws(Interruption) in
            try run(part, frame, sink)
        }
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try frame.machine.enterCall()
        guard try sink(at) != .stop else { return .stop }
        guard !at.value.isScalar else { return .more }
        try at.requireIntactForIteration()
        return try IterateNode.forEachPath(below: at, frame.machine) { part throws(Interruption) in
            try paths(part, frame, sink)
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.consume(input)
        return .derived
    }
}
