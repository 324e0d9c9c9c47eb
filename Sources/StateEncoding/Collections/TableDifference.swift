internal import JSONCore

/// What differs between two versions of a dictionary of plain entries.
struct TableDifference<Key: Hashable & Encodable, Value: Encodable> {
    /// The entries that were added, removed, or whose bytes differ.
    private(set) var changes: [RecordedTableChange<Key, Value>] = []

    private let pass: EncodingPass
    private let keyText: KeyText
    private let keyLayout: ByteLayout
    private let valueLayout: ByteLayout

    /// A copy on write keeps each entry's bucket, so both are compared bucket by bucket, and an entry is looked up by
    /// its hash only if one was added or removed.
    ///
    /// A table that was rehashed is walked entry by entry.
    ///
    /// - Complexity: O(n) comparisons of bytes; keys are made into text only for what differs.
    init(from old: [Key: Value], to new: [Key: Value], _ pass: EncodingPass) throws(StateEncodingError) {
        self.pass = pass
        keyText = pass.keyText(of: Key.self, for: Value.self)
        keyLayout = pass.traits(of: Key.self).layout
        valueLayout = pass.traits(of: Value.self).layout
        if let before = BucketView(old, pass.options), let after = BucketView(new, pass.options),
            before.isLaidOut(like: after)
        {
            try compare(before, after, old, new)
        } else {
            try walk(old, new)
        }
    }

    private mutating func compare(
        _ before: BucketView, _ after: BucketView, _ old: [Key: Value], _ new: [Key: Value]
    ) throws(StateEncodingError) {
        for word in 0..<before.wordCount {
            let (left, right) = (before.occupied(word: word), after.occupied(word: word))
            var rest = left | right
            while rest != 0 {
                let bit = rest & (0 &- rest)
                let bucket = word * 64 + rest.trailingZeroBitCount
                rest ^= bit
                let (isInOld, isInNew) = (left & bit != 0, right & bit != 0)
                if isInOld, isInNew, same(before, after, bucket) { continue }
                if isInOld { appendIfRemoved(key(before, bucket), old, new) }
                if isInNew {
                    let value = after.value(bucket, stride: valueLayout.stride).value(as: Value.self)
                    try compare((key(after, bucket), value), with: old)
                }
            }
        }
        withExtendedLifetime((old, new)) {}
    }

    @inline(__always)
    private func same(_ before: BucketView, _ after: BucketView, _ bucket: Int) -> Bool {
        let (keys, values) = (keyLayout.stride, valueLayout.stride)
        return keyLayout.same(before.key(bucket, stride: keys), after.key(bucket, stride: keys))
            && valueLayout.same(before.value(bucket, stride: values), after.value(bucket, stride: values))
    }

    private func key(_ view: BucketView, _ bucket: Int) -> Key {
        view.key(bucket, stride: keyLayout.stride).value(as: Key.self)
    }

    private mutating func appendIfRemoved(_ key: Key, _ old: [Key: Value], _ new: [Key: Value]) {
        if new.index(forKey: key) == nil, let value = old[key] { changes.append(.removed(key, value)) }
    }

    private mutating func walk(_ old: [Key: Value], _ new: [Key: Value]) throws(StateEncodingError) {
        for entry in new { try compare(entry, with: old) }
        for key in old.keys { appendIfRemoved(key, old, new) }
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
