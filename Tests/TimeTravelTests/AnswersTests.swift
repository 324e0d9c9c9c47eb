import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing

@testable import TimeTravel

@Suite("Finding every turn between good and bad")
struct AnswersTests {
    @Test(
        "one pruned pass answers as asking every whole state does, and counts what was lost or failed",
        arguments: seeds(0..<40))
    func equalsBruteForce(seed: UInt64) throws {
        let run = try RandomRun(seed: seed)
        for text in sampleQueries {
            for condition in [Condition(bad: try Query(text)), Condition(good: try Query(text))] {
                let expected = ExpectedFlips(run, condition)
                let answer = try BisectAnswer(run.journal, run.range, condition)
                let note: Comment = "seed \(seed), \(condition.sense) \(text)"
                #expect(answer.flips == expected.flips, note)
                #expect(answer.isBadAtStart == expected.badAtStart, note)
                #expect(answer.isBadAtEnd == expected.badAtEnd, note)
                #expect(answer.firstBad?.seq.rawValue == expected.firstBad, note)
                #expect(answer.lastFlip?.seq.rawValue == expected.lastFlip, note)
                #expect(answer.lastGood?.rawValue == expected.lastGood, note)
                let failed = run.positions.filter {
                    condition.verdict(on: run.states[$0] ?? .null, context: .start).error != nil
                }
                #expect(answer.unanswered.lost == run.lost && answer.unanswered.failed == failed.count, note)
                #expect(answer.unanswered.firstFailure?.position.rawValue == failed.first, note)
                #expect(answer.skipped == failed.count, note)
                // A never that may be wrong is not conclusive.
                #expect(answer.firstBad != nil || answer.isConclusive == (answer.unanswered.count == 0), note)
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
            let answer = try BisectAnswer(run.journal, run.range, condition, options: options)
            let note: Comment = "seed \(seed), \(text)"
            #expect(answer.flips == expected.flips, note)
            #expect(answer.firstBad?.seq.rawValue == expected.firstBad, note)
            #expect(answer.lastGood?.rawValue == expected.lastGood, note)
            #expect(answer.unanswered.lost == run.lost, note)
            #expect(answer.isBadAtEnd == (run.states[run.range.upper.rawValue] == nil ? nil : expected.badAtEnd), note)
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
                let answer = try BisectAnswer(run.journal, run.range, condition, options: options)
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
        #expect(try BisectAnswer(journal, range, changed).firstBad?.seq.rawValue == 1)
        #expect(try BisectAnswer(journal, range, changed, options: options).firstBad == nil)
    }

    @Test("a patch that reads what nobody asked for is answered from whole states, recovering or not")
    func wholeStates() throws {
        let folder = TemporaryFolder()
        var run = HandMadeRun()
        run.open("a", ["x": .bool(false), "y": .bool(true)])
        run.set("a", "y", .bool(true))
        run.raw(Lines.commit(2, #"{"op":"copy","from":"/y","path":"/x"}"#, "a"))
        let journal = try run.journal("run.jsonl", in: folder)
        let range = try #require(PositionRange(CommitNumber(0), CommitNumber(2)))
        for recovers in [false, true] {
            var options = BisectOptions()
            options.recover = recovers
            let condition = Condition(bad: try Query(".a.x"))
            let answer = try BisectAnswer(journal, range, condition, options: options)
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
        let answer = try MonotoneSearch.run(run.journal, run.range, reading: .everything) { candidate in
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
        let answer = try MonotoneSearch.run(run.journal, run.range, reading: .everything) { candidate in
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
        let answer = try MonotoneSearch.run(
            run.journal, run.range, reading: .everything, options: options
        ) { $0.position.rawValue >= 21 ? .bad : .good }
        #expect(answer.candidates.map(\.rawValue) == [20, 21, 22, 23])
        #expect(!answer.isConclusive)
    }

    @Test("an end that is not what it should be leaves nothing to search")
    func wrongEnd() throws {
        let run = try RandomRun(seed: 4, gaps: false)
        let answer = try MonotoneSearch.run(run.journal, run.range, reading: .everything) { _ in .bad }
        #expect(answer.surprises.map(\.position) == [run.range.lower])
        #expect(answer.firstBad == nil)
    }
}

@Suite("A range that several threads scan")
struct ConditionScanTests {
    /// Long enough for a keyframe in each.
    private static let partLength = 6 << 10

    /// What one pass answers, and what short parts do.
    private func answers(
        _ run: RandomRun, _ range: PositionRange, _ condition: Condition
    ) throws -> (one: BisectAnswer, parts: BisectAnswer) {
        var options = BisectOptions()
        options.partLength = .max
        let one = try BisectAnswer(run.journal, range, condition, options: options)
        options.threads = 3
        options.partLength = Self.partLength
        return (one, try BisectAnswer(run.journal, range, condition, options: options))
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
            lines.append(Lines.commit(seq, Lines.replace("/n", seq, old: seq - 1)))
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
        #expect(ConditionScan(journal, range, [condition], options).inParts() == nil)
        let error = #expect(throws: JournalError.self) {
            try BisectAnswer(journal, range, condition, options: options)
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
        #expect(ConditionScan(whole.journal, whole.range, [telling], options).inParts() == nil)
        #expect(ConditionScan(whole.journal, whole.range, [silent], options).inParts() != nil)
        let damaged = try RandomRun(damagedWith: seed)
        var one = options
        one.partLength = .max
        func error(_ options: BisectOptions) -> JournalError? {
            do throws(JournalError) {
                _ = try BisectAnswer(damaged.journal, damaged.range, silent, options: options)
            } catch {
                return error
            }
            return nil
        }
        #expect(error(one) != nil)
        #expect(error(one) == error(options))
    }
}

@Suite("What a condition says at any position of a range")
struct VerdictIntervalsTests {
    @Test("in any order, it says what asking the whole state says", arguments: seeds(0..<40))
    func equalsBruteForce(seed: UInt64) throws {
        let run = try RandomRun(seed: seed)
        var random = SeededGenerator(seed: seed + 1)
        var queries = RandomStateQuery(seed: seed)
        for text in sampleQueries + (0..<4).map({ _ in queries.condition() }) {
            let condition = Condition(bad: try Query(text))
            let intervals = try VerdictIntervals(condition, run.range, in: run.journal)
            for position in run.positions.shuffled(using: &random) {
                let expected = condition.verdict(on: run.states[position] ?? .null, context: .start)
                let told = try intervals.verdict(at: CommitNumber(position))
                #expect(told == expected, "seed \(seed), \(text) at \(position)")
            }
        }
    }

    @Test(
        "the state before and the number are those of the position", arguments: seeds(0..<10),
        ["$old == .", "$old.cart.a != .cart.a", "$seq % 3 == 0", "$seq > 5 and ($old | type) == \"object\""])
    func context(seed: UInt64, text: String) throws {
        let run = try RandomRun(seed: seed, gaps: false)
        let condition = Condition(bad: try Query(text))
        let intervals = try VerdictIntervals(condition, run.range, in: run.journal)
        for position in run.positions.dropFirst().reversed() {
            let context = QueryContext(old: run.states[position - 1] ?? .null, seq: position)
            let expected = condition.verdict(on: run.states[position] ?? .null, context: context)
            #expect(
                try intervals.verdict(at: CommitNumber(position)) == expected, "seed \(seed), \(text) at \(position)")
        }
    }
}
