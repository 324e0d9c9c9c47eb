internal import JSONCore

/// What differs between two versions of a dictionary of plain entries.
struct TableDifference<Key: Hashable & Encodable, Value: Encodable> {
    /// The entries that were added, removed, or whose bytes differ.
    private(set) var changes: [RecordedTableChange<Key, Value>] = []

    private let pass: EncodingPass
    private let keyText: KeyText
    private let keyLayout: ByteLayout
    private let valueLayout: ByteLayout

    /// Compares two versions.
    ///
    /// A copy on write keeps the order of its entries, so both are walked side by side; from the first entry on that was added
    /// or removed, each is looked up by its hash.
    ///
    /// - Complexity: O(n) comparisons of bytes; keys are made into text only for what differs.
    init(from old: [Key: Value], to new: [Key: Value], _ pass: EncodingPass) throws(StateEncodingError) {
        self.pass = pass
        keyText = pass.keyText(of: Key.self, for: Value.self)
        keyLayout = pass.traits(of: Key.self).layout
        valueLayout = pass.traits(of: Value.self).layout
        var others = old.makeIterator()
        var isAligned = true
        for entry in new {
            if isAligned, let other = others.next(), keyLayout.holdsSame(other.key, entry.key) {
                try compare(other, entry)
            } else {
                isAligned = false
                try compare(entry, with: old)
            }
        }
        if isAligned, old.count == new.count { return }
        for key in old.keys { appendIfRemoved(key, old, new) }
    }

    private mutating func appendIfRemoved(_ key: Key, _ old: [Key: Value], _ new: [Key: Value]) {
        if new.index(forKey: key) == nil, let value = old[key] { changes.append(.removed(key, value)) }
    }

    private typealias Entry = (key: Key, value: Value)

    private mutating func compare(_ right: Entry, with old: [Key: Value]) throws(StateEncodingError) {
        guard let place = old.index(forKey: right.key) else {
            return changes.append(.added(right.key, right.value))
        }
        try compare(old[place], right)
    }

    /// Compares two entries with equal keys, whose texts may still differ (`é` in two forms of Unicode).
    private mutating func compare(_ left: Entry, _ right: Entry) throws(StateEncodingError) {
        if !keyLayout.holdsSame(left.key, right.key) {
            let (before, after) = (try keyText.text(of: left.key, pass), try keyText.text(of: right.key, pass))
            if !UTF8Order.equal(before, after) {
                changes += [.removed(left.key, left.value), .added(right.key, right.value)]
                return
            }
        }
        if !valueLayout.holdsSame(left.value, right.value) {
            changes.append(.changed(right.key, from: left.value, to: right.value))
        }
    }
}
