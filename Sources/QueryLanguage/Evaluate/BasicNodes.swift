internal import Diagnostics
internal import JSONCore

final class IdentityNode: Node {
    override var traits: NodeTraits { [.plain, .navigation] }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? { input }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow { try sink(input) }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow { try sink(at) }
    override func change(_ value: inout JSONValue, _ frame: Frame) throws(Interruption) -> Bool { true }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract { input }
}

final class LiteralNode: Node {
    let value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    var wholeNumber: Int? {
        if case .number(let number) = value, case .integer(let whole) = number.storage { return whole }
        return nil
    }

    override var traits: NodeTraits { .plain }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? { value }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        // Abstract values carry constants so that keys are known. A large constant, as an option may give one, is not
        // a key.
        switch value {
        case .object: .derived
        case .array(let elements) where elements.count > Self.longestPath: .derived
        default: .constant(value)
        }
    }

    /// A longer path of the state is read whole anyway.
    private static let longestPath = PathSet.depthLimit
}

final class EmptyNode: Node {
    override var traits: NodeTraits { [.plain, .navigation] }
    override var inferredCardinality: Cardinality { .optional }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? { nil }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow { .more }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract { .derived }
}

final class VariableNode: Node {
    let hops: Int
    let slot: Int

    init(hops: Int, slot: Int) {
        self.hops = hops
        self.slot = slot
    }

    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        frame.value(slot, outwards: hops)
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        if let bound = frame.machine.bound, bound.slot == slot, bound.frame === frame.outer(hops),
            bound.origin == at.path
        {
            return try sink(bound.place)
        }
        return try super.paths(at, frame, sink)
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.reading(frame.outer(hops)[slot])
    }
}

/// One of the variables that describe the commit: `$old`, `$seq`, ….
final class ContextNode: Node {
    let variable: ContextVariable

    init(_ variable: ContextVariable) { self.variable = variable }

    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? { frame.machine[variable] }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.note(variable)
        if variable == .old { return frame.tracer.reading(.root) }
        return variable == .at ? .derived : .scalar
    }
}

class PipeNode: BinaryNode {
    override var traits: NodeTraits { [.plain, .navigation] }
    override func markTail() { if left.cardinality != .many { right.markTail() } }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard let middle = try left.one(input, frame) else { return nil }
        return try right.one(middle, frame)
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        if left.cardinality != .many {
            guard let middle = try left.one(input, frame) else { return .more }
            return try right.run(middle, frame, sink)
        }
        return try left.run(input, frame) { middle throws(Interruption) in
            try frame.machine.charge(right.stepCost)
            return try right.run(middle, frame, sink)
        }
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try left.paths(at, frame) { middle throws(Interruption) in
            try frame.machine.charge(right.stepCost)
            return try right.paths(middle, frame, sink)
        }
    }
    override func change(_ value: inout JSONValue, _ frame: Frame) throws(Interruption) -> Bool {
        guard try left.change(&value, frame) else { return false }
        return try right.change(&value, frame)
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        right.trace(left.trace(input, frame), frame)
    }
}

final class CommaNode: Node {
    let branches: [Node]

    init(_ branches: [Node]) { self.branches = branches }

    override var parts: [Node] { branches }
    override var traits: NodeTraits { [.readsInputOnly, .navigation] }
    override var inferredCardinality: Cardinality { .many }
    override func markTail() { branches.last?.markTail() }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        for part in branches.dropLast() {
            try frame.machine.charge(Machine.commaPartCost)
            if try part.each(input, frame, sink) == .stop { return .stop }
        }
        try frame.machine.charge(Machine.commaPartCost)
        return try branches.last?.run(input, frame, sink) ?? .more
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        for part in branches {
            try frame.machine.charge(Machine.commaPartCost)
            if try part.paths(at, frame, sink) == .stop { return .stop }
        }
        return .more
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        let values = branches.map { $0.trace(input, frame) }
        return values.dropFirst().reduce(values.first ?? .derived) { $0.joined(with: $1) }
    }
}

final class ArrayNode: Node {
    let contents: Node?

    init(_ contents: Node?) { self.contents = contents }

    override var parts: [Node] { contents.map { [$0] } ?? [] }
    override var traits: NodeTraits { .readsInputOnly }
    override var inferredCardinality: Cardinality { .one }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard let contents else { return .array([]) }
        try frame.machine.charge(work: Machine.buildingCost)
        if contents.cardinality != .many {
            guard let element = try contents.one(input, frame) else { return .array([]) }
            try frame.machine.charge(work: Machine.elementCost)
            let result = JSONValue.array([element])
            if !element.isScalar { try frame.machine.checkNesting(of: result) }
            return result
        }
        var elements: [JSONValue] = []
        _ = try contents.run(input, frame) { element throws(Interruption) in
            try frame.machine.append(element, to: &elements)
            return .more
        }
        let result = JSONValue.array(elements)
        if let last = elements.last, !last.isScalar { try frame.machine.checkNesting(of: result) }
        return result
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        guard let contents else { return try sink(at.computed(.array([]))) }
        return try sink(at.computed(try contents.pathArray(at, frame)))
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        guard let contents else { return .derived }
        return .array(of: contents.trace(input, frame))
    }
}

/// `arrays`, `scalars`, …: the input, if it is of one of these kinds.
final class KindNode: Node {
    let kinds: ValueKinds

    init(_ kinds: ValueKinds) { self.kinds = kinds }

    override var traits: NodeTraits { [.plain, .navigation] }
    override var inferredCardinality: Cardinality { .optional }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        kinds.contains(ValueKinds(of: input)) ? input : nil
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        kinds.contains(ValueKinds(of: at.value)) ? try sink(at) : .more
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.touch(input)
        return input
    }
}

struct ValueKinds: OptionSet {
    let rawValue: UInt8

    static let null = ValueKinds(rawValue: 1)
    static let boolean = ValueKinds(rawValue: 2)
    static let number = ValueKinds(rawValue: 4)
    static let string = ValueKinds(rawValue: 8)
    static let array = ValueKinds(rawValue: 16)
    static let object = ValueKinds(rawValue: 32)

    static let iterable: ValueKinds = [.array, .object]
    static let scalar: ValueKinds = [.null, .boolean, .number, .string]
    static let value: ValueKinds = [.boolean, .number, .string, .array, .object]
}

extension ValueKinds {
    @inline(__always)
    init(of value: JSONValue) {
        self =
            switch value {
            case .null: .null
            case .bool: .boolean
            case .number: .number
            case .string: .string
            case .array: .array
            case .object: .object
            }
    }
}

/// `debug` and `stderr`: the input unchanged, after it was printed as a message.
final class DebugNode: Node {
    let prefix: String
    let suffix: String
    private let messages: QueryEnvironment.Messages

    init(prefix: String, suffix: String, _ messages: @escaping QueryEnvironment.Messages) {
        self.prefix = prefix
        self.suffix = suffix
        self.messages = messages
    }

    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        let text = try ValueText.bounded(input, frame.machine.limits.size)
        try frame.machine.charge(work: Machine.messageCost &+ text.utf8.count &>> 2)
        // Standard error is mostly a terminal, which control characters of the input must not reach. Escaped, the JSON
        // means the same.
        messages(prefix + ControlCharacters.escapedJSON(text) + suffix)
        return input
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        _ = try one(at.value, frame)
        return try sink(at)
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.noteMessage()
        frame.tracer.consume(input)
        return input
    }
}
