internal import JSONCore

/// A value in its place in an array or object that somebody holds: running a node on it counts no reference.
///
/// Counting one up and down for each element costs more than most filters that are run on it. Passing an element of an array
/// counts it, as the array might be edited meanwhile; passing the content of what cannot be copied does not. Only for
/// containers that come from an input, which whoever evaluates holds until the outputs are done.
struct HeldValue: ~Copyable {
    private let value: JSONValue

    /// The node's output for it.
    @inline(__always)
    borrowing func one(_ node: Node, _ frame: Frame) throws(Interruption) -> JSONValue? { try node.one(value, frame) }

    /// Every output of the node for it.
    @inline(__always)
    borrowing func all(_ node: Node, _ frame: Frame) throws(Interruption) -> [JSONValue] { try node.all(value, frame) }

    /// The value, counted.
    @inline(__always)
    borrowing func copy() -> JSONValue { value }

    /// Hands it to a sink.
    @inline(__always)
    borrowing func withValue(_ sink: Sink) throws(Interruption) -> Flow { try sink(value) }
}

extension [JSONValue] {
    /// Runs for each element until one asks to stop.
    @inline(__always)
    func eachHeld(
        _ body: (borrowing HeldValue) throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        try withUnsafeBufferPointer { (elements) throws(Interruption) -> Flow in
            guard let first = UnsafeRawPointer(elements.baseAddress) else { return .more }
            // The same layout: a structure of one member.
            let held = first.assumingMemoryBound(to: HeldValue.self)
            for place in elements.indices where try body(held[place]) == .stop { return .stop }
            return .more
        }
    }
}

extension JSONObject {
    /// Runs for each member's value until one asks to stop.
    @inline(__always)
    func eachHeld(
        _ body: (borrowing HeldValue) throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        let isDone = try forEachPlace { (_, value) throws(Interruption) -> Bool in
            let held = UnsafeRawPointer(value).assumingMemoryBound(to: HeldValue.self)
            return try body(held.pointee) != .stop
        }
        return isDone ? .more : .stop
    }
}

extension JSONValue {
    /// Runs for each element or member, with its key, until one asks to stop; a scalar has none.
    @inline(__always)
    func eachPart(
        _ body: (JSONValue, borrowing HeldValue) throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        switch self {
        case .array(let elements):
            var index = 0
            return try elements.eachHeld { element throws(Interruption) in
                defer { index += 1 }
                return try body(.number(JSONNumber(index)), element)
            }
        case .object(let members):
            let isDone = try members.forEachPlace { (key, value) throws(Interruption) -> Bool in
                let held = UnsafeRawPointer(value).assumingMemoryBound(to: HeldValue.self)
                return try body(.string(key.pointee), held.pointee) != .stop
            }
            return isDone ? .more : .stop
        default: return .more
        }
    }
}

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
