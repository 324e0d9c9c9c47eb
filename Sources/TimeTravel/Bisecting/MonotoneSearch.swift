public import JSONCore
public import JournalFormat
public import JournalReading
import QueryLanguage

/// Finds the turn from good to bad by binary search, for runs that turn once: `--monotone` and `--run`.
///
/// Both ends are tested first, and the neighbours of the answer in the end, so that a run which does not turn just once is
/// noticed where it shows. Each state is rebuilt from the keyframe before it.
///
/// - Complexity: about log₂ *n* states, each of the size that is read.
public struct MonotoneSearch {
    /// A state that is to be judged.
    public struct Candidate: Sendable {
        /// The candidate's position.
        public let position: CommitNumber
        /// The state, pruned to what is read.
        public let state: JSONValue
        /// The record that made it: a commit, else a store or a gap; nil before the first commit.
        public let record: OwnedRecord?
        /// Whether the state is only on the way to the one at its position, whose verdict is another one.
        public let isBetween: Bool
        /// How many tests are left at the most, this one included, where each position can be judged.
        public let testsLeft: Int
    }

    /// How many tests follow the search by halves: of the states at the answer, else of the positions beside it.
    private var following: Int { options.checksNeighbours ? 2 : 0 }

    /// Says what a state is.
    public typealias Test = (Candidate) throws -> Bisection.Verdict

    private let journal: Journal
    private let reading: PathSet
    private let options: BisectOptions
    private let row: PositionRow
    private let test: Test
    private var verdicts: [Int: Bisection.Verdict] = [:]
    private var skipped = SkippedIndices()
    private var answer = BisectAnswer()

    /// Searches a range of a journal.
    ///
    /// - Parameter set: what the test reads of the state.
    /// - Throws: `JournalError`, and what the test throws.
    public static func run(
        _ journal: Journal, _ range: PositionRange, reading set: PathSet, options: BisectOptions = BisectOptions(),
        test: @escaping Test
    ) throws -> BisectAnswer {
        let row = try PositionRow(journal, range, touching: options.paths, recover: options.recover)
        var search = MonotoneSearch(journal: journal, reading: set, options: options, row: row, test: test)
        try search.search()
        return search.answer
    }

    private mutating func search() throws {
        guard try checkEnds() else { return }
        var bisection = Bisection(count: row.count)
        while case .test(let index) = bisection.next {
            let verdict = try verdict(at: index, testsLeft: bisection.estimatedTests + following)
            bisection.record(verdict, at: index)
            if let range = skipped.range(around: index) { bisection.skip(range) }
        }
        guard case .done(let outcome) = bisection.next else { return }
        answer.lastGood = row[outcome.lastGood]
        if !outcome.isConclusive {
            answer.candidates = (outcome.lastGood + 1...outcome.firstBad).prefix(Answers.candidateLimit).map {
                row[$0]
            }
        }
        let before = answer.tested
        answer.firstBad = try author(of: outcome)
        let left = following - (answer.tested - before)
        if left > 0, outcome.lastGood > 0 { try expect(.good, at: outcome.lastGood - 1, testsLeft: left) }
        if left > 1, outcome.firstBad < row.count - 1 { try expect(.bad, at: outcome.firstBad + 1, testsLeft: 1) }
    }

    /// Tests both ends; false where there is nothing to search between them.
    private mutating func checkEnds() throws -> Bool {
        let left = row.count > 1 ? Bisection(count: row.count).estimatedTests + following : 0
        let first = try verdict(at: 0, testsLeft: left + 2)
        let last = row.count > 1 ? try verdict(at: row.count - 1, testsLeft: left + 1) : first
        answer.isBadAtStart = first.isBad
        answer.isBadAtEnd = last.isBad
        if first != .good { answer.surprises.append(.init(position: row[0], expected: .good, found: first)) }
        if last != .bad { answer.surprises.append(.init(position: row[row.count - 1], expected: .bad, found: last)) }
        return answer.surprises.isEmpty
    }

    private mutating func expect(
        _ expected: Bisection.Verdict, at index: Int, testsLeft: Int
    ) throws {
        let found = try verdict(at: index, testsLeft: testsLeft)
        if found != expected, found != .skip {
            answer.surprises.append(.init(position: row[index], expected: expected, found: found))
        }
    }

    // MARK: Testing

    private mutating func verdict(at index: Int, testsLeft: Int) throws -> Bisection.Verdict {
        if let known = verdicts[index] { return known }
        if skipped.range(around: index) != nil { return .skip }
        let position = row[index]
        if let part = options.skip.part(with: position) {
            skip(row.indices(of: part, around: index))
            return .skip
        }
        let found = try state(at: position)
        switch found {
        case .lost(let positions):
            let indices = row.indices(of: positions, around: index)
            answer.unanswered.lose(row[indices.lowerBound]...row[indices.upperBound])
            skip(indices)
            return .skip
        case .there(let state, let record):
            answer.tested += 1
            let verdict = try test(
                Candidate(position: position, state: state, record: record, isBetween: false, testsLeft: testsLeft))
            if verdict == .skip { skip(index...index) } else { verdicts[index] = verdict }
            return verdict
        }
    }

    private mutating func skip(_ indices: ClosedRange<Int>) {
        skipped.insert(indices)
        answer.skipped = skipped.count
    }

    private enum StateOrGap {
        case there(JSONValue, OwnedRecord?)
        /// The position is one of those that a gap has no state of.
        case lost(ClosedRange<CommitNumber>)
    }

    private func state(at position: CommitNumber) throws(JournalError) -> StateOrGap {
        do throws(JournalError) {
            let state = try journal.state(at: position, pruning: reading).value
            return .there(state, try journal.maker(of: position))
        } catch {
            switch error.fact {
            case .insideGap(_, let first, let last): return .lost(min(first, position)...max(last.previous, position))
            // Of a state that damage takes away nothing is known but its position.
            case .damage where options.recover: return .lost(position...position)
            default: throw error
            }
        }
    }

    /// The record that turned the first bad position; of several that may have, the states in between are judged too.
    private mutating func author(of outcome: Bisection.Outcome) throws -> OwnedRecord? {
        guard let range = PositionRange(row[outcome.lastGood], row[outcome.firstBad]) else { return nil }
        let steps = try steps(in: range)
        answer.crossesGap = steps.contains { $0.record.kind == .gap }
        var before = Bisection.Verdict.good
        var author = steps.last?.record
        for (index, step) in steps.enumerated() {
            var verdict = Bisection.Verdict.bad
            let others = steps.count - 1 - index
            if others > 0 {
                answer.tested += 1
                verdict = try test(
                    Candidate(
                        position: step.record.seq, state: step.state, record: step.record, isBetween: true,
                        testsLeft: max(others, following - index)))
            }
            if verdict == .bad, before != .bad { author = step.record }
            before = verdict
        }
        return author
    }

    private func steps(in range: PositionRange) throws(JournalError) -> [(record: OwnedRecord, state: JSONValue)] {
        guard let last = PositionRange(max(range.lower, range.upper.previous), range.upper) else { return [] }
        do throws(JournalError) { return try steps(of: last) } catch {
            // The position before the answer may lie in damage, which a run from the last good one goes over.
            guard case .damage = error.fact, options.recover else { throw error }
            return try steps(of: range)
        }
    }

    private func steps(of range: PositionRange) throws(JournalError) -> [(record: OwnedRecord, state: JSONValue)] {
        let options = Run.Options(
            reading: reading, everyCommit: true, keepsRecords: true, recover: self.options.recover)
        let run = try Run(journal, range, options: options)
        var steps: [(record: OwnedRecord, state: JSONValue)] = []
        while let step = try run.next() { steps.append((try run.record(of: step), run.state)) }
        return steps
    }
}

extension Bisection.Verdict {
    var isBad: Bool? {
        switch self {
        case .good: false
        case .bad: true
        case .skip: nil
        }
    }
}

/// The positions that a binary search runs over: all of a range, or its start and those of commits that touch a path.
struct PositionRow {
    private let start: CommitNumber
    private let listed: [CommitNumber]?
    let count: Int

    /// - Complexity: O(1) without a path; with one, a pass over the range that keeps a number for each commit that touches it.
    init(
        _ journal: Journal, _ range: PositionRange, touching paths: PathMatcher, recover: Bool
    ) throws(JournalError) {
        start = range.lower
        guard !paths.isEmpty else {
            listed = nil
            count = range.count + 1
            return
        }
        let options = Run.Options(reading: paths.paths, keepsRecords: true, recover: recover)
        let run = try Run(journal, range, options: options)
        let touched = TouchedCommits(paths)
        touched.follow(journal, range, recover: recover)
        var positions = [range.lower]
        while let step = try run.next() {
            if positions.last == step.seq { continue }
            if let record = run.record, try !touched.contains(record) { continue }
            positions.append(step.seq)
        }
        listed = positions
        count = positions.count
    }

    subscript(index: Int) -> CommitNumber { listed?[index] ?? CommitNumber(start.rawValue + index) }
    /// The indices of positions that stand side by side, one of which has this index.
    func indices(of positions: ClosedRange<CommitNumber>, around index: Int) -> ClosedRange<Int> {
        guard listed == nil else { return index...index }
        let first = max(positions.lowerBound, start).rawValue - start.rawValue
        return first...min(positions.upperBound.rawValue - start.rawValue, count - 1)
    }
}
