import Foundation
import StateStore

/// What the recorder makes of each kind of edit of a plain list and a plain dictionary: a journaled commit beside a lock, the
/// same edit and the copy on write that it pays.
struct ShapesBenchmark {
    private static let sizes = [1_000, 100_000]
    /// The only edit to measure; nil for all.
    let edit: String?
    private let folder = FileManager.default.temporaryDirectory.appending(path: "benchmarks-\(getpid())")

    func run() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for size in ShapesBenchmark.sizes {
            try measure(size, "[Entity]", ArrayState.init, ArrayState.edits)
            try measure(size, "[Int: Entity]", DictionaryState.init, DictionaryState.edits)
            try measure(size, "[UUID: Entity]", IdentifiedState.init, IdentifiedState.edits)
            try measure(size, "Set<Int> and [Int]", NumbersState.init, NumbersState.edits)
        }
        print("peak memory \(Figure.megabytes(ProcessUsage.peakMemory))")
    }

    private func measure<State: Codable & Equatable & Sendable>(
        _ size: Int, _ layout: String, _ make: (Int) -> State, _ edits: [ShapeEdit<State>]
    ) throws {
        print("\(size) entities, \(layout)")
        for edit in edits where self.edit == nil || self.edit == edit.name {
            let path = folder.appending(path: "\(size)-\(State.self)-\(edit.name).jsonl").path
            let recorder = try Recorder(path)
            let locked = LockedState(make(size))
            let journaled = Store(make(size), name: "journaled", recorder: recorder)
            var (lock, journal) = (Samples(), Samples())
            for round in 0..<(edit.rounds ?? (edit.isHeavy ? 12 : size > 10_000 ? 60 : 600)) {
                lock.measure { locked.change { edit.body(&$0, round) } }
                journal.measure { journaled.commit { edit.body(&$0, round) } }
            }
            recorder.close()
            try FileManager.default.removeItem(atPath: path)
            print(
                "  " + Figure.column(edit.name, 24, right: false),
                "copy " + Figure.column(Figure.microseconds(lock.median), 11),
                "journaled " + Figure.column(Figure.microseconds(journal.median), 11),
                Figure.column(Figure.text(journal.median / lock.median), 9) + "×")
        }
    }
}

/// One way to change a state.
struct ShapeEdit<State> {
    var name: String
    /// Whether it touches every element.
    var isHeavy = false
    var rounds: Int?
    var body: (inout State, Int) -> Void
}

extension ArrayState {
    fileprivate static var edits: [ShapeEdit<ArrayState>] {
        [
            ShapeEdit(name: "scalar", rounds: 20_000) { state, _ in state.count += 1 },
            ShapeEdit(name: "edit") { state, round in state.edit(round) },
            ShapeEdit(name: "append") { state, round in state.entities.append(Entity(1_000_000 + round)) },
            ShapeEdit(name: "insert at the front") { state, round in
                state.entities.insert(Entity(1_000_000 + round), at: 0)
            },
            ShapeEdit(name: "remove") { state, round in
                state.entities.remove(at: round * 7_919 % state.entities.count)
            },
            ShapeEdit(name: "move") { state, round in
                let entity = state.entities.remove(at: round * 7_919 % state.entities.count)
                state.entities.insert(entity, at: round * 104_729 % state.entities.count)
            },
            ShapeEdit(name: "swap two") { state, round in
                let count = state.entities.count
                state.entities.swapAt(round * 7_919 % count, round * 104_729 % count)
            },
            ShapeEdit(name: "remove half", isHeavy: true) { state, round in
                if round % 2 == 0 {
                    state.entities.removeAll { $0.id % 2 == 0 }
                } else {
                    state = ArrayState(state.entities.count * 2)
                }
            },
            ShapeEdit(name: "reverse", isHeavy: true) { state, _ in state.entities.reverse() },
            ShapeEdit(name: "sort", isHeavy: true) { state, round in
                let prime = 7_919 + round * 2
                state.entities.sort { $0.id &* prime % 65_537 < $1.id &* prime % 65_537 }
            },
            ShapeEdit(name: "edit all", isHeavy: true) { state, _ in
                for place in state.entities.indices { state.entities[place].score += 1 }
            },
        ]
    }
}

extension DictionaryState {
    fileprivate static var edits: [ShapeEdit<DictionaryState>] {
        [
            ShapeEdit(name: "edit") { state, round in state.edit(round) },
            ShapeEdit(name: "add") { state, round in state.entities[1_000_000 + round] = Entity(1_000_000 + round) },
            ShapeEdit(name: "remove") { state, round in state.entities[round] = nil },
            ShapeEdit(name: "edit all", isHeavy: true) { state, _ in
                for key in state.entities.keys { state.entities[key]?.score += 1 }
            },
        ]
    }
}

/// The entities by an identity that is no number.
private struct IdentifiedState: Codable, Equatable, Sendable {
    var entities: [UUID: Entity]
    var ids: [UUID]

    init(_ size: Int) {
        ids = (0..<size).map { UUID(uuidString: "00000000-0000-0000-0000-" + String(100_000_000_000 + $0)) ?? UUID() }
        entities = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, Entity($0)) })
    }

    static var edits: [ShapeEdit<IdentifiedState>] {
        [
            ShapeEdit(name: "edit") { state, round in state.entities[state.ids[round]]?.score += 1 },
            ShapeEdit(name: "add") { state, round in state.entities[UUID()] = Entity(1_000_000 + round) },
            ShapeEdit(name: "move in the order") { state, round in
                let id = state.ids.remove(at: round * 7_919 % state.ids.count)
                state.ids.insert(id, at: round * 104_729 % state.ids.count)
            },
        ]
    }
}

/// Elements without an identity.
private struct NumbersState: Codable, Equatable, Sendable {
    var set: Set<Int>
    var list: [Int]

    init(_ size: Int) {
        set = Set(0..<size)
        list = Array(0..<size)
    }

    static var edits: [ShapeEdit<NumbersState>] {
        [
            ShapeEdit(name: "insert into the set") { state, round in state.set.insert(1_000_000 + round) },
            ShapeEdit(name: "remove from the set") { state, round in state.set.remove(round) },
            ShapeEdit(name: "move in the list") { state, round in
                let number = state.list.remove(at: round * 7_919 % state.list.count)
                state.list.insert(number, at: round * 104_729 % state.list.count)
            },
        ]
    }
}
