internal import JSONCore

/// A value borrowed from the array or object that holds it: running a node on it counts no reference.
///
/// Retaining and releasing each element costs more than most filters that run on it. Swift retains an element that is passed
/// on, as the array might be edited meanwhile; what is inside a noncopyable value it does not. Only for containers that the
/// caller of the evaluation keeps alive until the outputs are done.
struct BorrowedValue: ~Copyable {
    private let value: JSONValue

    /// The node's output for the value.
    @inline(__always)
    borrowing func one(_ node: Node, _ frame: Frame) throws(Interruption) -> JSONValue? { try node.one(value, frame) }

    /// All outputs of the node for the value.
    @inline(__always)
    borrowing func all(_ node: Node, _ frame: Frame) throws(Interruption) -> [JSONValue] { try node.all(value, frame) }

    /// The value, retained.
    @inline(__always)
    borrowing func copy() -> JSONValue { value }

    /// Hands the value to a sink.
    @inline(__always)
    borrowing func withValue(_ sink: Sink) throws(Interruption) -> Flow { try sink(value) }
}

extension Borrowed<JSONValue> {
    /// A structure of one member has the layout of that member.
    @inline(__always)
    fileprivate var borrowed: Borrowed<BorrowedValue> { unsafe assuming(BorrowedValue.self) }
}

extension [JSONValue] {
    /// Runs for each element until the body asks to stop.
    @inline(__always)
    func eachBorrowed(
        _ body: (borrowing BorrowedValue) throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        let isDone = try forEachPlace { (place) throws(Interruption) in try body(place.borrowed.value) != .stop }
        return isDone ? .more : .stop
    }
}

extension JSONObject {
    /// Runs for each member's value until the body asks to stop.
    @inline(__always)
    func eachBorrowed(
        _ body: (borrowing BorrowedValue) throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        let isDone = try forEachPlace { (_, value) throws(Interruption) in try body(value.borrowed.value) != .stop }
        return isDone ? .more : .stop
    }
}

extension JSONValue {
    /// Runs for each element or member, with its key, until the body asks to stop; a scalar has none.
    @inline(__always)
    func eachPart(
        _ body: (JSONValue, borrowing BorrowedValue) throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        switch self {
        case .array(let elements):
            var index = 0
            return try elements.eachBorrowed { element throws(Interruption) in
                defer { index += 1 }
                return try body(.number(JSONNumber(index)), element)
            }
        case .object(let members):
            let isDone = try members.forEachPlace { (key, value) throws(Interruption) -> Bool in
                try body(.string(key.value), value.borrowed.value) != .stop
            }
            return isDone ? .more : .stop
        default: return .more
        }
    }
}

/// A node that the program keeps alive: running it counts no reference.
///
/// Nodes that hold their parts in constants need none of this. It is for parts that are known only later, like the body of a
/// function that calls itself.
@safe
struct UnretainedNode {
    private let node: Unmanaged<Node>

    init(_ node: Node) { unsafe self.node = unsafe .passUnretained(node) }

    @inline(__always)
    func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        unsafe try node._withUnsafeGuaranteedRef { node in
            Result { () throws(Interruption) in try node.one(input, frame) }
        }.get()
    }

    @inline(__always)
    func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        unsafe try node._withUnsafeGuaranteedRef { node in
            Result { () throws(Interruption) in try node.run(input, frame, sink) }
        }.get()
    }
}
