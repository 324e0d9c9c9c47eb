extension JSONToken {
    /// The value, built.
    ///
    /// - Parameter order: how the members of objects are ordered; of a name that stands twice the last value stays.
    /// - Complexity: O(*n*), without recursion; sorting members adds O(*m* log *m*) for an object of *m*.
    package func value(order: MemberOrder = .asWritten) -> JSONValue {
        if let scalar { return scalar }
        // From the last entry to the first, the parts of a container lie on top, the first one uppermost, when it is met.
        var values = PinnedArray<JSONValue>(capacity: min(end &- index, 1 << 12))
        var place = end &- 1
        while place >= index {
            let token = token(at: place)
            switch token.kind {
            case .name: break
            case .array:
                let count = token.count
                var elements: [JSONValue] = []
                elements.reserveCapacity(count)
                for _ in 0..<count { elements.append(values.popLast() ?? .null) }
                values.append(.array(elements))
            case .object:
                var members: [JSONObject.Member] = []
                members.reserveCapacity(token.count)
                for (name, _) in token.members {
                    members.append(JSONObject.Member(name.string ?? "", values.popLast() ?? .null))
                }
                values.append(
                    .object(
                        JSONObject(read: members, hasRepeatedName: token.ownRepeatedName != nil, order: order)))
            default: values.append(token.scalar ?? .null)
            }
            place &-= 1
        }
        return values.popLast() ?? .null
    }

    @inline(__always)
    private var scalar: JSONValue? {
        switch kind {
        case .null: .null
        case .false: .bool(false)
        case .true: .bool(true)
        case .number: .number(number)
        case .string, .name: .string(string ?? "")
        case .array, .object: nil
        }
    }

    /// Whether this is the same data as a value, as far as a node reads it; nothing is built.
    ///
    /// - Parameter value: pruned to the node.
    /// - Returns: true only where it certainly is; false also for very deep nesting, and for large objects whose names stand in
    ///   another order.
    /// - Complexity: O(*n*).
    package func matches(_ value: JSONValue, pruning node: PathSet.Node = .all) -> Bool {
        withBorrowed(value) { matches($0, node, depth: 0) }
    }

    private static let depthLimit = 64
    /// Names of larger objects have to stand in the order of the value's.
    private static let searchLimit = 64

    private func matches(_ value: Borrowed<JSONValue>, _ node: PathSet.Node, depth: Int) -> Bool {
        switch value.value {
        case .null: return kind == .null
        case .bool(let truth): return kind == (truth ? .true : .false)
        case .number(let other):
            guard kind == .number else { return false }
            if case .integer(let whole) = other.storage, let own = wholeNumber { return own == whole }
            return number == other
        case .string(let other):
            guard kind == .string else { return false }
            return withBytes { UTF8Order.equal(other, $0) }
        case .array(let others):
            guard kind == .array, count == others.count, depth < JSONToken.depthLimit else { return false }
            guard let part = node.element else { return true }
            var walk = elements
            return others.forEachPlace { other in walk.next()?.matches(other, part, depth: depth + 1) ?? false }
        case .object(let others):
            guard kind == .object, depth < JSONToken.depthLimit else { return false }
            return matches(others, node, depth: depth + 1)
        }
    }

    /// As many names are read as the value has, and each of the value's is there: so none stands twice.
    private func matches(_ others: JSONObject, _ node: PathSet.Node, depth: Int) -> Bool {
        var read = count
        if case .branch = node {
            read = 0
            for (name, _) in members where name.withBytes({ node.node(forKey: $0) }) != nil { read += 1 }
        }
        guard read == others.count else { return false }
        var walk = members
        return others.forEachPlace { key, value in
            guard let member = find(key.value, &walk) else { return false }
            let part = if case .all = node { PathSet.Node.all } else { node.node(forKey: key.value) ?? .all }
            return member.matches(value, part, depth: depth)
        }
    }

    /// The value of a name, looked for where a walk stands first.
    @inline(__always)
    private func find(_ key: String, _ walk: inout Members) -> JSONToken? {
        var ahead = walk
        if let (name, value) = ahead.next(), name.says(key) {
            walk = ahead
            return value
        }
        guard count <= JSONToken.searchLimit else { return nil }
        var other = members
        while let (name, value) = other.next() {
            if name.says(key) {
                walk = other
                return value
            }
        }
        return nil
    }

    /// Whether a string or a name says this.
    @inlinable @inline(__always)
    public func says(_ text: String) -> Bool {
        isEscaped ? withUnescapedBytes { UTF8Order.equal(text, $0) } : UTF8Order.equal(text, raw)
    }
}

extension JSONObject {
    /// An object of members as a text has them: of a name that stands twice the last value stays.
    ///
    /// - Parameter isTwice: whether one does, of a small object.
    init(read members: [Member], hasRepeatedName isTwice: @autoclosure () -> Bool, order: MemberOrder) {
        if JSONObject.areAscending(members) {
            self.init(distinctAscending: members)
        } else if members.count <= JSONObject.smallLimit, !isTwice() {
            self.init(distinct: members)
            if order == .ascending { sortFew() }
        } else {
            let all = JSONObject(members.lazy.map { (key: $0.key, value: $0.value) })
            self = order == .ascending ? all.ascending() : all
        }
    }
}
