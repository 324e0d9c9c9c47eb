import Platform

extension PathSet {
    /// What is read at a place and below it.
    @frozen
    public enum Node: Sendable {
        /// The whole value.
        case all
        /// The value's kind, a scalar itself, the length of an array, and the parts that the branch names.
        case branch(Branch)

        /// The value's kind, a scalar itself, the length of an array, but nothing below.
        public static let shallow = Node.branch(Branch(members: [], each: nil))

        /// A branch of these members, and of every member and element if `each` is given; a repeated key is read as the
        /// union says.
        ///
        /// A branch higher than ``PathSet/depthLimit`` becomes ``all``, which reads more than was asked, never less.
        public init(members: [(key: String, node: Node)], each: Node? = nil) {
            self.init(Branch(members: members, each: each))
        }

        private init(_ branch: Branch) { self = branch.height > PathSet.depthLimit ? .all : .branch(branch) }

        /// What is read of the member with this key (unescaped UTF-8), or nil where the member is outside.
        @inlinable
        public func node(forKey key: ByteView) -> Node? {
            switch self {
            case .all: .all
            case .branch(let branch): branch.node(forKey: key)
            }
        }

        /// What is read of the member with this key, or nil where the member is outside.
        public func node(forKey key: String) -> Node? {
            key.withBytes { node(forKey: $0) }
        }

        /// What is read of each element if the value is an array, or nil where elements are outside.
        @inlinable
        public var element: Node? {
            switch self {
            case .all: .all
            case .branch(let branch): branch.element
            }
        }

        /// What either reads.
        public func union(_ other: Node) -> Node {
            guard case .branch(let a) = self, case .branch(let b) = other else { return .all }
            if a === b { return self }
            let each = Node.union(a.each, b.each)
            // A key that only one of them names is read by the other as its `each` says. Nothing is united twice here, or with
            // what it reads already: the time would double with each level.
            let shared = a.members.map { key, node in (key: key, node: Node.union(node, b.node(forKey: key)) ?? .all) }
            let others = b.members.filter { !a.names($0.key) }
            let members = shared + others.map { key, node in (key: key, node: Node.union(a.each, node) ?? .all) }
            return Node(Branch(merged: Branch.sorted(members), each: each))
        }

        static func union(_ a: Node?, _ b: Node?) -> Node? {
            guard let a, let b else { return a ?? b }
            return a.union(b)
        }

        func copied() -> Node {
            guard case .branch(let branch) = self else { return self }
            let members = branch.members.map { ($0.key, $0.node.copied()) }
            return .branch(Branch(merged: members, each: branch.each?.copied()))
        }

        var height: Int {
            switch self {
            case .all: 0
            case .branch(let branch): branch.height
            }
        }
    }

    /// The named parts that are read of a value, and what is read of every part.
    ///
    /// Immutable. Keys lie one after the other in one buffer, in ascending order, so that a look-up by raw bytes compares
    /// memory and makes no string.
    public final class Branch: Sendable {
        /// What is read of every member of an object that is not named, or nil.
        public let each: Node?
        /// What is read of every element of an array, or nil.
        ///
        /// Named indices count for all elements, because an insertion or a removal before them moves others to their place.
        public let element: Node?

        private let keyBytes: [UInt8]
        /// Where each key ends in `keyBytes`; it begins where the one before it ends.
        private let keyEnds: [Int]
        private let nodes: [Node]
        /// What ``nodes``, ``each`` and ``element`` lead to, without counted references, for walks over raw bytes.
        private let links: [Link]
        private let eachLink: Link
        private let elementLink: Link
        let height: Int

        /// A node that this branch holds on to in `nodes`, `each` or what those hold, so that it lives as long as this.
        @safe
        private enum Link: Sendable {
            case nothing
            case all
            case branch(Unmanaged<Branch>)

            init(_ node: Node?) {
                switch node {
                case nil: self = .nothing
                case .all: self = .all
                // One that ``nodes`` holds.
                case .branch(let branch): self = unsafe .branch(.passUnretained(branch))
                }
            }
        }

        private static let linearLimit = 8

        /// Makes each member read at least what `each` reads.
        convenience init(members: [(key: String, node: Node)], each: Node?) {
            let merged = Branch.merged(members)
            self.init(merged: each == nil ? merged : merged.map { ($0, Node.union($1, each) ?? $1) }, each: each)
        }

        /// Of members in ascending order, each key once, that read at least what `each` reads.
        ///
        /// Leaves out the ones that read no more than that: so one look-up answers, and equal sets have equal branches.
        fileprivate init(merged members: [(key: String, node: Node)], each: Node?) {
            var keyBytes: [UInt8] = []
            var keyEnds: [Int] = []
            var nodes: [Node] = []
            var indexed: Node?
            for (key, node) in members {
                if JSONPointer.arrayIndex(key) != nil { indexed = Node.union(indexed, node) }
                if node == each { continue }
                keyBytes.append(contentsOf: key.utf8)
                keyEnds.append(keyBytes.count)
                nodes.append(node)
            }
            let element = indexed ?? each
            self.each = each
            self.element = element
            self.keyBytes = keyBytes
            self.keyEnds = keyEnds
            self.nodes = nodes
            links = nodes.map { Link($0) }
            eachLink = Link(each)
            elementLink = Link(element)
            height = 1 + max(nodes.lazy.map(\.height).max() ?? 0, each?.height ?? 0)
        }

        fileprivate static func sorted(_ members: [(key: String, node: Node)]) -> [(key: String, node: Node)] {
            members.sorted { UTF8Order.isLess($0.key, $1.key) }
        }

        /// The members in ascending order, each key once.
        private static func merged(_ members: [(key: String, node: Node)]) -> [(key: String, node: Node)] {
            var merged: [(key: String, node: Node)] = []
            for member in sorted(members) {
                if let last = merged.last, UTF8Order.equal(last.key, member.key) {
                    merged[merged.count - 1].node = last.node.union(member.node)
                } else {
                    merged.append(member)
                }
            }
            return merged
        }

        /// The members that read more than `each` does, in ascending order of their keys.
        public var members: [(key: String, node: Node)] {
            nodes.indices.map { (key: String(decoding: keyBytes[range(of: $0)], as: UTF8.self), node: nodes[$0]) }
        }

        private func range(of index: Int) -> Range<Int> {
            (index == 0 ? 0 : keyEnds[index - 1])..<keyEnds[index]
        }

        /// What is read of the member with this key (unescaped UTF-8), or nil where the member is outside.
        ///
        /// - Complexity: O(log *n*) comparisons of memory in the number of named members.
        public func node(forKey key: ByteView) -> Node? {
            index(ofKey: key).map { nodes[$0] } ?? each
        }

        private func index(ofKey key: ByteView) -> Int? {
            keyBytes.withBytes { bytes in
                if nodes.count > Branch.linearLimit { return search(key, in: bytes) }
                var start = 0
                for index in nodes.indices {
                    let end = keyEnds[index]
                    if end - start == key.count, bytes.extracting(start..<end).hasSameBytes(as: key) { return index }
                    start = end
                }
                return nil
            }
        }

        /// How a place below this branch lies to it, without a reference counted or a string made on the way.
        ///
        /// - Parameters:
        ///   - text: a pointer's text in which nothing is escaped.
        ///   - start: where the next segment begins in it, after a slash.
        func relation(ofPointerText text: ByteView, from start: Int) -> PathSet.Relation {
            var end = start
            while end < text.count, text[end] != UInt8(ascii: "/") { end &+= 1 }
            let segment = text.extracting(start..<end)
            let link: Link
            if !PathSet.mayBeElement(segment) {
                link = index(ofKey: segment).map { links[$0] } ?? eachLink
            } else if PathSet.isIndex(segment) {
                link = elementLink  // it reads at least what the member with that key does
            } else {
                guard let either = Node.union(node(forKey: segment), element) else { return .outside }
                return PathSet.relation(either, text, after: end)
            }
            switch link {
            case .nothing: return .outside
            case .all: return .inside
            case .branch(let branch):
                if end == text.count { return .above }
                // A link leads to a branch that `nodes` or `each` holds.
                return unsafe branch._withUnsafeGuaranteedRef { $0.relation(ofPointerText: text, from: end + 1) }
            }
        }

        /// What is read of the member with this key, or nil where the member is outside.
        public func node(forKey key: String) -> Node? {
            key.withBytes { node(forKey: $0) }
        }

        fileprivate func names(_ key: String) -> Bool {
            key.withBytes { index(ofKey: $0) } != nil
        }

        private func search(_ key: ByteView, in bytes: ByteView) -> Int? {
            var (low, high) = (0, nodes.count)
            while low < high {
                let middle = low + (high - low) / 2
                let order = bytes.extracting(range(of: middle)).order(beside: key)
                if order == 0 { return middle }
                if order < 0 { low = middle + 1 } else { high = middle }
            }
            return nil
        }

        func equals(_ other: Branch) -> Bool {
            self === other
                || (keyEnds == other.keyEnds && keyBytes == other.keyBytes && each == other.each
                    && nodes == other.nodes)
        }
    }
}

extension PathSet.Node: Equatable {
    /// Whether both read the same.
    public static func == (a: PathSet.Node, b: PathSet.Node) -> Bool {
        switch (a, b) {
        case (.all, .all): true
        case (.branch(let x), .branch(let y)): x.equals(y)
        default: false
        }
    }
}
