import JSONCore
import JournalFormat
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
        var stretches = 0
        var failures = 0

        init() {}

        init(_ answer: InvariantAnswer) {
            position = answer.violation?.position.rawValue
            last = answer.violation?.last.rawValue
            positions = answer.violation?.positions ?? 0
            stretches = answer.violation?.stretches ?? 0
            failures = answer.failures
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
                if !isBad { expected.stretches += 1 }
                isBad = true
                expected.position = expected.position ?? position
                expected.last = position
                expected.positions += 1
            case false?: isBad = false
            }
        }
        return expected
    }

    @Test("one pass for all invariants answers as asking every whole state does", arguments: 0..<40)
    func equalsBruteForce(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, gaps: seed % 2 == 0)
        let invariants = try sampleQueries.map { Invariant(name: $0, query: try Query($0)) }
        let answers = try InvariantScan.run(run.journal, run.range, invariants).answers
        #expect(answers.count == invariants.count)
        for (answer, invariant) in zip(answers, invariants) {
            var expected = expected(run, invariant)
            var told = Expected(answer)
            // Positions without a state are counted as failed by neither.
            if seed % 2 == 0 { (expected.failures, told.failures) = (0, 0) }
            #expect(told == expected, "seed \(seed), \(invariant.name)")
            guard let violation = answer.violation else { continue }
            #expect(violation.first.seq.rawValue <= violation.position.rawValue, "seed \(seed), \(invariant.name)")
            #expect(violation.value.map { $0 == .null || $0 == .bool(false) } ?? true)
        }
    }

    @Test("the record that begins a violation is the one that bisect finds", arguments: 0..<20)
    func equalsBisect(seed: UInt64) throws {
        let run = try RandomRun(seed: seed)
        let invariants = try sampleQueries.map { Invariant(name: $0, query: try Query($0)) }
        for answer in try InvariantScan.run(run.journal, run.range, invariants).answers {
            let bisect = try FlipScan.run(run.journal, run.range, Condition(good: answer.invariant.query))
            guard bisect.isBadAtStart == false else { continue }
            #expect(answer.violation?.first == bisect.firstBad, "seed \(seed), \(answer.invariant.name)")
        }
    }
}
