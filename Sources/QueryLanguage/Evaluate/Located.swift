internal import JSONCore

/// A value with the path it was found at.
struct Located {
    var path: [JSONValue]
    var value: JSONValue
    /// The last value that `path` really leads to, where `value` was computed and not found.
    var anchor: JSONValue?

    init(path: [JSONValue], value: JSONValue, anchor: JSONValue? = nil) {
        self.path = path
        self.value = value
        self.anchor = anchor
    }

    /// Whether `path` leads to `value`.
    ///
    /// A computed value that is the very same as the found one passes, as in jq.
    var isIntact: Bool {
        guard let anchor else { return true }
        switch (anchor, value) {
        case (.null, .null): return true
        case (.bool(let a), .bool(let b)): return a == b
        default: return false
        }
    }

    /// The located value one key further down.
    func down(_ key: JSONValue, to child: JSONValue, _ machine: Machine) throws(Interruption) -> Located {
        try machine.pay(1 &+ path.count &>> 1)
        return Located(path: try Self.path(path, down: key), value: child)
    }

    /// A path one key further down.
    @inline(__always)
    static func path(_ path: [JSONValue], down key: JSONValue) throws(Interruption) -> [JSONValue] {
        guard path.count < QueryLimits.pathLength else { throw .message("Path too deep") }
        return path.appending(key)
    }

    /// A value that was computed here: the path still leads to what it led to.
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
    /// The path one key further down, with no more room than that takes.
    @inline(__always)
    func appending(_ key: JSONValue) -> [JSONValue] {
        var longer: [JSONValue] = []
        longer.reserveCapacity(count + 1)
        // One by one: appending them all goes through the type's table of functions for each.
        for place in indices { longer.append(self[place]) }
        longer.append(key)
        return longer
    }
}

/// The paths that an expression leads to.
enum PathCollector {
    /// All of them, before anything is changed.
    static func paths(
        of node: Node, _ input: JSONValue, _ frame: Frame
    ) throws(Interruption) -> [[JSONValue]] {
        var paths: [[JSONValue]] = []
        var size = 0
        let machine = frame.machine
        _ = try node.paths(Located(path: [], value: input), frame) { found throws(Interruption) in
            try found.requireIntactAtEnd()
            // All are held at once, with their keys.
            let part = found.path.count + 1
            size += part
            if size > machine.limits.size { throw .limit(.size) }
            try machine.pay(part)
            paths.append(found.path)
            return .more
        }
        return paths
    }
}
