internal import JSONCore

/// A built-in that computes one value from its input and the values of its arguments.
struct NativeFunction: Sendable {
    enum Body: Sendable {
        case zero(@Sendable (JSONValue) throws(Interruption) -> JSONValue)
        case one(@Sendable (JSONValue, JSONValue) throws(Interruption) -> JSONValue)
        case two(@Sendable (JSONValue, JSONValue, JSONValue) throws(Interruption) -> JSONValue)
        case three(@Sendable (JSONValue, JSONValue, JSONValue, JSONValue) throws(Interruption) -> JSONValue)
    }

    let name: String
    let body: Body

    init(_ name: String, _ body: Body) {
        self.name = name
        self.body = body
    }

    var arity: Int {
        switch body {
        case .zero: 0
        case .one: 1
        case .two: 2
        case .three: 3
        }
    }

    func apply(_ input: JSONValue, _ arguments: [JSONValue]) throws(Interruption) -> JSONValue {
        switch body {
        case .zero(let function): try function(input)
        case .one(let function): try function(input, arguments[0])
        case .two(let function): try function(input, arguments[0], arguments[1])
        case .three(let function): try function(input, arguments[0], arguments[1], arguments[2])
        }
    }
}

/// A call of a native function, for each combination of its arguments, the first argument varying fastest.
final class NativeNode: Node {
    let function: NativeFunction
    let arguments: [Node]

    init(_ function: NativeFunction, _ arguments: [Node]) {
        self.function = function
        self.arguments = arguments
    }

    override func settle() {
        multiplicity = .one
        for argument in arguments {
            argument.settle()
            multiplicity = max(multiplicity, argument.multiplicity)
        }
    }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        switch function.body {
        case .zero(let body): return try body(input)
        case .one(let body):
            guard let a = try arguments[0].one(input, frame) else { return nil }
            return try body(input, a)
        case .two(let body):
            guard let b = try arguments[1].one(input, frame), let a = try arguments[0].one(input, frame) else {
                return nil
            }
            return try body(input, a, b)
        default:
            var values: [JSONValue] = []
            for argument in arguments.reversed() {
                guard let value = try argument.one(input, frame) else { return nil }
                values.append(value)
            }
            return try function.apply(input, values.reversed())
        }
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        if multiplicity != .many { return try super.run(input, frame, sink) }
        return try extend([], arguments[...], input, frame, sink)
    }

    private func extend(
        _ later: [JSONValue], _ rest: ArraySlice<Node>, _ input: JSONValue, _ frame: Frame, _ sink: Sink
    ) throws(Interruption) -> Flow {
        guard let last = rest.last else { return try sink(try function.apply(input, later)) }
        return try last.each(input, frame) { value throws(Interruption) in
            try extend([value] + later, rest.dropLast(), input, frame, sink)
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        for argument in arguments.reversed() { frame.tracer.consume(argument.trace(input, frame)) }
        if function.readsKindOnly { frame.tracer.touch(input) } else { frame.tracer.consume(input) }
        return .derived
    }
}

extension NativeFunction {
    /// Whether the result hangs on no more than the input's kind, and on a scalar itself.
    fileprivate var readsKindOnly: Bool {
        ["not", "type", "infinite", "nan", "have_decnum", "have_literal_numbers", "builtins"].contains(name)
    }
}
