public import JSONCore
import JournalFormat

/// Reads one branch of a graph of trrack: the nodes from its root to a leaf, each a checkpoint or a patch of its parent's state.
///
/// A file may hold several graphs, one after another, each bare or as a member `graph` of what a study keeps beside it.
public struct TrrackReader: ImportReader {
    /// A leaf of a graph.
    public struct Branch: Sendable, Equatable {
        /// The number of the graph in the file, and that of the leaf in the graph, both from 1: `3.2`; in a file of one graph `2`.
        public var name: String
        /// The leaf's id.
        public let leaf: String
        /// What the leaf is called.
        public let label: String
        /// How many nodes lie between the root and the leaf, the leaf counted.
        public let length: Int
        fileprivate let graph: Int
    }

    private let branch: Branch
    private var graphs = 0
    private static let store = "state"

    /// A reader of a branch.
    public init(_ branch: Branch) { self.branch = branch }

    /// The format.
    public var format: ImportFormat { .trrack }

    /// Takes the next text.
    public mutating func read(_ text: JSONValue, line: Int, into run: inout ImportedRun) throws(ImportFault) {
        graphs += 1
        let nodes = try Self.nodes(of: text)
        guard graphs == branch.graph else { return }
        for id in try Self.path(to: branch.leaf, in: nodes) {
            try run.item("node '\(id)'", line: line) { (run) throws(ImportFault) in
                try note(TextMembers(nodes[id]?.object ?? JSONObject()), line, &run)
            }
        }
    }

    private func note(_ node: TextMembers, _ line: Int, _ run: inout ImportedRun) throws(ImportFault) {
        var origin = ImportedRun.Origin(at: run.location(line: line), name: node["label"]?.string)
        origin.time = try node.time("createdOn")
        origin.action = node["event"]?.string.map { EncodedAction(type: $0) }
        let state = try node.nested("state")
        switch try state.string("type") {
        case "checkpoint":
            guard let value = state.object["val"] else { throw state.fault("val", "a state") }
            run.set(Self.store, to: value, origin)
        case "patch":
            try run.commit(JSONPatch(ofFile: state.object["val"] ?? .null), to: Self.store, origin)
        case let other: throw .operation(other, known: ["checkpoint", "patch"])
        }
    }

    // MARK: Branches

    /// The branches of a file, from its bytes.
    ///
    /// - Parameter skipsBad: whether texts that are not graphs are passed over, as long as one is.
    /// - Throws: ``ImportError`` if a text is not a graph.
    public static func branches(
        in bytes: ByteView, of file: String, skipsBad: Bool = false
    ) throws(ImportError) -> [Branch] {
        var splitter = TextSplitter(.texts, limit: JournalImport.textLimit)
        splitter.append(bytes)
        splitter.finish()
        var (branches, graph, first) = ([Branch](), 0, ImportError?.none)
        while let piece = splitter.next() {
            let text = Array(splitter.bytes[piece.range])
            do throws(ImportFault) {
                let value: JSONValue
                do throws(JSONError) { value = try JSONParser.parse(text, order: .ascending) } catch {
                    throw .json(error)
                }
                graph += 1
                if graph == 1 { try ImportFormat.check(value, against: .trrack) }
                branches += try self.branches(of: nodes(of: value), graph)
            } catch {
                let fault = graph == 1 && !skipsBad ? likelier(than: error, after: &splitter) : error
                let error = ImportError(file: file, line: piece.line, fault: fault)
                guard skipsBad, !error.fault.concernsFile else { throw error }
                first = first ?? error
            }
        }
        guard !branches.isEmpty else { throw first ?? ImportError(file: file, line: nil, fault: .empty) }
        guard graph == 1 else { return branches }
        return branches.map { branch in
            var branch = branch
            branch.name = String(branch.name.dropFirst(2))
            return branch
        }
    }

    /// Where the first text is not a graph, and could be of several formats, the text after it may decide which.
    private static func likelier(than fault: ImportFault, after splitter: inout TextSplitter) -> ImportFault {
        guard !fault.concernsFile, let piece = splitter.next(),
            let value = try? JSONParser.parse(Array(splitter.bytes[piece.range])),
            let likeness = ImportFormat.likeness(of: value), likeness != .format(.trrack)
        else { return fault }
        return .otherFormat(.trrack, looksLike: likeness)
    }

    private static func branches(of nodes: JSONObject, _ graph: Int) throws(ImportFault) -> [Branch] {
        var leaves: [(id: String, node: JSONObject, path: [String])] = []
        for (id, value) in nodes {
            guard case .object(let node) = value else {
                throw .member("nodes/\(id)", expected: "an object", isMissing: false)
            }
            // A child that is not in the graph is none.
            let children = (node["children"]?.array ?? []).compactMap(\.string).filter { nodes[$0] != nil }
            if children.isEmpty { leaves.append((id, node, try path(to: id, in: nodes))) }
        }
        guard !leaves.isEmpty else { throw .form(expected: "a graph with a leaf") }
        // In the order in which they were made, as the file has the children of a node.
        let sorted = leaves.sorted {
            created($0.node) != created($1.node) ? created($0.node) < created($1.node) : $0.id < $1.id
        }
        return sorted.enumerated().map { index, leaf in
            Branch(
                name: "\(graph).\(index + 1)", leaf: leaf.id, label: leaf.node["label"]?.string ?? "",
                length: leaf.path.count, graph: graph)
        }
    }

    private static func created(_ node: JSONObject) -> Double { node["createdOn"]?.number?.doubleValue ?? 0 }

    private static func nodes(of text: JSONValue) throws(ImportFault) -> JSONObject {
        let members = try TextMembers(text, as: ImportFormat.trrack.form)
        let graph = members["graph"] == nil ? members : try members.nested("graph")
        return try graph.nested("nodes").object
    }

    private static func path(to leaf: String, in nodes: JSONObject) throws(ImportFault) -> [String] {
        var (path, next) = ([String](), Optional(leaf))
        while let id = next {
            guard case .object(let node)? = nodes[id] else {
                throw .member("nodes/\(id)", expected: "a node, since others are below it", isMissing: true)
            }
            path.append(id)
            guard path.count <= nodes.count else { throw .form(expected: "a tree: a node is its own ancestor") }
            next = node["parent"]?.string
        }
        return path.reversed()
    }
}
