internal import JSONCore

/// How deep a value is nested.
enum ValueDepth {
    /// From how many containers on a level is looked through for the same ones.
    private static let crowd = 1_000

    /// Whether it is nested deeper than `limit`; looks no deeper than that.
    ///
    /// - Parameter looked: grows by the number of parts that were looked at.
    static func exceeds(_ value: JSONValue, _ limit: Int, _ looked: inout Int) -> Bool {
        // Breadth first, a level at a time: no recursion, and only containers are kept.
        var level = [value]
        var depth = 0
        while !level.isEmpty {
            depth += 1
            if depth > limit { return true }
            var next: [JSONValue] = []
            // How many of them there may be before the same ones are looked for: twice what was left the last time.
            var limitOfSame = crowd
            for container in level {
                looked &+= container.partCount
                switch container {
                case .array(let elements): next.append(contentsOf: elements.lazy.filter { !$0.isScalar })
                case .object(let members): next.append(contentsOf: members.lazy.map(\.value).filter { !$0.isScalar })
                default: break
                }
                guard next.count > limitOfSame else { continue }
                looked &+= next.count
                next = distinct(next)
                limitOfSame = max(crowd, 2 * next.count)
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
    /// How many there are, a long text counting for several; nil for more than `limit`, as it counts no further than that.
    static func count(_ value: JSONValue, upTo limit: Int) -> Int? {
        var open = [value]
        var count = 0
        while let next = open.popLast() {
            switch next {
            case .array(let elements):
                count += elements.count
                if count <= limit { open.append(contentsOf: elements.lazy.filter(\.hasExtent)) }
            case .object(let members):
                count += members.count
                if count <= limit { open.append(contentsOf: members.lazy.map(\.value).filter(\.hasExtent)) }
            default: count += next.readingCost
            }
            if count > limit { return nil }
        }
        return count
    }
}

extension JSONValue {
    /// How many parts it has itself.
    fileprivate var partCount: Int {
        switch self {
        case .array(let elements): elements.count
        case .object(let members): members.count
        default: 0
        }
    }

    /// Whether it is more than one part: a container, or a long text.
    fileprivate var hasExtent: Bool { !isScalar || readingCost > 0 }
}
