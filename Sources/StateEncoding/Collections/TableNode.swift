internal import JSONCore

/// A dictionary, compared entry by entry: only the entries themselves are kept.
final class TableNode<Key: Hashable & Encodable, Value: Encodable>: TypedNode<[Key: Value]> {
    /// Those of the values, where one was written at another epoch than the table.
    private var epochs: TableEpochs?

    override var leastLength: Int { value.count &* 4 }
    override var partCount: Int? { value.count }

    override func encodeLevel(_ pass: EncodingPass, base: EncodedTree?) throws(StateEncodingError) -> EncodedLevel {
        try entries(pass).level(pass, base: base)
    }

    override func appendText(to bytes: inout [UInt8], _ pass: EncodingPass) throws(StateEncodingError) {
        guard traits.isPlain else { return try super.appendText(to: &bytes, pass) }
        try entries(pass).appendText(to: &bytes, pass)
    }

    override func writeDifference(to newer: ValueNode, _ pass: EncodingPass) throws(StateEncodingError) {
        guard traits.isPlain, let newer = newer as? TableNode<Key, Value> else {
            return try pass.writeLevelDifference(from: self, to: newer)
        }
        let patch = try TablePatch(TableDifference(from: value, to: newer.value, pass).changes, pass)
        if patch.needsTexts { try newer.checkKeys(pass) }
        newer.epoch = epoch
        newer.epochs = try patch.write(epochs ?? TableEpochs(epoch))
    }

    override func hasPart(
        since older: ValueNode?, _ pass: EncodingPass, where test: PartTest
    ) throws(StateEncodingError) -> Bool {
        guard traits.isPlain, let older = older as? TableNode<Key, Value> else {
            return try super.hasPart(since: older, pass, where: test)
        }
        let changes = try TableDifference(from: older.value, to: value, pass).changes
        return try pass.hasPart(changes, epochs ?? TableEpochs(epoch), where: test)
    }

    private func entries(_ pass: EncodingPass) throws(StateEncodingError) -> SortedEntries<Value> {
        let keyText = pass.keyText(of: Key.self, for: Value.self)
        var texts: [String] = []
        var values: [Value] = []
        texts.reserveCapacity(value.count)
        values.reserveCapacity(value.count)
        for (key, value) in value {
            texts.append(try keyText.text(of: key, pass))
            values.append(value)
        }
        return try SortedEntries(texts, values, of: traits, epochs ?? TableEpochs(epoch), pass)
    }

    /// Throws if two keys have one text.
    ///
    /// - Complexity: O(*n*); called only where a key was added whose text may be another's.
    private func checkKeys(_ pass: EncodingPass) throws(StateEncodingError) {
        let keyText = pass.keyText(of: Key.self, for: Value.self)
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
