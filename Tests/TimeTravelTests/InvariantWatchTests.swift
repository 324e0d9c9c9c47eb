import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing
import TimeTravel

@Suite("Holding invariants against a run as it is written")
struct InvariantWatchTests {
    private struct Watched {
        var answers: [InvariantAnswer] = []
        /// The positions that were told of each invariant as they came.
        var told: [[Int]]
        var endsInDamage = false
    }

    private func watched(_ run: RandomRun, _ invariants: [Invariant], recover: Bool = false) throws -> Watched {
        var watched = Watched(told: invariants.map { _ in [] })
        var watch = try InvariantWatch(run.journal, invariants, recover: recover)
        var events: [InvariantWatch.Event]? = try watch.begin()
        while let found = events {
            for event in found { watched.told[event.index].append(event.position.rawValue) }
            events = try watch.next()
        }
        watched.endsInDamage = watch.lastCommit < run.range.upper
        watched.answers = watch.answers()
        return watched
    }

    private func expectEqual(_ run: RandomRun, _ seed: UInt64, recover: Bool = false) throws {
        let queries = sampleQueries + [".cart.a != $old.cart.a", "$seq % 7 != 3"]
        let invariants = try queries.map { Invariant(name: $0, query: try Query($0)) }
        let watched = try watched(run, invariants, recover: recover)
        guard !watched.endsInDamage else { return }
        let scanned = try InvariantScan.run(run.journal, run.range, invariants, recover: recover).answers
        for (index, (live, answer)) in zip(watched.answers, scanned).enumerated() {
            let note: Comment = "seed \(seed), \(answer.invariant.name)"
            #expect(live.positions == answer.positions && live.unanswered == answer.unanswered, note)
            #expect(live.violation?.positions == answer.violation?.positions, note)
            #expect(live.violation?.first?.text == answer.violation?.first?.text, note)
            #expect(live.violation?.position == answer.violation?.position, note)
            #expect(live.violation?.last == answer.violation?.last, note)
            #expect(live.violation?.value == answer.violation?.value, note)
            #expect(live.violation?.candidates == answer.violation?.candidates, note)
            // Each time it stopped to hold was told once, the first where it was first.
            #expect(watched.told[index].count == answer.violation?.ranges ?? 0, note)
            #expect(watched.told[index].first == answer.violation?.position.rawValue, note)
        }
    }

    @Test("reading once, whole, answers as the pruned scan of a file does", arguments: seeds(0..<30))
    func equalsScan(seed: UInt64) throws {
        try expectEqual(try RandomRun(seed: seed, gaps: seed % 2 == 0, foreign: seed % 5 == 4), seed)
    }

    @Test("after damage it goes on as the scan does", arguments: seeds(0..<20))
    func damaged(seed: UInt64) throws {
        try expectEqual(try RandomRun(damagedWith: seed), seed, recover: true)
    }
}
