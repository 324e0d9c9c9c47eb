import Foundation
import JournalFormat
import JournalReading
import Platform
import TestSupport
import Testing

@testable import Debugger
@testable import TimeTravel

/// A journal with lines lost, doubled, swapped, cut, or with a byte changed.
private struct DamagedJournal {
    let bytes: [UInt8]

    init(seed: UInt64) {
        var maker = JournalMaker(seed: seed, foreign: seed % 3 == 0)
        maker.run(commits: 24, keyframeEvery: seed % 2 == 0 ? 6 : 1_000)
        if seed % 4 != 0 { maker.end() }
        var random = SeededGenerator(seed: seed &* 77)
        var lines = maker.bytes.split(separator: 0x0A, omittingEmptySubsequences: true).map { Array($0) }
        for _ in 0..<Int.random(in: 1...3, using: &random) where lines.count > 4 {
            // The first line stays: without it there is no journal to debug.
            let place = Int.random(in: 1..<lines.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: lines.remove(at: place)
            case 1: lines.insert(lines[place], at: Int.random(in: place...lines.count, using: &random))
            case 2: lines.swapAt(place, Int.random(in: 1..<lines.count, using: &random))
            case 3: lines[place].removeLast(Int.random(in: 1...lines[place].count, using: &random))
            case 4:
                lines[place][Int.random(in: 0..<lines[place].count, using: &random)] ^=
                    1 << UInt8.random(in: 0..<8, using: &random)
            default: lines.insert(lines[place], at: place)
            }
        }
        bytes = Array(lines.joined(separator: [0x0A])) + [0x0A]
    }
}

@Suite("The debugger on damaged runs")
struct DamagedRunTests {
    private static let words = [
        "start", "end", "s", "rs", "c", "rc", "si", "rsi", "goto 7", "goto 12", "back", "forward", "bt", "list",
        "info marks",
        "last /s0", "last /s1/a", "until .s0 == null", "ru .s0 != null", "watch .s0", "watch /s1", "tb run()", "skip 5",
        "unskip", "print .", "print $old", "when", "why", "diff 3", "blame /s0", "catch mark", "s 9", "rs 9", "c 3",
        "rc 3",
    ]

    @Test("no script traps, whatever is damaged, and every stop lies in the run", arguments: seeds(0..<200))
    func scripts(seed: UInt64) throws {
        let folder = TemporaryFolder()
        let path = folder.write(DamagedJournal(seed: seed).bytes, to: "run.jsonl")
        var random = SeededGenerator(seed: seed)
        let script = (0..<30).flatMap { _ in [Self.words.randomElement(using: &random)!, "when"] }
        let file = folder.write(script.joined(separator: "\n") + "\n", to: "script")
        let run = ProgramRun(["debug", path, "-x", file])
        guard let journal = try? Journal.open(path, access: .random), let last = try? journal.lastCommit else { return }
        for line in run.output.split(separator: "\n") where line.hasPrefix("position ") || line.hasPrefix("commit ") {
            // 'commit 7 of 24' and 'position 7 of 24', as 'when' says it.
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            if numbers.count == 2 { #expect(numbers[0] <= last.rawValue, "seed \(seed)\n\(run)") }
        }
    }

    @Test("a screen can be drawn after every motion", arguments: seeds(0..<60))
    func screens(seed: UInt64) throws {
        let folder = TemporaryFolder()
        let path = folder.write(DamagedJournal(seed: seed).bytes, to: "run.jsonl")
        guard let journal = try? Journal.open(path, access: .random), let session = try? Session(journal) else {
            return
        }
        let reader = FullScreenReader(session) { _, _ in nil }
        var random = SeededGenerator(seed: seed)
        let motions: [SessionAction] = [
            .start, .end, .step(.forward, count: 3), .step(.backward, count: 2), .step(.forward, count: 1),
            .stepChange(.forward, count: 1), .stepChange(.backward, count: 1), .resume(.forward),
            .resume(.backward), .goTo(CommitNumber(9)),
        ]
        for _ in 0..<12 {
            _ = try? session.perform(motions.randomElement(using: &random)!)
            #expect(session.position.commit <= session.bounds.upper, "seed \(seed)")
            _ = reader.facts(rows: 24)
        }
    }

    @Test(
        "a walk to the end ends at no position past the one that a run is opened at", arguments: seeds(0..<300))
    func openings(seed: UInt64) throws {
        let folder = TemporaryFolder()
        let path = folder.write(DamagedJournal(seed: seed).bytes, to: "run.jsonl")
        guard let journal = try? Journal.open(path, access: .random), let end = try? journal.lastCommit,
            let opened = try? journal.lastState(upTo: end)
        else { return }
        let cursor = try RunCursor(RunStates(journal), at: journal.start)
        while try cursor.step(.forward) != .atEnd {}
        // It may end before: a damaged number may be higher than all that follow.
        #expect(cursor.position <= opened.position, "seed \(seed)")
        if cursor.position == opened.position { #expect(cursor.state.value == opened.value, "seed \(seed)") }
    }

    @Test(
        "a damaged record after a commit takes the commit's state where it is a part of that, and no other",
        arguments: [
            (#"{"seq":2,"kind":"store","store":"n","type":"T" x}"#, 1), (#"{"seq":2,"kind":"close","store":5}"#, 2),
            (#"{"seq":2,"kind":"close","store":"n"}"#, 2), (#"{"seq":2,"ki"#, 2),
            (#"{"seq":3,"kind":"commit","store":"s","patch":[{"op":"remove","path":"/n"}]}"#, 2),
        ])
    func lastKnown(line: String, last: Int) throws {
        let folder = TemporaryFolder()
        var lines = Self.journal([1, 2, 3, 4]).split(separator: 0x0A).map { Array($0) }
        lines.insert(Array(line.utf8), at: 4)
        let path = folder.write(Array(lines.joined(separator: [0x0A])) + [0x0A], to: "run.jsonl")
        let journal = try Journal.open(path, access: .random)
        #expect(try journal.lastState(upTo: CommitNumber(4)).position.rawValue == last)
        let cursor = try RunCursor(RunStates(journal), at: journal.start)
        while try cursor.step(.forward) != .atEnd {}
        #expect(cursor.position.rawValue == last)
    }

    private static func journal(_ commits: [Int]) -> [UInt8] {
        Array(
            Lines.journal([Lines.store(#"{"t":0}"#)] + commits.map { Lines.commit($0, Lines.replace("/t", $0)) }).utf8)
    }

    private func run(_ script: String, on journal: [UInt8]) -> ProgramRun {
        let folder = TemporaryFolder()
        let path = folder.write(journal, to: "run.jsonl")
        return ProgramRun(["debug", path, "-x", folder.write(script, to: "script"), "--batch"])
    }

    @Test("a scan forwards stops before a last commit that stands twice, and says so")
    func doubledEnd() {
        let run = run("start\ncontinue\nwhen\n", on: Self.journal([1, 1]))
        #expect(run.output.contains("the commits do not count up"), "\(run)")
        #expect(run.output.contains("commit 1 of 1"), "\(run)")
    }

    @Test("the commits before a position are the same, read up to it or down from it, where damage lies between")
    func commitsAroundDamage() throws {
        let folder = TemporaryFolder()
        let path = folder.write(Self.journal([1, 2, 3, 9, 4, 5]), to: "run.jsonl")
        let session = try Session(try Journal.open(path, access: .random), at: CommitNumber(3))
        let records = try session.records(around: CommitNumber(5), before: 100, after: 0)
        #expect(records.map(\.seq.rawValue) == [1, 2, 3])
    }
}
