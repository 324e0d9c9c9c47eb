internal import EntityTables

/// The models of a ``ModelObserver``, by type and identity: `/User/42/name` in the journal.
struct ModelStates: Encodable, Equatable, Sendable {
    private var tables: [String: ModelTableBox] = [:]
    /// The names of the types in the journal.
    private var names: [ObjectIdentifier: String] = [:]
    /// The models that the last commit changed, or whose observers it notifies, in that order.
    private(set) var touched: [ModelKey] = []
    private var touchedKeys: Set<ModelKey> = []
    /// The models that the last commit removed, since nothing held them; a reader that came at that moment is notified.
    private(set) var dropped: [ModelKey] = []
    /// Counts the commits with touched or dropped models, which is all that distinguishes two versions.
    private var revision = 0

    static func == (left: ModelStates, right: ModelStates) -> Bool { left.revision == right.revision }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(tables)
    }

    func model<Model: ObservedModel>(_ type: Model.Type, _ id: Model.ID) -> Model? {
        guard let name = names[ObjectIdentifier(type)], let table = tables[name]?.table as? ModelTable<Model> else {
            return nil
        }
        return table.models[id]
    }

    subscript<Model: ObservedModel>(reference: ModelReference<Model>) -> Model? { model(Model.self, reference.id) }

    mutating func put<Model: ObservedModel>(_ model: Model) {
        let name = name(of: Model.self)
        // Taken out while it is changed, so that only the version before refers to it as well.
        var table = tables.removeValue(forKey: name)?.table as? ModelTable<Model> ?? ModelTable()
        table.models.upsert(model)
        tables[name] = ModelTableBox(table: table)
    }

    mutating func remove<Model: ObservedModel>(_ type: Model.Type, _ id: Model.ID) {
        guard let name = names[ObjectIdentifier(type)],
            var table = tables.removeValue(forKey: name)?.table as? ModelTable<Model>
        else { return }
        table.models.remove(id)
        if !table.models.isEmpty { tables[name] = ModelTableBox(table: table) }
    }

    mutating func begin() {
        touched = []
        touchedKeys = []
        dropped = []
    }

    mutating func touch(_ key: ModelKey) {
        if touched.isEmpty, dropped.isEmpty { revision += 1 }
        if touchedKeys.insert(key).inserted { touched.append(key) }
    }

    mutating func markDropped(_ key: ModelKey) {
        if touched.isEmpty, dropped.isEmpty { revision += 1 }
        dropped.append(key)
    }

    /// The member of the recorded state that holds the models of a type; nil while there are none.
    func tableName(of type: Any.Type) -> String? { names[ObjectIdentifier(type)] }

    /// The type's name; with a number after it if another type has that name.
    private mutating func name(of type: Any.Type) -> String {
        if let name = names[ObjectIdentifier(type)] { return name }
        let wanted = String(describing: type)
        var name = wanted
        var count = 1
        while names.values.contains(name) {
            count += 1
            name = "\(wanted)_\(count)"
        }
        names[ObjectIdentifier(type)] = name
        return name
    }
}

struct ModelTable<Model: ObservedModel>: Encodable, Sendable {
    var models = EntityTable<Model>()

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(models)
    }
}

private struct ModelTableBox: Encodable, Sendable {
    let table: any Encodable & Sendable

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(table)
    }
}
