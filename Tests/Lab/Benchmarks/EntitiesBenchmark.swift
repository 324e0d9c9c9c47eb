import Foundation
import StateStore

/// An `EntityTable` of 10, 1,000 and 100,000 entities: journaled commits beside a dictionary's, and the table's own
/// operations beside `Dictionary`'s.
struct EntitiesBenchmark {
    private static let sizes = [10, 1_000, 100_000]
    private let folder = FileManager.default.temporaryDirectory.appending(path: "benchmarks-\(getpid())")

    func run() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        measureMemory()  // First: what was freed before is no measure.
        try runCommits()
        for size in Self.sizes { TableContest(size).run() }
    }

    /// All sizes in turns, so that each has the machine in the same mood.
    private func runCommits() throws {
        let tables = try Self.sizes.map { try CommitLane($0, "EntityTable", TableState.init, folder) }
        let dictionaries = try Self.sizes.map { try CommitLane($0, "[Int: Entity]", DictionaryState.init, folder) }
        for round in 0..<4_000 { for lane in tables { lane.run(round) } }
        for round in 0..<300 { for lane in dictionaries { lane.run(round) } }
        for lane in tables { lane.printFigures(beside: tables[0]) }
        for lane in dictionaries { lane.printFigures(beside: dictionaries[0]) }
    }

    private func measureMemory() {
        let entities = (0..<100_000).map(Entity.init)
        let before = ProcessUsage.residentMemory
        let table = EntityTable(entities)
        let between = ProcessUsage.residentMemory
        let dictionary = Dictionary(uniqueKeysWithValues: entities.map { ($0.id, $0) })
        let after = ProcessUsage.residentMemory
        print("memory for an entry of 100,000, each of \(MemoryLayout<Entity>.size) bytes")
        print(
            "  EntityTable   \((between - before) / table.count) bytes, \(table.storageSize / table.count) without what the allocator adds"
        )
        print("  Dictionary    \((after - between) / dictionary.count) bytes")
    }
}

struct TableState: EntityState {
    var count = 0
    var title = "a title"
    var entities: EntityTable<Entity>

    init(_ size: Int) { entities = EntityTable((0..<size).map(Entity.init)) }

    mutating func edit(_ round: Int) { entities[round * 7_919 % entities.count]?.score += 1 }
}

/// One state, with and without a recorder.
private final class CommitLane<State: EntityState> {
    private let name: String
    private let plain: Store<State>
    private let journaled: Store<State>
    private let recorder: Recorder
    private var figures = [Samples](repeating: Samples(), count: 4)
    private static var batch: Int { 20 }

    init(_ size: Int, _ layout: String, _ make: (Int) -> State, _ folder: URL) throws {
        name = "\(size) entities, \(layout)"
        recorder = try Recorder(folder.appending(path: "\(size)-\(State.self)-entities.jsonl").path)
        plain = Store(make(size), name: "plain", recorder: nil)
        journaled = Store(make(size), name: "journaled", recorder: recorder)
    }

    func run(_ round: Int) {
        let batch = Self.batch
        figures[0].measure(batch: batch) { for _ in 0..<batch { plain.commit { $0.count += 1 } } }
        figures[1].measure { journaled.commit { $0.count += 1 } }
        figures[2].measure { plain.commit { $0.edit(round) } }
        figures[3].measure { journaled.commit { $0.edit(round) } }
    }

    func printFigures(beside first: CommitLane) {
        print(name)
        let names = ["a scalar", "a scalar, journaled", "an entity", "an entity, journaled"]
        for (index, name) in names.enumerated() {
            let (own, base) = (figures[index], first.figures[index])
            print(
                "  " + Figure.column(name, 24, right: false),
                "p50 " + Figure.column(Figure.microseconds(own.median), 11),
                "p99 " + Figure.column(Figure.microseconds(own.percentile(0.99)), 11),
                "beside 10 entities: p50 \(Figure.text(own.median / base.median))×,",
                "p99 \(Figure.text(own.percentile(0.99) / base.percentile(0.99)))×")
        }
    }
}

/// The operations of a table and of a dictionary, in turns.
private struct TableContest {
    private let entities: [Entity]
    private let ids: [Int]
    private var count: Int { entities.count }

    init(_ size: Int) {
        entities = (0..<size).map(Entity.init)
        ids = (0..<size).map { $0 * 7_919 % size }
    }

    func run() {
        let table = EntityTable(entities)
        let dictionary = Dictionary(uniqueKeysWithValues: entities.map { ($0.id, $0) })
        print("\(count) entities, an operation")
        compare("insert, filling an empty one", count, { fillTable() }, { fillDictionary() })
        compare("look up", count, { look(in: table) }, { look(in: dictionary) })
        var (ownTable, ownDictionary) = (table, dictionary)
        compare("edit in place", count, { edit(&ownTable) }, { edit(&ownDictionary) })
        let copies = count > 10_000 ? 20 : 200
        compare(
            "copy and edit", copies, { copyAndEdit(table, copies) }, { copyAndEdit(dictionary, copies) })
        var (otherTable, otherDictionary) = (table, dictionary)
        otherTable[count / 2]?.score += 1
        otherDictionary[count / 2]?.score += 1
        compare("iterate, an entity", count, { sum(table) }, { sum(dictionary.values) })
        compare(
            "difference of one entity", 1, { otherTable.changes(since: table).updatedIDs.count },
            { otherDictionary.filter { dictionary[$0.key] != $0.value }.count })
        compare("equality of one entity", 1, { otherTable == table ? 1 : 0 }, { otherDictionary == dictionary ? 1 : 0 })
    }

    private func compare(_ name: String, _ batch: Int, _ table: () -> Int, _ dictionary: () -> Int) {
        var (left, right) = (Samples(), Samples())
        var total = 0
        for _ in 0..<(count > 10_000 ? 15 : 200) {
            left.measure(batch: batch) { total &+= table() }
            right.measure(batch: batch) { total &+= dictionary() }
        }
        print(
            "  " + Figure.column(name, 30, right: false),
            "EntityTable " + Figure.column(Figure.text(left.median) + " ns", 14),
            "Dictionary " + Figure.column(Figure.text(right.median) + " ns", 14),
            Figure.text(left.median / max(right.median, 0.01)) + "×", total == .min ? "" : "")
    }

    private func fillTable() -> Int {
        var table = EntityTable<Entity>()
        for entity in entities { table.upsert(entity) }
        return table.count
    }

    private func fillDictionary() -> Int {
        var table: [Int: Entity] = [:]
        for entity in entities { table[entity.id] = entity }
        return table.count
    }

    private func look(in table: EntityTable<Entity>) -> Int {
        var sum = 0.0
        for id in ids { sum += table[id]?.score ?? 0 }
        return Int(sum)
    }

    private func look(in table: [Int: Entity]) -> Int {
        var sum = 0.0
        for id in ids { sum += table[id]?.score ?? 0 }
        return Int(sum)
    }

    private func edit(_ table: inout EntityTable<Entity>) -> Int {
        for id in ids { table[id]?.score += 1 }
        return table.count
    }

    private func edit(_ table: inout [Int: Entity]) -> Int {
        for id in ids { table[id]?.score += 1 }
        return table.count
    }

    private func copyAndEdit(_ table: EntityTable<Entity>, _ copies: Int) -> Int {
        var sum = 0
        for round in 0..<copies {
            var copy = table
            copy[ids[round % count]]?.score += 1
            sum += copy.count
        }
        return sum
    }

    private func copyAndEdit(_ table: [Int: Entity], _ copies: Int) -> Int {
        var sum = 0
        for round in 0..<copies {
            var copy = table
            copy[ids[round % count]]?.score += 1
            sum += copy.count
        }
        return sum
    }

    private func sum(_ table: some Sequence<Entity>) -> Int { Int(table.reduce(0.0) { $0 + $1.score }) }
}
