internal import StateEncoding

extension EntityTable {
    /// Gives an entity another identity, as when a server's takes the place of a temporary one.
    ///
    ///     messages.rename(draft.id, to: answer.id) { $0.isSent = true }
    ///
    /// An entity that has the new identity already is replaced. At the end of a batch on an ``EntityDatabase`` its indexes
    /// list the new identity where they had the old one. In a journal one member goes and another one comes.
    ///
    /// - Parameters:
    ///   - id: the entity's identity until now.
    ///   - newID: its new one.
    ///   - change: changes the entity besides. It has to set an `id` that is not a stored property of a struct; else that
    ///     traps.
    /// - Returns: whether there is such an entity; where there is none, nothing changed.
    /// - Complexity: O(log *n*).
    @discardableResult
    public mutating func rename(_ id: ID, to newID: ID, _ change: ((inout Entity) -> Void)? = nil) -> Bool {
        guard var entity = self[id] else { return false }
        change?(&entity)
        if entity.id != newID, !StoredIdentity.set(newID, of: &entity) {
            fatalError(
                """
                'rename(\(id), to: \(newID))' cannot set the 'id' of '\(Entity.self)', which is not stored in it: set it in \
                the closure
                """)
        }
        if id != newID {
            remove(id)
            renames.append(id, to: newID)
        }
        upsert(entity)
        if renames.count > 2 * count + 16 { renames = renames.filtered { contains($0) } }
        return true
    }

    /// The entities that were renamed since a version: since the beginning, without one.
    func renames(since old: EntityTable?) -> [(old: ID, new: ID)] {
        renames.after(old?.renames.lastNumber ?? 0).filter { !contains($0.old) && contains($0.new) }
    }

    /// Ends the program where an edit changed the identity that an entity is known by.
    @inline(never)
    @usableFromInline
    static func refuse(_ newID: ID, for id: ID) -> Never {
        // Not `precondition`: a release build would drop the words.
        fatalError(
            "an edit of the entity '\(id)' sets its 'id' to '\(newID)', but a table knows it by that: "
                + "call 'rename(\(id), to: \(newID))'")
    }
}

/// The entities of a table that have had another identity: what indexes list them by until their next update.
@usableFromInline
struct EntityRenames<ID: Hashable & Sendable>: Sendable {
    private struct Rename: Sendable {
        var newID: ID
        /// Its place in the order of all renames.
        var number: Int
    }

    private var renames: [ID: Rename] = [:]
    /// The first identity of each that was renamed.
    private var firstIDs: [ID: ID] = [:]
    private(set) var lastNumber = 0

    @usableFromInline init() {}

    var count: Int { renames.count }

    mutating func append(_ id: ID, to newID: ID) {
        lastNumber += 1
        // The entity that had the new identity is replaced.
        if let replaced = firstIDs.removeValue(forKey: newID) { renames[replaced] = nil }
        let firstID = firstIDs.removeValue(forKey: id)
        // Without one, an entity that came later under an identity that was given up is listed nowhere yet.
        if firstID == nil, renames[id] != nil { return }
        renames[firstID ?? id] = Rename(newID: newID, number: lastNumber)
        firstIDs[newID] = firstID ?? id
    }

    func filtered(_ isKept: (ID) -> Bool) -> EntityRenames {
        var kept = self
        kept.renames = renames.filter { isKept($0.value.newID) }
        kept.firstIDs = firstIDs.filter { isKept($0.key) }
        return kept
    }

    func after(_ number: Int) -> [(old: ID, new: ID)] {
        if lastNumber == number { return [] }
        return renames.filter { $0.value.number > number }.sorted { $0.value.number < $1.value.number }
            .map { ($0.key, $0.value.newID) }
    }
}
