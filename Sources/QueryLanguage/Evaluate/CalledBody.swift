internal import JSONCore

/// A function's body as a call runs it.
///
/// The body of a recursive function is an `if` nearly always. A call chooses between its branches by itself: the processor
/// foresees the returns of some dozen native frames only, so what deep recursion costs is how many a level has.
struct CalledBody {
    /// The body as one node.
    let whole: HeldNode
    private let condition: HeldNode?
    private let then: HeldNode
    private let otherwise: HeldNode

    init(_ node: Node) {
        whole = HeldNode(node)
        let choice = node as? ConditionalNode
        condition = choice.map { HeldNode($0.condition) }
        then = choice.map { HeldNode($0.then) } ?? whole
        otherwise = choice.map { HeldNode($0.otherwise) } ?? whole
    }

    @inline(__always)
    func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        if let condition {
            guard let holds = try condition.one(input, frame)?.isTruthy else { return nil }
            return try holds ? then.one(input, frame) : otherwise.one(input, frame)
        }
        return try whole.one(input, frame)
    }
}
