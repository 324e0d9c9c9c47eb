internal import JSONCore

/// Built-ins that read further inputs, for programs that have any.
enum InputFunctions {
    /// Name and what a call of it becomes; all are without arguments.
    private static let nodes: [(name: String, node: @Sendable (QueryInputs) -> Node)] = [
        ("input", { InputNode($0) }), ("inputs", { InputsNode($0) }), ("input_filename", { InputNameNode($0) }),
    ]

    /// Name and arity of each.
    static let signatures = nodes.map { "\($0.name)/0" }

    /// The node of a call; nil for any other function.
    static func node(_ name: String, arity: Int, _ inputs: QueryInputs) -> Node? {
        guard arity == 0 else { return nil }
        return nodes.first { $0.name == name }?.node(inputs)
    }
}

/// A node that reads nothing of the state: what it gives comes from the reader of the inputs.
class InputReadingNode: Node {
    final let inputs: QueryInputs

    init(_ inputs: QueryInputs) { self.inputs = inputs }

    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract { .derived }

    /// The next input, which begins a new budget of steps: a program may take as long as what it reads is.
    final func next(_ machine: Machine) throws(Interruption) -> JSONValue? {
        switch inputs.next() {
        case .value(let value):
            machine.restore(steps: machine.limits.steps)
            return value
        case .end: return nil
        case .unreadable: throw .unreadInput
        }
    }
}

/// `input`: the next input.
final class InputNode: InputReadingNode {
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard let value = try next(frame.machine) else { throw .message("No more inputs") }
        return value
    }
}

/// `inputs`: all that are left, each when it is wanted.
final class InputsNode: InputReadingNode {
    override var inferredCardinality: Cardinality { .many }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        while let value = try next(frame.machine) {
            if try sink(value) == .stop { return .stop }
        }
        return .more
    }
}

/// `input_filename`: the file that the last input is from.
final class InputNameNode: InputReadingNode {
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        inputs.name().map { .string($0) } ?? .null
    }
}
