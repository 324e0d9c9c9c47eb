import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing

@testable import TimeTravel

@Suite("Going back and forth in a run")
struct TimelineTests {
    @Test(
        "steps forward, steps back and jumps give the state of each position", arguments: seeds(0..<40),
        [false, true])
    func walks(seed: UInt64, foreign: Bool) throws {
        let run = try RandomRun(seed: seed, foreign: foreign)
        let cursor = try RunCursor(RunStates(run.journal), at: run.journal.start)
        var visited = [cursor.position.rawValue]
        func check() {
            #expect(cursor.state.value == run.states[cursor.position.rawValue], "seed \(seed) at \(cursor.position)")
        }
        check()
        while try cursor.step(.forward) != .atEnd {
            visited.append(cursor.position.rawValue)
            check()
        }
        #expect(visited == run.positions, "seed \(seed)")
        while try cursor.step(.backward) != .atEnd {
            visited.removeLast()
            #expect(cursor.position.rawValue == visited.last, "seed \(seed)")
            check()
        }
        #expect(visited.count == 1)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            guard let position = run.positions.randomElement(using: &random) else { break }
            try cursor.move(to: CommitNumber(position))
            check()
            _ = try cursor.step(Bool.random(using: &random) ? .forward : .backward)
            check()
        }
    }

    @Test("a changed byte is found wherever a sum covers it", arguments: seeds(0..<12))
    func findsChanges(seed: UInt64) throws {
        let maker = JournalMaker(seed: seed, commits: 20)
        var random = SeededGenerator(seed: seed)
        let folder = TemporaryFolder()
        for _ in 0..<40 {
            var bytes = maker.bytes
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let byte = UInt8.random(in: 0...255, using: &random)
            // A line may lack a sum, so a line whose `,"sum":` itself is changed is one without.
            let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            guard bytes[place] != byte, place == end || end - place > 18 else { continue }
            bytes[place] = byte
            var count = 0
            if let journal = try? Journal.open(folder.write(bytes, to: "run.jsonl"), access: .random) {
                _ = try? Verification.run(journal) { _ in count += 1 }
            } else {
                count = 1
            }
            #expect(count > 0, "seed \(seed), byte \(place) to \(byte)")
        }
    }
}

@Suite("A run as it would have been")
struct WhatIfTests {
    /// A line for each position: the number and the state, or the number of what was left out.
    private func events(
        _ run: RandomRun, from lower: Int, _ choice: Run.Choice
    ) throws -> [String] {
        let range = try #require(PositionRange(CommitNumber(lower), run.range.upper))
        var options = Run.Options()
        options.reading = .everything
        options.everyCommit = true
        options.choice = choice
        let chosen = try Run(run.journal, range, options: options)
        var lines: [String] = []
        var (astray, kept): (Set<CommitNumber>, Set<CommitNumber>) = ([], [])
        func note() {
            for conflict in chosen.takeConflicts() {
                switch conflict.effect {
                case .leftOut: lines.append("\(conflict.record.seq) conflict")
                case .applied: astray.insert(conflict.record.seq)
                }
            }
        }
        while let step = try chosen.next() {
            note()
            guard step.isComplete else { continue }
            kept.insert(step.seq)
            if try chosen.commit(of: step) != nil {
                lines.append("\(step.seq) \(chosen.state.text())")
            } else {
                #expect(chosen.state == run.states[step.seq.rawValue], "at \(step.seq)")
            }
        }
        note()
        #expect(astray.isSubset(of: kept), "what does not stay finds no other value than it says")
        return lines
    }

    @Test(
        "without leaving anything out it has the state of each position, from wherever it begins",
        arguments: seeds(0..<30), [false, true])
    func nothingLeftOut(seed: UInt64, foreign: Bool) throws {
        let run = try RandomRun(seed: seed, foreign: foreign)
        let commits = try PlainRun(run).commits
        for lower in run.positions where lower % 5 == 0 {
            let expected = commits.filter { $0 > lower }.map { "\($0) \(run.states[$0]?.text() ?? "")" }
            #expect(try events(run, from: lower, Run.Choice()) == expected, "seed \(seed) from \(lower)")
        }
    }

    @Test(
        "leaving commits out is replaying the others over whole states", arguments: seeds(0..<40), [false, true])
    func without(seed: UInt64, foreign: Bool) throws {
        let run = try RandomRun(seed: seed, foreign: foreign)
        let numbers = run.positions.filter { $0 > 0 && $0 % 5 == Int(seed) % 5 }
        let list = try CommitList(parsing: numbers.map { String($0) }.joined(separator: ","))
        let expected = try PlainRun(run).lines { number, _ in !numbers.contains(number) }
        #expect(try events(run, from: 0, Run.Choice(without: list)) == expected, "seed \(seed)")
    }

    @Test(
        "a commit stays only where the state at its position is so", arguments: seeds(0..<40), [false, true])
    func only(seed: UInt64, foreign: Bool) throws {
        let run = try RandomRun(seed: seed, foreign: foreign)
        func keeps(_ state: JSONValue) -> Bool { state.text().utf8.count % 3 != 0 }
        let expected = try PlainRun(run).lines { _, state in keeps(state) }
        let choice = Run.Choice { (_, state, _) throws(JournalError) in keeps(state) }
        #expect(try events(run, from: 0, choice) == expected, "seed \(seed)")
    }

    @Test(
        "a patch that cannot be read is damage, not a conflict",
        arguments: [
            #"[{"op":"replace","path":"/t"}]"#, #"[{"op":"replace","path":"t","value":1}]"#,
            #"[{"op":"swap","path":"/t"}]"#, #"[{"op":"move","path":"/t"}]"#, "{}", "[1]",
        ])
    func unreadable(patch: String) throws {
        let folder = TemporaryFolder()
        let lines = [
            Lines.store(#"{"t":0}"#), Lines.commit(1, Lines.replace("/t", 1)),
            Lines.commit(2, "").replacing("[]", with: patch),
        ]
        let journal = try Journal.open(folder.write(Lines.journal(lines), to: "run.jsonl"), access: .random)
        var options = Run.Options()
        options.reading = .everything
        options.choice = Run.Choice(without: try CommitList(parsing: "1"))
        let run = try Run(journal, try journal.range(RangeText()), options: options)
        #expect(throws: JournalError.self) { while try run.next() != nil {} }
        #expect(run.takeConflicts().isEmpty)
    }
}

@Suite("What commits cause")
struct CommitCausesTests {
    @Test("a cause is found however its name is written, in lines with a sum and without", arguments: [true, false])
    func spellings(hasSums: Bool) throws {
        let members = [
            "", #","cause":1"#, #","c\u0061use":1"#, #","thread":"cause""#, #","\u0063ause":3"#, #","name":"\\u""#,
        ]
        var lines = [Lines.header, Lines.store(#"{"t":0}"#)]
        for (seq, member) in zip(1..., members) {
            lines.append(Lines.commit(seq, Lines.replace("/t", seq, old: seq - 1), more: member))
        }
        if hasSums {
            lines = lines.map { line in
                let front = Array(line.utf8.dropLast())
                return line.dropLast() + #","sum":"\#(LineSum.text(front.withBytes { LineSum.of($0) }))"}"#
            }
        }
        let folder = TemporaryFolder()
        let path = folder.write(lines.joined(separator: "\n") + "\n", to: "run.jsonl")
        let causes = try CommitCauses(of: try Journal.open(path, access: .random))
        let effects = causes.effects(of: try CommitList(parsing: "1"))
        #expect(effects.map { [$0.commit.rawValue, $0.cause.rawValue] } == [[2, 1], [3, 1], [5, 3]])
    }
}
