internal import JSONCore

/// A dictionary, compared entry by entry: nothing is kept for an entry but the entry itself.
final class TableNode<Key: Hashable & Encodable, Value: Encodable>: TypedNode<[Key: Value]> {
    override func encodeLevel(_ pass: EncodingPass, base: EncodedTree?) throws(StateEncodingError) -> EncodedLevel {
        var before: ObjectNode?
        if case .object(let node)? = base { before = node }
        let object = ObjectNode(capacity: value.count)
        for entry in try sortedEntries(pass) {
            let predecessor = before?.place(of: entry.text, near: object.keys.count).flatMap { before?.values[$0] }
            object.append(pass.child(of: entry.value, base: predecessor), forKey: entry.text)
        }
        return .fresh(.object(object))
    }

    override func appendText(to bytes: inout [UInt8], _ pass: EncodingPass) throws(StateEncodingError) {
        guard traits.isPlain else { return try super.appendText(to: &bytes, pass) }
        bytes.append(UInt8(ascii: "{"))
        for (place, entry) in try sortedEntries(pass).enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONText.append(string: entry.text, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            try pass.at(.key(entry.text)) { () throws(StateEncodingError) in
                try pass.appendText(of: entry.value, to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    override func writeDifference(to newer: ValueNode, _ pass: EncodingPass) throws(StateEncodingError) {
        guard traits.isPlain, let newer = newer as? TableNode<Key, Value> else {
            return try pass.writeLevelDifference(from: self, to: newer)
        }
        var changes = try TableDifference(from: value, to: newer.value, pass).changes
        changes.sort { UTF8Order.isLess($0.text, $1.text) }
        if changes.contains(where: { $0.old == nil }) { try newer.checkKeys(pass) }
        for change in changes {
            try pass.at(.key(change.text)) { () throws(StateEncodingError) in
                try change.write(pass)
            }
        }
    }

    /// The entries in ascending order of their keys' UTF-8.
    private func sortedEntries(_ pass: EncodingPass) throws(StateEncodingError) -> [Entry] {
        let keyText = pass.keyText(of: Key.self)
        var entries: [Entry] = []
        entries.reserveCapacity(value.count)
        for (key, value) in value {
            entries.append(Entry(text: try keyText.text(of: key, pass), value: value))
        }
        entries.sort { UTF8Order.isLess($0.text, $1.text) }
        for (entry, next) in zip(entries, entries.dropFirst()) where UTF8Order.equal(entry.text, next.text) {
            throw pass.failure(.repeatedKey(entry.text), traits.name)
        }
        return entries
    }

    private struct Entry {
        let text: String
        let value: Value
    }

    /// Throws if two keys have one text. Asked only where a key came, of a type whose keys may.
    private func checkKeys(_ pass: EncodingPass) throws(StateEncodingError) {
        let keyText = pass.keyText(of: Key.self)
        if keyText.isDistinct { return }
        var seen: Set<UTF8Key> = []
        seen.reserveCapacity(value.count)
        for key in value.keys {
            let text = try keyText.text(of: key, pass)
            if !seen.insert(UTF8Key(text)).inserted { throw pass.failure(.repeatedKey(text), traits.name) }
        }
    }
}

extension Dictionary: NodeProviding where Key: Encodable, Value: Encodable {
    static func makeNode(_ value: [Key: Value], traits: TypeTraits) -> ValueNode {
        TableNode(value, traits: traits)
    }
}

/// What differs between two versions of a dictionary of plain entries.
struct TableDifference<Key: Hashable & Encodable, Value: Encodable> {
    /// An entry that came, went, or whose bytes differ.
    struct Change {
        let text: String
        let old: Value?
        let new: Value?

        /// Writes the operations, the walk being at the entry.
        func write(_ pass: EncodingPass) throws(StateEncodingError) {
            switch (old, new) {
            case (let old?, let new?):
                try pass.writeDifference(from: pass.child(of: old, base: nil), to: pass.child(of: new, base: nil))
            case (let old?, nil): try pass.writeRemove(pass.child(of: old, base: nil))
            case (nil, let new?): try pass.writeAdd(pass.child(of: new, base: nil))
            case (nil, nil): break
            }
        }
    }

    private(set) var changes: [Change] = []
    private let pass: EncodingPass
    private let keyText: KeyText
    private let keyLayout: ByteLayout
    private let valueLayout: ByteLayout

    /// Compares two versions.
    ///
    /// A copy on write keeps each entry's bucket, so both are walked side by side, and an entry is looked up by its hash
    /// only near one that came or went, or where the table was hashed anew.
    ///
    /// - Complexity: O(n) comparisons of bytes; keys are made into text only for what differs.
    init(from old: [Key: Value], to new: [Key: Value], _ pass: EncodingPass) throws(StateEncodingError) {
        self.pass = pass
        keyText = pass.keyText(of: Key.self)
        keyLayout = pass.traits(of: Key.self).layout
        valueLayout = pass.traits(of: Value.self).layout
        var (olds, news) = (old.makeIterator(), new.makeIterator())
        var (before, after) = (olds.next(), news.next())
        while true {
            guard let left = before else {
                guard let right = after else { return }
                try compare(right, with: old)
                after = news.next()
                continue
            }
            guard let right = after else {
                if new[left.key] == nil { try note(left.key, left.value, nil) }
                before = olds.next()
                continue
            }
            if left.key == right.key {
                try compare(left, right)
            } else if new[left.key] == nil {
                try note(left.key, left.value, nil)
                before = olds.next()
                continue
            } else if let place = old.index(forKey: right.key) {
                try compare(old[place], right)
            } else {
                try note(right.key, nil, right.value)
                after = news.next()
                continue
            }
            (before, after) = (olds.next(), news.next())
        }
    }

    private typealias Entry = (key: Key, value: Value)

    private mutating func compare(_ right: Entry, with old: [Key: Value]) throws(StateEncodingError) {
        guard let place = old.index(forKey: right.key) else { return try note(right.key, nil, right.value) }
        try compare(old[place], right)
    }

    /// Compares two entries with equal keys, which may have two texts all the same (`é` in two forms of Unicode).
    private mutating func compare(_ left: Entry, _ right: Entry) throws(StateEncodingError) {
        if !keyLayout.holdsSame(left.key, right.key) {
            let (before, after) = (try keyText.text(of: left.key, pass), try keyText.text(of: right.key, pass))
            if !UTF8Order.equal(before, after) {
                changes.append(Change(text: before, old: left.value, new: nil))
                changes.append(Change(text: after, old: nil, new: right.value))
                return
            }
        }
        if !valueLayout.holdsSame(left.value, right.value) { try note(right.key, left.value, right.value) }
    }

    private mutating func note(_ key: Key, _ old: Value?, _ new: Value?) throws(StateEncodingError) {
        changes.append(Change(text: try keyText.text(of: key, pass), old: old, new: new))
    }
}
