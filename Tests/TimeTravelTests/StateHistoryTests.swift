import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing
import TimeTravel

@Suite("How a state came to be")
struct StateHistoryTests {
    @Test(
        "the steps are ascending, end in the state that is asked about, and each has the state after its record",
        arguments: seeds(0..<30))
    func equalsBruteForce(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, gaps: false)
        for text in sampleQueries {
            let query = try Query(text)
            for position in run.positions.filter({ $0 > 0 && $0 % 7 == 0 }) {
                let steps = StateHistory.last(
                    5, through: CommitNumber(position), reading: query.footprint.paths, in: run.journal)
                #expect(steps.count <= 5)
                let numbers = steps.map(\.record.seq)
                #expect(numbers == numbers.sorted(), "seed \(seed), \(text), \(position)")
                for (step, next) in zip(steps, steps.dropFirst()) where step.record.seq < next.record.seq {
                    try hold(step, query, run, "seed \(seed), \(text), \(position)")
                }
                if let last = steps.last {
                    #expect(
                        (try? query.all(of: last.state)) == (try? query.all(of: run.states[position] ?? .null)),
                        "seed \(seed), \(text), \(position)")
                }
            }
        }
    }

    /// The last record of a number makes the state at its position.
    private func hold(_ step: StateHistory.Step, _ query: Query, _ run: RandomRun, _ comment: Comment) throws {
        guard let state = run.states[step.record.seq.rawValue] else { return }
        #expect((try? query.all(of: step.state)) == (try? query.all(of: state)), comment)
    }

    @Test("a history across lost commits is told as far as it goes", arguments: seeds(0..<20))
    func gaps(seed: UInt64) throws {
        let run = try RandomRun(seed: seed)
        for position in run.positions {
            let steps = StateHistory.last(
                4, through: CommitNumber(position), reading: .everything, in: run.journal)
            #expect(steps.count <= 4 && steps.allSatisfy { $0.record.seq.rawValue <= position })
        }
    }
}
