import JSONCore
import Platform
import TestSupport
import Testing

@testable import JournalFormat
@testable import JournalReading

@Suite("What a pass checks of the lines that it reads")
struct CheckedLinesTests {
    let folder = TemporaryFolder()

    func lines(_ seed: UInt64, gaps: Bool = true) -> [String] {
        var maker = JournalMaker(seed: seed)
        maker.run(commits: 40, gaps: gaps)
        return String(decoding: maker.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    func journal(_ lines: [String]) throws -> Journal {
        try Journal.open(folder.write(lines.map { $0 + "\n" }.joined(), to: "run.jsonl"), access: .random)
    }

    func withoutSum(_ line: String) -> String {
        Array(line.utf8).withBytes { LineSum.written(in: $0) } == nil
            ? line : line.dropLast(LineSum.tailLength) + "}"
    }

    /// The lines that are read, and what ends the reading.
    func forward(_ journal: Journal, recover: Bool = false) -> (lines: [String], error: JournalError?) {
        var reader = journal.records(recover: recover)
        var lines: [String] = []
        do throws(JournalError) {
            while let line = try reader.next() { lines.append(String(decoding: line.bytes, as: UTF8.self)) }
        } catch { return (lines, error) }
        return (lines, nil)
    }

    func backward(_ journal: Journal, recover: Bool = false) throws -> (lines: [String], error: JournalError?) {
        var reader = try journal.recordsBackward(recover: recover)
        var lines: [String] = []
        do throws(JournalError) {
            while let line = try reader.next() { lines.append(String(decoding: line.bytes, as: UTF8.self)) }
        } catch { return (lines, error) }
        return (lines, nil)
    }

    func reason(_ error: JournalError?) -> JournalDamage.Reason? {
        guard case .damage(let damage)? = error?.fact else { return nil }
        return damage.reason
    }

    /// What ends a pass that reads little.
    func filtered(_ journal: Journal) -> JournalError? {
        var filter = RecordFilter(touching: reads("user", "a"))
        var reader = journal.records()
        do throws(JournalError) {
            while try reader.next(matching: &filter) != nil {}
            return nil
        } catch { return error }
    }

    func reads(_ path: String...) -> PathSet {
        var set = PathSet.nothing
        set.insert(JSONPointer(path))
        return set
    }

    @Test("a missing line is the same damage backwards as forwards", arguments: seeds(1..<31))
    func missingLine(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var lines = lines(seed)
        let commits = lines.indices.dropLast().filter { lines[$0].contains(#""kind":"commit""#) }
        lines.remove(at: try #require(commits.randomElement(using: &random)))
        let journal = try journal(lines)
        let forward = forward(journal)
        let backward = try backward(journal)
        #expect(forward.error != nil)
        #expect(backward.error == forward.error, "seed \(seed)")
    }

    @Test("what is left out after damage is left out backwards too", arguments: seeds(1..<31))
    func recovery(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var lines = lines(seed)
        for _ in 0..<3 {
            let index = Int.random(in: 2..<lines.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: lines.remove(at: index)
            case 1: lines[index] = "junk"
            default: lines[index] = lines[index].replacing("a", with: "o")
            }
        }
        let journal = try journal(lines)
        let forward = forward(journal, recover: true)
        let backward = try backward(journal, recover: true)
        #expect(forward.error == nil && backward.error == nil)
        #expect(backward.lines == forward.lines.reversed(), "seed \(seed)")
    }

    @Test("a line that lost its newline is noticed, by whatever pass", arguments: seeds(1..<21))
    func lostNewline(seed: UInt64) throws {
        for hasSums in [true, false] {
            let lines = lines(seed).map { hasSums ? $0 : withoutSum($0) }
            for index in lines.indices.dropFirst(2) {
                var joined = lines
                joined[index - 1] += "J" + joined.remove(at: index)
                let journal = try journal(joined)
                #expect(forward(journal).error != nil, "seed \(seed), line \(index)")
                #expect(filtered(journal) != nil, "seed \(seed), line \(index)")
            }
        }
    }

    @Test("a state may hold records of its own, numbers and all")
    func recordsInside() throws {
        let inner = #"[{"seq":1,"kind":"close","store":"s"},{"seq":2}]"#
        let journal = try journal([
            #"{"seq":0,"kind":"journal","version":1,"id":"x"}"#,
            #"{"seq":0,"kind":"store","store":"s","state":\#(inner)}"#,
            #"{"seq":0,"kind":"mark","text":"}{\"seq\":0,\"kind\":\"close\"}"}"#,
        ])
        #expect(forward(journal).error == nil)
        var filter = RecordFilter(touching: .everything, kinds: .commit)
        var reader = journal.records()
        #expect(try reader.next(matching: &filter) == nil)
    }

    @Test("a wrong sum is damage where the line is read, and not where it is passed over")
    func wrongSum() throws {
        var lines = lines(3, gaps: false)
        let index = try #require(lines.indices.dropFirst(9).first { lines[$0].contains(#""kind":"commit""#) })
        lines[index] = lines[index].replacing(#""time":"2026"#, with: #""time":"2027"#)
        let journal = try journal(lines)
        guard case .sum? = reason(forward(journal).error) else {
            Issue.record("the sum is not looked at")
            return
        }
        #expect(try backward(journal).error == forward(journal).error)
        var filter = RecordFilter(touching: .nothing)
        var reader = journal.records()
        #expect(try reader.next(matching: &filter) == nil)
        #expect(forward(journal, recover: true).error == nil)
        var unchecked = journal.records(checksSums: false)
        while try unchecked.next() != nil {}
    }

    @Test("a gap begins with the commit after the last one, and reading goes on at it")
    func gapStart() throws {
        let front = [
            #"{"seq":0,"kind":"journal","version":1,"id":"x"}"#, #"{"seq":0,"kind":"store","store":"s","state":0}"#,
            #"{"seq":1,"kind":"commit","store":"s","patch":[]}"#,
        ]
        for first in [1, 3, 4] {
            let gap = #"{"seq":4,"kind":"gap","first":\#(first),"lost":\#(5 - first),"states":{"s":4}}"#
            let journal = try journal(front + [gap])
            #expect(
                reason(forward(journal).error)
                    == .gapStart(found: CommitNumber(first), expected: CommitNumber(2)))
            #expect(try backward(journal).error == forward(journal).error)
            #expect(forward(journal, recover: true).lines == front + [gap])
        }
    }

    @Test("a file that is cut while it is read is no shorter journal")
    func cut() throws {
        let header = lines(5)[0]
        let mark = #"{"seq":0,"kind":"mark","text":"\#(String(repeating: "x", count: 4000))"}"#
        let path = folder.write(
            Array(([header] + Array(repeating: mark, count: 200)).map { $0 + "\n" }.joined().utf8), to: "c")
        let journal = try Journal.open(path, access: .random)
        _ = folder.write(header + "\n" + mark + "\n", to: "c")
        guard case .cut? = forward(journal).error?.fact else {
            Issue.record("the end of the file is taken for the end of the journal")
            return
        }
    }

    @Test("a commit of a store that is not open is damage, also where a seek reads nothing of the store")
    func unknownStore() throws {
        let journal = try journal([
            #"{"seq":0,"kind":"journal","version":1,"id":"x"}"#, #"{"seq":0,"kind":"store","store":"s","state":0}"#,
            #"{"seq":1,"kind":"commit","store":"s","patch":[]}"#, #"{"seq":2,"kind":"commit","store":"t","patch":[]}"#,
        ])
        let paths = reads("s")
        #expect(throws: JournalError.self) { try journal.state(at: CommitNumber(2), pruning: paths) }
    }

    @Test("the sum is CRC-32C, at every length", arguments: 0...70)
    func sums(length: Int) {
        var random = SeededGenerator(seed: UInt64(length))
        let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0x82F6_3B78 : crc >> 1 }
        }
        #expect(bytes.withBytes { LineSum.of($0) } == ~crc)
    }
}

@Suite("Copies of copies")
struct CopyLimitTests {
    let folder = TemporaryFolder()

    /// A journal of one store and these patches.
    private func journal(_ state: String, _ patches: [String]) throws -> Journal {
        let lines = [Lines.store(state)] + patches.enumerated().map { Lines.commit($0 + 1, $1) }
        return try Journal.open(folder.write(Lines.journal(lines), to: "run.jsonl"), access: .random)
    }

    private func refusal(_ journal: Journal) -> PatchError.Reason? {
        do throws(JournalError) {
            _ = try journal.state(at: journal.lastCommit)
        } catch {
            if case .damage(let damage) = error.fact, case .patch(_, _, let error) = damage.reason {
                return error.reason
            }
        }
        return nil
    }

    private static let doubling = #"{"op":"copy","from":"/a","path":"/a/-"}"#

    @Test("forty that double a value in one patch are refused")
    func onePatch() throws {
        let patch = Array(repeating: Self.doubling, count: 40).joined(separator: ",")
        #expect(try refusal(journal(#"{"a":["0123456789"]}"#, [patch])) == .copyTooLarge)
    }

    @Test("forty that double a value in as many commits are refused")
    func manyCommits() throws {
        let patches = Array(repeating: Self.doubling, count: 40)
        #expect(try refusal(journal(#"{"a":["0123456789"]}"#, patches)) == .copyTooLarge)
    }

    @Test("many of a large value are refused once the state is larger than the limit, and not before")
    func together() throws {
        let text = String(repeating: "x", count: 4_000_000)
        let state = #"{"a":"\#(text)","b":[]}"#
        let copy = #"{"op":"copy","from":"/a","path":"/b/-"}"#
        let limit = CopyBudget.stateLimit
        #expect(
            try refusal(journal(state, [Array(repeating: copy, count: 200).joined(separator: ",")]))
                == .copiesTooLarge(limit: limit))
        #expect(try refusal(journal(state, Array(repeating: copy, count: 200))) == .copiesTooLarge(limit: limit))
        #expect(try refusal(journal(state, Array(repeating: copy, count: 100))) == nil)
        // What was copied may be taken out again.
        let inAndOut = copy + #",{"op":"remove","path":"/b/0"}"#
        #expect(try refusal(journal(state, Array(repeating: inAndOut, count: 200))) == nil)
    }
}
