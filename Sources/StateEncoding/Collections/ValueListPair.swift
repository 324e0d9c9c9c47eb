internal import JSONCore

/// Two versions of a typed array of plain elements, over their buffers.
struct ValueListPair<Element: Encodable>: ListPair {
    private let older: BorrowedElements<Element>
    private let newer: BorrowedElements<Element>
    private let pass: EncodingPass
    private let layout: ByteLayout
    /// Which members are hidden as copies in each element (``TypeRedactions/epoch``).
    private let epochs: ListEpochs

    /// The buffers must outlive the pair.
    init(
        _ older: BorrowedElements<Element>, _ newer: BorrowedElements<Element>, _ epochs: ListEpochs,
        _ pass: EncodingPass
    ) {
        self.older = older
        self.newer = newer
        self.epochs = epochs
        self.pass = pass
        layout = pass.traits(of: Element.self).layout
    }

    var oldCount: Int { older.count }
    var newCount: Int { newer.count }

    func commonEnds() -> (prefix: Int, suffix: Int) {
        let shorter = min(older.count, newer.count)
        guard shorter > 0 else { return (0, 0) }
        let (left, right) = (address(older, 0), address(newer, 0))
        let prefix = layout.commonPrefix(left, right, count: shorter)
        let (oldEnd, newEnd) = (left + older.count * layout.stride, right + newer.count * layout.stride)
        let suffix = layout.commonSuffix(oldEnd, newEnd, count: shorter - prefix)
        return (prefix, suffix)
    }

    func surelySame(_ old: Int, _ new: Int) -> Bool {
        layout.same(address(older, old), address(newer, new))
    }

    func old(_ place: Int) -> EncodedTree { pass.child(of: older[place], asOf: epochs.old(place)) }
    func new(_ place: Int) -> EncodedTree { pass.child(of: newer[place], base: nil) }

    func writeDifference(_ old: Int, _ new: Int, _ pass: EncodingPass) throws(StateEncodingError) {
        let epoch = try pass.writeUnit(of: older[old], at: epochs.old(old), to: newer[new])
        if mayHoldSecrets(pass) { epochs.written[new] = epoch }
    }

    func recordWritten(_ tree: EncodedTree, at new: Int) {
        if case .value(let node) = tree, mayHoldSecrets(pass) { epochs.written[new] = node.epoch }
    }

    func mayHoldSecrets(_ pass: EncodingPass) -> Bool { pass.traits(of: Element.self).mayHoldSecrets(pass) }

    func commonRun(_ old: Int, _ new: Int, atMost count: Int) -> Int {
        layout.commonPrefix(address(older, old), address(newer, new), count: count)
    }

    func sameNumbers(_ old: Range<Int>, _ new: Range<Int>) -> ListNumbers? {
        var table = BytesTable(capacity: old.count + new.count, layout)
        return ListNumbers(
            old: old.map { table.number(of: address(older, $0)) },
            new: new.map { table.number(of: address(newer, $0)) }, surelySame: .max)
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
        if let type = Element.self as? any Identifiable.Type { return identities(type, old, new) }
        return try pass.memberIdentities(self, old, new)
    }

    private func identities<Item: Identifiable>(_ type: Item.Type, _ old: [Int], _ new: [Int]) -> ListNumbers? {
        var numbering = Numbering<Item.ID>(capacity: max(old.count, new.count))
        for place in old { numbering.addOld(identity(older, place, type)) }
        for place in new { numbering.addNew(identity(newer, place, type)) }
        return numbering.isDistinct ? numbering.numbers : nil
    }

    private func identity<Item: Identifiable>(
        _ list: BorrowedElements<Element>, _ place: Int, _ type: Item.Type
    ) -> Item.ID {
        // The same type by two names.
        precondition(Element.self == type, "an element is of another type")
        return Self.id(of: unsafe list.place(of: place).assuming(type).value)
    }

    /// Borrows the element, so that only its identity is copied.
    private static func id<Item: Identifiable>(of item: borrowing Item) -> Item.ID { item.id }

    private func address(_ list: BorrowedElements<Element>, _ place: Int) -> Address {
        Address(list.place(of: place))
    }
}

/// Which members are hidden as copies in each element of a list, while its next version is written.
final class ListEpochs {
    private let base: Int
    private let older: [Int]?
    /// Those of the elements that were written, by their new places.
    @safe @exclusivity(unchecked) var written: [Int: Int] = [:]

    /// - Parameter older: that of each element, where they differ.
    init(_ base: Int, _ older: [Int]?) {
        self.base = base
        self.older = older
    }

    func old(_ place: Int) -> Int { older?[place] ?? base }

    /// Those of the new elements; nil where all have that of the list.
    func newer(_ steps: [ListEdit.Step]?, count: Int) -> [Int]? {
        if older == nil, written.allSatisfy({ $0.value == base }) { return nil }
        var epochs = older ?? Array(repeating: base, count: count)
        for step in steps ?? [] {
            switch step {
            case .remove(let place): epochs.remove(at: place)
            case .insert(let place): epochs.insert(base, at: place)
            case .move(let from, let to): epochs.insert(epochs.remove(at: from), at: to)
            }
        }
        for (place, epoch) in written { epochs[place] = epoch }
        return epochs
    }
}

/// Numbers values by their bytes, while the lists that hold them live.
private struct BytesTable {
    /// For each slot the number of a value, plus one; 0 of a free slot.
    private var slots: [Int32]
    private var values: [Address] = []
    private let layout: ByteLayout

    init(capacity: Int, _ layout: ByteLayout) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        values.reserveCapacity(capacity)
        self.layout = layout
    }

    /// The number of a value: that of the first one with the same bytes.
    mutating func number(of value: Address) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: layout.hash(value)) & mask
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if layout.same(values[number], value) { return number }
            slot = (slot + 1) & mask
        }
        values.append(value)
        slots[slot] = Int32(truncatingIfNeeded: values.count)
        return values.count - 1
    }
}
