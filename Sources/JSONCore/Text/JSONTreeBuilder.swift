/// The parser's machine: one pass over the bytes, with its own stack, so that nesting costs no thread stack.
///
/// Values and keys of all open containers lie on two shared stacks; a container that closes takes its share off them, so
/// every array is made once, in its final size.
struct JSONTreeBuilder: ~Copyable {
    /// How much of a value is built.
    enum Want {
        case everything
        /// Only what the set below reads; members outside it are left out, elements outside it are null.
        case part(PathSet.Node)
        case nothing
    }

    private struct Frame {
        let isObject: Bool
        let firstValue: Int
        let firstKey: Int
        let want: Want
    }

    private var text: JSONScalarReader
    private let order: MemberOrder
    private let depthLimit: Int
    private var values = MoveStack<JSONValue>()
    private var keys = MoveStack<String>()
    private var frames: [Frame] = []

    init(text: JSONBytes, order: MemberOrder, limits: JSONLimits) {
        self.text = JSONScalarReader(bytes: text, limits: limits)
        self.order = order
        depthLimit = limits.depth
    }

    /// Reads the whole text as one value.
    ///
    /// - Parameter wanted: the part that is built; the rest is passed over without being checked.
    mutating func build(_ wanted: Want) throws(JSONError) -> JSONValue {
        var want = wanted
        reading: while true {
            if try begin(want) {
                text.skipWhitespace()
                if closesHere {
                    close()
                } else {
                    want = try enterElement()
                    continue reading
                }
            }
            while let frame = frames.last {
                text.skipWhitespace()
                if closesHere {
                    close()
                } else {
                    try text.expect(0x2C, frame.isObject ? "',' or '}'" : "',' or ']'")
                    want = try enterElement()
                    continue reading
                }
            }
            break
        }
        text.skipWhitespace()
        guard text.isAtEnd else { throw text.error(.trailingText) }
        return values.pop() ?? .null
    }

    /// Starts the value at the cursor; true if that opened a container, false if the value is complete.
    private mutating func begin(_ want: Want) throws(JSONError) -> Bool {
        text.skipWhitespace()
        if case .nothing = want {
            try text.skipValue()
            if frames.last?.isObject == true { _ = keys.pop() } else { values.push(.null) }
            return false
        }
        switch try text.peek("a value") {
        case 0x7B: try open(isObject: true, want)
        case 0x5B: try open(isObject: false, want)
        default:
            values.push(try text.scalar())
            return false
        }
        return true
    }

    private mutating func open(isObject: Bool, _ want: Want) throws(JSONError) {
        guard frames.count < depthLimit else { throw text.error(.tooDeep(limit: depthLimit)) }
        frames.append(Frame(isObject: isObject, firstValue: values.count, firstKey: keys.count, want: want))
        text.index += 1
    }

    /// Reads up to the start of the next element or member value and returns how much of it is wanted.
    private mutating func enterElement() throws(JSONError) -> Want {
        guard let frame = frames.last else { return .everything }
        text.skipWhitespace()
        if frame.isObject { try readKey() }
        guard case .part(let node) = frame.want else { return frame.want }
        let child = frame.isObject ? node.node(forKey: keys.last) : node.element
        return child.map(JSONTreeBuilder.want) ?? .nothing
    }

    private mutating func readKey() throws(JSONError) {
        guard try text.peek("a key in double quotes") == 0x22 else {
            throw text.unexpectedByte("a key in double quotes")
        }
        keys.push(try text.string())
        text.skipWhitespace()
        try text.expect(0x3A, "':'")
    }

    /// How much a node of a path set wants.
    static func want(_ node: PathSet.Node) -> Want {
        if case .all = node { .everything } else { .part(node) }
    }

    private var closesHere: Bool {
        guard let frame = frames.last, !text.isAtEnd else { return false }
        return text.byte == (frame.isObject ? 0x7D : 0x5D)
    }

    /// Closes the innermost container at its bracket and leaves it as one value.
    private mutating func close() {
        guard let frame = frames.popLast() else { return }
        text.index += 1
        if frame.isObject {
            let members = JSONObject.takeMembers(&keys, from: frame.firstKey, &values, from: frame.firstValue)
            values.push(.object(object(members)))
        } else {
            values.push(.array(values.take(from: frame.firstValue)))
        }
    }

    private func object(_ written: [JSONObject.Member]) -> JSONObject {
        var members = written
        if JSONObject.areAscending(members) { return JSONObject(distinctAscending: members) }
        if members.count <= JSONObject.smallLimit, !JSONTreeBuilder.hasRepeatedKey(members) {
            if order == .ascending { members.sort { UTF8Order.isLess($0.key, $1.key) } }
            return JSONObject(distinct: members)
        }
        let all = JSONObject(members.lazy.map { (key: $0.key, value: $0.value) })
        return order == .ascending ? all.ascending() : all
    }

    private static func hasRepeatedKey(_ members: [JSONObject.Member]) -> Bool {
        members.withUnsafeBufferPointer { members in
            for place in members.indices {
                for earlier in 0..<place where UTF8Order.equal(members[earlier].key, members[place].key) { return true }
            }
            return false
        }
    }
}
