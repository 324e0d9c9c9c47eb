internal import JSONCore

/// A table as a part of the recorder's tree: the version that was last written, which shares its structure with the
/// state's.
///
/// The tables themselves report their difference, so a commit costs what it changed in them, and one that left them
/// alone the comparison of a reference.
final class RecordedTableNode<Table: RecordedTable>: TypedNode<Table> {
    /// The texts of all keys, of a type of which two keys may have one text.
    ///
    /// Made when the first entry is added, and passed from version to version.
    private var texts: Set<UTF8Key>?

    /// Those of the values, where one was written at another epoch than the table.
    private var epochs: TableEpochs?

    override var leastLength: Int { value.recordedCount &* 4 }
    override var partCount: Int? { value.recordedCount }

    override func encodeLevel(_ pass: EncodingPass, base: EncodedTree?) throws(StateEncodingError) -> EncodedLevel {
        try entries(pass).level(pass, base: base)
    }

    override func appendText(to bytes: inout [UInt8], _ pass: EncodingPass) throws(StateEncodingError) {
        guard traits.isPlain else { return try super.appendText(to: &bytes, pass) }
        try entries(pass).appendText(to: &bytes, pass)
    }

    override func writeDifference(to newer: ValueNode, _ pass: EncodingPass) throws(StateEncodingError) {
        guard traits.isPlain, let newer = newer as? RecordedTableNode<Table> else {
            return try pass.writeLevelDifference(from: self, to: newer)
        }
        let changes = newer.value.recordedChanges(since: value)
        newer.epoch = epoch
        if changes.isEmpty {
            (newer.texts, newer.epochs) = (texts, epochs)
            return
        }
        let patch = try TablePatch(changes, pass)
        try newer.takeTexts(from: self, patch, pass)
        newer.epochs = try patch.write(epochs ?? TableEpochs(epoch))
    }

    override func hasPart(
        since older: ValueNode?, _ pass: EncodingPass, where test: PartTest
    ) throws(StateEncodingError) -> Bool {
        guard traits.isPlain, let older = older as? RecordedTableNode<Table> else {
            return try super.hasPart(since: older, pass, where: test)
        }
        let changes = value.recordedChanges(since: older.value)
        return try pass.hasPart(changes, epochs ?? TableEpochs(epoch), where: test)
    }

    /// Throws if a key was added whose text another key has.
    private func takeTexts(
        from older: RecordedTableNode, _ patch: TablePatch<Table.RecordedKey, Table.RecordedValue>, _ pass: EncodingPass
    ) throws(StateEncodingError) {
        guard patch.needsTexts || older.texts != nil else { return }
        var texts = try older.takeTexts(pass)
        for text in patch.departures { texts.remove(UTF8Key(text)) }
        for text in patch.arrivals where !texts.insert(UTF8Key(text)).inserted {
            throw pass.failure(.repeatedKey(text), traits.name)
        }
        self.texts = texts
    }

    private func takeTexts(_ pass: EncodingPass) throws(StateEncodingError) -> Set<UTF8Key> {
        if let texts {
            self.texts = nil
            return texts
        }
        let known = try keyTexts(pass).texts
        var texts: Set<UTF8Key> = []
        texts.reserveCapacity(known.count)
        for text in known where !texts.insert(UTF8Key(text)).inserted {
            throw pass.failure(.repeatedKey(text), traits.name)
        }
        return texts
    }

    private func entries(_ pass: EncodingPass) throws(StateEncodingError) -> SortedEntries<Table.RecordedValue> {
        let (texts, values) = try keyTexts(pass)
        return try SortedEntries(texts, values, of: traits, epochs ?? TableEpochs(epoch), pass)
    }

    private func keyTexts(
        _ pass: EncodingPass
    ) throws(StateEncodingError) -> (texts: [String], values: [Table.RecordedValue]) {
        let keyText = pass.keyText(of: Table.RecordedKey.self, for: Table.RecordedValue.self)
        var texts: [String] = []
        var values: [Table.RecordedValue] = []
        texts.reserveCapacity(value.recordedCount)
        values.reserveCapacity(value.recordedCount)
        try value.forEachRecorded { (key, value) throws(StateEncodingError) in
            texts.append(try keyText.text(of: key, pass))
            values.append(value)
        }
        return (texts, values)
    }
}
