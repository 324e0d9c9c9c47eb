import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing
import TimeTravel

@Suite("Holding invariants against a run")
struct InvariantScanTests {
    /// What the answer must be, told from the verdicts on whole states at all positions.
    private struct Expected: Equatable {
        var position: Int?
        var last: Int?
        var positions = 0
        var ranges = 0
        var failures = 0

        init() {}

        init(_ answer: InvariantAnswer) {
            position = answer.violation?.position.rawValue
            last = answer.violation?.last.rawValue
            positions = answer.violation?.positions ?? 0
            ranges = answer.violation?.ranges ?? 0
            failures = answer.unanswered.failed
        }
    }

    private func expected(_ run: RandomRun, _ invariant: Invariant) -> Expected {
        let condition = Condition(good: invariant.query)
        var expected = Expected()
        var isBad = false
        for position in run.positions {
            switch condition.verdict(on: run.states[position] ?? .null, context: .start).isBad {
            case nil: expected.failures += 1
            case true?:
                if !isBad { expected.ranges += 1 }
                isBad = true
                expected.position = expected.position ?? position
                expected.last = position
                expected.positions += 1
            case false?: isBad = false
            }
        }
        return expected
    }

    @Test("one pass for all invariants answers as asking every whole state does", arguments: seeds(0..<40))
    func equalsBruteForce(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, gaps: seed % 2 == 0)
        let invariants = try sampleQueries.map { Invariant(name: $0, query: try Query($0)) }
        let answers = try InvariantScan.run(run.journal, run.range, invariants).answers
        #expect(answers.count == invariants.count)
        for (answer, invariant) in zip(answers, invariants) {
            let expected = expected(run, invariant)
            #expect(Expected(answer) == expected, "seed \(seed), \(invariant.name)")
            #expect(answer.unanswered.lost == run.lost, "seed \(seed), \(invariant.name)")
            #expect(answer.positions == run.positions.count - expected.failures, "seed \(seed), \(invariant.name)")
            guard let violation = answer.violation else { continue }
            let first = violation.first?.seq.rawValue ?? 0
            #expect(first <= violation.position.rawValue, "seed \(seed), \(invariant.name)")
            #expect(violation.value.map { $0 == .null || $0 == .bool(false) } ?? true)
        }
    }

    @Test(
        "violated from the start, an invariant names the opening of the one store that it reads, and no other record",
        arguments: [
            (".cart.x", "cart"), (".user.x", "user"), (".cart.x and .user.x", nil), ("false", nil),
            (".user.y and .cart.x", nil), (".user.x or (.cart.x != null and .cart.y)", nil),
        ])
    func fromTheStart(_ text: String, _ store: String?) throws {
        let folder = TemporaryFolder()
        var run = HandMadeRun()
        run.open("user", ["x": .bool(false), "y": .bool(true)])
        run.open("cart", ["x": .bool(false)])
        run.set("cart", "x", .bool(true))
        run.end()
        let journal = try run.journal("run.jsonl", in: folder)
        let invariant = Invariant(name: "i", query: try Query(text))
        let answer = try #require(
            try InvariantScan.run(journal, try journal.range(RangeText()), [invariant]).answers.first)
        let violation = try #require(answer.violation)
        #expect(violation.position == CommitNumber(0))
        #expect(try violation.first?.object()["store"] == store.map { .string($0) })
    }

    @Test("the value is the one that the invariant gave, with the state before")
    func valueWithOld() throws {
        let folder = TemporaryFolder()
        var run = HandMadeRun()
        run.open("a", ["x": .bool(true)])
        run.set("a", "x", .bool(false))
        run.end()
        let journal = try run.journal("run.jsonl", in: folder)
        let invariant = Invariant(name: "i", query: try Query(".a.x or ($old.a.x | not)"))
        let answers = try InvariantScan.run(journal, try journal.range(RangeText()), [invariant]).answers
        #expect(answers.first?.violation?.value == .bool(false))
    }
}

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
        watched.answers = watch.finish()
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
