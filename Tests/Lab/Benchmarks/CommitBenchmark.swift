import Foundation
import JournalFormat
import StateStore
import Synchronization

/// One commit of a state of 10, 1,000 and 100,000 entities, in a dictionary and in an array: beside a lock and a copy, and
/// beside what records a state as a whole.
struct CommitBenchmark {
    private static let sizes = [10, 1_000, 100_000]
    private let folder = FileManager.default.temporaryDirectory.appending(path: "benchmarks-\(getpid())")

    func run() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for size in CommitBenchmark.sizes {
            try measure(size, "[Int: Entity]", DictionaryState.init)
            try measure(size, "[Entity]", ArrayState.init)
        }
        print("peak memory \(Figure.megabytes(ProcessUsage.peakMemory))")
    }

    private func measure<State: EntityState>(_ size: Int, _ layout: String, _ make: (Int) -> State) throws {
        print("\(size) entities, \(layout)")
        let path = folder.appending(path: "\(size)-\(State.self).jsonl").path
        let recorder = try Recorder(path)
        defer { recorder.close() }
        var contest = CommitContest(make(size), recorder: recorder)
        try contest.run(rounds: size > 10_000 ? 400 : 2_000)
        contest.printFigures()
    }
}

/// One of the entities.
struct Entity: Codable, Equatable, Identifiable, Sendable {
    var id: Int
    var name: String
    var isActive: Bool
    var score: Double

    init(_ id: Int) {
        self.id = id
        name = "entity number \(id)"
        isActive = id % 2 == 0
        score = Double(id) / 4
    }
}

/// A state with a scalar and many entities.
protocol EntityState: Codable, Equatable, Sendable {
    var count: Int { get set }
    init(_ size: Int)
    /// Changes one of the entities.
    mutating func edit(_ round: Int)
}

struct DictionaryState: EntityState {
    var count = 0
    var title = "a title"
    var entities: [Int: Entity]

    init(_ size: Int) { entities = Dictionary(uniqueKeysWithValues: (0..<size).map { ($0, Entity($0)) }) }

    mutating func edit(_ round: Int) { entities[round % entities.count]?.score += 1 }
}

struct ArrayState: EntityState {
    var count = 0
    var title = "a title"
    var entities: [Entity]

    init(_ size: Int) { entities = (0..<size).map(Entity.init) }

    mutating func edit(_ round: Int) { entities[round * 7_919 % entities.count].score += 1 }
}
