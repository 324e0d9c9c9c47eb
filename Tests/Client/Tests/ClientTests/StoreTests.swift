import Foundation
import StateStore
import Testing

/// A table, the order of its entities, groups of them, and what has nothing to do with them.
struct Shelf<Entity: Row>: EntityDatabase, Codable, Equatable {
    var rows = EntityTable<Entity>()
    var order = OrderedIndex<Entity>()
    var byValue = GroupIndex<Int, Entity>()

    static var indexes: [IndexRule<Self>] {
        [.ordered(\.order, of: \.rows), .grouped(\.byValue, of: \.rows, by: \.value)]
    }
}

struct AppState<Entity: Row>: Codable, Equatable, Sendable {
    var shelf = Shelf<Entity>()
    var count = 0
}

@Suite("Stores of entities, compiled into an app")
struct StoreTests {
    enum Commits: RowProperty {
        static func hold<Entity: Row>(of type: Entity.Type) {
            let store = Store(AppState<Entity>())
            store.commit { for number in 0..<5 { $0.shelf.rows.upsert(Entity(number: number, value: 3)) } }
            expectRows(of: store.state.shelf.rows, 0..<5)
            for number in 5..<105 { store.commit { $0.shelf.rows.upsert(Entity(number: number, value: 3)) } }
            expectRows(of: store.state.shelf.rows, 0..<105)
            store.commit { for number in 105..<205 { $0.shelf.rows.upsert(Entity(number: number, value: 3)) } }
            expectRows(of: store.state.shelf.rows, 0..<205)
            store.commit { for number in 0..<200 { $0.shelf.rows.remove(Entity.identity(number)) } }
            expectRows(of: store.state.shelf.rows, 200..<205)
        }
    }

    @Test("hold what commits put in and took out, one by one and in loops", arguments: RowKind.allCases)
    func commits(kind: RowKind) throws { try kind.holds(Commits.self) }

    enum Batches: RowProperty {
        static func hold<Entity: Row>(of type: Entity.Type) {
            for seed in 0..<4 as Range<UInt64> {
                var random = RandomNumbers(seed: seed)
                let store = Store(AppState<Entity>())
                var model: [Entity.ID: Entity] = [:]
                for step in 0..<200 {
                    let numbers = (0..<20).map { _ in Int.random(in: 0..<80, using: &random) }
                    let batch = store.batch(\.shelf) { shelf in
                        for number in numbers where number % 3 == 0 { shelf.rows.remove(Entity.identity(number)) }
                        for number in numbers where number % 3 != 0 {
                            shelf.rows.upsert(Entity(number: number, value: step % 4))
                            if !shelf.order.contains(Entity.identity(number)) {
                                shelf.order.append(Entity.identity(number))
                            }
                        }
                    }
                    let before = model
                    for number in numbers where number % 3 == 0 { model[Entity.identity(number)] = nil }
                    for number in numbers where number % 3 != 0 {
                        model[Entity.identity(number)] = Entity(number: number, value: step % 4)
                    }
                    let shelf = store.state.shelf
                    #expect(Dictionary(uniqueKeysWithValues: shelf.rows.map { ($0.id, $0) }) == model, "seed \(seed)")
                    #expect(Set(shelf.order) == Set(model.keys), "seed \(seed)")
                    for value in 0..<4 {
                        let members = model.values.filter { $0.value == value }.map(\.id)
                        #expect(Set(shelf.byValue[value]) == Set(members), "seed \(seed), step \(step)")
                    }
                    #expect(batch.deletedIDs(\.rows) == Set(before.keys).subtracting(model.keys))
                    #expect(batch.updatedIDs(\.rows) == Set(model.keys.filter { model[$0] != before[$0] }))
                }
            }
        }
    }

    @Test("keep tables and their indexes together in batches", arguments: RowKind.allCases)
    func batches(kind: RowKind) throws { try kind.holds(Batches.self) }

    enum Readers: RowProperty {
        static func hold<Entity: Row>(of type: Entity.Type) {
            let store = Store(AppState<Entity>())
            let total = store.derived(\.shelf.rows, named: "total") { $0.count }
            let heard = Locked(wrappedValue: [Int]()), derived = Locked([Int]())
            let subscriptions = [
                store.subscribe { changes in heard.modify { $0.append(changes.current.shelf.rows.count) } },
                total.subscribe { changes in derived.modify { $0.append(changes.current) } },
            ]
            for number in 0..<50 { store.commit { $0.shelf.rows.upsert(Entity(number: number, value: number)) } }
            for number in 0..<50 { store.commit { $0.shelf.rows.remove(Entity.identity(number)) } }
            let counts = Array(0...50) + (0..<50).reversed()
            #expect(heard.wrappedValue == counts && derived.wrappedValue == counts && total.value == 0)
            for subscription in subscriptions { subscription.cancel() }
        }
    }

    @Test("deliver each version to subscribers and derived values", arguments: RowKind.allCases)
    func readers(kind: RowKind) throws { try kind.holds(Readers.self) }
}
