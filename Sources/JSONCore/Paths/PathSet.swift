/// A set of paths that something reads, as a trie: a query's footprint, the inputs of a derived value.
///
/// Three uses: to decide whether a change can matter to the reader (``relation(ofPointer:)``, ``mayBeTouched(by:)``,
/// ``JSONPatch/apply(to:pruning:order:)``), to hold only what matters (``JSONValue/pruned(to:)``), and to build only what
/// matters while text is read. A pruned value keeps the kind of every value above the set and the length of every array.
public struct PathSet: Sendable, Equatable {
    /// One step of a path to insert.
    public enum Segment: Sendable {
        /// The member with this key; in an array, any element, if it is an index.
        case key(String)
        /// Every member or element.
        case each
    }

    /// Paths longer than this are cut to it, which reads more than was asked, never less.
    public static let depthLimit = 256

    /// What is read of the whole value; nil where nothing is.
    public private(set) var root: Node?

    /// A set that reads what a node says.
    public init(_ root: Node?) {
        self.root = root
    }

    /// The set that reads the whole value.
    public static let everything = PathSet(.all)
    /// The set that reads nothing: no change matters to it.
    public static let nothing = PathSet(nil)

    /// The node to prune a whole value by; of an empty set one that keeps no part.
    public var pruningNode: Node { root ?? .shallow }

    /// Whether it reads nothing.
    public var isEmpty: Bool { root == nil }

    /// Whether it reads the whole value.
    public var isEverything: Bool { root == .all }

    /// Adds a path.
    ///
    /// - Parameter end: what is read at its end: by default the whole value there.
    public mutating func insert(_ path: [Segment], reading end: Node = .all) {
        var node = path.count > PathSet.depthLimit ? Node.all : end
        for segment in path.prefix(PathSet.depthLimit).reversed() {
            switch segment {
            case .key(let key): node = Node(members: [(key: key, node: node)])
            case .each: node = Node(members: [], each: node)
            }
        }
        root = Node.union(root, node)
    }

    /// The set of everything at and below one path.
    public init(_ pointer: JSONPointer) {
        self = .nothing
        insert(pointer)
    }

    /// Adds the whole value that a pointer points at.
    public mutating func insert(_ pointer: JSONPointer) {
        insert(pointer.segments.map { .key($0) })
    }

    /// What either set reads.
    public func union(_ other: PathSet) -> PathSet {
        PathSet(Node.union(root, other.root))
    }

    /// Adds what another set reads.
    public mutating func formUnion(_ other: PathSet) {
        self = union(other)
    }

    /// A copy of the set for another thread, which shares nothing with this one: two threads that count references to
    /// one object slow each other down more than either reads.
    package func copied() -> PathSet { PathSet(root?.copied()) }

    /// The part of the set below a member: what a reader of the whole state reads of a store.
    public func below(_ key: String) -> PathSet {
        PathSet(root.map { Node(members: [(key: key, node: $0)]) })
    }

    /// The paths in ascending order, as pointers in which `*` stands for every member or element (a key that is `*` is
    /// `~2`); the whole value is the empty text.
    ///
    /// Where no more is read of a container than what members or elements it has, its own path stands for them.
    public var patterns: [String] {
        var patterns: [String] = []
        if let root { PathSet.collect(root, "", into: &patterns) }
        return patterns
    }

    private static func collect(_ node: Node, _ path: String, into patterns: inout [String]) {
        guard case .branch(let branch) = node, branch.each != nil || !branch.members.isEmpty else {
            patterns.append(path)
            return
        }
        if branch.members.isEmpty, branch.each == .shallow { return patterns.append(path) }
        if let each = branch.each { collect(each, path + "/*", into: &patterns) }
        for (key, node) in branch.members {
            var path = path + "/"
            if UTF8Order.equal(key, "*") { path += "~2" } else { JSONPointer.appendEscaped(key, to: &path) }
            collect(node, path, into: &patterns)
        }
    }
}
