internal import JSONCore
public import StateEncoding

extension EntityTable: Encodable {
    /// Encodes an object: the entities by the texts of their identities, in ascending order of those.
    ///
    /// - Throws: what an entity throws; an error too where two identities have one text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: TextKey.self)
        var last: String?
        for (text, entity) in try entitiesByText() {
            if let last, UTF8Order.equal(last, text) {
                let context = EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: "two identities have the text '\(text)'")
                throw EncodingError.invalidValue(entity, context)
            }
            try container.encode(entity, forKey: TextKey(stringValue: text))
            last = text
        }
    }

    /// The entities with the texts of their identities, in ascending order of their UTF-8.
    private func entitiesByText() throws -> [(text: String, entity: Entity)] {
        let texts = KeyTexts<ID>()
        var entities: [(text: String, entity: Entity)] = []
        entities.reserveCapacity(count)
        for entity in self { entities.append((try texts.encodedText(of: entity.id), entity)) }
        return entities.sorted { UTF8Order.isLess($0.text, $1.text) }
    }
}

extension EntityTable: Decodable where Entity: Decodable {
    /// Decodes an object of entities by the texts of their identities.
    ///
    /// - Throws: what an entity throws; an error too where an entity stands under another identity's text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: TextKey.self)
        let texts = KeyTexts<ID>()
        self.init()
        for key in container.allKeys {
            let entity = try container.decode(Entity.self, forKey: key)
            let text = try texts.encodedText(of: entity.id)
            guard UTF8Order.equal(text, key.stringValue) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "the entity has the identity '\(text)'")
            }
            upsert(entity)
        }
    }
}

extension EntityTable: Equatable where Entity: Equatable {
    /// Whether both hold the same entities.
    ///
    /// Entities are compared by all that they hold. Their `==`, which may leave properties out, decides only where that
    /// cannot be taken apart, as a reference to a class cannot.
    ///
    /// - Complexity: O(1) for copies of one table, what differs for versions of one, O(*n*) otherwise.
    public static func == (left: EntityTable, right: EntityTable) -> Bool {
        let content = ContentComparison.of(Entity.self)
        return left.holdsSame(as: right) { old, new in
            let verdict = content.verdict(old.address, new.address)
            return verdict == .unknown ? old.entity == new.entity : verdict == .same
        }
    }
}

extension EntityTable {
    private func holdsSame(
        as other: EntityTable, by isSame: @escaping (TreeNode<Entity>.EntryPlace, TreeNode<Entity>.EntryPlace) -> Bool
    ) -> Bool {
        if root === other.root { return true }
        guard count == other.count else { return false }
        return TreeComparison(from: root, to: other.root, stopsAtFirst: true, by: isSame).differences.isEmpty
    }
}

extension EntityTable: ContentCompared {
    package static func contentVerdict(_ a: EntityTable, _ b: EntityTable) -> ContentComparison.Verdict {
        let content = ContentComparison.of(Entity.self)
        var verdict = ContentComparison.Verdict.same
        let isSame = a.holdsSame(as: b) { old, new in
            verdict = content.verdict(old.address, new.address)
            return verdict == .same
        }
        return isSame ? .same : verdict == .unknown ? .unknown : .different
    }
}

extension EntityTable: Hashable where Entity: Hashable {
    /// Hashes the entities, whose order does not count.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        forEachEntry { sum ^= $0.entity._rawHashValue(seed: 0) }
        hasher.combine(sum)
        hasher.combine(count)
    }
}

extension EntityTable: CustomStringConvertible {
    /// The entities, in ascending order of their identities.
    public var description: String {
        "[" + IdentityOrder.sorted(Array(self), by: \.id).map { "\($0)" }.joined(separator: ", ") + "]"
    }
}

extension EntityTable: ExpressibleByArrayLiteral {
    /// A table of some entities; of two with one identity the last counts.
    public init(arrayLiteral entities: Entity...) { self.init(entities) }
}

/// A table is recorded by what differs between its versions, which the tree finds for the price of what differs.
extension EntityTable: RecordedTable {
    /// The number of entities.
    public var recordedCount: Int { count }

    /// Calls a closure with each entity and its identity.
    public func forEachRecorded<Failure: Error>(_ body: (ID, Entity) throws(Failure) -> Void) throws(Failure) {
        try forEachEntry { entity throws(Failure) in try body(entity.entity.id, entity.entity) }
    }

    /// The entity with an identity.
    public func recordedValue(of key: ID) -> Entity? { self[key] }

    /// The entities whose bytes differ.
    ///
    /// - Complexity: O(*d* log *n*) for *d* entities that differ.
    public func recordedChanges(since old: EntityTable) -> [RecordedTableChange<ID, Entity>] {
        let layout = ByteLayout.of(Entity.self)
        let comparison = TreeComparison(from: old.root, to: root) { layout.same($0.address, $1.address) }
        if comparison.differences.isEmpty { return [] }
        let idLayout = ByteLayout.of(ID.self)
        var changes: [RecordedTableChange<ID, Entity>] = []
        for difference in comparison.differences {
            switch difference {
            case .added(let new): changes.append(.added(new.id, new))
            case .removed(let old): changes.append(.removed(old.id, old))
            case .changed(let old, let new):
                // Equal identities may have two texts all the same: `é` in two forms of Unicode.
                if idLayout.holdsSame(old.id, new.id) {
                    changes.append(.changed(new.id, from: old, to: new))
                } else {
                    changes += [.removed(old.id, old), .added(new.id, new)]
                }
            }
        }
        return changes
    }
}
