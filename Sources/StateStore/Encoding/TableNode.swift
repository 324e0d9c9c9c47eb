internal import JSONCore

/// A dictionary, compared entry by entry: nothing is kept for an entry but the entry itself.
final class TableNode<Key: Hashable & Encodable, Value: Encodable>: TypedNode<[Key: Value]> {
    override var leastLength: Int { value.count &* 4 }

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
        let difference = try TableDifference(from: value, to: newer.value, pass)
        if difference.hasArrivals { try newer.checkKeys(pass) }
        try difference.forEachChange { (text, change) throws(StateEncodingError) in
            try pass.at(.key(text)) { () throws(StateEncodingError) in try change.write(pass) }
        }
    }

    /// The entries in ascending order of their keys' UTF-8.
    private func sortedEntries(_ pass: EncodingPass) throws(StateEncodingError) -> [Entry] {
        let keyText = pass.keyText(of: Key.self)
        var unsorted: [Value] = []
        var texts: [String] = []
        unsorted.reserveCapacity(value.count)
        texts.reserveCapacity(value.count)
        for (key, value) in value {
            texts.append(try keyText.text(of: key, pass))
            unsorted.append(value)
        }
        let entries = TextOrder.places(of: texts).map { Entry(text: texts[$0], value: unsorted[$0]) }
        for (entry, next) in zip(entries, entries.dropFirst()) where UTF8Order.equal(entry.text, next.text) {
            throw pass.failure(.repeatedKey(entry.text), traits.name)
        }
        return entries
    }

    private struct Entry {
        let text: String
        let value: Value
    }

    /// Throws if two keys have one text.
    ///
    /// Asked only where a key came, of a type whose keys may.
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
