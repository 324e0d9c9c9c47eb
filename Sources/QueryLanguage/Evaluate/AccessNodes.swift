internal import JSONCore

/// `target.name`, with the name known when compiling.
final class MemberNode: Node {
    let target: Node
    let name: String
    private let key: JSONValue
    private let targetIsInput: Bool
    /// The names from the input on, where the target is a chain of members of it; empty elsewhere.
    private let chain: [String]
    /// Where the name is written; nil where it is the value of a variable.
    private let range: SourceRange?

    init(_ target: Node, _ name: String, at range: SourceRange?) {
        self.target = target
        let known = (target as? MemberNode)?.chain ?? []
        chain = target is IdentityNode ? [name] : known.isEmpty ? [] : known + [name]
        self.name = name
        self.range = range
        key = .string(name)
        targetIsInput = target is IdentityNode
    }

    override func settle() {
        target.settle()
        multiplicity = target.multiplicity
    }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        if targetIsInput { return try Access.member(input, name, key: key) }
        if !chain.isEmpty, let value = input.member(along: chain) { return value }
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
            return try sink(try found.down(key, to: try Access.member(found.value, name, key: key)))
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.member(name, of: target.trace(input, frame), at: range)
    }
}

/// `target[key]`.
final class IndexNode: Node {
    let target: Node
    let key: Node

    init(_ target: Node, _ key: Node) {
        self.target = target
        self.key = key
    }

    override func settle() {
        target.settle()
        key.settle()
        multiplicity = max(target.multiplicity, key.multiplicity)
    }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard let key = try key.one(input, frame), let value = try target.one(input, frame) else { return nil }
        return try Access.get(value, key)
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try key.each(input, frame) { key throws(Interruption) in
            try target.each(input, frame) { value throws(Interruption) in try sink(try Access.get(value, key)) }
        }
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try key.each(at.value, frame) { key throws(Interruption) in
            try target.paths(at, frame) { found throws(Interruption) in
                try found.requireIntact(accessing: key)
                return try sink(try found.down(key, to: try Access.get(found.value, key)))
            }
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.index(target.trace(input, frame), by: key.trace(input, frame))
    }
}

/// `target[from:upTo]`.
final class SliceNode: Node {
    let target: Node
    let from: Node
    let upTo: Node

    init(_ target: Node, from: Node, upTo: Node) {
        self.target = target
        self.from = from
        self.upTo = upTo
    }

    override func settle() {
        for part in [target, from, upTo] { part.settle() }
        multiplicity = max(target.multiplicity, max(from.multiplicity, upTo.multiplicity))
    }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard let start = try from.one(input, frame), let end = try upTo.one(input, frame),
            let value = try target.one(input, frame)
        else { return nil }
        return try Access.slice(value, from: start, upTo: end)
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try from.each(input, frame) { start throws(Interruption) in
            try upTo.each(input, frame) { end throws(Interruption) in
                try target.each(input, frame) { value throws(Interruption) in
                    try sink(try Access.slice(value, from: start, upTo: end))
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
                    let part = try Access.slice(found.value, from: start, upTo: end)
                    return try sink(try found.down(key, to: part))
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

/// `target[]`.
final class IterateNode: Node {
    let target: Node

    init(_ target: Node) { self.target = target }

    override func settle() { target.settle() }

    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try target.each(input, frame) { value throws(Interruption) in
            try Self.forEachPart(of: value, frame.machine, sink)
        }
    }

    /// Hands each element or member's value to the sink.
    static func forEachPart(
        of value: JSONValue, _ machine: Machine, _ sink: Sink
    ) throws(Interruption) -> Flow {
        switch value {
        case .array(let elements):
            for element in elements {
                try machine.step()
                if try sink(element) == .stop { return .stop }
            }
        case .object(let members):
            for (_, member) in members {
                try machine.step()
                if try sink(member) == .stop { return .stop }
            }
        default: throw cannotIterate(value)
        }
        return .more
    }

    static func cannotIterate(_ value: JSONValue) -> Interruption {
        if case .null = value { return .message("Cannot iterate over null (null)") }
        return .message("Cannot iterate over \(value.kindName) (\(ValueText.truncated(value)))")
    }

    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try target.paths(at, frame) { found throws(Interruption) in
            try found.requireIntactForIteration()
            return try Self.forEachPath(below: found, frame.machine, sink)
        }
    }

    /// Hands each element or member to the sink with its path.
    static func forEachPath(
        below found: Located, _ machine: Machine, _ sink: PathSink
    ) throws(Interruption) -> Flow {
        switch found.value {
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                try machine.step()
                if try sink(try found.down(.number(JSONNumber(index)), to: element)) == .stop { return .stop }
            }
        case .object(let members):
            for (key, member) in members {
                try machine.step()
                if try sink(try found.down(.string(key), to: member)) == .stop { return .stop }
            }
        default: throw cannotIterate(found.value)
        }
        return .more
    }

    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.parts(of: target.trace(input, frame))
    }
}

/// `..`: the value and everything below it, from the top down.
final class DescentNode: Node {
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try frame.machine.enter()
        guard try sink(input) != .stop else { return .stop }
        guard !input.isScalar else { return .more }
        return try IterateNode.forEachPart(of: input, frame.machine) { part throws(Interruption) in
            try run(part, frame, sink)
        }
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try frame.machine.enter()
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
