internal import JSONCore

/// Finds the folds over all elements of an array of the input or of `$old`, such as `.items | map(.price) | add`, and
/// makes a copy of the program with a ``FoldNode`` in the place of each.
///
/// It searches only nodes that certainly run on the whole input, since a fold must know where in the state its array
/// is. The copy shares all other nodes with the program. The work is bounded: compiling costs time at each start.
struct FoldFinder {
    private(set) var count = 0
    /// How many more nodes are searched: rows of pipes are searched from several ends.
    private var searchesLeft = 512

    private struct Elements {
        var path: FoldPath
        var transform: Node
    }

    mutating func program(_ body: Node) -> Node? {
        guard body.cardinality != .many else { return nil }
        let found = folded(body, at: FoldPath())
        found?.inferCardinality()
        return found
    }

    /// A fold that gives whether any output of the program is true; nil unless the program has an output for each element.
    mutating func truth(of body: Node) -> Node? {
        guard let elements = elements(body), isFoldable(elements, .quantifier(decisive: true)) else { return nil }
        let plain = QuantifierNode(body, IdentityNode(), decisive: true)
        let fold = make(.quantifier(decisive: true), elements, at: FoldPath(), plain)
        fold.inferCardinality()
        return fold
    }

    // MARK: Folds

    private mutating func folded(_ node: Node, at place: FoldPath) -> Node? {
        searchesLeft -= 1
        guard searchesLeft > 0, StackRoom.hasRoom else { return nil }
        if let fold = fold(node, at: place) { return fold }
        guard let node = node as? BinaryNode else { return nil }
        if type(of: node) == PipeNode.self { return pipe(node.left, node.right, at: place) }
        guard node.with(node.left, node.right) != nil else { return nil }
        let (left, right) = (folded(node.left, at: place), folded(node.right, at: place))
        return left == nil && right == nil ? nil : node.with(left ?? node.left, right ?? node.right)
    }

    private mutating func pipe(_ left: Node, _ right: Node, at place: FoldPath) -> Node? {
        if let path = members(left) { return folded(right, at: place + path).map { PipeNode(left, $0) } }
        switch right {
        // A literal reads nothing, so `left | (a < 1)` is `(left | a) < 1`.
        case let node as BinaryNode
        where (node is ComparisonNode || node is ArithmeticNode) && node.right is LiteralNode:
            return folded(PipeNode(left, node.left), at: place).flatMap { node.with($0, node.right) }
        case let node as PipeNode where type(of: node) == PipeNode.self:
            let front = PipeNode(left, node.left)
            return folded(front, at: place).map { PipeNode($0, node.right) }
                ?? folded(PipeNode(front, node.right), at: place)
        case let node as AlternativeNode:
            // `left | (a // b)` is not `(left | a) // b`: an error in `left` is not one that `//` passes over.
            guard let otherwise = (node.right as? LiteralNode)?.value,
                let fold = fold(PipeNode(left, node.left), at: place) as? FoldNode
            else { return folded(left, at: place).map { PipeNode($0, right) } }
            return FoldNode(
                fold.kind, place: fold.place, path: fold.path, fold.transform, otherwise: otherwise,
                plain: PipeNode(left, node), index: fold.index)
        default: return folded(left, at: place).map { PipeNode($0, right) }
        }
    }

    private mutating func fold(_ node: Node, at place: FoldPath) -> Node? {
        node.inferCardinality()
        switch node {
        case let node as SumNode:
            guard let elements = elements(node.operand), isFoldable(elements, .sum) else { return nil }
            return make(.sum, elements, at: place, node)
        case let node as QuantifierNode:
            if let comma = node.source as? CommaNode { return sides(of: node, comma, at: place) }
            guard var elements = elements(node.source) else { return nil }
            elements.transform = condition(elements.transform, node)
            let kind = FoldNode.Combination.quantifier(decisive: node.decisive)
            return isFoldable(elements, kind) ? make(kind, elements, at: place, node) : nil
        case let node as ComparisonNode where node.op == .equal || node.op == .notEqual:
            guard let left = members(node.left), let right = members(node.right), left.isOld != right.isOld,
                !place.isOld, (place + left).names.elementsEqual((place + right).names, by: UTF8Order.equal)
            else { return nil }
            let elements = Elements(path: left.isOld ? right : left, transform: IdentityNode())
            return make(.sameness(isSame: node.op == .equal), elements, at: place, node)
        case let node as PipeNode where type(of: node) == PipeNode.self:
            guard var elements = array(node.left) else { return nil }
            let kind: FoldNode.Combination
            switch node.right {
            case let sum as SumNode where isIteration(sum.operand): kind = .sum
            case let native as NativeNode where native.function.name == "length" && native.arguments.isEmpty:
                kind = .count
            case let quantifier as QuantifierNode where isIteration(quantifier.source):
                elements.transform = condition(elements.transform, quantifier)
                kind = .quantifier(decisive: quantifier.decisive)
            default: return nil
            }
            return isFoldable(elements, kind) ? make(kind, elements, at: place, node) : nil
        default: return nil
        }
    }

    private mutating func sides(of node: QuantifierNode, _ comma: CommaNode, at place: FoldPath) -> Node? {
        guard StackRoom.hasRoom else { return nil }
        let before = count
        var joined: Node?
        for branch in comma.branches {
            let side = QuantifierNode(branch, node.condition, decisive: node.decisive)
            let next = fold(side, at: place) ?? side
            joined = joined.map { LogicNode($0, next, decisive: node.decisive) } ?? next
        }
        return count > before ? joined : nil
    }

    private mutating func make(_ kind: FoldNode.Combination, _ elements: Elements, at place: FoldPath, _ plain: Node)
        -> Node
    {
        defer { count += 1 }
        return FoldNode(
            kind, place: place + elements.path, path: elements.path, elements.transform, plain: plain, index: count)
    }

    private func isFoldable(_ elements: Elements, _ kind: FoldNode.Combination) -> Bool {
        elements.transform.inferCardinality()
        return (elements.transform.cardinality != .many || kind == .sum || kind == .count)
            && elements.transform.readsInputOnly
    }

    // MARK: What a node computes

    private func members(_ node: Node) -> FoldPath? {
        switch node {
        case is IdentityNode: FoldPath()
        case let node as ContextNode: node.variable == .old ? FoldPath(isOld: true) : nil
        case let node as MemberNode: members(node.target).map { $0 + FoldPath(names: [node.name]) }
        default: nil
        }
    }

    private func isIteration(_ node: Node) -> Bool { (node as? IterateNode)?.operand is IdentityNode }

    private func elements(_ node: Node) -> Elements? {
        guard StackRoom.hasRoom else { return nil }
        switch node {
        case let node as IterateNode:
            if let path = members(node.operand) { return Elements(path: path, transform: IdentityNode()) }
            return array(node.operand)
                ?? elements(node.operand).map { Elements(path: $0.path, transform: IterateNode($0.transform)) }
        case let node as MemberNode:
            return elements(node.target).map {
                Elements(path: $0.path, transform: MemberNode($0.transform, node.name, at: nil))
            }
        case let node as PipeNode where type(of: node) == PipeNode.self:
            if let path = members(node.left) {
                return elements(node.right).map { Elements(path: path + $0.path, transform: $0.transform) }
            }
            if isIteration(node.right), let found = array(node.left) { return found }
            return elements(node.left).map { Elements(path: $0.path, transform: piped($0.transform, node.right)) }
        case let node as BinaryNode where node is ComparisonNode || node is ArithmeticNode:
            // A literal has one output: `f / 10` is `f | . / 10`.
            let isFirst = node.left is LiteralNode
            guard isFirst || node.right is LiteralNode, let found = elements(isFirst ? node.right : node.left) else {
                return nil
            }
            return node.with(isFirst ? node.left : found.transform, isFirst ? found.transform : node.right)
                .map { Elements(path: found.path, transform: $0) }
        default: return nil
        }
    }

    private func array(_ node: Node) -> Elements? {
        guard StackRoom.hasRoom else { return nil }
        switch node {
        case let node as MapNode: return Elements(path: FoldPath(), transform: node.operand)
        case let node as ArrayNode: return node.contents.flatMap { elements($0) }
        case let node as PipeNode where type(of: node) == PipeNode.self:
            if let path = members(node.left) {
                return array(node.right).map { Elements(path: path + $0.path, transform: $0.transform) }
            }
            guard let map = node.right as? MapNode, let found = array(node.left) else { return nil }
            return Elements(path: found.path, transform: piped(found.transform, map.operand))
        default: return nil
        }
    }

    /// Whether an element decides: of one that has many outputs, whether one of them does.
    private func condition(_ transform: Node, _ quantifier: QuantifierNode) -> Node {
        let condition = piped(transform, quantifier.condition)
        condition.inferCardinality()
        guard condition.cardinality == .many else { return condition }
        return QuantifierNode(condition, IdentityNode(), decisive: quantifier.decisive)
    }

    private func piped(_ first: Node, _ second: Node) -> Node {
        if first is IdentityNode { return second }
        return second is IdentityNode ? first : PipeNode(first, second)
    }
}
