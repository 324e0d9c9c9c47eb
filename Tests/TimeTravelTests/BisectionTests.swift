import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing
import TimeTravel

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
