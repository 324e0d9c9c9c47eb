internal import JSONCore

/// A node that is kept alive by the program: running it counts no reference.
///
/// Nodes that hold their parts in constants need none of this; it is for parts that are known only later, like the body of
/// a function that calls itself.
struct HeldNode {
    private let node: Unmanaged<Node>

    init(_ node: Node) { self.node = .passUnretained(node) }

    @inline(__always)
    func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        try node._withUnsafeGuaranteedRef { node in
            Result { () throws(Interruption) in try node.one(input, frame) }
        }.get()
    }

    @inline(__always)
    func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try node._withUnsafeGuaranteedRef { node in
            Result { () throws(Interruption) in try node.run(input, frame, sink) }
        }.get()
    }
}

/// A function's body as a call runs it.
///
/// The body of a recursive function is an `if` nearly always. A call chooses between its branches by itself: the processor
/// foresees the returns of some dozen native frames only, so what deep recursion costs is how many a level has.
struct CalledBody {
    /// The body as one node.
    let whole: HeldNode
    private let condition: HeldNode?
    private let then: HeldNode
    private let otherwise: HeldNode

    init(_ node: Node) {
        whole = HeldNode(node)
        let choice = node as? ConditionalNode
        condition = choice.map { HeldNode($0.condition) }
        then = choice.map { HeldNode($0.then) } ?? whole
        otherwise = choice.map { HeldNode($0.otherwise) } ?? whole
    }

    @inline(__always)
    func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        if let condition {
            guard let holds = try condition.one(input, frame)?.isTruthy else { return nil }
            return try holds ? then.one(input, frame) : otherwise.one(input, frame)
        }
        return try whole.one(input, frame)
    }
}
