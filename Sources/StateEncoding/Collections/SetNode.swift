internal import JSONCore
import Platform

/// A set: an array in the order of its elements' canonical texts, which are also the texts that are written.
final class SetNode<Element: Hashable & Encodable>: TypedNode<Set<Element>> {
    /// The elements' texts in order, made when the set first changes and passed from version to version.
    private var texts: [[UInt8]]?

    override var leastLength: Int { value.count &* 2 }

    override func encodeLevel(_ pass: EncodingPass, base: EncodedTree?) throws(StateEncodingError) -> EncodedLevel {
        let elements = try sortedTexts(pass).map { EncodedTree.scalar(.written(String(decoding: $0, as: UTF8.self))) }
        return .fresh(.array(ArrayNode(elements)))
    }

    override func appendText(to bytes: inout [UInt8], _ pass: EncodingPass) throws(StateEncodingError) {
        guard traits.isPlain else { return try super.appendText(to: &bytes, pass) }
        bytes.append(UInt8(ascii: "["))
        for (place, text) in try sortedTexts(pass).enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: text)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    override func writeDifference(to newer: ValueNode, _ pass: EncodingPass) throws(StateEncodingError) {
        guard traits.isPlain, let newer = newer as? SetNode<Element> else {
            return try pass.writeLevelDifference(from: self, to: newer)
        }
        let change = SetChange(from: value, to: newer.value, pass.traits(of: Element.self).layout, pass.options)
        let removed = try change.gone.map { (element) throws(StateEncodingError) in try text(element, pass) }
        let added = try change.come.map { (element) throws(StateEncodingError) in try text(element, pass) }
        if removed.isEmpty && added.isEmpty { return }
        var edit = SortedTextsEdit(try sortedTexts(pass))
        texts = nil
        edit.apply(removing: removed, adding: added)
        newer.texts = edit.texts
        edit.write(pass)
    }

    private func sortedTexts(_ pass: EncodingPass) throws(StateEncodingError) -> [[UInt8]] {
        if let texts { return texts }
        var sorted: [[UInt8]] = []
        sorted.reserveCapacity(value.count)
        for element in value { sorted.append(try text(element, pass)) }
        return SortedTextsEdit.sorted(sorted)
    }

    private func text(_ element: Element, _ pass: EncodingPass) throws(StateEncodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        // Any index will do, since the element's text decides its place: an element is redacted alike in every place.
        try pass.at(.index(0)) { () throws(StateEncodingError) in
            try pass.appendCanonical(pass.child(of: element, base: nil), to: &bytes)
        }
        return bytes
    }
}

/// The elements that are in one of two versions of a set only, by their bytes.
private struct SetChange<Element: Hashable> {
    private(set) var gone: [Element] = []
    private(set) var come: [Element] = []

    /// Compares two versions: bucket by bucket if a copy on write kept the buckets, else element by element.
    ///
    /// - Complexity: O(n) comparisons of bytes; if the set was rehashed, O(n) look-ups.
    init(from old: Set<Element>, to new: Set<Element>, _ layout: ByteLayout, _ options: EncodingOptions) {
        if let before = BucketView(old, options), let after = BucketView(new, options), before.isLaidOut(like: after) {
            compare(before, after, old, new, layout)
        } else {
            gone = old.filter { !Self.holds(new, $0, layout) }
            come = new.filter { !Self.holds(old, $0, layout) }
        }
    }

    private mutating func compare(
        _ before: BucketView, _ after: BucketView, _ old: Set<Element>, _ new: Set<Element>, _ layout: ByteLayout
    ) {
        for word in 0..<before.wordCount {
            let (left, right) = (before.occupied(word: word), after.occupied(word: word))
            var rest = left | right
            while rest != 0 {
                let bit = rest & (0 &- rest)
                let bucket = word * 64 + rest.trailingZeroBitCount
                rest ^= bit
                let (first, second) = (
                    before.key(bucket, stride: layout.stride), after.key(bucket, stride: layout.stride)
                )
                if left & right & bit != 0, layout.same(first, second) { continue }
                if left & bit != 0 { append(first, ifNotIn: new, layout, &gone) }
                if right & bit != 0 { append(second, ifNotIn: old, layout, &come) }
            }
        }
        withExtendedLifetime((old, new)) {}
    }

    private func append(
        _ place: UnsafeRawPointer, ifNotIn other: Set<Element>, _ layout: ByteLayout, _ list: inout [Element]
    ) {
        let element = place.assumingMemoryBound(to: Element.self).pointee
        if !Self.holds(other, element, layout) { list.append(element) }
    }

    /// Whether an element is there with the same bytes; equal elements may still differ in what they encode.
    private static func holds(_ set: Set<Element>, _ element: Element, _ layout: ByteLayout) -> Bool {
        set.firstIndex(of: element).map { layout.holdsSame(set[$0], element) } ?? false
    }
}

extension Set: NodeProviding where Element: Encodable {
    static func makeNode(_ value: Set<Element>, traits: TypeTraits) -> ValueNode {
        SetNode(value, traits: traits)
    }
}

/// Texts in ascending order, of which some are removed and others added.
private struct SortedTextsEdit {
    private(set) var texts: [[UInt8]]
    private var removals: [Edit] = []
    private var additions: [Edit] = []

    private struct Edit {
        /// The place in the old list, or in the new one.
        var place: Int
        var text: [UInt8]
    }

    init(_ texts: [[UInt8]]) {
        self.texts = texts
    }

    /// - Complexity: O(n) for the new list; O(k log(n / k)) comparisons of texts, since each search begins where the last one ended.
    mutating func apply(removing gone: [[UInt8]], adding come: [[UInt8]]) {
        let (gone, come) = Self.withoutCommon(Self.sorted(gone), Self.sorted(come))
        var place = 0
        for text in gone {
            place = firstPlace(notBefore: text, from: place)
            removals.append(Edit(place: place, text: text))
            // Two elements with one text are neighbours.
            place += 1
        }
        remove()
        place = 0
        for (earlier, text) in come.enumerated() {
            place = firstPlace(notBefore: text, from: place)
            additions.append(Edit(place: place + earlier, text: text))
        }
        add()
    }

    /// Up to this many edits are made one by one, each of which moves all that follows it; more, in one pass.
    private static let fewEdits = 16

    private mutating func remove() {
        guard removals.count > Self.fewEdits else {
            for edit in removals.reversed() { texts.remove(at: edit.place) }
            return
        }
        var end = removals[0].place
        for (number, edit) in removals.enumerated() {
            let next = number + 1 < removals.count ? removals[number + 1].place : texts.count
            for place in edit.place + 1..<next {
                texts.swapAt(end, place)
                end += 1
            }
        }
        texts.removeLast(removals.count)
    }

    private mutating func add() {
        guard additions.count > Self.fewEdits else {
            for edit in additions { texts.insert(edit.text, at: edit.place) }
            return
        }
        var place = texts.count - 1
        texts.append(contentsOf: repeatElement([], count: additions.count))
        var end = texts.count - 1
        // From the last one on, so that each text that stays is moved once.
        for edit in additions.reversed() {
            while end > edit.place {
                texts.swapAt(end, place)
                end -= 1
                place -= 1
            }
            texts[end] = edit.text
            end -= 1
        }
    }

    /// The texts in ascending order; most comparisons are decided by a word of their first eight bytes.
    static func sorted(_ texts: [[UInt8]]) -> [[UInt8]] {
        var entries = texts.map { text -> (word: UInt64, text: [UInt8]) in
            var word: UInt64 = 0
            for place in 0..<8 { word = word << 8 | (place < text.count ? UInt64(text[place]) : 0) }
            return (word, text)
        }
        entries.sort { $0.word != $1.word ? $0.word < $1.word : $0.text.lexicographicallyPrecedes($1.text) }
        return entries.map(\.text)
    }

    /// Two ascending lists without what is in both: an element that is removed and added with the same text is another buffer, or
    /// an equal element.
    private static func withoutCommon(_ gone: [[UInt8]], _ come: [[UInt8]]) -> (gone: [[UInt8]], come: [[UInt8]]) {
        var (onlyGone, onlyCome): ([[UInt8]], [[UInt8]]) = ([], [])
        var (left, right) = (0, 0)
        while left < gone.count, right < come.count {
            let order = order(gone[left], come[right])
            if order < 0 { onlyGone.append(gone[left]) }
            if order > 0 { onlyCome.append(come[right]) }
            if order <= 0 { left += 1 }
            if order >= 0 { right += 1 }
        }
        return (onlyGone + gone[left...], onlyCome + come[right...])
    }

    /// The first place, from one on, of a text that is not before another; searched in growing steps, so that a near one is found
    /// at once.
    private func firstPlace(notBefore text: [UInt8], from start: Int) -> Int {
        var (low, high, step) = (start, start, 1)
        while high < texts.count, Self.order(texts[high], text) < 0 {
            (low, high, step) = (high + 1, high + step, step * 2)
        }
        high = min(high, texts.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.order(texts[middle], text) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Negative, zero or positive as one text is before, equal to or after another.
    private static func order(_ one: [UInt8], _ other: [UInt8]) -> Int {
        one.withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                let shared = min(one.count, other.count)
                guard shared > 0, let left = one.baseAddress, let right = other.baseAddress else {
                    return one.count - other.count
                }
                let order = RawMemory.compare(left, right, count: shared)
                return order != 0 ? order : one.count - other.count
            }
        }
    }

    /// Writes the operations.
    ///
    /// A removal and an addition between the same two elements that stay are one `replace`.
    func write(_ pass: EncodingPass) {
        var (alone, replaced): ([Edit], [(old: Edit, new: Edit)]) = ([], [])
        var (gone, come) = (0, 0)
        var arrivals: [Edit] = []
        while gone < removals.count || come < additions.count {
            let from = gone < removals.count ? removals[gone].place - gone : Int.max
            let to = come < additions.count ? additions[come].place - come : Int.max
            if from == to { replaced.append((removals[gone], additions[come])) }
            if from < to { alone.append(removals[gone]) }
            if to < from { arrivals.append(additions[come]) }
            if from <= to { gone += 1 }
            if to <= from { come += 1 }
        }
        for edit in alone.reversed() { pass.patch.remove(pass.path + [.index(edit.place)], old: edit.text) }
        for edit in arrivals { pass.patch.add(pass.path + [.index(edit.place)], value: edit.text) }
        for edit in replaced {
            pass.patch.replace(pass.path + [.index(edit.new.place)], value: edit.new.text, old: edit.old.text)
        }
    }
}
