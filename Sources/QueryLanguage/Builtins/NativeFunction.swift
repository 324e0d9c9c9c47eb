internal import JSONCore

/// A built-in that computes one value from its input and the values of its arguments.
struct NativeFunction: Sendable {
    enum Body: Sendable {
        case zero(@Sendable (JSONValue) throws(Interruption) -> JSONValue)
        case one(@Sendable (JSONValue, JSONValue) throws(Interruption) -> JSONValue)
        /// A function that charges its work itself, beside the charge for reading its arguments.
        case metered(arity: Int, @Sendable (JSONValue, [JSONValue], Machine) throws(Interruption) -> JSONValue)
    }

    let name: String
    let body: Body
    /// The work as a multiple of reading the input once.
    let effort: Int
    /// The steps that a call costs for any input.
    let cost: Int
    let reads: Reading
    let gives: Abstract
    /// The footprint of a call that is more precise than `reads` and `gives` can say; nil for most functions.
    let trace: Trace?

    enum Reading: Sendable {
        case whole
        /// Its kind, and the value of a scalar.
        case kind
        /// The number of its parts and their names, and the value of a scalar.
        case outline
    }

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
        case .metered(let arity, _): arity
        }
    }

    func apply(_ input: JSONValue, _ arguments: [JSONValue], _ machine: Machine) throws(Interruption) -> JSONValue {
        var work = cost &+ input.readingCost &* effort
        for argument in arguments { work &+= argument.readingCost }
        try machine.charge(work: work)
        let result =
            switch body {
            case .zero(let function): try function(input)
            case .one(let function): try function(input, arguments[0])
            case .metered(_, let function): try function(input, arguments, machine)
            }
        try machine.charge(work: result.buildingCost)
        return result
    }
}

extension JSONValue {
    /// The steps that it costs to read the value once, without what its parts contain; 0 for a short value.
    @inline(__always)
    var readingCost: Int {
        switch self {
        case .string(let text): text.utf8.count &>> 5
        case .array(let elements): elements.count &>> 2
        case .object(let members): members.count &>> 2
        case .number(let number):
            // The digits of a literal are read in each computation with it.
            if case .text(let digits) = number.storage { digits.utf8.count &>> 3 } else { 0 }
        default: 0
        }
    }

    /// The parts' own cost is left out: three steps for each eight bytes, so that the steps bound the memory.
    @inline(__always)
    var buildingCost: Int {
        switch self {
        case .string(let text): Self.textCost(text.utf8.count)
        case .array(let elements): elements.isEmpty ? 0 : Machine.buildingCost &+ elements.count &* Machine.elementCost
        case .object(let members): members.isEmpty ? 0 : Machine.buildingCost &+ members.count &* Machine.memberCost
        default: 0
        }
    }

    /// The steps that a string of so many bytes costs; up to fifteen bytes are stored inside of the value.
    @inline(__always)
    static func textCost(_ count: Int) -> Int { count <= 15 ? 0 : 20 &+ (count &* 3) &>> 3 }
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
            try frame.machine.charge(work: function.cost &+ input.readingCost &* function.effort)
            let result = try body(input)
            try frame.machine.charge(work: result.buildingCost)
            return result
        case .one(let body):
            guard let a = try arguments[0].one(input, frame) else { return nil }
            try frame.machine.charge(work: function.cost &+ input.readingCost &* function.effort &+ a.readingCost)
            let result = try body(input, a)
            try frame.machine.charge(work: result.buildingCost)
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
        return try Self.combinations(of: arguments.reversed()[...], input, frame) { values throws(Interruption) in
            try frame.machine.charge(1)
            return try sink(try function.apply(input, values.reversed(), frame.machine))
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
