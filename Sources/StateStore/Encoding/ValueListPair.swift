/// Two versions of a typed array of plain elements, over their buffers.
struct ValueListPair<Element: Encodable>: ListPair {
    private let older: UnsafeBufferPointer<Element>
    private let newer: UnsafeBufferPointer<Element>
    private let pass: EncodingPass

    /// The buffers must outlive the pair.
    init(_ older: UnsafeBufferPointer<Element>, _ newer: UnsafeBufferPointer<Element>, _ pass: EncodingPass) {
        self.older = older
        self.newer = newer
        self.pass = pass
    }

    var oldCount: Int { older.count }
    var newCount: Int { newer.count }

    func commonEnds() -> (prefix: Int, suffix: Int) {
        guard let left = older.baseAddress, let right = newer.baseAddress else { return (0, 0) }
        let stride = MemoryLayout<Element>.stride
        let shorter = min(older.count, newer.count)
        let prefix = RawBytes.commonPrefix(left, right, count: shorter, stride: stride)
        let suffix = RawBytes.commonSuffix(
            UnsafeRawPointer(left + older.count), UnsafeRawPointer(right + newer.count), count: shorter - prefix,
            stride: stride)
        return (prefix, suffix)
    }

    func surelySame(_ old: Int, _ new: Int) -> Bool {
        RawBytes.same(bytes(older, old), UnsafeRawPointer(address(newer, new)))
    }

    func old(_ place: Int) -> EncodedTree { pass.child(of: older[place], base: nil) }
    func new(_ place: Int) -> EncodedTree { pass.child(of: newer[place], base: nil) }

    func sameNumbers(_ old: Range<Int>, _ new: Range<Int>) -> ListNumbers? {
        var numbering = Numbering<BytesKey>(capacity: max(old.count, new.count))
        for place in old { numbering.addOld(BytesKey(bytes: bytes(older, place))) }
        for place in new { numbering.addNew(BytesKey(bytes: bytes(newer, place))) }
        return numbering.numbers
    }

    func identities(
        _ old: [Int], _ new: [Int], _ pass: EncodingPass
    ) throws(StateEncodingError) -> ListNumbers? {
        guard let type = Element.self as? any Identifiable.Type else {
            return try pass.memberIdentities(self, old, new)
        }
        return typedIdentities(type, old, new)
    }

    private func typedIdentities<Item: Identifiable>(_ type: Item.Type, _ old: [Int], _ new: [Int]) -> ListNumbers? {
        var numbering = Numbering<Item.ID>(capacity: max(old.count, new.count))
        for place in old { numbering.addOld(unsafeBitCast(older[place], to: Item.self).id) }
        for place in new { numbering.addNew(unsafeBitCast(newer[place], to: Item.self).id) }
        return numbering.isDistinct ? numbering.numbers : nil
    }

    private func address(_ list: UnsafeBufferPointer<Element>, _ place: Int) -> UnsafePointer<Element> {
        precondition(list.indices.contains(place))
        return UnsafePointer(list.baseAddress.unsafelyUnwrapped + place)
    }

    private func bytes(_ list: UnsafeBufferPointer<Element>, _ place: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: address(list, place), count: MemoryLayout<Element>.size)
    }
}

/// An element by its bytes, for as long as its array lives.
private struct BytesKey: Hashable {
    let bytes: UnsafeRawBufferPointer

    static func == (a: BytesKey, b: BytesKey) -> Bool {
        guard let start = b.bytes.baseAddress else { return true }
        return RawBytes.same(a.bytes, start)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(bytes: bytes)
    }
}
