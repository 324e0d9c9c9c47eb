import Diagnostics
import TestSupport
import Testing

@testable import JournalFormat
@testable import JournalReading

@Suite("Positions as they are typed")
struct PositionTests {
    let folder = TemporaryFolder()

    /// A journal with a commit at each time, and marks after the commits of some numbers.
    private func journal(
        _ times: [String], marks: [(Int, String)] = [], from first: String = "2026-03-01T12:00:00Z", after: Int = 0
    ) throws -> Journal {
        let at = #""at":{"file":"A/B.swift","line":1,"column":1,"function":"f()"}"#
        let segment = after > 0 ? #","after":\#(after)"# : ""
        var lines = [
            #"{"seq":\#(after),"kind":"journal","version":1,"id":"t","time":"\#(first)","recorder":"hand"\#(segment)}"#,
            #"{"seq":\#(after),"kind":"store","store":"s","type":"S","time":"\#(first)",\#(at),"state":{"n":0}}"#,
        ]
        for (index, time) in times.enumerated() {
            let seq = after + index + 1
            lines.append(
                #"{"seq":\#(seq),"kind":"commit","store":"s","version":\#(seq),"time":"\#(time)",\#(at),"patch":[]}"#)
            for (_, text) in marks.filter({ $0.0 == seq }) {
                lines.append(#"{"seq":\#(seq),"kind":"mark","time":"\#(time)","text":"\#(text)"}"#)
            }
        }
        return try Journal.open(
            folder.write(lines.map { $0 + "\n" }.joined(), to: "run.jsonl"), access: .random)
    }

    private func position(_ text: String, in journal: Journal) throws -> Int {
        try journal.position(PositionText(parsing: text)).rawValue
    }

    private static let day = [
        "2026-03-01T12:00:01.000000Z", "2026-03-01T12:01:10.482917Z", "2026-03-01T12:01:10.900000Z",
        "2026-03-01T12:05:00.000000Z",
    ]

    @Test(
        "a time as 'log' prints it is the last commit not after it",
        arguments: [
            ("12:00:01", 1), ("12:00:00", 0), ("12:00:30", 1), ("12:01:10", 1), ("12:01:10.482", 2),
            ("12:01:10.4829", 1), ("12:01:10.482917", 2), ("12:01:11", 3), ("12:01", 1), ("12:02", 3), ("23:59", 4),
            ("2026-03-01T12:01:11", 3), ("2026-03-01 12:01:11", 3), ("2026-03-01T12:01:10.482", 2),
            ("2026-03-01T12:01:11Z", 3), ("2026-03-01T13:01:11+01:00", 3), ("13:01:11+01:00", 3), ("12:01:11Z", 3),
            ("2026-03-01T12:01", 1), ("2026-03-02T00:00:00", 4),
        ])
    func times(_ text: String, _ expected: Int) throws {
        #expect(try position(text, in: journal(Self.day)) == expected)
    }

    @Test(
        "what 'log' prints of a commit's time names the last commit of that millisecond", arguments: seeds(1..<21))
    func printedTimes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var moment = Timestamp("2026-03-01T12:00:00Z")!.microseconds
        let times = (0..<40).map { _ in
            moment += Int.random(in: 0..<3_000, using: &random)
            return Timestamp(microseconds: moment).text
        }
        let journal = try journal(times)
        for time in times {
            let printed = String(time.dropFirst(11).prefix(12))
            let expected = try #require(times.lastIndex { $0.dropFirst(11).prefix(12) == printed })
            #expect(try position(printed, in: journal) == expected + 1, "seed \(seed), \(printed)")
        }
    }

    @Test("a time of day before the run is one of the next day only where the run lasts so long")
    func midnight() throws {
        let night = ["2026-03-01T23:59:00.000000Z", "2026-03-02T00:05:00.000000Z", "2026-03-03T12:00:00.000000Z"]
        let journal = try journal(night, from: "2026-03-01T23:50:00Z")
        #expect(try position("00:06", in: journal) == 2)
        #expect(try position("23:59:30", in: journal) == 1)
        var notes: [PositionNote] = []
        _ = try journal.position(PositionText(parsing: "00:06")) { notes.append($0) }
        #expect(
            notes.map(\.text) == [
                "the run goes on for over a day, '00:06' was taken for 2026-03-02T00:06:00.000000Z"
            ])
        let short = try self.journal(Self.day)
        #expect { try position("11:59", in: short) } throws: {
            ($0 as? PositionError)?.category == .noSuchPosition
                && ($0 as? PositionError)?.diagnostic.message == "'11:59' is before the first record of '\(short.path)'"
        }
    }

    @Test("a time after a gap is the position that the gap has the state of, one before it the last that was kept")
    func gaps() throws {
        let lines = [
            Lines.header.replacing("2026-01-01T00", with: "2026-03-01T12"),
            #"{"seq":3,"kind":"gap","time":"2026-03-01T12:00:03.000000Z","first":1,"lost":3,"reason":"r","states":{"s":1}}"#,
            Lines.commit(4, "").replacing("2026-01-01T00:00:00", with: "2026-03-01T12:00:04"),
            #"{"seq":7,"kind":"gap","time":"2026-03-01T12:00:07.000000Z","first":5,"lost":3,"reason":"r","states":{"s":1}}"#,
        ]
        let path = folder.write(lines.map { $0 + "\n" }.joined(), to: "gap.jsonl")
        let journal = try Journal.open(path, access: .random)
        let expected = [(2, 0), (3, 3), (4, 4), (6, 4), (7, 7), (9, 7)]
        for (second, expected) in expected { #expect(try position("12:00:0\(second)", in: journal) == expected) }
        let range = try journal.range(RangeText(parsing: "12:00:03..12:00:08"))
        #expect(range == PositionRange(CommitNumber(3), CommitNumber(7)))
    }

    @Test("several marks with a text are told, and each can be named")
    func marks() throws {
        let journal = try journal(
            Self.day, marks: [(1, "tapped Buy"), (2, "tapped Pay"), (3, "tapped Buy"), (4, "retry #2")])
        #expect(try position("mark:Pay", in: journal) == 2)
        #expect(try position("mark:Buy#1", in: journal) == 1)
        #expect(try position("mark:Buy#2", in: journal) == 3)
        #expect(try position("mark:tapped#3", in: journal) == 3)
        var notes: [PositionNote] = []
        #expect(try journal.position(PositionText(parsing: "mark:Buy")) { notes.append($0) } == CommitNumber(1))
        #expect(notes == [.oneOfSeveralMarks("Buy", taken: CommitNumber(1), count: 2)])
        #expect(notes[0].text == "2 marks contain 'Buy': the first was taken, at commit 1; 'mark:Buy#2' is the second")
        notes = []
        _ = try journal.position(PositionText(parsing: "mark:Pay")) { notes.append($0) }
        #expect(notes.isEmpty)
        // A number that the mark itself ends in.
        #expect(try position("mark:retry #2", in: journal) == 4)
        #expect(try position("mark:retry #2#1", in: journal) == 4)
        let range = try journal.range(RangeText(parsing: "mark:Pay.."))
        #expect(range == PositionRange(CommitNumber(2), CommitNumber(4)))
        #expect(try journal.range(RangeText(parsing: "mark:Buy..mark:Buy#2")).upper == CommitNumber(3))
    }

    @Test("a mark that is not there is told with the nearest one, and how many there are")
    func missingMarks() throws {
        let journal = try journal(Self.day, marks: [(1, "tapped Buy"), (3, "tapped Buy")])
        func error(_ text: String) throws -> PositionError? {
            #expect(throws: PositionError.self) { try position(text, in: journal) }
        }
        let missing = try #require(try error("mark:taped Buy"))
        #expect(missing.category == .noSuchPosition && missing.diagnostic.help.first == "write 'mark:tapped Buy'")
        let fewer = try #require(try error("mark:Buy#3"))
        #expect(fewer.diagnostic.message == "2 marks of '\(journal.path)' contain 'Buy', there is no number 3")
    }

    @Test(
        "git's words do",
        arguments: [
            ("HEAD", 4), ("@", 4), ("HEAD~1", 3), ("HEAD~", 3), ("HEAD^", 3), ("HEAD^^", 2), ("end~1", 3),
            ("end-1", 3), ("end^", 3), ("3~1", 2), ("3^", 2), ("3~3", 0), ("end-4", 0),
        ])
    func gitWords(_ text: String, _ expected: Int) throws {
        #expect(try position(text, in: journal(Self.day)) == expected)
    }

    @Test("in a segment 'start' is its 'after', and what lies before it is not there")
    func segments() throws {
        let journal = try journal(Self.day, after: 100)
        #expect(try position("start", in: journal) == 100 && position("end", in: journal) == 104)
        #expect(try position("end-4", in: journal) == 100)
        for text in ["99", "0", "end-5", "105", "end-9223372036854775807", "99999999999999999999", "3~9"] {
            #expect("\(text)") { try position(text, in: journal) } throws: {
                ($0 as? PositionError)?.category == .noSuchPosition
            }
        }
        let list = try CommitList(parsing: "101,102..104")
        try journal.check(list)
        for text in ["100", "105", "99..102", "103..99999999999999999999"] {
            #expect(throws: PositionError.self, "\(text)") { try journal.check(CommitList(parsing: text)) }
        }
        try journal.check(CommitList(parsing: "100"), includesStart: true)
    }

    @Test(
        "what is no position is told with what was probably meant",
        arguments: [
            ("strat", "write 'start'"), ("ned", "write 'end'"), ("last", "write 'end'"), ("-3", "write 'end-3'"),
            ("117..118", "one position is wanted here, not a range"),
            ("2026-03-01", "write '2026-03-01T00:00' for that day's beginning"),
        ])
    func hints(_ text: String, _ help: String) throws {
        let error = #expect(throws: PositionError.self) { try PositionText(parsing: text) }
        #expect(error?.category == .usage && error?.diagnostic.help.first == help)
    }

    @Test(
        "what is no position is refused",
        arguments: ["", "x", "12-3", "end-", "end+1", "mark:", "12:60", "25:00", "1:00", "12:00:", "12:00:00.", "１２"])
    func refused(_ text: String) { #expect(throws: PositionError.self) { try PositionText(parsing: text) } }

    @Test("the last '..' with positions on both sides parts a range")
    func ranges() throws {
        #expect(try RangeText(parsing: "..") == RangeText())
        #expect(try RangeText(parsing: "3..end-1") == RangeText(from: .commit(3), to: .end(minus: 1)))
        #expect(try RangeText(parsing: "mark:a..b..") == RangeText(from: .mark("a..b")))
        #expect(throws: PositionError.self) { try RangeText(parsing: "mark:a..b") }
        #expect(throws: PositionError.self) { try RangeText(parsing: "3") }
    }

    @Test("any text is read or refused, and any number is in range or told", arguments: seeds(1..<31))
    func anyText(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let journal = try journal(Self.day, marks: [(1, "a")], after: seed % 2 == 0 ? 7 : 0)
        let parts = [
            "end", "start", "-", "~", "^", ".", "..", "9", "9223372036854775807", ":", "mark:", "a", "#", "12:00", "T",
            "Z", "é",
        ]
        for _ in 0..<200 {
            let text = (0..<Int.random(in: 1...5, using: &random)).map { _ in parts.randomElement(using: &random)! }
                .joined()
            if let position = try? position(text, in: journal) {
                #expect(
                    (journal.start.rawValue...journal.start.rawValue + 4).contains(position), "seed \(seed), \(text)")
            }
            if let list = try? CommitList(parsing: text), (try? journal.check(list)) != nil {
                #expect(!list.contains(CommitNumber(99)), "seed \(seed), \(text)")
            }
            _ = try? journal.range(RangeText(parsing: text))
        }
    }

    @Test("lists of commits that are joined and taken from one another hold what sets would", arguments: seeds(0..<50))
    func lists(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func list() throws -> CommitList {
            try CommitList(
                parsing: (0...4).map { _ in
                    let first = Int.random(in: 0...30, using: &random)
                    return "\(first)..\(first + Int.random(in: 0...6, using: &random))"
                })
        }
        func numbers(_ list: CommitList) -> Set<Int> { Set((0...60).filter { list.contains(CommitNumber($0)) }) }
        let range = try #require(PositionRange(CommitNumber(3), CommitNumber(28)))
        let (one, other, third) = (try list(), try list(), try list())
        let joined = CommitList().joined(with: one, in: range).joined(with: other, in: range)
        let expected = numbers(one).union(numbers(other)).intersection(4...28)
        #expect(numbers(joined) == expected, "seed \(seed)")
        #expect(joined.count == expected.count, "seed \(seed)")
        #expect(joined.prefix(3).map(\.rawValue) == Array(expected.sorted().prefix(3)), "seed \(seed)")
        let rest = joined.without(third)
        #expect(numbers(rest) == expected.subtracting(numbers(third)), "seed \(seed)")
        #expect(rest.count == numbers(rest).count, "seed \(seed)")
    }

    @Test("numbers of commits, lines and bytes stand in a message as numbers")
    func descriptions() { #expect("\(CommitNumber(3)) \(LineNumber(4)) \(ByteOffset(5))" == "3 4 5") }
}
