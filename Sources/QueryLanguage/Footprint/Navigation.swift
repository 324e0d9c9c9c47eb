internal import JSONCore

extension Node {
    /// Whether the node, as a path expression, only ever leads to what is there: then which paths it gives, and how it
    /// fails, hangs on what it touches on its way, and not on the values that it arrives at.
    var isNavigation: Bool {
        switch self {
        case is IdentityNode, is EmptyNode, is KindNode, is SelectNode: true
        case let node as MemberNode: node.target.isNavigation
        case let node as IndexNode: node.target.isNavigation
        case let node as SliceNode: node.target.isNavigation
        case let node as IterateNode: node.target.isNavigation
        case let node as PipeNode: node.left.isNavigation && node.right.isNavigation
        case let node as CommaNode: node.parts.allSatisfy(\.isNavigation)
        case let node as AlternativeNode: node.left.isNavigation && node.right.isNavigation
        case let node as AttemptNode: node.handler == nil && node.body.isNavigation
        case let node as ConditionalNode: node.then.isNavigation && node.otherwise.isNavigation
        case let node as EndNode: node.source.isNavigation
        case let node as CountedNode: node.source.isNavigation
        case let node as BindNode: node.body.isNavigation
        default: false
        }
    }
}

extension Tracer {
    /// What is known of a value after edits at the paths of `target`: its parts are what they were, or hang on what was
    /// read for the edit.
    func edit(of input: Abstract, at target: Node, _ frame: TraceFrame, reading value: (Abstract) -> Abstract)
        -> Abstract
    {
        guard target.isNavigation else {
            consume(input)
            consume(target.trace(input, frame))
            return consumed(value(.derived))
        }
        let found = target.trace(input, frame)
        touch(found)
        consume(value(found))
        return input.edited
    }
}
