internal import JSONCore

typealias Sink = (JSONValue) throws(Interruption) -> Flow
typealias PathSink = (Located) throws(Interruption) -> Flow

enum Flow {
    case more
    case stop
    /// Only as the result of running a node: a call in tail position waits in the machine, and the `CallNode` that
    /// runs the function's body continues with it.
    case tail
}

/// How many outputs a node has for each input, as far as the program's text shows.
enum Cardinality: Comparable {
    case one
    case optional
    case many
}

enum Interruption: Error {
    /// A run-time error, with the value that `catch` gets.
    case failure(JSONValue)
    case broken(label: Int)
    /// A limit was reached; `try` does not catch it.
    case limit(QueryLimit)
    /// What comes next cannot be read; `try` does not catch it.
    case unreadInput

    static func message(_ text: String) -> Interruption { .failure(.string(text)) }
}

/// A piece of a compiled program.
///
/// Evaluation pushes outputs: `run` hands each to a sink, which answers whether more are wanted. So generators need
/// neither buffers nor threads, and outputs come in jq's order. Three further forms exist for speed, or for jq's path
/// expressions; each gives what `run` gives:
///
/// `one` returns the output of a node that has at most one. It needs no callback, and most of a typical query runs
/// that way.
///
/// `paths` carries with each value the path that leads to it, for `path(f)` and for the left side of assignments.
///
/// `change` replaces a value by the node's output for it, in place if possible: what only the evaluation refers to is
/// edited and not copied, so that a loop of `. + [x]` takes linear time.
///
/// A subclass overrides `one` or `run` (the other follows), `paths` if it is a path expression, `change` if it can
/// edit a value in place, and `trace` for the footprint. It declares its `parts`, from which the analyses below
/// follow, and its `traits`.
///
/// Nodes are not changed once the program is compiled, and hold no state of an evaluation.
class Node {
    final private(set) var cardinality = Cardinality.many
    /// The steps that each evaluation costs beside the loops in the node: one for every four nodes in it.
    final var stepCost = 1

    // MARK: Analyses

    var parts: [Node] { [] }
    /// The parts that a path expression leads through, for a node with the trait `.navigation`; the others compute operands.
    var navigatedParts: [Node] { parts }
    var traits: NodeTraits { [] }

    /// The cardinality, given those of the parts; by default there is an output for each combination of theirs.
    var inferredCardinality: Cardinality { parts.reduce(.one) { max($0, $1.cardinality) } }

    func inferCardinality() {
        for part in parts { part.inferCardinality() }
        cardinality = inferredCardinality
    }

    /// Reads nothing but its input, takes no step, and gives one output at most, as most predicates do: evaluation
    /// needs neither a frame nor a machine.
    ///
    /// Only once the cardinalities are known.
    final var isPlain: Bool { cardinality != .many && traits.contains(.plain) && parts.allSatisfy(\.isPlain) }

    final var readsInputOnly: Bool {
        StackRoom.hasRoom && traits.contains(.readsInputOnly) && parts.allSatisfy(\.readsInputOnly)
    }

    /// Whether the node, as a path expression, leads only to what is already there: then the paths, and the errors, depend
    /// on the values that it passes, and not on those that it arrives at.
    final var isNavigation: Bool { traits.contains(.navigation) && navigatedParts.allSatisfy(\.isNavigation) }

    func markTail() {}

    // MARK: Evaluation

    /// Nil if there is no output; only for nodes that are not `.many`.
    func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        var result: JSONValue?
        _ = try run(input, frame) { value throws(Interruption) in
            result = value
            return .more
        }
        return result
    }

    /// A node that compares makes no value of it; nil if there is no output; only for nodes that are not `.many`.
    func truth(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> Bool? { try one(input, frame)?.isTruthy }

    /// - Returns: `.stop` if the sink wants no more, `.tail` if a call waits in the machine.
    func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        guard let value = try one(input, frame) else { return frame.machine.pending == nil ? .more : .tail }
        return try sink(value)
    }

    /// A node that is not a path expression keeps the path of its input; navigating on from its outputs is an error.
    func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try run(at.value, frame) { value throws(Interruption) in try sink(at.computed(value)) }
    }

    /// Evaluates an operand inside of a path expression, as jq does: navigating inside of the operand from a value
    /// that is no longer on the path is an error there, and not where the operand's value is used.
    final func pathValues(_ at: Located, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try paths(at, frame) { located throws(Interruption) in try sink(located.value) }
    }

    final func pathArray(_ at: Located, _ frame: Frame) throws(Interruption) -> JSONValue {
        var elements: [JSONValue] = []
        _ = try pathValues(at, frame) { element throws(Interruption) in
            try frame.machine.append(element, to: &elements)
            return .more
        }
        return .array(elements)
    }

    /// Edits in place if the node can; false if there is no output; only for nodes that are not `.many`.
    func change(_ value: inout JSONValue, _ frame: Frame) throws(Interruption) -> Bool {
        guard let result = try one(value, frame) else { return false }
        value = result
        return true
    }

    /// Notes what the node reads of the state, and returns what its outputs may be made of.
    func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.giveUp()
        return .derived
    }
}

struct NodeTraits: OptionSet {
    let rawValue: UInt8

    static let readsInputOnly = NodeTraits(rawValue: 1)
    static let plain: NodeTraits = [.readsInputOnly, NodeTraits(rawValue: 2)]
    static let navigation = NodeTraits(rawValue: 4)
}

class UnaryNode: Node {
    final let operand: Node

    init(_ operand: Node) { self.operand = operand }

    override var parts: [Node] { [operand] }
    /// The operand is read whole.
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.consumed(operand.trace(input, frame))
    }
}

class BinaryNode: Node {
    final let left: Node
    final let right: Node

    init(_ left: Node, _ right: Node) {
        self.left = left
        self.right = right
    }

    override var parts: [Node] { [left, right] }

    func with(_ left: Node, _ right: Node) -> Node? { nil }
}

extension Node {
    /// Charged like an array that a program builds.
    final func all(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> [JSONValue] {
        var results: [JSONValue] = []
        _ = try each(input, frame) { value throws(Interruption) in
            try frame.machine.append(value, to: &results)
            return .more
        }
        return results
    }

    /// No callback is needed if there is at most one output; not for calls in tail position.
    @inline(__always)
    final func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        if cardinality != .many {
            guard let value = try one(input, frame) else { return .more }
            return try sink(value)
        }
        return try run(input, frame, sink)
    }

    /// Runs the body for each combination of the outputs of some nodes, those of the first varying slowest.
    static func combinations(
        of nodes: ArraySlice<Node>, after known: [JSONValue] = [], _ input: JSONValue, _ frame: Frame,
        _ body: ([JSONValue]) throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        guard let first = nodes.first else { return try body(known) }
        return try first.each(input, frame) { value throws(Interruption) in
            try combinations(of: nodes.dropFirst(), after: known + [value], input, frame, body)
        }
    }
}
