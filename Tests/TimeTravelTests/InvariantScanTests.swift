import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing

@testable import TimeTravel

@Suite("Holding invariants against a run")
struct InvariantScanTests {
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

@Suite("A range that several threads scan")
struct ConditionPartsTests {
    /// Long enough for a keyframe in each.
    private static let partLength = 6 << 10

    /// What one pass answers, and what short parts do.
    private func answers(
        _ run: RandomRun, _ range: PositionRange, _ condition: Condition
    ) throws -> (one: BisectAnswer, parts: BisectAnswer) {
        var options = BisectOptions()
        options.partLength = .max
        let one = try FlipScan.run(run.journal, range, condition, options: options)
        options.threads = 3
        options.partLength = Self.partLength
        return (one, try FlipScan.run(run.journal, range, condition, options: options))
    }

    private func description(_ answer: BisectAnswer) -> [String] {
        [
            "\(answer.flips as Any) \(answer.isBadAtStart as Any) \(answer.isBadAtEnd as Any) \(answer.firstMended as Any)",
            "\(answer.skipped) \(answer.unanswered) \(answer.candidates) \(answer.crossesGap)",
            "\(answer.firstBad?.seq as Any) \(answer.firstBad?.offset as Any) \(answer.lastGood as Any)",
            "\(answer.lastFlip?.seq as Any) \(answer.damages)",
        ]
    }

    @Test("they answer as one pass does, whatever the query and the range", arguments: seeds(0..<12))
    func equalsOnePass(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, commits: 250, foreign: seed % 4 == 3)
        var random = SeededGenerator(seed: seed)
        let upper = run.range.upper.rawValue
        let lower = try #require(run.positions.filter { $0 <= upper / 2 }.randomElement(using: &random))
        let ranges = [run.range, try #require(PositionRange(CommitNumber(lower), run.range.upper))]
        for text in sampleQueries + [".cart != $old.cart", "$seq % 7 == 3", "$name | length > 4"] {
            for condition in [Condition(bad: try Query(text)), Condition(good: try Query(text))] {
                for range in ranges {
                    let (one, parts) = try answers(run, range, condition)
                    #expect(
                        description(one) == description(parts), "seed \(seed), \(range), \(condition.sense) \(text)")
                }
            }
        }
    }

    @Test("a journal with keyframes is cut into parts that touch")
    func parts() throws {
        let run = try RandomRun(seed: 1, commits: 200)
        let parts = try run.journal.parts(of: run.range, about: Self.partLength)
        #expect(parts.count > 3)
        #expect(parts.first?.lower == run.range.lower && parts.last?.upper == run.range.upper)
        for (part, next) in zip(parts, parts.dropFirst()) {
            #expect(part.upper == next.lower)
            #expect(part.lower < part.upper)
        }
    }

    @Test("where a keyframe is not what the commits before it lead to, one pass reports that")
    func wrongKeyframe() throws {
        var lines = [Lines.store(#"{"n":0}"#)]
        for seq in 1...200 {
            lines.append(Lines.commit(seq, Lines.replace("/n", seq)))
            if seq % 20 == 0 {
                let n = seq == 100 ? -1 : seq
                lines.append(
                    #"{"seq":\#(seq),"kind":"keyframe","states":{"s":{"n":\#(n)}},"totals":{"commits":{"s":\#(seq)},"open":["s"],"derived":[],"marks":0,"gaps":0,"aborts":0}}"#
                )
            }
        }
        let folder = TemporaryFolder()
        let journal = try Journal.open(folder.write(Lines.journal(lines), to: "run.jsonl"), access: .random)
        let range = try journal.range(RangeText())
        var options = BisectOptions()
        options.threads = 2
        options.partLength = Self.partLength
        #expect(try journal.parts(of: range, about: options.partLength).count > 4)
        let condition = Condition(bad: try Query(".s.n < 0"))
        #expect(ConditionParts(journal, range, [condition], options)?.tracks() == nil)
        let error = #expect(throws: JournalError.self) {
            try FlipScan.run(journal, range, condition, options: options)
        }
        guard case .damage(let damage)? = error?.fact else {
            Issue.record("no damage")
            return
        }
        #expect(damage.reason == .keyframe(commit: CommitNumber(100)))
    }

    @Test(
        "a query that tells something on its way is asked in one pass, and so is what is damaged",
        arguments: seeds(0..<8))
    func onePass(seed: UInt64) throws {
        var options = BisectOptions()
        options.threads = 2
        options.partLength = Self.partLength
        let whole = try RandomRun(seed: seed, commits: 250, gaps: false)
        let telling = Condition(bad: try Query(".cart | debug | length > 2"))
        let silent = Condition(bad: try Query(".cart | length > 2"))
        #expect(ConditionParts(whole.journal, whole.range, [telling], options) == nil)
        #expect(ConditionParts(whole.journal, whole.range, [silent], options)?.tracks() != nil)
        let damaged = try RandomRun(damagedWith: seed)
        var one = options
        one.partLength = .max
        func error(_ options: BisectOptions) -> JournalError? {
            do throws(JournalError) {
                _ = try FlipScan.run(damaged.journal, damaged.range, silent, options: options)
            } catch {
                return error
            }
            return nil
        }
        #expect(error(one) != nil)
        #expect(error(one) == error(options))
    }
}
