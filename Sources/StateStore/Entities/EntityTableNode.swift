internal import JSONCore

/// A table as a part of the recorder's tree: the version that was last written, which shares its structure with the state's.
///
/// Its difference to the next version is asked of the tables themselves, so a commit costs what it changed in them, and one
/// that left them alone the comparison of a reference.
final class EntityTableNode<Entity: Identifiable & Encodable & Sendable>: TypedNode<EntityTable<Entity>>
where Entity.ID: Codable & Sendable {
    /// The texts of all identities, of a kind of which two may have the same one.
    ///
    /// Made when the first entity comes, and handed on from version to version.
    private var texts: Set<UTF8Key>?

    override func encodeLevel(_ pass: EncodingPass, base: EncodedTree?) throws(StateEncodingError) -> EncodedLevel {
        try entries(pass).level(pass, base: base)
    }

    override func appendText(to bytes: inout [UInt8], _ pass: EncodingPass) throws(StateEncodingError) {
        guard traits.isPlain else { return try super.appendText(to: &bytes, pass) }
        try entries(pass).appendText(to: &bytes, pass)
    }

    override func writeDifference(to newer: ValueNode, _ pass: EncodingPass) throws(StateEncodingError) {
        guard traits.isPlain, let newer = newer as? EntityTableNode<Entity> else {
            return try pass.writeLevelDifference(from: self, to: newer)
        }
        let layout = pass.traits(of: Entity.self).layout
        let comparison = TreeComparison(from: value.root, to: newer.value.root) { layout.same($0, $1) }
        if comparison.differences.isEmpty {
            newer.texts = texts
            return
        }
        var patch = EntityTablePatch<Entity>(pass)
        for difference in comparison.differences { try patch.note(difference) }
        try newer.takeTexts(from: self, patch, pass)
        try patch.write()
    }

    /// Throws if an identity came whose text another one has.
    private func takeTexts(
        from older: EntityTableNode, _ patch: EntityTablePatch<Entity>, _ pass: EncodingPass
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
        let known = try entityTexts(pass)
        var texts: Set<UTF8Key> = []
        texts.reserveCapacity(known.count)
        for text in known where !texts.insert(UTF8Key(text)).inserted {
            throw pass.failure(.repeatedKey(text), traits.name)
        }
        return texts
    }

    private func entries(_ pass: EncodingPass) throws(StateEncodingError) -> SortedEntries<Entity> {
        try SortedEntries(try entityTexts(pass), Array(value), of: traits, pass)
    }

    /// The texts of the entities' identities, in the table's order.
    private func entityTexts(_ pass: EncodingPass) throws(StateEncodingError) -> [String] {
        let keyText = pass.keyText(of: Entity.ID.self)
        var texts: [String] = []
        texts.reserveCapacity(value.count)
        for entity in value { texts.append(try keyText.text(of: entity.id, pass)) }
        return texts
    }
}

extension EntityTable: NodeProviding {
    static func makeNode(_ value: EntityTable, traits: TypeTraits) -> ValueNode {
        EntityTableNode(value, traits: traits)
    }
}

extension EntityTable: BufferedByElements {
    // The tree is a class, but one that never changes while a copy of the table is held.
    static var elementTypes: [Any.Type] { [Entity.self] }
}
