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
