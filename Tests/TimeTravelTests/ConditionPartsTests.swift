import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing

@testable import TimeTravel

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
        var lines = [
            #"{"seq":0,"kind":"journal","version":1,"id":"x","time":"2026-01-01T00:00:00.000000Z","recorder":"t"}"#,
            #"{"seq":0,"kind":"store","store":"s","type":"T","time":"2026-01-01T00:00:00.000000Z","at":{"file":"F.swift","line":1,"column":1,"function":"f()"},"state":{"n":0}}"#,
        ]
        for seq in 1...200 {
            lines.append(
                #"{"seq":\#(seq),"kind":"commit","store":"s","version":\#(seq),"time":"2026-01-01T00:00:00.000000Z","at":{"file":"F.swift","line":1,"column":1,"function":"f()"},"patch":[{"op":"replace","path":"/n","value":\#(seq),"old":\#(seq - 1)}]}"#
            )
            if seq % 20 == 0 {
                let n = seq == 100 ? -1 : seq
                lines.append(
                    #"{"seq":\#(seq),"kind":"keyframe","states":{"s":{"n":\#(n)}},"totals":{"commits":{"s":\#(seq)},"open":["s"],"derived":[],"marks":0,"gaps":0,"aborts":0}}"#
                )
            }
        }
        let folder = TemporaryFolder()
        let journal = try Journal.open(
            folder.write(lines.joined(separator: "\n") + "\n", to: "run.jsonl"), access: .random)
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
