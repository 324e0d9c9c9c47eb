import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing

@testable import TimeTravel

@Suite("Scans of a session that are ended, count hits and log")
struct SessionScanTests {
    /// The commits at which a session stops on its way through a run.
    private func stops(
        _ run: RandomRun, _ direction: SessionDirection, endingAtRandom random: inout SeededGenerator, isEnded: Bool
    ) throws -> [Int] {
        let session = try Session(run.journal)
        if direction == .forward { _ = try session.perform(.start) }
        _ = try session.perform(.add(StopSpecification(.violation(try Query("$seq % 97 != 0")))))
        var (found, generator) = ([Int](), random)
        var calls = SessionCalls()
        calls.isInterrupted = { isEnded && Int.random(in: 0..<12, using: &generator) == 0 }
        while true {
            _ = try session.perform(.resume(direction), calls)
            switch session.lastStop.reasons.first {
            case .caught?: found.append(session.position.commit.rawValue)
            case .interrupted?: continue
            default: return found
            }
        }
    }

    @Test(
        "a scan that is ended on its way and goes on meets what it would have met", arguments: seeds(0..<4))
    func goesOn(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, commits: 1200, gaps: false)
        var random = SeededGenerator(seed: seed)
        for direction in [SessionDirection.forward, .backward] {
            let whole = try stops(run, direction, endingAtRandom: &random, isEnded: false)
            let parts = try stops(run, direction, endingAtRandom: &random, isEnded: true)
            #expect(whole.count > 10)
            #expect(parts == whole, "seed \(seed), \(direction)")
        }
    }

    @Test(
        "the hits of a stop count by their number, in both directions, and those that log are reported in place of a stop"
    )
    func hits() throws {
        let run = try RandomRun(seed: 3, commits: 200, gaps: false)
        for direction in [SessionDirection.forward, .backward] {
            let session = try Session(run.journal)
            if direction == .forward { _ = try session.perform(.start) }
            var stop = StopSpecification(.violation(try Query("$seq % 7 != 0")))
            stop.hits = HitCondition(parsing: ">= 4")
            stop.log = [try Query("$seq")]
            _ = try session.perform(.add(stop))
            var logged: [Int] = []
            var calls = SessionCalls()
            calls.log = { _, commit, outcomes in
                #expect(outcomes == [.value(.number(JSONNumber(commit.rawValue)))])
                logged.append(commit.rawValue)
            }
            _ = try session.perform(.resume(direction), calls)
            let all = Array(stride(from: 7, through: 199, by: 7))
            let expected = (direction == .forward ? all : all.reversed()).dropFirst(3)
            #expect(logged == Array(expected), "\(direction)")
            #expect(session.breakpoints.first?.hitCount == all.count)
        }
    }

    @Test(
        "the number of hits that counts is read from its text",
        arguments: [
            ("3", [3]), ("== 3", [3]), (" >=3 ", [3, 4, 5]), (">3", [4, 5]), ("< 3", [1, 2]),
        ])
    func conditions(text: String, counted: [Int]) throws {
        let condition = try #require(HitCondition(parsing: text))
        #expect((1...5).filter(condition.includes) == counted)
    }

    @Test(
        "a text that is not a number of hits is refused", arguments: ["", "x", "3 3", "=3", "<= 3", "-1", ">", "1.5"])
    func badConditions(text: String) { #expect(HitCondition(parsing: text) == nil) }

    @Test(
        "the lines of source have each commit once, also where the journal is read in parts",
        arguments: seeds(0..<6))
    func sourceLines(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, commits: 700, gaps: false)
        var lines = try SourceLines(run.journal)
        while !lines.isComplete { try lines.advance() }
        var expected: [String: (count: Int, first: Int, last: Int)] = [:]
        var reader = run.journal.records()
        while let line = try reader.next() {
            guard line.kind == .commit, let place = try Record(line).place, let file = place.file,
                let number = place.line
            else { continue }
            let seq = line.seq.rawValue
            let known = expected["\(file):\(number)"]
            expected["\(file):\(number)"] = ((known?.count ?? 0) + 1, known?.first ?? seq, seq)
        }
        #expect(lines.lines.count == expected.count)
        for line in lines.lines {
            let known = expected["\(line.file):\(line.line)"]
            #expect(known?.count == line.commits && known?.first == line.first.rawValue, "seed \(seed)")
            #expect(known?.last == line.last.rawValue, "seed \(seed)")
        }
    }
}
