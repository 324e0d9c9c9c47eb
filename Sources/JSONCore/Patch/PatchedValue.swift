/// A value to which the operations of a patch are being applied.
///
/// To insert, remove or move an element moves the elements after it. Where a patch does that over and over in a long array, the array
/// is kept in chunks until the value is wanted, so that the cost of a patch is not its length times that of the array.
public struct PatchedValue: Sendable {
    /// An array that is kept in chunks; an empty one stands in its place.
    private struct OpenList: Sendable {
        let path: [String]
        var elements: ChunkedList<JSONValue>
        /// What the elements are pruned to, nil for placeholders.
        let node: PathSet.Node?

        mutating func edit(
            _ edit: PartEdit, at segments: [String], order: MemberOrder
        ) throws(PatchError.Reason) -> Bool {
            let segment = segments[path.count]
            if segments.count == path.count + 1 { return try elements.edit(edit, segment, pruning: node) }
            let index = try PartEdit.index(segment, in: elements.count)
            guard let node else { return false }
            return try elements[index].edit(edit, at: segments, from: path.count + 1, pruning: node, order: order)
        }
    }

    /// After so many insertions, removals and moves the array of the next one is looked at.
    private static let shiftsBeforeOpening = 64
    /// A shorter array is not kept in chunks.
    private static let fewestElements = 1024
    /// Each operation compares its path with those of all arrays that are kept in chunks.
    private static let mostLists = 16

    private var base: JSONValue
    /// None is inside another.
    private var lists: [OpenList] = []
    /// How many elements were inserted, removed or moved outside of `lists`, or inside of their elements, since the last look.
    private var shifts = 0
    private(set) var openings = 0
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
    ///
    /// - Complexity: O(*n*) in the arrays that are kept in chunks.
    public mutating func take() -> JSONValue {
        closeLists { _ in true }
        return exchange(&base, for: .null)
    }

    /// The part at a place; nil where there is none.
    public mutating func value(at pointer: JSONPointer) -> JSONValue? { try? part(at: pointer.segments) }

    /// How many elements the array at a place has; nil where none is there.
    public mutating func count(ofArrayAt pointer: JSONPointer) -> Int? {
        let path = pointer.segments
        if let list = lists.first(where: { $0.path.count == path.count && Self.isPrefix($0.path, of: path) }) {
            return list.elements.count
        }
        guard case .array(let elements)? = value(at: pointer) else { return nil }
        return elements.count
    }

    /// The part at a place as far as a node reads it, and what it is pruned to; nil where there is none, or it is not read.
    package mutating func part(at pointer: JSONPointer, pruning node: PathSet.Node) -> (JSONValue, PathSet.Node)? {
        let segments = pointer.segments
        guard let list = list(holding: segments) else {
            return base.part(at: pointer, pruning: node)
        }
        let depth = lists[list].path.count
        guard let read = lists[list].node, let index = JSONPointer.arrayIndex(segments[depth]),
            index < lists[list].elements.count
        else { return nil }
        return lists[list].elements[index].part(at: JSONPointer(Array(segments[(depth + 1)...])), pruning: read)
    }

    /// Replaces the part at a pointer's text, as ``JSONValue`` does; false also where an array is kept in chunks.
    package mutating func replace(
        atPlainPointer text: ByteView, with new: JSONValue, expecting old: JSONToken?,
        pruning node: PathSet.Node
    ) -> Bool {
        lists.isEmpty && base.replace(atPlainPointer: text, with: new, expecting: old, pruning: node)
    }

    // MARK: Arrays in chunks

    /// Which list has the part at a path in its elements; puts back those that are at the path or below it.
    private mutating func list(holding segments: [String]) -> Int? {
        if lists.isEmpty { return nil }
        if let found = lists.firstIndex(where: {
            $0.path.count < segments.count && Self.isPrefix($0.path, of: segments)
        }) {
            return found
        }
        closeLists { Self.isPrefix(segments, of: $0.path) }
        return nil
    }

    private static func isPrefix(_ path: [String], of other: [String]) -> Bool {
        guard path.count <= other.count else { return false }
        // Paths differ more often at their end.
        for index in path.indices.reversed() where !UTF8Order.equal(path[index], other[index]) { return false }
        return true
    }

    private mutating func openList(at path: [String], pruning node: PathSet.Node) -> Bool {
        shifts = 0
        guard let (part, read) = base.part(at: JSONPointer(path), pruning: node), case .array(let elements) = part,
            elements.count > Self.fewestElements
        else { return false }
        if lists.count == Self.mostLists { closeLists { _ in true } }
        lists.append(OpenList(path: path, elements: ChunkedList(elements), node: read.element))
        openings += 1
        put([], at: path)
        return true
    }

    private mutating func closeLists(where isClosed: (OpenList) -> Bool) {
        var index = 0
        while index < lists.count {
            guard isClosed(lists[index]) else {
                index += 1
                continue
            }
            let list = lists.remove(at: index)
            put(Array(list.elements.elements), at: list.path)
        }
    }

    private mutating func put(_ elements: [JSONValue], at path: [String]) {
        let isThere = try? base.edit(.replace(.array(elements)), at: path, from: 0, pruning: .all, order: .asWritten)
        assert(isThere == true, "an array that is kept in chunks has lost its place")
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
        guard undo != nil else { return try self.edit(edit, at: path.segments, pruning: node, order: order) }
        let back = wayBack(from: edit, at: path)
        guard try self.edit(edit, at: path.segments, pruning: node, order: order) else { return false }
        undo?.append(contentsOf: back)
        return true
    }

    private mutating func edit(
        _ edit: PartEdit, at segments: [String], pruning node: PathSet.Node, order: MemberOrder
    ) throws(PatchError.Reason) -> Bool {
        let count = edit.shifts ? 1 : 0
        shifts &+= count
        if !lists.isEmpty, let list = list(holding: segments) {
            let isInside = segments.count > lists[list].path.count + 1
            if !isInside { shifts &-= count }
            if shifts <= Self.shiftsBeforeOpening {
                return try lists[list].edit(edit, at: segments, order: order)
            }
            // An array inside of an element is edited over and over.
            closeLists { _ in true }
        }
        if !lists.isEmpty, edit.shifts {
            let parent = Array(segments.dropLast())
            if case .move = edit { closeLists { Self.isPrefix(parent, of: $0.path) } }
            if case .array? = try? base.part(at: parent) { closeLists { Self.isPrefix(parent, of: $0.path) } }
        }
        if shifts > Self.shiftsBeforeOpening, !segments.isEmpty,
            openList(at: Array(segments.dropLast()), pruning: node)
        {
            return try lists[lists.count - 1].edit(edit, at: segments, order: order)
        }
        return try base.edit(edit, at: segments, from: 0, pruning: node, order: order)
    }

    /// What leads back from the result of an edit to this value, last first; nothing where the edit does not apply.
    ///
    /// It asks the value itself, so it is right whatever an operation says of what was there.
    private mutating func wayBack(from edit: PartEdit, at path: JSONPointer) -> [JSONPatch.Operation] {
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

    mutating func whole(at path: JSONPointer, _ node: PathSet.Node) throws(PatchError.Reason) -> JSONValue {
        try path.checkDepth()
        guard case .all = node else { throw .notPrunable }
        return try part(at: path.segments)
    }

    private mutating func part(at segments: [String]) throws(PatchError.Reason) -> JSONValue {
        guard let list = list(holding: segments) else { return try base.part(at: segments) }
        let depth = lists[list].path.count
        let index = try PartEdit.index(segments[depth], in: lists[list].elements.count)
        return try lists[list].elements[index].part(at: Array(segments[(depth + 1)...]))
    }
}
