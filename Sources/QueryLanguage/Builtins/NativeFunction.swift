internal import JSONCore

/// A built-in that computes one value from its input and the values of its arguments.
struct NativeFunction: Sendable {
    enum Body: Sendable {
        case zero(@Sendable (JSONValue) throws(Interruption) -> JSONValue)
        case one(@Sendable (JSONValue, JSONValue) throws(Interruption) -> JSONValue)
        case two(@Sendable (JSONValue, JSONValue, JSONValue) throws(Interruption) -> JSONValue)
        case three(@Sendable (JSONValue, JSONValue, JSONValue, JSONValue) throws(Interruption) -> JSONValue)
        /// One that pays for its work itself.
        case metered(
            arity: Int, @Sendable (JSONValue, [JSONValue], Machine) throws(Interruption) -> JSONValue)
    }

    let name: String
    let body: Body
    /// How many times the work of reading its input once it does, and what it makes of each part of it.
    let effort: Int
    /// What a call costs whatever it is given.
    let cost: Int
    /// What it reads of its input, for the footprint; its arguments are read whole.
    let reads: Reading
    /// What the result is made of, for the footprint.
    let gives: Abstract
    /// The footprint of a call that reads less than that; nil for most.
    let trace: Trace?

    /// What a function can read of its input.
    enum Reading: Sendable {
        case whole
        /// Its kind; of a scalar, its value.
        case kind
        /// How many parts it has, and under what names; of a scalar, its value.
        case outline
    }

    /// Notes what a call reads of its input and arguments, and returns what the result is made of.
    typealias Trace = @Sendable (_ input: Abstract, _ arguments: [Abstract], Tracer) -> Abstract

    init(
        _ name: String, _ body: Body, effort: Int = 1, cost: Int = 0, reads: Reading = .whole,
        gives: Abstract = .derived, trace: Trace? = nil
    ) {
        self.name = name
        self.body = body
        self.effort = effort
        self.cost = cost
        self.reads = reads
        self.gives = gives
        self.trace = trace
    }

    var arity: Int {
        switch body {
        case .zero: 0
        case .one: 1
        case .two: 2
        case .three: 3
        case .metered(let arity, _): arity
        }
    }

    /// Pays for the work and does it.
    func apply(
        _ input: JSONValue, _ arguments: [JSONValue], _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        var work = cost &+ input.readingCost &* effort
        for argument in arguments { work &+= argument.readingCost }
        try machine.pay(work)
        let result = try compute(input, arguments, machine)
        try machine.pay(result.buildingCost)
        return result
    }

    private func compute(
        _ input: JSONValue, _ arguments: [JSONValue], _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        switch body {
        case .zero(let function): try function(input)
        case .one(let function): try function(input, arguments[0])
        case .two(let function): try function(input, arguments[0], arguments[1])
        case .three(let function): try function(input, arguments[0], arguments[1], arguments[2])
        case .metered(_, let function): try function(input, arguments, machine)
        }
    }
}

extension JSONValue {
    /// What it costs in steps to go through the value once, without what its parts hold: nothing where it is short.
    @inline(__always)
    var readingCost: Int {
        switch self {
        case .string(let text): text.utf8.count &>> 5
        case .array(let elements): elements.count &>> 2
        case .object(let members): members.count &>> 2
        case .number(let number):
            // The digits of a literal are read each time that it is computed with.
            if case .text(let digits) = number.storage { digits.utf8.count &>> 3 } else { 0 }
        default: 0
        }
    }

    /// What it costs in steps that the value was built, without what its parts hold: one for each ten bytes, so that the
    /// steps of an evaluation bound the memory that it takes.
    @inline(__always)
    var buildingCost: Int {
        switch self {
        case .string(let text): Self.textCost(text.utf8.count)
        case .array(let elements): elements.isEmpty ? 0 : Machine.buildingCost &+ elements.count &* Machine.elementCost
        case .object(let members):
            members.isEmpty ? 0 : Machine.buildingCost &+ members.count &* Machine.memberCost
        default: 0
        }
    }

    /// What a text of so many bytes costs; up to fifteen of them need no room of their own.
    @inline(__always)
    static func textCost(_ count: Int) -> Int { count <= 15 ? 0 : 4 &+ count &>> 3 }
}

/// A call of a native function, for each combination of its arguments, the first argument varying fastest.
final class NativeNode: Node {
    let function: NativeFunction
    let arguments: [Node]

    init(_ function: NativeFunction, _ arguments: [Node]) {
        self.function = function
        self.arguments = arguments
    }

    override var parts: [Node] { arguments }
    override var traits: NodeTraits { .plain }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        switch function.body {
        case .zero(let body):
            try frame.machine.pay(function.cost &+ input.readingCost &* function.effort)
            let result = try body(input)
            try frame.machine.pay(result.buildingCost)
            return result
        case .one(let body):
            guard let a = try arguments[0].one(input, frame) else { return nil }
            try frame.machine.pay(function.cost &+ input.readingCost &* function.effort &+ a.readingCost)
            let result = try body(input, a)
            try frame.machine.pay(result.buildingCost)
            return result
        default:
            var values: [JSONValue] = []
            for argument in arguments.reversed() {
                guard let value = try argument.one(input, frame) else { return nil }
                values.append(value)
            }
            return try function.apply(input, values.reversed(), frame.machine)
        }
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        if cardinality != .many { return try super.run(input, frame, sink) }
        return try extend([], arguments[...], input, frame, sink)
    }

    private func extend(
        _ later: [JSONValue], _ rest: ArraySlice<Node>, _ input: JSONValue, _ frame: Frame, _ sink: Sink
    ) throws(Interruption) -> Flow {
        guard let last = rest.last else {
            try frame.machine.step()
            return try sink(try function.apply(input, later, frame.machine))
        }
        return try last.each(input, frame) { value throws(Interruption) in
            try extend([value] + later, rest.dropLast(), input, frame, sink)
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        let tracer = frame.tracer
        let values = arguments.map { $0.trace(input, frame) }
        if let trace = function.trace { return trace(input, values, tracer) }
        for value in values.reversed() { tracer.consume(value) }
        switch function.reads {
        case .whole: tracer.consume(input)
        case .kind: tracer.touch(input)
        case .outline: tracer.outline(input)
        }
        return function.gives
    }
}
