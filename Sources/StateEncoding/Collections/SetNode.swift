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
            ? try change(to: newer, old, pass)
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
        to newer: SetNode<Element>, _ old: TextList, _ pass: EncodingPass
    ) throws(StateEncodingError) -> (gone: TextList, come: TextList) {
        if let leaf = cheapLeaf(pass), let before = BucketView(value, pass.options),
            let after = BucketView(newer.value, pass.options)
        {
            defer { withExtendedLifetime((value, newer.value)) {} }
            // Looking every element up costs more than writing and sorting texts as cheap as these.
            guard before.isLaidOut(like: after) else { return (old, after.texts(of: leaf).sorted()) }
            var (gone, come) = (TextList(), TextList())
            before.compare(with: after, pass.traits(of: Element.self).layout) { first, second in
                if let first { gone.append(leaf, at: first) }
                if let second { come.append(leaf, at: second) }
            }
            return (gone.sorted(), come.sorted())
        }
        let change = SetChange(from: value, to: newer.value, pass.traits(of: Element.self).layout, pass.options)
        return (try sorted(change.gone, pass), try sorted(change.come, pass))
    }

    override func hasPart(
        since older: ValueNode?, _ pass: EncodingPass, where test: PartTest
    ) throws(StateEncodingError) -> Bool {
        var elements = Array(value)
        if traits.isPlain, let older = older as? SetNode<Element> {
            elements = SetChange(from: older.value, to: value, pass.traits(of: Element.self).layout, pass.options).come
        }
        for element in elements where try test(pass.child(of: element, asOf: epoch), nil) { return true }
        return false
    }

    private func sortedTexts(_ pass: EncodingPass) throws(StateEncodingError) -> TextList {
        if let texts { return texts }
        if let leaf = cheapLeaf(pass), let buckets = BucketView(value, pass.options) {
            defer { withExtendedLifetime(value) {} }
            return buckets.texts(of: leaf).sorted()
        }
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
        for element in elements {
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

/// The elements that are in one of two versions of a set only, by their bytes; some in both, if they have another bucket now.
private struct SetChange<Element: Hashable> {
    private(set) var gone: [Element] = []
    private(set) var come: [Element] = []

    /// Compares two versions: bucket by bucket if a copy on write kept the buckets, else element by element.
    ///
    /// - Complexity: O(n) comparisons of bytes; if the set was made anew, O(n) look-ups.
    init(from old: Set<Element>, to new: Set<Element>, _ layout: ByteLayout, _ options: EncodingOptions) {
        if let before = BucketView(old, options), let after = BucketView(new, options), before.isLaidOut(like: after) {
            before.compare(with: after, layout) { first, second in
                if let first { gone.append(first.value(as: Element.self)) }
                if let second { come.append(second.value(as: Element.self)) }
            }
            withExtendedLifetime((old, new)) {}
        } else {
            gone = old.filter { !Self.holds(new, $0, layout) }
            come = new.filter { !Self.holds(old, $0, layout) }
        }
    }

    /// Whether an element is there with the same bytes; equal elements may still differ in what they encode.
    private static func holds(_ set: Set<Element>, _ element: Element, _ layout: ByteLayout) -> Bool {
        set.firstIndex(of: element).map { layout.holdsSame(set[$0], element) } ?? false
    }
}

extension BucketView {
    /// Visits the buckets of two sets in which they differ by their bytes, with the elements that are there.
    fileprivate func compare(
        with other: BucketView, _ layout: ByteLayout, _ body: (Address?, Address?) -> Void
    ) {
        for word in 0..<wordCount {
            let (left, right) = (occupied(word: word), other.occupied(word: word))
            var rest = left | right
            while rest != 0 {
                let bit = rest & (0 &- rest)
                let bucket = word * 64 + rest.trailingZeroBitCount
                rest ^= bit
                let (first, second) = (key(bucket, stride: layout.stride), other.key(bucket, stride: layout.stride))
                if left & right & bit != 0, layout.same(first, second) { continue }
                body(left & bit != 0 ? first : nil, right & bit != 0 ? second : nil)
            }
        }
    }

    fileprivate func texts<Leaf: LeafEncodable>(of leaf: Leaf.Type) -> TextList {
        var texts = TextList()
        for word in 0..<wordCount {
            var rest = occupied(word: word)
            while rest != 0 {
                texts.append(leaf, at: key(word * 64 + rest.trailingZeroBitCount, stride: MemoryLayout<Leaf>.stride))
                rest &= rest - 1
            }
        }
        return texts
    }
}

extension TextList {
    fileprivate mutating func append<Leaf: LeafEncodable>(_ leaf: Leaf.Type, at place: Address) {
        append { bytes in leaf.append(at: place, to: &bytes) }
    }
}

extension Set: NodeProviding where Element: Encodable {
    static func makeNode(_ value: Set<Element>, traits: TypeTraits) -> ValueNode {
        SetNode(value, traits: traits)
    }
}
