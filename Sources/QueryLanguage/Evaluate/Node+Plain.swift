extension Node {
    /// Whether the node looks at its input alone and gives one output at most: it takes no variable and no step, so an
    /// evaluation of a program of such nodes only, as most predicates are, needs neither a frame nor a machine.
    ///
    /// Asked once the multiplicities are settled.
    var isPlain: Bool { multiplicity != .many && isPlainForm }

    private var isPlainForm: Bool {
        switch self {
        case is IdentityNode, is LiteralNode, is EmptyNode, is KindNode: true
        case let node as MemberNode: node.target.isPlain
        case let node as IndexNode: node.target.isPlain && node.key.isPlain
        case let node as ComparisonNode: node.left.isPlain && node.right.isPlain
        case let node as LogicNode: node.left.isPlain && node.right.isPlain
        case let node as AlternativeNode: node.left.isPlain && node.right.isPlain
        case let node as PipeNode: node.left.isPlain && node.right.isPlain
        case let node as SelectNode: node.condition.isPlain
        case let node as AttemptNode: node.body.isPlain && (node.handler?.isPlain ?? true)
        case let node as ConditionalNode: node.condition.isPlain && node.then.isPlain && node.otherwise.isPlain
        case let node as NativeNode: node.arguments.allSatisfy(\.isPlain)
        default: false
        }
    }
}
