import JSONCore
import TestSupport
import Testing

@testable import JournalFormat
@testable import JournalReading

@Suite("Positions of a journal")
struct SeekTests {
    let folder = TemporaryFolder()

    func journal(_ maker: JournalMaker) throws -> Journal {
        try Journal.open(folder.write(maker.bytes, to: "run.jsonl"), access: .random)
    }

    func made(_ seed: UInt64, after: Int? = nil, commits: Int = 120) -> JournalMaker {
        var maker = JournalMaker(seed: seed, after: after)
        maker.run(commits: commits)
        if seed % 3 != 0 { maker.end() }
        return maker
    }

    @Test(
        "the state found by binary search and keyframe is that of a linear replay, at every position",
        arguments: seeds(1..<41))
    func everyPosition(seed: UInt64) throws {
        let maker = made(seed, after: seed % 4 == 0 ? 1000 : nil)
        let journal = try journal(maker)
        #expect(try journal.lastCommit == CommitNumber(maker.seq))
        for position in maker.start...maker.seq {
            guard let expected = maker.states[position] else {
                #expect { try journal.state(at: CommitNumber(position)) } throws: { error in
                    guard case .insideGap(let asked, _, _)? = (error as? JournalError)?.fact else { return false }
                    return asked == CommitNumber(position)
                }
                continue
            }
            let state = try journal.state(at: CommitNumber(position))
            #expect(state.value == expected, "seed \(seed), position \(position)")
            #expect(state.value.text() == expected.ascending().text(), "members ascend")
        }
    }

    @Test("the pruned state is the whole state cut down", arguments: seeds(1..<41))
    func pruned(seed: UInt64) throws {
        var maker = made(seed)
        let journal = try journal(maker)
        for position in stride(from: maker.start, through: maker.seq, by: 7) {
            guard let expected = maker.states[position] else { continue }
            let paths = maker.paths()
            let state = try journal.state(at: CommitNumber(position), pruning: paths)
            #expect(state.value == expected.pruned(to: paths), "seed \(seed), position \(position), \(paths.patterns)")
        }
    }

    @Test(
        "a pass that leaves out what touches nothing sees every change of what it reads",
        arguments: seeds(1..<41, atLeast: 40))
    func filtered(seed: UInt64) throws {
        var maker = made(seed)
        let journal = try journal(maker)
        let paths = maker.paths()
        var filter = RecordFilter(touching: paths)
        var reader = journal.records()
        var state = PositionState(start: journal.start, pruning: paths)
        var seen: [Int: JSONValue] = [:]
        var position = 0
        while let line = try reader.next(matching: &filter) {
            // Commits that were left out change nothing that is read, but a close takes effect with them.
            let before = line.kind == .commit ? line.seq.rawValue - 1 : line.seq.rawValue
            while position < before {
                seen[position] = state.value
                position += 1
                state.advance(to: CommitNumber(position))
            }
            seen[position] = state.value
            try state.apply(line)
            position = line.seq.rawValue
        }
        while position < reader.lastCommit.rawValue {
            seen[position] = state.value
            position += 1
            state.advance(to: CommitNumber(position))
        }
        seen[position] = state.value
        for (position, expected) in maker.states {
            #expect(
                seen[position] == expected.pruned(to: paths), "seed \(seed), position \(position), \(paths.patterns)")
        }
    }

    @Test("a commit's own line is found, and the start has none", arguments: seeds(1..<11))
    func ownLine(seed: UInt64) throws {
        let maker = made(seed, after: seed % 2 == 0 ? 77 : nil)
        let journal = try journal(maker)
        var reader = journal.records()
        while let line = try reader.next() {
            guard line.kind == .commit else { continue }
            let found = try journal.record(of: line.seq)
            #expect(found.offset == line.offset)
            #expect(found.bytes == Array(line.bytes))
        }
        #expect { try journal.record(of: journal.start) } throws: { error in
            guard case .noCommitAtStart? = (error as? JournalError)?.fact else { return false }
            return true
        }
    }

    @Test("a position past the end, or before the start, is told with what there is")
    func outside() throws {
        let maker = made(5, after: 50, commits: 10)
        let journal = try journal(maker)
        let last = CommitNumber(maker.seq)
        #expect { try journal.state(at: CommitNumber(900)) } throws: { error in
            let error = error as? JournalError
            return error?.fact == .pastEnd(asked: CommitNumber(900), first: CommitNumber(50), last: last)
                && error?.category == .noSuchPosition
        }
        #expect { try journal.state(at: CommitNumber(49)) } throws: {
            ($0 as? JournalError)?.fact == .beforeStart(asked: CommitNumber(49), first: CommitNumber(50), last: last)
        }
    }

    @Test(
        "lines read backwards are the lines read forwards, whatever their form", arguments: seeds(1..<11),
        [false, true])
    func backward(seed: UInt64, foreign: Bool) throws {
        var form = ForeignForm(seed: seed)
        let bytes = made(seed, commits: 400).bytes
        let journal = try Journal.open(
            folder.write(foreign ? form.journal(bytes) : bytes, to: "run.jsonl"), access: .random)
        var forward: [OwnedRecord] = []
        var reader = journal.records()
        while let line = try reader.next() { forward.append(line.owned()) }
        var backward: [OwnedRecord] = []
        var back = try journal.recordsBackward()
        while let line = try back.next() { backward.append(line.owned()) }
        #expect(forward.map(\.offset) == backward.reversed().map(\.offset))
        #expect(forward.map(\.bytes) == backward.reversed().map(\.bytes))
    }

    @Test("lines longer than a block are read forwards and backwards")
    func longLines() throws {
        var lines = LineBuilder()
        let time = Timestamp.now()
        lines.journal(JournalHeader(recorder: "test"))
        for count in [10, 70_000, 3, 300_000, 600_000, 1] {
            lines.mark(seq: .zero, time: time, at: nil, text: String(repeating: "x", count: count))
        }
        let journal = try Journal.open(folder.write(lines.bytes, to: "long.jsonl"), access: .random)
        var reader = journal.records()
        var lengths: [Int] = []
        while let line = try reader.next() { lengths.append(line.bytes.count) }
        #expect(lengths.count == 7)
        var back = try journal.recordsBackward()
        var backLengths: [Int] = []
        while let line = try back.next() { backLengths.append(line.bytes.count) }
        #expect(lengths == backLengths.reversed())
    }

    @Test("the last commit not after a moment is found by halves")
    func byTime() throws {
        var lines = LineBuilder()
        let at = SourceLocation(file: "T/F.swift", line: 1, column: 1, function: "f()")
        lines.journal(JournalHeader(time: Timestamp(microseconds: 0), recorder: "test"))
        lines.store(
            seq: .zero, store: "s", type: "T", time: Timestamp(microseconds: 0), at: at,
            state: ByteView(""))
        lines.removeAll()
        lines.journal(JournalHeader(time: Timestamp(microseconds: 0), recorder: "test"))
        for number in 1...300 {
            Array("[]".utf8).withBytes {
                lines.commit(
                    seq: CommitNumber(number), store: "s", version: number, time: Timestamp(microseconds: number * 10),
                    at: at, patch: $0)
            }
            lines.derived(seq: CommitNumber(number), name: "d\(number)", inputs: [], at: at)
        }
        let journal = try Journal.open(folder.write(lines.bytes, to: "t.jsonl"), access: .random)
        for (moment, expected) in [(0, 0), (9, 0), (10, 1), (1555, 155), (3000, 300), (9999, 300)] {
            #expect(try journal.lastCommit(notAfter: Timestamp(microseconds: moment)) == CommitNumber(expected))
        }
    }
}
