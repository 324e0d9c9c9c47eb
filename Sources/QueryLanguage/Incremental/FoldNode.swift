internal import JSONCore

/// What is made of all elements of an array in the state: a sum, a count, whether any or all are so.
///
/// With a ``QueryMemo`` what each element gives is kept, and only those that were replaced since are looked at again. Without,
/// and wherever something is not as it expects (an error, no array, a sum of what are no numbers), it stands aside for the node
/// that evaluates everything.
final class FoldNode: Node {
    /// What is made of what the elements give.
    enum Kind: Equatable {
        /// Their sum.
        case sum
        /// How many there are.
        case count
        /// Whether one is true (`any`), or none is false (`all`).
        case quantifier(decisive: Bool)
    }

    let kind: Kind
    /// Where the array is in the state.
    let place: [String]
    /// Where it is in the node's input.
    let path: [String]
    /// What each element gives: one output at most, that hangs on the element alone.
    let transform: Node
    /// What is given in place of null or false, as by `add // 0`.
    let otherwise: JSONValue?
    /// The node that it stands for.
    let plain: Node
    /// Which of a program's folds it is.
    let index: Int

    init(
        _ kind: Kind, place: [String], path: [String], _ transform: Node, otherwise: JSONValue? = nil, plain: Node,
        index: Int
    ) {
        self.kind = kind
        self.place = place
        self.path = path
        self.transform = transform
        self.otherwise = otherwise
        self.plain = plain
        self.index = index
    }

    override var parts: [Node] { [transform, plain] }
    override var inferredCardinality: Cardinality { .one }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard let memo = frame.machine.memo, let result = memo.result(of: self, input, frame) else {
            return try plain.one(input, frame)
        }
        if let otherwise, !result.isTruthy { return otherwise }
        return result
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract { plain.trace(input, frame) }
}
