import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing
import TimeTravel

@Suite("Repairing a journal")
struct JournalRepairTests {
    /// A journal, the one made of it, and where they lie.
    struct Repaired {
        let folder = TemporaryFolder()
        let bytes: [UInt8]
        let journal: Journal
        let summary: JournalRepair.Summary

        init(_ damaged: [UInt8]) throws {
            var repair = JournalRepair(try Journal.open(folder.write(damaged, to: "damaged.jsonl"), access: .random))
            while try repair.next() {}
            summary = repair.summary
            var made: [UInt8] = []
            repair.withPendingLines { made = $0 }
            bytes = made
            journal = try Journal.open(folder.write(made, to: "whole.jsonl"), access: .random)
        }

        func gaps() throws -> [GapRecord] {
            var gaps: [GapRecord] = []
            var reader = journal.records()
            while let line = try reader.next() {
                guard line.kind == .gap else { continue }
                gaps.append(try line.decode { (object) throws(RecordFault) in try GapRecord(object) })
            }
            return gaps
        }
    }

    /// Ways in which a file gets damaged.
    enum Damage: CaseIterable, Sendable { case cut, bytes, garbage, doubled }

    static func made(_ seed: UInt64) -> JournalMaker {
        var maker = JournalMaker(seed: seed, after: seed % 4 == 0 ? 500 : nil)
        maker.run(commits: 70)
        if seed % 3 != 0 { maker.end() }
        return maker
    }

    /// The journal with some damage after its first line.
    static func damaged(_ bytes: [UInt8], _ damage: Damage, _ random: inout SeededGenerator) -> [UInt8] {
        let header = (bytes.firstIndex(of: 10) ?? 0) + 1
        var bytes = bytes
        switch damage {
        case .cut: bytes.removeSubrange(Int.random(in: header..<bytes.count, using: &random)...)
        case .bytes:
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: header..<bytes.count, using: &random)
                let end = bytes[place...].firstIndex(of: 10) ?? bytes.count
                // A line may lack a sum, so a line whose `,"sum":` itself is changed is one without.
                guard place == end || end - place > 18 else { continue }
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
        case .garbage, .doubled:
            let starts = bytes.indices.filter { $0 >= header && bytes[$0 - 1] == 10 }
            guard let start = starts.randomElement(using: &random) else { return bytes }
            let end = bytes[start...].firstIndex(of: 10) ?? bytes.count - 1
            bytes.insert(contentsOf: damage == .garbage ? Array("\0\0{\n".utf8) : Array(bytes[start...end]), at: start)
        }
        return bytes
    }

    @Test(
        "whatever happened to a journal, the repaired one verifies, and its states are those of the run",
        arguments: Damage.allCases, seeds(1..<41))
    func anyDamage(damage: Damage, seed: UInt64) throws {
        let maker = Self.made(seed)
        var random = SeededGenerator(seed: seed)
        let repaired = try Repaired(Self.damaged(maker.bytes, damage, &random))
        #expect(try RunFixtures.problems(of: repaired.journal) == [], "seed \(seed)")
        let last = try repaired.journal.lastCommit.rawValue
        #expect(repaired.summary.lastCommit.rawValue == last, "seed \(seed)")
        let gaps = try repaired.gaps()
        let edges = Set(gaps.map { $0.first.rawValue - 1 } + [last])
        for position in maker.start...last {
            guard !gaps.contains(where: { $0.first.rawValue <= position && position < $0.seq.rawValue }) else {
                continue
            }
            let state = try repaired.journal.state(at: CommitNumber(position))
            guard case .object(let expected)? = maker.states[position] else {
                Issue.record("seed \(seed): position \(position) was never kept")
                continue
            }
            // The records of the stores that were opened directly before the damage may be lost.
            let lost = edges.contains(position) ? Self.storesOpened(at: position, in: maker.bytes) : []
            func known(_ stores: JSONObject) -> JSONObject { JSONObject(stores.filter { !lost.contains($0.key) }) }
            #expect(known(state.stores) == known(expected), "seed \(seed), position \(position)")
        }
    }

    @Test(
        "every commit is kept, byte for byte, whose line is whole and before which the state is known",
        arguments: [Damage.bytes, .garbage], seeds(1..<61))
    func allThatCanBe(damage: Damage, seed: UInt64) throws {
        let maker = Self.made(seed)
        var random = SeededGenerator(seed: seed)
        let damaged = Self.damaged(maker.bytes, damage, &random)
        let kept = Set(try Repaired(damaged).bytes.split(separator: 10))
        for line in Self.keepable(of: maker.bytes, in: damaged) where !kept.contains(line) {
            Issue.record("seed \(seed), \(damage): lost \(String(decoding: line.prefix(60), as: UTF8.self))")
        }
    }

    /// The commits that can be kept for certain, found by nothing but comparing lines: after damage the state is not known
    /// until a whole keyframe or gap says it.
    private static func keepable(of bytes: [UInt8], in damaged: [UInt8]) -> [ArraySlice<UInt8>] {
        let there = damaged.split(separator: 10)
        let (whole, original) = (Set(there), Set(bytes.split(separator: 10)))
        // What stands between two lines is damage, too.
        let behindGarbage = Set(zip(there, there.dropFirst()).filter { !original.contains($0.0) }.map(\.1))
        var (isKnown, isBridged) = (true, false)
        var (last, keepable) = ("", [ArraySlice<UInt8>]())
        for line in bytes.split(separator: 10) {
            let head = String(decoding: line, as: UTF8.self).split(separator: ",").prefix(2)
            if !whole.contains(line) || behindGarbage.contains(line) { isKnown = false }
            guard whole.contains(line) else { continue }
            switch head[1] {
            case #""kind":"keyframe""# where !isKnown, #""kind":"gap""# where !isKnown:
                isKnown = true
                // A state that the lines before do not lead to comes with a gap, which takes a commit.
                isBridged = last == head[0]
            case #""kind":"commit""# where isKnown:
                if !isBridged { keepable.append(line) }
                isBridged = false
                last = String(head[0])
            default: break
            }
        }
        return keepable
    }

    /// The names in the `store` records of a number.
    static func storesOpened(at position: Int, in bytes: [UInt8]) -> [String] {
        bytes.split(separator: 10).filter { $0.starts(with: #"{"seq":\#(position),"kind":"store""#.utf8) }
            .compactMap { line in
                guard case .object(let record)? = try? JSONParser.parse(Array(line)) else { return nil }
                guard case .string(let name)? = record["store"] else { return nil }
                return name
            }
    }

    @Test("a line whose sum alone is damaged is kept where it can still be held against it, and never with that sum")
    func damagedSum() throws {
        let bytes = Self.made(1).bytes
        let ends = bytes.indices.filter { bytes[$0] == 10 }
        for (line, end) in ends.enumerated() where CaseAmount.isAll || line % 5 == 0 {
            for place in (end - 17)..<end {
                var damaged = bytes
                damaged[place] ^= 0x20
                guard let repaired = try? Repaired(damaged) else { continue }
                #expect(try RunFixtures.problems(of: repaired.journal) == [], "byte \(place)")
                // Its name, or the case of a letter.
                let isReadable =
                    (end - 16...end - 14).contains(place) || place < end - 1 && damaged[place] == bytes[place] - 0x20
                if isReadable, damaged[place] >= 0x41 { #expect(repaired.bytes == bytes, "byte \(place)") }
            }
        }
    }

    @Test("a damaged first line is mended", arguments: seeds(1..<41))
    func damagedHeader(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var bytes = Self.made(seed).bytes
        let header = bytes.firstIndex(of: 10) ?? 0
        bytes[Int.random(in: 0..<header, using: &random)] = UInt8.random(in: 32...126, using: &random)
        // A file whose first line is none of a journal cannot be opened.
        guard let repaired = try? Repaired(bytes) else { return }
        #expect(try RunFixtures.problems(of: repaired.journal) == [], "seed \(seed)")
    }

    @Test("a whole journal is copied byte for byte", arguments: seeds(1..<21))
    func copy(seed: UInt64) throws {
        let bytes = Self.made(seed).bytes
        let repaired = try Repaired(bytes)
        #expect(repaired.bytes == bytes, "seed \(seed)")
        #expect(repaired.summary.isUnchanged)
    }

    @Test("a torn tail is left out, and every line before it stays as it is", arguments: seeds(1..<21))
    func tornTail(seed: UInt64) throws {
        let bytes = Self.made(seed).bytes
        let repaired = try Repaired(bytes + Array(#"{"seq":9,"ki"#.utf8))
        #expect(repaired.bytes == bytes, "seed \(seed)")
        #expect(repaired.summary.wasTorn && !repaired.summary.isCut && repaired.summary.lost == 0)
    }

    // MARK: Single lines

    static let at = #""at":{"file":"A/B.swift","line":1,"column":1,"function":"f()"}"#

    static func time(_ second: Int) -> String { #""time":"2026-01-01T00:00:0\#(second).000000Z""# }

    static func commit(_ seq: Int, _ old: Int, second: Int = 1, more: String = "") -> String {
        #"{"seq":\#(seq),"kind":"commit","store":"s","version":\#(seq),\#(time(second)),\#(at)\#(more),"patch":"#
            + #"[{"op":"replace","path":"/n","value":\#(seq),"old":\#(old)}]}"#
    }

    static let header = #"{"seq":0,"kind":"journal","version":1,"id":"x",\#(time(0)),"recorder":"r"}"#
    static let store = #"{"seq":0,"kind":"store","store":"s","type":"S",\#(time(1)),\#(at),"state":{"n":0}}"#

    static func keyframe(_ seq: Int, n: Int, commits: Int, more: String = "") -> String {
        #"{"seq":\#(seq),"kind":"keyframe","states":{"s":{"n":\#(n)}\#(more)},"totals":{"commits":{"s":\#(commits)},"#
            + #""open":["s"],"derived":[],"marks":0,"gaps":0,"aborts":0}}"#
    }

    static func text(_ lines: [String]) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

    @Test("lost commits become a gap with the next keyframe's states, and totals count what is left")
    func gap() throws {
        let lines = [
            Self.header, Self.store, Self.commit(1, 0), "damage", Self.commit(3, 2), Self.keyframe(3, n: 3, commits: 3),
            Self.commit(4, 3), Self.keyframe(4, n: 4, commits: 4),
        ]
        let repaired = try Repaired(Self.text(lines))
        let made = String(decoding: repaired.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        try #require(made.count == 7)
        #expect(Array(made[..<3]) == Array(lines[..<3]))
        #expect(
            made[3].hasPrefix(
                #"{"seq":3,"kind":"gap",\#(Self.time(1)),"first":2,"lost":2,"reason":"damaged","states":{"s":{"n":3}}"#)
        )
        #expect(
            made[4].contains(#""totals":{"commits":{"s":1},"open":["s"],"derived":[],"marks":0,"gaps":1,"aborts":0}"#))
        #expect(made[5] == lines[6])
        #expect(made[6].contains(#""commits":{"s":2}"#))
        #expect(repaired.summary.commits == 2 && repaired.summary.lost == 2 && repaired.summary.rewritten == 2)
        #expect(try RunFixtures.problems(of: repaired.journal) == [])
    }

    @Test(
        "a version that never was is written anew, of the first line and of a commit, which keeps its changes",
        arguments: [(0, 0), (0, -1), (0, Int.min), (2, -1)])
    func version(line: Int, version: Int) throws {
        var lines = [Self.header, Self.store, Self.commit(1, 0), Self.commit(2, 1)]
        lines[line] = lines[line].replacing(#""version":1"#, with: #""version":\#(version)"#)
        let repaired = try Repaired(Self.text(lines))
        #expect(try RunFixtures.problems(of: repaired.journal) == [])
        #expect(try Repaired(repaired.bytes).bytes == repaired.bytes)
        #expect(repaired.summary.rewritten == 1 && repaired.summary.commits == 2)
    }

    @Test(
        "a line that says what cannot be is left out, or says the rest",
        arguments: [
            (#"{"seq":1,"kind":"outcome","commit":9,"derived":[{"name":"d","outcome":"fired"}]}"#, 1, 0),
            (#"{"seq":1,"kind":"outcome","commit":1,"derived":[{"name":"d","outcome":"exploded"}]}"#, 1, 0),
            (#"{"seq":1,"kind":"mark",\#(time(1)),"text":"t","level":"loud"}"#, 0, 1),
            (#"{"seq":1,"kind":"abort","store":"nobody",\#(time(1)),\#(at),"error":"e"}"#, 1, 0),
            (#"{"seq":1,"kind":"close","store":"nobody",\#(time(1))}"#, 1, 0),
            (#"{"seq":1,"kind":"mark",\#(time(1)),"text":"t","level":null}"#, 0, 0),
        ])
    func impossible(_ line: String, _ leftOut: Int, _ rewritten: Int) throws {
        let lines = [Self.header, Self.store, Self.commit(1, 0), line, Self.commit(2, 1)]
        let repaired = try Repaired(Self.text(lines))
        #expect(try RunFixtures.problems(of: repaired.journal) == [])
        #expect(try Repaired(repaired.bytes).bytes == repaired.bytes)
        let summary = repaired.summary
        #expect(summary.commits == 2 && summary.leftOut == leftOut && summary.rewritten == rewritten)
    }

    @Test("without a keyframe after the damage the journal ends there")
    func end() throws {
        let repaired = try Repaired(
            Self.text([Self.header, Self.store, Self.commit(1, 0), Self.commit(2, 0), Self.commit(3, 2)]))
        #expect(repaired.bytes == Self.text([Self.header, Self.store, Self.commit(1, 0)]))
        #expect(repaired.summary.isCut && repaired.summary.lost == 0)
    }

    @Test("a keyframe that the lines before it do not lead to costs the next commit")
    func bridge() throws {
        let lines = [
            Self.header, Self.store, Self.commit(1, 0), "damage", Self.keyframe(1, n: 1, commits: 1, more: #","t":{}"#),
            Self.commit(2, 1), Self.commit(3, 2),
        ]
        let repaired = try Repaired(Self.text(lines))
        #expect(try RunFixtures.problems(of: repaired.journal) == [])
        #expect(try repaired.gaps().map(\.first.rawValue) == [2])
        #expect(try repaired.journal.state(at: CommitNumber(3)).value.text() == #"{"s":{"n":3},"t":{}}"#)
        #expect(repaired.summary.lost == 1 && repaired.summary.commits == 2)
    }

    @Test(
        "what a verification holds against a single line is mended in it or left out",
        arguments: [
            commit(2, 1, second: 0), commit(2, 1, more: #","cause":2"#),
            #"{"seq":1,"kind":"mark",\#(time(1))}"#, #"{"seq":1,"kind":"mark",\#(time(0)),"text":"m"}"#,
            #"{"seq":1,"kind":"mark",\#(time(1)),"text":"m","sum":"00000000"}"#,
            #"{"seq":1,"kind":"close","store":"none",\#(time(1))}"#, #"{"seq":1,"kind":"end",\#(time(1))}"#,
            keyframe(1, n: 1, commits: 9), store.replacingSeq(1), #"{"seq":4,"kind":"gap","#,
        ])
    func mended(line: String) throws {
        let lines = [Self.header, Self.store, Self.commit(1, 0), line]
        let rest = line.contains("commit\",") ? [Self.commit(3, 2)] : [Self.commit(2, 1), Self.commit(3, 2)]
        let damaged = Self.text(lines + rest)
        let repaired = try Repaired(damaged)
        #expect(try RunFixtures.problems(of: repaired.journal) == [])
        #expect(!repaired.summary.isUnchanged)
        let isCut = line.hasPrefix(#"{"seq":4"#) || line.contains("\"store\",\"store\"")
        #expect(repaired.summary.isCut == isCut)
        #expect(repaired.summary.lastCommit.rawValue == (isCut ? 1 : 3))
    }

    @Test(
        "a line that stands twice is left out alone, whatever it is and whatever follows it",
        arguments: seeds(1..<81))
    func repeatedLine(seed: UInt64) throws {
        let maker = Self.made(seed)
        var random = SeededGenerator(seed: seed)
        let damaged = Self.damaged(maker.bytes, .doubled, &random)
        let repaired = try Repaired(damaged)
        #expect(try RunFixtures.problems(of: repaired.journal) == [], "seed \(seed)")
        #expect(repaired.summary.lost == 0 && !repaired.summary.isCut, "seed \(seed)")
        for (position, state) in maker.states {
            #expect(try repaired.journal.state(at: CommitNumber(position)).value == state, "seed \(seed), \(position)")
        }
    }

    @Test("whole lines after a damaged one are kept as long as no commit comes")
    func linesBehindDamage() throws {
        let opened = #"{"seq":1,"kind":"store","store":"t","type":"T",\#(Self.time(1)),\#(Self.at),"state":7}"#
        let lines = [
            Self.header, Self.store, Self.commit(1, 0), "damage", opened, Self.commit(2, 1), Self.commit(3, 2),
        ]
        let repaired = try Repaired(Self.text(lines))
        #expect(repaired.bytes == Self.text([lines[0], lines[1], lines[2], opened]))
        #expect(repaired.summary.isCut && repaired.summary.cutCommits == 2 && repaired.summary.leftOut == 1)
    }

    @Test("many damaged keyframes in a row do not exhaust the stack")
    func manyDamagedKeyframes() throws {
        let keyframe = #"{"seq":9,"kind":"keyframe","states":{},"sum":"00000000"}"#
        let repaired = try Repaired(
            Self.text(
                [Self.header, "damage"] + Array(repeating: keyframe, count: 20_000) + [
                    Self.keyframe(5, n: 5, commits: 5)
                ]))
        #expect(try RunFixtures.problems(of: repaired.journal) == [])
        #expect(repaired.summary.lastCommit.rawValue == 5 && repaired.summary.lost == 5)
    }
}

extension String {
    /// A record with another number, which was 0.
    fileprivate func replacingSeq(_ seq: Int) -> String { "{\"seq\":\(seq)" + dropFirst("{\"seq\":0".count) }
}
