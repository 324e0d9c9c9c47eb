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

    /// Whether `path` leads to `value`.
    ///
    /// As in jq, a computed null or boolean that equals the found one passes for it, and so does the found container itself
    /// that comes from a variable.
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

    /// The value one key further down, with its path.
    func down(_ key: JSONValue, to child: JSONValue, _ machine: Machine) throws(Interruption) -> Located {
        try machine.charge(work: 1 &+ path.count &>> 1)
        return Located(path: try Self.path(path, down: key), value: child)
    }

    /// A path one key further down.
    @inline(__always)
    static func path(_ path: [JSONValue], down key: JSONValue) throws(Interruption) -> [JSONValue] {
        guard path.count < QueryLimits.pathLength else { throw .message("Path too deep") }
        return path.appending(key)
    }

    /// A value that was computed from this one: the path still leads to what it led to.
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
    /// The path one key further down, allocated without spare room.
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

/// Collects the paths that an expression leads to.
enum PathCollector {
    /// All paths, in order, before anything is changed.
    static func paths(
        of node: Node, _ input: JSONValue, _ frame: Frame
    ) throws(Interruption) -> [[JSONValue]] {
        var paths: [[JSONValue]] = []
        var size = 0
        let machine = frame.machine
        _ = try node.paths(Located(path: [], value: input), frame) { found throws(Interruption) in
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
