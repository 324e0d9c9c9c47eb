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

    /// Whether what the node gives hangs on its input alone: it takes no variable and tells nothing on its way.
    ///
    /// Of any number of outputs, and of any number of steps; false also of what is rarely asked of an element.
    var readsInputAlone: Bool {
        guard StackRoom.hasRoom else { return false }
        return switch self {
        case is IdentityNode, is LiteralNode, is EmptyNode, is KindNode: true
        case let node as MemberNode: node.target.readsInputAlone
        case let node as IndexNode: node.target.readsInputAlone && node.key.readsInputAlone
        case let node as IterateNode: node.target.readsInputAlone
        case let node as ComparisonNode: node.left.readsInputAlone && node.right.readsInputAlone
        case let node as ArithmeticNode: node.left.readsInputAlone && node.right.readsInputAlone
        case let node as NegateNode: node.operand.readsInputAlone
        case let node as LogicNode: node.left.readsInputAlone && node.right.readsInputAlone
        case let node as AlternativeNode: node.left.readsInputAlone && node.right.readsInputAlone
        case is PipedCallNode: false
        case let node as PipeNode: node.left.readsInputAlone && node.right.readsInputAlone
        case let node as SelectNode: node.condition.readsInputAlone
        case let node as MapNode: node.transform.readsInputAlone
        case let node as ArrayNode: node.contents?.readsInputAlone ?? true
        case let node as SumNode: node.source.readsInputAlone
        case let node as QuantifierNode: node.source.readsInputAlone && node.condition.readsInputAlone
        case let node as AttemptNode: node.body.readsInputAlone && (node.handler?.readsInputAlone ?? true)
        case let node as ConditionalNode:
            node.condition.readsInputAlone && node.then.readsInputAlone && node.otherwise.readsInputAlone
        case let node as NativeNode: node.arguments.allSatisfy(\.readsInputAlone)
        default: false
        }
    }
}
