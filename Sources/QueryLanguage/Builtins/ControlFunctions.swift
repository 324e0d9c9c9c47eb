internal import JSONCore

/// Built-ins whose arguments are filters that they run themselves, and those that are a node without arguments.
enum ControlFunctions {
    static let builtins: [Builtin] = selection + loops + folds + paths + others + kinds + sorting

    private static let selection: [Builtin] = [
        Builtin("empty", 0) { _ in EmptyNode() },
        Builtin("select", 1) { SelectNode($0[0]) },
        Builtin("first", 0) { _ in IndexNode(IdentityNode(), number(0)) },
        Builtin("first", 1) { FirstOrLastNode(isFirst: true, of: $0[0]) },
        Builtin("last", 0) { _ in IndexNode(IdentityNode(), number(-1)) },
        Builtin("last", 1) { FirstOrLastNode(isFirst: false, of: $0[0]) },
        Builtin("nth", 1) { IndexNode(IdentityNode(), $0[0]) },
        Builtin("nth", 2) { CountedNode(.nth, $0[0], $0[1]) },
        Builtin("limit", 2) { CountedNode(.limit, $0[0], $0[1]) },
        Builtin("skip", 2) { CountedNode(.skip, $0[0], $0[1]) },
    ]

    private static let loops: [Builtin] = [
        Builtin("map", 1) { MapNode($0[0]) },
        Builtin("recurse", 0) { _ in DescentNode() },
        Builtin("recurse", 1) { RecurseNode($0.reentrant(0)) },
        Builtin("walk", 1) { WalkNode($0.reentrant(0)) },
        Builtin("while", 2) { WhileNode($0.reentrant(0), $0.reentrant(1)) },
        Builtin("until", 2) { UntilNode($0.reentrant(0), $0.reentrant(1)) },
        Builtin("range", 1) { RangeNode(from: number(0), upTo: $0[0], by: number(1)) },
        Builtin("range", 2) { RangeNode(from: $0[0], upTo: $0[1], by: number(1)) },
        Builtin("range", 3) { RangeNode(from: $0[0], upTo: $0[1], by: $0[2], isExact: true) },
    ]

    private static let folds: [Builtin] = [
        Builtin("isempty", 1) { IsEmptyNode($0[0]) },
        Builtin("any", 0) { _ in QuantifierNode(elements, IdentityNode(), decisive: true) },
        Builtin("any", 1) { QuantifierNode(elements, $0[0], decisive: true) },
        Builtin("any", 2) { QuantifierNode($0[0], $0[1], decisive: true) },
        Builtin("all", 0) { _ in QuantifierNode(elements, IdentityNode(), decisive: false) },
        Builtin("all", 1) { QuantifierNode(elements, $0[0], decisive: false) },
        Builtin("all", 2) { QuantifierNode($0[0], $0[1], decisive: false) },
        Builtin("add", 0) { _ in SumNode(elements) },
        Builtin("add", 1) { SumNode($0[0]) },
    ]

    private static let paths: [Builtin] = [
        Builtin("path", 1) { PathsNode($0[0], isEverywhere: false) },
        Builtin("paths", 0) { _ in PathsNode(DescentNode(), isEverywhere: true) },
        Builtin("paths", 1) { PathsNode(PipeNode(DescentNode(), SelectNode($0[0])), isEverywhere: true) },
        Builtin("getpath", 1) { GetPathNode($0[0]) },
        Builtin("del", 1) { DeleteNode($0[0]) },
        Builtin("pick", 1) { PickNode($0[0]) },
        Builtin("tostream", 0) { _ in StreamNode() },
        Builtin("fromstream", 1) { StreamedNode($0[0]) },
    ]

    private static let others: [Builtin] = [
        Builtin("error", 0) { _ in ErrorNode(IdentityNode()) },
        Builtin("error", 1) { ErrorNode($0[0]) },
        Builtin("debug", 0) { DebugNode(prefix: "[\"DEBUG:\",", suffix: "]\n", $0.compiler.environment.messages) },
        Builtin("stderr", 0) { DebugNode(prefix: "", suffix: "", $0.compiler.environment.messages) },
        Builtin("_sub", 3) { SubstituteNode($0[0], flags: $0[1], $0[2]) },
    ]

    private static let kinds: [Builtin] = [
        ("arrays", ValueKinds.array), ("objects", .object), ("iterables", .iterable), ("booleans", .boolean),
        ("numbers", .number), ("strings", .string), ("nulls", .null), ("values", .value), ("scalars", .scalar),
    ].map { name, kinds in Builtin(name, 0) { _ in KindNode(kinds) } }

    private static let sorting: [Builtin] = SortingKind.allCases.map { kind in
        Builtin(kind.rawValue, 1) { SortingNode(kind, key: $0[0]) }
    }

    private static func number(_ value: Int) -> Node { LiteralNode(.number(JSONNumber(value))) }

    private static var elements: Node { IterateNode(IdentityNode()) }
}

enum InputFunctions {
    private static let names = ["input", "inputs", "input_filename"]
    static let signatures = names.map { "\($0)/0" }

    static func node(_ name: String, arity: Int, _ inputs: QueryInputs) -> Node? {
        arity == 0 && names.contains(name) ? InputNode(name, inputs) : nil
    }
}

/// `input`, `inputs` and `input_filename`: they read nothing of the state, but the reader of the inputs.
final class InputNode: Node {
    private let name: String
    private let inputs: QueryInputs

    init(_ name: String, _ inputs: QueryInputs) {
        self.name = name
        self.inputs = inputs
    }

    override var inferredCardinality: Cardinality { name == "inputs" ? .many : .one }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        if name == "input_filename" { return inputs.name().map { .string($0) } ?? .null }
        guard let value = try next(frame.machine) else { throw .message("No more inputs") }
        return value
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        guard cardinality == .many else { return try super.run(input, frame, sink) }
        while let value = try next(frame.machine) {
            if try sink(value) == .stop { return .stop }
        }
        return .more
    }

    /// The next input, which begins a new budget of steps: a program may take as long as what it reads is.
    private func next(_ machine: Machine) throws(Interruption) -> JSONValue? {
        switch inputs.next() {
        case .value(let value):
            machine.restore(steps: machine.limits.steps)
            return value
        case .end: return nil
        case .unreadable: throw .unreadInput
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract { .derived }
}
