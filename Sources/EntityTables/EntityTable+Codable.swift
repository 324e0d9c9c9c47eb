internal import JSONCore
internal import StateEncoding

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
