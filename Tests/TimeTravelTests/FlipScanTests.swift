import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing
import TimeTravel

@Suite("Finding every turn between good and bad")
struct FlipScanTests {
    @Test("one pruned pass answers as asking every whole state does", arguments: seeds(0..<40))
    func equalsBruteForce(seed: UInt64) throws {
        let run = try RandomRun(seed: seed)
        for text in sampleQueries {
            for condition in [Condition(bad: try Query(text)), Condition(good: try Query(text))] {
                let expected = ExpectedFlips(run, condition)
                let answer = try FlipScan.run(run.journal, run.range, condition)
                let note: Comment = "seed \(seed), \(condition.sense) \(text)"
                #expect(answer.flips == expected.flips, note)
                #expect(answer.isBadAtStart == expected.badAtStart, note)
                #expect(answer.isBadAtEnd == expected.badAtEnd, note)
                #expect(answer.firstBad?.seq.rawValue == expected.firstBad, note)
                #expect(answer.lastFlip?.seq.rawValue == expected.lastFlip, note)
                #expect(answer.lastGood?.rawValue == expected.lastGood, note)
            }
        }
    }

    @Test("after damage it goes on at the next keyframe, and what lies between has no answer", arguments: seeds(0..<60))
    func damaged(seed: UInt64) throws {
        let run = try RandomRun(damagedWith: seed)
        var options = BisectOptions()
        options.recover = true
        for text in sampleQueries {
            let condition = Condition(bad: try Query(text))
            let expected = ExpectedFlips(run, condition)
            let answer = try FlipScan.run(run.journal, run.range, condition, options: options)
            let note: Comment = "seed \(seed), \(text)"
            #expect(answer.flips == expected.flips, note)
            #expect(answer.firstBad?.seq.rawValue == expected.firstBad, note)
            #expect(answer.lastGood?.rawValue == expected.lastGood, note)
            #expect(answer.unanswered.lost == run.lost, note)
            #expect(answer.isBadAtEnd == (run.states[run.range.upper.rawValue] == nil ? nil : expected.badAtEnd), note)
        }
    }

    @Test(
        "what was lost or failed is counted, and a never that may be wrong is not conclusive", arguments: seeds(0..<40))
    func unanswered(seed: UInt64) throws {
        let run = try RandomRun(seed: seed)
        for text in sampleQueries {
            let condition = Condition(bad: try Query(text))
            let answer = try FlipScan.run(run.journal, run.range, condition)
            let failed = run.positions.filter {
                condition.verdict(on: run.states[$0] ?? .null, context: .start).error != nil
            }
            let note: Comment = "seed \(seed), \(text)"
            #expect(answer.unanswered.lost == run.lost, note)
            #expect(answer.unanswered.failed == failed.count, note)
            #expect(answer.unanswered.firstFailure?.position.rawValue == failed.first, note)
            #expect(answer.skipped == failed.count, note)
            if answer.firstBad == nil { #expect(answer.isConclusive == (answer.unanswered.count == 0), note) }
        }
    }

    @Test(
        "of a path's commits the first bad one is named with a position that is really good", arguments: seeds(0..<40))
    func paths(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, gaps: false)
        for store in ["cart", "user", "feed"] {
            var options = BisectOptions()
            options.paths = PathMatcher([PathSteps([.key(store)])])
            for text in sampleQueries {
                let condition = Condition(bad: try Query(text))
                let answer = try FlipScan.run(run.journal, run.range, condition, options: options)
                guard let first = answer.firstBad?.seq.rawValue, let good = answer.lastGood?.rawValue else { continue }
                func isBad(_ position: Int) -> Bool? {
                    condition.verdict(on: run.states[position] ?? .null, context: .start).isBad
                }
                let note: Comment = "seed \(seed), \(store), \(text)"
                #expect(isBad(first) == true && isBad(good) == false, note)
                #expect((answer.badBefore == nil) == (isBad(first - 1) != true), note)
            }
        }
    }

    @Test("where only commits of a path are judged, $old is still the state at the position before")
    func oldStateOfPath() throws {
        let folder = TemporaryFolder()
        var run = HandMadeRun()
        run.open("a", ["x": .bool(false), "y": .bool(false)])
        run.set("a", "y", .bool(true))
        run.set("a", "x", .bool(true))
        run.end()
        let journal = try run.journal("run.jsonl", in: folder)
        let range = try #require(PositionRange(CommitNumber(0), CommitNumber(2)))
        var options = BisectOptions()
        options.paths = PathMatcher([try PathSteps(parsing: "/a/x")])
        let changed = Condition(bad: try Query("$old != null and $old.a.y != .a.y"))
        #expect(try FlipScan.run(journal, range, changed).firstBad?.seq.rawValue == 1)
        #expect(try FlipScan.run(journal, range, changed, options: options).firstBad == nil)
    }

    @Test("a patch that reads what nobody asked for is answered from whole states, recovering or not")
    func wholeStates() throws {
        let folder = TemporaryFolder()
        var run = HandMadeRun()
        run.open("a", ["x": .bool(false), "y": .bool(true)])
        run.set("a", "y", .bool(true))
        run.raw(
            #"{"seq":2,"kind":"commit","store":"a","version":2,"time":"2027-01-15T08:00:00.000000Z","at":{"file":"A/B.swift","line":1,"column":1,"function":"f()"},"patch":[{"op":"copy","from":"/y","path":"/x"}]}"#
        )
        let journal = try run.journal("run.jsonl", in: folder)
        let range = try #require(PositionRange(CommitNumber(0), CommitNumber(2)))
        for recovers in [false, true] {
            var options = BisectOptions()
            options.recover = recovers
            let condition = Condition(bad: try Query(".a.x"))
            let answer = try FlipScan.run(journal, range, condition, options: options)
            #expect(answer.firstBad?.seq.rawValue == 2 && answer.lastGood?.rawValue == 1)
            #expect(answer.unanswered.count == 0 && answer.damages.isEmpty)
            let history = try History(.query(try Query(".a.x")), range, in: journal, recover: recovers)
            #expect(try history.next()?.map(\.position.rawValue) == [2])
        }
    }

    @Test("a monotone run gives the same answer by binary search", arguments: seeds(0..<20))
    func binarySearchAgrees(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, gaps: false)
        let middle = 1 + Int(seed) % (run.range.upper.rawValue - 1)
        // Bad from a commit on: the number of commits is not in the state, so the verdict is made from the position.
        let answer = try MonotoneSearch<Never>.run(run.journal, run.range, reading: .everything) { candidate in
            candidate.position.rawValue >= middle ? .bad : .good
        }
        #expect(answer.firstBad?.seq.rawValue == middle)
        #expect(answer.lastGood?.rawValue == middle - 1)
        #expect(answer.surprises.isEmpty)
        #expect(answer.tested <= 12)
    }

    @Test("the position at which a gap ends has a state, also for a search by halves", arguments: seeds(0..<20))
    func binarySearchMeetsGap(seed: UInt64) throws {
        let run = try RandomRun(seed: seed)
        var gaps = Set<Int>()
        let answer = try MonotoneSearch<Never>.run(run.journal, run.range, reading: .everything) { candidate in
            if candidate.record?.kind == .gap { gaps.insert(candidate.position.rawValue) }
            #expect(candidate.state == run.states[candidate.position.rawValue])
            #expect((candidate.record == nil) == (candidate.position == run.journal.start))
            return candidate.position == run.range.upper ? .bad : .good
        }
        // Only what is inside a gap cannot be judged.
        let inside = (run.range.lower.rawValue...run.range.upper.rawValue).count - run.states.count
        #expect(answer.skipped == answer.unanswered.lost && answer.skipped <= inside, "seed \(seed)")
        #expect(gaps.isSubset(of: Set(run.states.keys)), "seed \(seed)")
    }

    @Test("a skipped position next to the answer is told as a candidate")
    func skippedNeighbour() throws {
        let run = try RandomRun(seed: 3, gaps: false)
        var options = BisectOptions()
        options.skip = try CommitList(parsing: "20..22")
        let answer = try MonotoneSearch<Never>.run(
            run.journal, run.range, reading: .everything, options: options
        ) { $0.position.rawValue >= 21 ? .bad : .good }
        #expect(answer.candidates.map(\.rawValue) == [20, 21, 22, 23])
        #expect(!answer.isConclusive)
    }

    @Test("an end that is not what it should be leaves nothing to search")
    func wrongEnd() throws {
        let run = try RandomRun(seed: 4, gaps: false)
        let answer = try MonotoneSearch<Never>.run(run.journal, run.range, reading: .everything) { _ in .bad }
        #expect(answer.surprises.map(\.position) == [run.range.lower])
        #expect(answer.firstBad == nil)
    }
}

@Suite("The binary search itself")
struct BisectionTests {
    @Test("it finds the turn of every row in about log₂ n tests", arguments: [2, 3, 4, 10, 100, 1_000])
    func finds(count: Int) {
        for turn in stride(from: 1, to: count, by: max(1, count / 50)) {
            var bisection = Bisection(count: count)
            var tests = 0
            while case .test(let index) = bisection.next {
                tests += 1
                bisection.record(index >= turn ? .bad : .good, at: index)
            }
            guard case .done(let outcome) = bisection.next else { continue }
            #expect(outcome.lastGood == turn - 1 && outcome.firstBad == turn)
            #expect(tests <= Int.bitWidth - count.leadingZeroBitCount)
        }
    }

    @Test(
        "whatever is skipped, the answer's ends were judged and only skipped positions lie between",
        arguments: seeds(0..<100))
    func skips(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 2...40, using: &random)
        let turn = Int.random(in: 1..<count, using: &random)
        let skipped = Set((1..<max(2, count - 1)).filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
        var bisection = Bisection(count: count)
        while case .test(let index) = bisection.next {
            #expect(index > 0 && index < count - 1)
            bisection.record(skipped.contains(index) ? .skip : (index >= turn ? .bad : .good), at: index)
        }
        guard case .done(let outcome) = bisection.next else { return }
        #expect(outcome.lastGood < turn && outcome.firstBad >= turn, "seed \(seed)")
        for index in outcome.lastGood + 1..<outcome.firstBad { #expect(skipped.contains(index), "seed \(seed)") }
    }

    @Test(
        "ranges that are skipped, however they lie, are skipped as each of their positions is",
        arguments: seeds(0..<100))
    func skipsRanges(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 2...60, using: &random)
        let turn = Int.random(in: 1..<count, using: &random)
        let unjudged = Set((1..<max(2, count - 1)).filter { _ in Int.random(in: 0..<4, using: &random) != 0 })
        var (one, many) = (Bisection(count: count), Bisection(count: count))
        var tests = 0
        while case .test(let index) = one.next {
            one.record(unjudged.contains(index) ? .skip : (index >= turn ? .bad : .good), at: index)
        }
        while case .test(let index) = many.next, tests < 100 {
            tests += 1
            guard unjudged.contains(index) else {
                many.record(index >= turn ? .bad : .good, at: index)
                continue
            }
            let reach = Int.random(in: 0...4, using: &random)
            let lower = (0...reach).prefix { unjudged.contains(index - $0) }.last ?? 0
            let upper = (0...reach).prefix { unjudged.contains(index + $0) }.last ?? 0
            many.skip(index - lower...index + upper)
        }
        #expect(one.next == many.next, "seed \(seed)")
    }

    @Test("a row of any length has an answer at once, also where nearly all of it cannot be judged")
    func skipsNearlyAll() {
        var bisection = Bisection(count: CommitNumber.largest.rawValue)
        var tests = 0
        while case .test(let index) = bisection.next, tests < 100 {
            tests += 1
            bisection.skip(min(10, index)...max(index, CommitNumber.largest.rawValue - 10))
        }
        guard case .done(let outcome) = bisection.next else {
            Issue.record("it still searches after \(tests) tests")
            return
        }
        #expect(outcome.lastGood == 0 && outcome.firstBad == CommitNumber.largest.rawValue - 1)
    }
}
