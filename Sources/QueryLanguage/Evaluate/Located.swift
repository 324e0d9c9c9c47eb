internal import JSONCore

/// A value in a path expression, with the path that leads to it.
struct Located {
    var path: [JSONValue]
    var value: JSONValue
    /// The value that `path` leads to, if `value` was computed from it and not found there.
    var anchor: JSONValue?

    init(path: [JSONValue], value: JSONValue, anchor: JSONValue? = nil) {
        self.path = path
        self.value = value
        self.anchor = anchor
    }

    /// As in jq, a computed null or boolean that equals the found one passes for it, and so does the found container
    /// itself that comes from a variable.
    var isIntact: Bool {
        guard let anchor else { return true }
        switch (anchor, value) {
        case (.null, .null): return true
        case (.bool(let a), .bool(let b)): return a == b
        case (.array, .array), (.object, .object):
            return anchor.storageIdentity.map { $0 == value.storageIdentity } ?? false
        default: return false
        }
    }

    func down(_ key: JSONValue, to child: JSONValue, _ machine: Machine) throws(Interruption) -> Located {
        try machine.charge(work: 1 &+ path.count &>> 1)
        return Located(path: try Self.path(path, down: key), value: child)
    }

    @inline(__always)
    static func path(_ path: [JSONValue], down key: JSONValue) throws(Interruption) -> [JSONValue] {
        guard path.count < QueryLimits.pathLength else { throw .message("Path too deep") }
        return path.appending(key)
    }

    func computed(_ value: JSONValue) -> Located { Located(path: path, value: value, anchor: anchor ?? self.value) }

    func requireIntact(accessing key: JSONValue) throws(Interruption) {
        guard !isIntact else { return }
        throw .message(
            "Invalid path expression near attempt to access element \(ValueText.truncated(key)) of "
                + ValueText.truncated(value))
    }

    func requireIntactForIteration() throws(Interruption) {
        guard !isIntact else { return }
        throw .message("Invalid path expression near attempt to iterate through \(ValueText.truncated(value))")
    }

    func requireIntactAtEnd() throws(Interruption) {
        guard !isIntact else { return }
        throw .message("Invalid path expression with result \(ValueText.truncated(value))")
    }
}

extension [JSONValue] {
    @inline(__always)
    func appending(_ key: JSONValue) -> [JSONValue] {
        var longer: [JSONValue] = []
        longer.reserveCapacity(count + 1)
        // Appending one by one is faster than appending a collection, which calls through the type's witness table for
        // each.
        for place in indices { longer.append(self[place]) }
        longer.append(key)
        return longer
    }
}

extension Node {
    func allPaths(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> [[JSONValue]] {
        var paths: [[JSONValue]] = []
        var size = 0
        let machine = frame.machine
        _ = try self.paths(Located(path: [], value: input), frame) { found throws(Interruption) in
            try found.requireIntactAtEnd()
            // All paths are in memory at once, so their keys count towards the size limit.
            let part = found.path.count + 1
            size += part
            if size > machine.limits.elements { throw .limit(.size) }
            try machine.charge(work: part &* Machine.elementCost)
            paths.append(found.path)
            return .more
        }
        return paths
    }
}

/// A value borrowed from the array or object that holds it, which the caller of the evaluation keeps alive until the
/// outputs are done: running a node on it counts no reference.
///
/// Retaining and releasing each element costs more than most filters; Swift retains an element that is passed on, but
/// not what is inside a noncopyable value.
struct BorrowedValue: ~Copyable {
    private let value: JSONValue

    @inline(__always)
    borrowing func one(_ node: Node, _ frame: Frame) throws(Interruption) -> JSONValue? { try node.one(value, frame) }

    @inline(__always)
    borrowing func all(_ node: Node, _ frame: Frame) throws(Interruption) -> [JSONValue] { try node.all(value, frame) }

    @inline(__always)
    borrowing func copy() -> JSONValue { value }

    @inline(__always)
    borrowing func withValue(_ sink: Sink) throws(Interruption) -> Flow { try sink(value) }
}

extension Borrowed<JSONValue> {
    /// A structure of one member has the layout of that member.
    @inline(__always)
    fileprivate var borrowed: Borrowed<BorrowedValue> { unsafe assuming(BorrowedValue.self) }
}

extension JSONArray {
    @inline(__always)
    func eachBorrowed(_ body: (borrowing BorrowedValue) throws(Interruption) -> Flow) throws(Interruption) -> Flow {
        let isDone = try forEachPlace { (place) throws(Interruption) in try body(place.borrowed.value) != .stop }
        return isDone ? .more : .stop
    }
}

extension JSONObject {
    @inline(__always)
    func eachBorrowed(_ body: (borrowing BorrowedValue) throws(Interruption) -> Flow) throws(Interruption) -> Flow {
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

/// A node that the program keeps alive: running it counts no reference; it is for parts that are known only after their
/// node, like the body of a function that calls itself.
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
