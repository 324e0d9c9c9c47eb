internal import JSONCore

/// Two versions of a typed array of plain elements, over their buffers.
struct ValueListPair<Element: Encodable>: ListPair {
    private let older: UnsafeBufferPointer<Element>
    private let newer: UnsafeBufferPointer<Element>
    private let pass: EncodingPass
    private let layout: ByteLayout

    /// The buffers must outlive the pair.
    init(_ older: UnsafeBufferPointer<Element>, _ newer: UnsafeBufferPointer<Element>, _ pass: EncodingPass) {
        self.older = older
        self.newer = newer
        self.pass = pass
        layout = pass.traits(of: Element.self).layout
    }

    var oldCount: Int { older.count }
    var newCount: Int { newer.count }

    func commonEnds() -> (prefix: Int, suffix: Int) {
        guard let left = older.baseAddress, let right = newer.baseAddress else { return (0, 0) }
        let shorter = min(older.count, newer.count)
        let prefix = layout.commonPrefix(left, right, count: shorter)
        let suffix = layout.commonSuffix(left + older.count, right + newer.count, count: shorter - prefix)
        return (prefix, suffix)
    }

    func surelySame(_ old: Int, _ new: Int) -> Bool {
        layout.same(address(older, old), address(newer, new))
    }

    func old(_ place: Int) -> EncodedTree { pass.child(of: older[place], base: nil) }
    func new(_ place: Int) -> EncodedTree { pass.child(of: newer[place], base: nil) }

    func sameNumbers(_ old: Range<Int>, _ new: Range<Int>) -> ListNumbers? {
        var numbering = Numbering<BytesKey>(capacity: max(old.count, new.count))
        for place in old { numbering.addOld(BytesKey(value: address(older, place), layout: layout)) }
        for place in new { numbering.addNew(BytesKey(value: address(newer, place), layout: layout)) }
        return numbering.numbers
    }

    func keepIdentities(at places: [Int], _ pass: EncodingPass) throws(StateEncodingError) -> Bool? {
        if let type = Element.self as? any Identifiable.Type { return keepIdentities(type, places) }
        return try identities(places, places, pass).map { $0.old == $0.new }
    }

    private func keepIdentities<Item: Identifiable>(_ type: Item.Type, _ places: [Int]) -> Bool {
        for place in places where identity(older, place, type) != identity(newer, place, type) { return false }
        return true
    }

    func identities(
        _ old: [Int], _ new: [Int], _ pass: EncodingPass
    ) throws(StateEncodingError) -> ListNumbers? {
        try pass.memberIdentities(self, old, new)
    }

    func typedScript(_ old: Range<Int>, _ new: Range<Int>) -> ListEdit.Script? {
        guard let type = Element.self as? any Identifiable.Type else { return nil }
        return typedScript(type, old, new)
    }

    private func typedScript<Item: Identifiable>(
        _ type: Item.Type, _ old: Range<Int>, _ new: Range<Int>
    ) -> ListEdit.Script? {
        ListEdit.script(
            oldCount: old.count, newCount: new.count,
            equal: { surelySame(old.lowerBound + $0, new.lowerBound + $1) },
            oldID: { identity(older, old.lowerBound + $0, type) },
            newID: { identity(newer, new.lowerBound + $0, type) })
    }

    private func identity<Item: Identifiable>(
        _ list: UnsafeBufferPointer<Element>, _ place: Int, _ type: Item.Type
    ) -> Item.ID {
        Self.id(of: address(list, place).assumingMemoryBound(to: Item.self).pointee)
    }

    /// Borrows the element: only its identity is copied.
    private static func id<Item: Identifiable>(of item: borrowing Item) -> Item.ID { item.id }

    private func address(_ list: UnsafeBufferPointer<Element>, _ place: Int) -> UnsafeRawPointer {
        precondition(list.indices.contains(place))
        return UnsafeRawPointer(list.baseAddress.unsafelyUnwrapped + place)
    }
}

/// An element by its bytes, for as long as its array lives.
private struct BytesKey: Hashable {
    let value: UnsafeRawPointer
    let layout: ByteLayout

    static func == (a: BytesKey, b: BytesKey) -> Bool {
        a.layout.same(a.value, b.value)
    }

    func hash(into hasher: inout Hasher) {
        layout.hash(value, into: &hasher)
    }
}
