internal import JSONCore

/// How deep a value is nested.
enum ValueDepth {
    /// From how many containers on a level is looked through for the same ones.
    private static let crowd = 1_000

    /// Whether it is nested deeper than `limit`; looks no deeper than that.
    static func exceeds(_ value: JSONValue, _ limit: Int) -> Bool {
        // Breadth first, a level at a time: no recursion, and only containers are kept.
        var level = [value]
        var depth = 0
        while !level.isEmpty {
            depth += 1
            if depth > limit { return true }
            var next: [JSONValue] = []
            for container in level {
                switch container {
                case .array(let elements): next.append(contentsOf: elements.lazy.filter { !$0.isScalar })
                case .object(let members): next.append(contentsOf: members.lazy.map(\.value).filter { !$0.isScalar })
                default: break
                }
                if next.count > crowd { next = distinct(next) }
            }
            level = next
        }
        return false
    }

    /// The same containers, each once: one that stands in many places is as deep in each.
    private static func distinct(_ containers: [JSONValue]) -> [JSONValue] {
        var seen: Set<UInt> = []
        return containers.filter { container in
            guard let identity = container.storageIdentity else { return true }
            return seen.insert(identity).inserted
        }
    }
}

/// How many parts a value has when each is counted wherever it stands, as a text of it would.
enum ValueExtent {
    /// Whether there are more than `limit`; counts no further than that.
    static func exceeds(_ value: JSONValue, _ limit: Int) -> Bool {
        var open = [value]
        var count = 0
        while let next = open.popLast() {
            switch next {
            case .array(let elements):
                count += elements.count
                if count <= limit { open.append(contentsOf: elements.lazy.filter { !$0.isScalar }) }
            case .object(let members):
                count += members.count
                if count <= limit { open.append(contentsOf: members.lazy.map(\.value).filter { !$0.isScalar }) }
            default: break
            }
            if count > limit { return true }
        }
        return false
    }
}
