/// A set: an array in the order of its elements' canonical texts, which are also the texts that are written.
final class SetNode<Element: Hashable & Encodable>: TypedNode<Set<Element>> {
    /// The elements' texts in order, made when the set first changes and passed from version to version.
    private var texts: TextList?

    override var leastLength: Int { value.count &* 2 }
    override var partCount: Int? { value.count }

    override func encodeLevel(_ pass: EncodingPass, base: EncodedTree?) throws(StateEncodingError) -> EncodedLevel {
        let texts = try sortedTexts(pass)
        let elements = (0..<texts.count).map { place in
            EncodedTree.scalar(.written(texts.withText(place) { String(decoding: $0, as: UTF8.self) }))
        }
        return .fresh(.array(ArrayNode(elements)))
    }

    override func appendText(to bytes: inout [UInt8], _ pass: EncodingPass) throws(StateEncodingError) {
        guard traits.isPlain else { return try super.appendText(to: &bytes, pass) }
        try sortedTexts(pass).appendArray(to: &bytes)
    }

    override func writeDifference(to newer: ValueNode, _ pass: EncodingPass) throws(StateEncodingError) {
        guard traits.isPlain, let newer = newer as? SetNode<Element> else {
            return try pass.writeLevelDifference(from: self, to: newer)
        }
        let old = try pass.asOf(epoch) { () throws(StateEncodingError) in try sortedTexts(pass) }
        // Where more is hidden by now, all texts may differ.
        let isSameEpoch = epoch == newer.epoch || !pass.traits(of: Element.self).mayHoldSecrets(pass)
        let (gone, come) =
            isSameEpoch
            ? try change(to: newer, pass)
            : (old, try pass.asOf(newer.epoch) { () throws(StateEncodingError) in try sorted(newer.value, pass) })
        if gone.isEmpty && come.isEmpty {
            newer.texts = old
            return
        }
        texts = nil
        let edit = old.edit(removing: gone, adding: come)
        newer.texts = edit.result
        write(edit, of: old, adding: come, pass)
    }

    /// The texts that are in one of two versions only, in order; some in both, which the edit leaves out.
    private func change(
        to newer: SetNode<Element>, _ pass: EncodingPass
    ) throws(StateEncodingError) -> (gone: TextList, come: TextList) {
        let change = SetChange(from: value, to: newer.value, pass.traits(of: Element.self).layout)
        return (try sorted(change.gone, pass), try sorted(change.come, pass))
    }

    override func hasPart(
        since older: ValueNode?, _ pass: EncodingPass, where test: PartTest
    ) throws(StateEncodingError) -> Bool {
        var elements = Array(value)
        if traits.isPlain, let older = older as? SetNode<Element> {
            elements = SetChange(from: older.value, to: value, pass.traits(of: Element.self).layout).come
        }
        for element in elements where try test(pass.child(of: element, asOf: epoch), nil) { return true }
        return false
    }

    private func sortedTexts(_ pass: EncodingPass) throws(StateEncodingError) -> TextList {
        if let texts { return texts }
        return try sorted(value, pass)
    }

    /// The elements' type, where their texts can be read from their bytes.
    private func cheapLeaf(_ pass: EncodingPass) -> (any LeafEncodable.Type)? {
        guard pass.redaction == nil, let leaf = pass.traits(of: Element.self).leaf, leaf.isCheap else { return nil }
        return leaf
    }

    private func sorted(
        _ elements: some Collection<Element>, _ pass: EncodingPass
    ) throws(StateEncodingError) -> TextList {
        var texts = TextList(capacity: elements.count)
        let leaf = cheapLeaf(pass)
        for element in elements {
            if let leaf {
                withAddress(of: element) { texts.append(leaf, at: $0) }
                continue
            }
            try texts.append { (bytes) throws(StateEncodingError) in try appendText(of: element, to: &bytes, pass) }
        }
        return texts.sorted()
    }

    private func appendText(
        of element: Element, to bytes: inout [UInt8], _ pass: EncodingPass
    ) throws(StateEncodingError) {
        // Any index will do, since the element's text decides its place: an element is redacted alike in every place.
        try pass.at(.index(0)) { () throws(StateEncodingError) in
            try pass.appendCanonical(pass.child(of: element, base: nil), to: &bytes)
        }
    }

    /// Writes the operations of an edit.
    ///
    /// A removal and an addition between the same two elements that stay are one `replace`.
    private func write(_ edit: TextList.Edit, of old: TextList, adding come: TextList, _ pass: EncodingPass) {
        let array = ElementsPointer(pass.path)
        var (alone, replaced): ([Int], [(removal: Int, addition: Int)]) = ([], [])
        var (gone, added) = (0, 0)
        var arrivals: [Int] = []
        while gone < edit.removals.count || added < edit.additions.count {
            let from = gone < edit.removals.count ? edit.removals[gone] - gone : Int.max
            let to = added < edit.additions.count ? edit.additions[added].newPlace - added : Int.max
            if from == to { replaced.append((gone, added)) }
            if from < to { alone.append(edit.removals[gone]) }
            if to < from { arrivals.append(added) }
            if from <= to { gone += 1 }
            if to <= from { added += 1 }
        }
        for place in alone.reversed() { old.withText(place) { pass.patch.remove(place, of: array, old: $0) } }
        for number in arrivals {
            let addition = edit.additions[number]
            come.withText(addition.place) { pass.patch.add(addition.newPlace, of: array, value: $0) }
        }
        for pair in replaced {
            let addition = edit.additions[pair.addition]
            old.withText(edit.removals[pair.removal]) { old in
                come.withText(addition.place) { new in
                    pass.patch.replace(addition.newPlace, of: array, value: new, old: old)
                }
            }
        }
    }
}

/// The elements that are in one of two versions of a set only, by their bytes; some in both.
private struct SetChange<Element: Hashable> {
    private(set) var gone: [Element] = []
    private(set) var come: [Element] = []

    /// Compares two versions: side by side for as long as they are the same, as a copy on write keeps the order.
    ///
    /// - Complexity: O(n) comparisons of bytes, and a look-up of each element after the first that differs.
    init(from old: Set<Element>, to new: Set<Element>, _ layout: ByteLayout) {
        let common = zip(old, new).lazy.prefix { layout.holdsSame($0, $1) }.reduce(0) { count, _ in count + 1 }
        gone = old.dropFirst(common).filter { !Self.holds(new, $0, layout) }
        come = new.dropFirst(common).filter { !Self.holds(old, $0, layout) }
    }

    /// Whether an element is there with the same bytes; equal elements may still differ in what they encode.
    private static func holds(_ set: Set<Element>, _ element: Element, _ layout: ByteLayout) -> Bool {
        set.firstIndex(of: element).map { layout.holdsSame(set[$0], element) } ?? false
    }
}

extension TextList {
    /// Appends the text of a value by where it is.
    fileprivate mutating func append<Leaf: LeafEncodable>(_ leaf: Leaf.Type, at place: Address) {
        append { bytes in leaf.append(at: place, to: &bytes) }
    }
}

extension Set: NodeProviding where Element: Encodable {
    static func makeNode(_ value: Set<Element>, traits: TypeTraits) -> ValueNode {
        SetNode(value, traits: traits)
    }
}
