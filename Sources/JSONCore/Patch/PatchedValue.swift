/// A value to which the operations of a patch are being applied.
public struct PatchedValue: Sendable {
    private var base: JSONValue
    var copiedBytes = 0
    /// What leads back, last first; nil where it is not asked for.
    private var undo: [JSONPatch.Operation]?

    /// Takes a value out of its place, so that it is edited there without a copy; ``take()`` gives back what becomes of it.
    ///
    /// - Parameter keepsUndo: whether ``wayBack`` is asked for, which costs another look-up for each operation.
    public init(taking value: inout JSONValue, keepsUndo: Bool = false) {
        base = exchange(&value, for: .null)
        if keepsUndo { undo = [] }
    }

    /// How many bytes of JSON text were copied from one place to another since this was asked last.
    package mutating func takeCopiedBytes() -> Int { exchange(&copiedBytes, for: 0) }

    /// What leads back from the value, where that is kept, in ascending order of members; empty otherwise.
    ///
    /// It is taken from the value itself while that is edited, so it leads back also where an operation did not apply.
    public var wayBack: JSONPatch { JSONPatch(undo?.reversed() ?? []) }

    /// Goes back to the value that was taken, where what leads back is kept.
    public mutating func goBack() {
        guard undo != nil else { return }
        let way = wayBack
        undo = nil
        let done = try? way.apply(to: &self, pruning: .all, order: .ascending)
        assert(done != nil, "what was kept does not lead back")
        undo = []
    }

    /// Gives the value with what was done up to now, and keeps none.
    public mutating func take() -> JSONValue { exchange(&base, for: .null) }

    /// The part at a place; nil where there is none.
    public func value(at pointer: JSONPointer) -> JSONValue? { pointer.value(in: base) }

    /// How many elements the array at a place has; nil where none is there.
    public func count(ofArrayAt pointer: JSONPointer) -> Int? {
        if case .array(let elements)? = value(at: pointer) { elements.count } else { nil }
    }

    /// The part at a place as far as a node reads it, and what it is pruned to; nil where there is none, or it is not read.
    package func part(at pointer: JSONPointer, pruning node: PathSet.Node) -> (JSONValue, PathSet.Node)? {
        base.part(at: pointer, pruning: node)
    }

    /// Replaces the part at a pointer's text, as ``JSONValue`` does.
    package mutating func replace(
        atPlainPointer text: ByteView, with new: JSONValue, expecting old: JSONToken?,
        pruning node: PathSet.Node
    ) -> Bool {
        base.replace(atPlainPointer: text, with: new, expecting: old, pruning: node)
    }
}

// MARK: What operations do

extension PatchedValue {
    /// Edits the part at a path of a value that is pruned to a node, and keeps what leads back, where that is asked for; false where
    /// the node does not read it.
    @inline(__always)
    mutating func change(
        _ edit: PartEdit, at path: JSONPointer, pruning node: PathSet.Node, order: MemberOrder
    ) throws(PatchError.Reason) -> Bool {
        try path.checkDepth()
        let back = undo == nil ? [] : wayBack(from: edit, at: path)
        guard try base.edit(edit, at: path.segments, from: 0, pruning: node, order: order) else { return false }
        undo?.append(contentsOf: back)
        return true
    }

    /// What leads back from the result of an edit to this value, last first; nothing where the edit does not apply.
    ///
    /// It asks the value itself, so it is right whatever an operation says of what was there.
    private func wayBack(from edit: PartEdit, at path: JSONPointer) -> [JSONPatch.Operation] {
        func replacing(_ old: JSONValue?) -> [JSONPatch.Operation] { old.map { [.replace(path, $0, old: nil)] } ?? [] }
        guard let last = path.segments.last, let parent = path.parent else { return replacing(value(at: path)) }
        switch edit {
        case .replace: return replacing(value(at: path))
        case .remove: return value(at: path).map { [.add(path, $0)] } ?? []
        case .add:
            if let count = count(ofArrayAt: parent) {
                return [.remove(last == "-" ? parent.appending(String(count)) : path, old: nil)]
            }
            return value(at: path).map(replacing) ?? [.remove(path, old: nil)]
        case .move(let name):
            if UTF8Order.equal(name, last) { return [] }
            if let count = count(ofArrayAt: parent) {
                return [.move(from: parent.appending(name == "-" ? String(count - 1) : name), to: path)]
            }
            let target = parent.appending(name)
            return (value(at: target).map { [.add(target, $0)] } ?? []) + [.move(from: target, to: path)]
        }
    }

    func whole(at path: JSONPointer, _ node: PathSet.Node) throws(PatchError.Reason) -> JSONValue {
        try path.checkDepth()
        guard case .all = node else { throw .notPrunable }
        return try base.part(at: path.segments)
    }
}
