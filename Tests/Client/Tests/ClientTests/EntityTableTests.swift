import StateStore
import Testing

@Suite("Entity tables, compiled into an app")
struct EntityTableTests {
    /// The loops of an app, written out: the optimizer moved the store of a table's root out of such loops.
    enum Loops: RowProperty {
        static func hold<Entity: Row>(of type: Entity.Type) {
            var table = EntityTable<Entity>()
            for number in 0..<5 { table.upsert(Entity(number: number, value: 1)) }
            expectRows(of: table, 0..<5)
            for number in 0..<3 { table.remove(Entity.identity(number)) }
            expectRows(of: table, 3..<5)
            for number in 3..<5 { table[Entity.identity(number)] = nil }
            expectRows(of: table, 0..<0)
            for number in 0..<100 { table[Entity.identity(number)] = Entity(number: number, value: 2) }
            expectRows(of: table, 0..<100)
            for number in 0..<100 { table[Entity.identity(number)]?.value = 7 }
            for number in 0..<100 { #expect(table[Entity.identity(number)] == edited(number, 7)) }
            for number in 0..<100 { table.update(Entity.identity(number)) { $0.value = 8 } }
            for number in 0..<100 { #expect(table[Entity.identity(number)] == edited(number, 8)) }
        }

        static func edited<Entity: Row>(_ number: Int, _ value: Int) -> Entity {
            var row = Entity(number: number, value: 2)
            row.value = value
            return row
        }
    }

    @Test("hold what a loop put in, took out and changed", arguments: RowKind.allCases)
    func loops(kind: RowKind) throws { try kind.holds(Loops.self) }

    enum Sequences: RowProperty {
        static func hold<Entity: Row>(of type: Entity.Type) {
            expectRows(of: EntityTable((0..<5).map { Entity(number: $0, value: 1) }), 0..<5)
            var table = EntityTable<Entity>()
            table.upsert(contentsOf: (0..<40).map { Entity(number: $0, value: 1) })
            expectRows(of: table, 0..<40)
            table.insert(contentsOf: (20..<60).map { Entity(number: $0, value: 1) })
            expectRows(of: table, 0..<60)
            table.remove(contentsOf: (0..<30).map(Entity.identity))
            expectRows(of: table, 30..<60)
            let before = table
            table.updateAll { $0.value = 1 }
            #expect(table == before)
            table.setAll((30..<50).map { Entity(number: $0, value: 1) })
            expectRows(of: table, 30..<50)
            expectRows(of: before, 30..<60)
            let kept = Set((30..<40).map(Entity.identity))
            table.removeAll { !kept.contains($0.id) }
            expectRows(of: table, 30..<40)
            table.removeAll()
            expectRows(of: table, 0..<0)
        }
    }

    @Test("hold what a sequence put in and took out", arguments: RowKind.allCases)
    func sequences(kind: RowKind) throws { try kind.holds(Sequences.self) }

    enum RandomEdits: RowProperty {
        static func hold<Entity: Row>(of type: Entity.Type) {
            for seed in 0..<8 as Range<UInt64> {
                var random = RandomNumbers(seed: seed)
                var (table, model) = (EntityTable<Entity>(), [Entity.ID: Entity]())
                var versions: [(table: EntityTable<Entity>, model: [Entity.ID: Entity])] = []
                for step in 0..<2_000 {
                    let number = Int.random(in: 0..<300, using: &random)
                    let (id, row) = (Entity.identity(number), Entity(number: number, value: step))
                    switch Int.random(in: 0..<7, using: &random) {
                    case 0, 1: #expect(table.upsert(row) == model.updateValue(row, forKey: id), "seed \(seed)")
                    case 2: #expect(table.remove(id) == model.removeValue(forKey: id), "seed \(seed)")
                    case 3:
                        table[id]?.value = step
                        model[id]?.value = step
                    case 4:
                        #expect(table.insert(row) == (model[id] == nil), "seed \(seed)")
                        if model[id] == nil { model[id] = row }
                    case 5:
                        table[id] = step % 3 == 0 ? nil : row
                        model[id] = step % 3 == 0 ? nil : row
                    default: versions.append((table, model))
                    }
                    #expect(table[id] == model[id] && table.count == model.count, "seed \(seed), step \(step)")
                }
                // Every version that was kept is as it was, and so is what reads a whole table.
                for version in versions.suffix(20) + [(table, model)] {
                    #expect(Dictionary(uniqueKeysWithValues: version.table.map { ($0.id, $0) }) == version.model)
                    #expect(version.table == EntityTable(version.model.values))
                }
            }
        }
    }

    @Test("agree with a dictionary over random edits, and versions stay as they were", arguments: RowKind.allCases)
    func randomEdits(kind: RowKind) throws { try kind.holds(RandomEdits.self) }

    enum Differences: RowProperty {
        static func hold<Entity: Row>(of type: Entity.Type) {
            let before = EntityTable((0..<50).map { Entity(number: $0, value: 1) })
            var after = before
            for number in 40..<50 { after.remove(Entity.identity(number)) }
            for number in 50..<55 { after.upsert(Entity(number: number, value: 1)) }
            let changes = after.changes(since: before)
            #expect(Set(changes.deletedIDs) == Set((40..<50).map(Entity.identity)))
            #expect(Set(changes.updatedIDs) == Set((50..<55).map(Entity.identity)))
        }
    }

    @Test("know what differs from the version before", arguments: RowKind.allCases)
    func differences(kind: RowKind) throws { try kind.holds(Differences.self) }
}

/// Expects that a table has the entities of some numbers, however it is asked.
func expectRows<Entity: Row>(
    of table: EntityTable<Entity>, _ numbers: Range<Int>, location: Testing.SourceLocation = #_sourceLocation
) {
    let found = numbers.filter { table[Entity.identity($0)] != nil }
    #expect(table.count == numbers.count, sourceLocation: location)
    #expect(found == Array(numbers), sourceLocation: location)
    #expect(Set(Array(table).map(\.id)) == Set(numbers.map(Entity.identity)), sourceLocation: location)
}
