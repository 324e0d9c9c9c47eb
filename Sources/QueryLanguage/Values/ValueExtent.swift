internal import JSONCore

/// Measures how deep a value is nested.
enum ValueDepth {
    /// The number of containers on a level from which duplicates are searched for.
    private static let crowd = 1_000

    /// Whether a value is nested deeper than `limit`; goes no deeper than that.
    ///
    /// - Parameter count: grows by the number of parts that were read.
    static func exceeds(_ value: JSONValue, _ limit: Int, _ count: inout Int) -> Bool {
        // Breadth first, a level at a time: there is no recursion, and only containers are kept.
        var level = [value]
        var depth = 0
        while !level.isEmpty {
            depth += 1
            if depth > limit { return true }
            var next: [JSONValue] = []
            // The number of containers at which duplicates are removed next: twice what was left the last time.
            var limitOfSame = crowd
            for container in level {
                count &+= container.partCount
                switch container {
                case .array(let elements): next.append(contentsOf: elements.lazy.filter { !$0.isScalar })
                case .object(let members): next.append(contentsOf: members.lazy.map(\.value).filter { !$0.isScalar })
                default: break
                }
                guard next.count > limitOfSame else { continue }
                count &+= next.count
                next = distinct(next)
                limitOfSame = max(crowd, 2 * next.count)
            }
            level = next
        }
        return false
    }

    /// The containers without duplicates: one that stands in many places is as deep in each.
    private static func distinct(_ containers: [JSONValue]) -> [JSONValue] {
        var seen: Set<UInt> = []
        return containers.filter { container in
            guard let identity = container.storageIdentity else { return true }
            return seen.insert(identity).inserted
        }
    }
}

/// Counts the parts of a value, each as often as it occurs, as a text of the value would.
enum ValueExtent {
    /// The number of parts, a long string counting for several; nil for more than `limit`, where counting stops.
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
    /// The number of its own parts.
    fileprivate var partCount: Int {
        switch self {
        case .array(let elements): elements.count
        case .object(let members): members.count
        default: 0
        }
    }

    /// Whether it counts as more than one part: a container, or a long string.
    fileprivate var hasExtent: Bool { !isScalar || readingCost > 0 }
}
