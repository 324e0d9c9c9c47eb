import Foundation
import TestSupport
import Testing

@Suite("'verify'")
struct VerifyCommandTests {
    @Test("a name that stands twice in an object is warned of, and is no damage")
    func repeatedNames() throws {
        let journal = ShopJournal { lines in
            lines[1] = lines[1].replacingOccurrences(of: #"{"token":"a1"}"#, with: #"{"to\u006ben":"a0","token":"a1"}"#)
            lines[4] = lines[4].replacingOccurrences(of: #"{"id":1,"price":12}"#, with: #"{"id":1,"price":12,"id":1}"#)
        }
        let run = journal.run("verify", "J")
        #expect(run.status == 0, "\(run)")
        #expect(run.messages.contains("warning: the name 'token' stands twice in an object of line 2"), "\(run)")
        #expect(run.messages.contains("so it is in 1 line more"), "\(run)")
        let plain = ShopJournal { $0[4] = $0[4].replacingOccurrences(of: #","price":12"#, with: #", "price":12"#) }
        #expect(!plain.run("verify", "J").messages.contains("twice"))
    }

    @Test("what is repaired does not go where the problems stand", arguments: ["-", "/dev/stdout"])
    func repairToOutput(_ path: String) throws {
        let journal = ShopJournal()
        let run = journal.run("verify", "J", "--repair", path)
        #expect(run.status == 2 && run.output.isEmpty, "\(run)")
    }

    @Test("a line that a repair leaves out is named by its number, and its kind")
    func leftOutLines() throws {
        let journal = ShopJournal { lines in
            lines.insert(lines[4], at: 5)
            lines.insert("torn {", at: 6)
        }
        let run = journal.run("verify", "J", "--repair", journal.path + ".whole")
        #expect(run.status == 1 && run.messages.contains("left out: 6 (commit), 7 (no record)"), "\(run)")
    }

    @Test(
        "a sum that is written in another way is reported, and a repair leaves it out",
        arguments: [
            #","sum":5}"#, #", "sum":"1a2b3c4d"}"#, #","sum": "1a2b3c4d"}"#, #","sum":null}"#, #","sum":"1a2b3c4d" }"#,
        ])
    func misformedSum(_ tail: String) throws {
        let journal = ShopJournal { $0[4] = String($0[4].dropLast()) + tail }
        let run = journal.run("verify", "J")
        #expect(run.status == 1 && run.output.contains(#""code":"sum","line":5"#), "\(run)")
        let repaired = journal.path + ".whole"
        _ = journal.run("verify", "J", "--repair", repaired)
        let again = ProgramRun(["verify", repaired])
        #expect(again.status == 0 && again.output.contains(#""commits":6"#), "\(again)")
    }

    @Test("a member called 'sum' that is not the line's own last one is none of its sum")
    func otherSums() throws {
        let journal = ShopJournal { lines in
            lines[4] = lines[4].replacingOccurrences(of: #"{"id":1,"price":12}"#, with: #"{"id":1,"sum":5}"#)
            lines[10] = lines[10].replacingOccurrences(of: #"{"id":1,"price":12}"#, with: #"{"id":1,"sum":5}"#)
            lines[8] = #"{"seq":3,"kind":"mark","time":"2026-11-21T12:00:03.500000Z","sum":5,"text":"a"}"#
        }
        let run = journal.run("verify", "J")
        #expect(run.status == 0, "\(run)")
    }

    @Test("what is reported of a journal reaches no terminal unescaped")
    func terminalEscapes() throws {
        let journal = ShopJournal { lines in
            lines[4] = lines[4].replacingOccurrences(of: #""store":"cart""#, with: #""store":"c\u001b[31m""#)
        }
        let run = journal.run("verify", "J", "--format", "human")
        #expect(run.status == 1 && run.output.contains(#"'c\u001b[31m'"#), "\(run)")
        #expect(!run.output.contains("\u{1B}"), "\(run)")
    }

    @Test("a gap whose count contradicts its number is damage to 'verify'")
    func contradictingGap() throws {
        let journal = ShopJournal { lines in
            lines[11] =
                #"{"seq":8,"kind":"gap","time":"2026-11-21T12:00:06.000000Z","first":6,"lost":2,"reason":"r","states":{"cart":{"total":1}}}"#
            lines.removeSubrange(12...)
        }
        let run = journal.run("verify", "J")
        #expect(run.status == 1 && run.output.contains(#""code":"record","line":12"#), "\(run)")
    }

    @Test("commits that were damaged become a gap, and it is said how many commits are left")
    func gap() {
        let folder = TemporaryFolder()
        let sample = SharedFolder.packageRoot.appendingPathComponent("samples/checkout.jsonl").path
        let lines = TemporaryFolder.lines(sample).map { line in
            line.hasPrefix(#"{"seq":30,"kind":"commit""#) ? line.dropLast(40) + "\n" : line + "\n"
        }
        let damaged = folder.write(lines.joined(), to: "damaged.jsonl")
        let out = folder.path("whole.jsonl")
        let run = ProgramRun(["verify", damaged, "--repair", out])
        #expect(run.status == 1 && run.messages.contains("became part of a gap"), "\(run)")
        #expect(run.messages.contains("note: '\(out)' has "), "\(run)")
        #expect(ProgramRun(["state", out, "--at", "30"]).status == 4 && ProgramRun(["verify", out]).status == 0)
    }
}

/// What a command reads and finds damaged it reports, and 'verify' knows of all of it.
@Suite("Damage in what is read")
struct InfoDamageTests {
    /// A journal with a keyframe and totals, and stores that open before the first commit.
    private static func lines(seed: UInt64) -> [[UInt8]] {
        let maker = JournalMaker(seed: seed, commits: 12, gaps: seed % 3 == 0)
        return maker.bytes.split(separator: 10).map(Array.init)
    }

    private static func text(_ lines: [[UInt8]]) -> [UInt8] { Array(lines.map { $0 + [10] }.joined()) }

    @Test(
        "a damaged store record is reported by 'info', and by a journal alone, as by 'state'", arguments: [true, false])
    func storeRecord(isJSON: Bool) throws {
        let journal = ShopJournal { lines in
            lines[1] =
                isJSON
                ? lines[1].replacingOccurrences(of: #""type":""#, with: #""type":"X"#).dropLast()
                    + #","sum":"00000000"}"#
                : String(lines[1].dropLast(4))
        }
        let state = journal.run("state", "J")
        let info = journal.run("info", "J")
        let alone = ProgramRun([journal.path])
        let error = state.messages.split(separator: "\n").prefix(2)
        #expect(state.status == 3, "\(state)")
        for run in [info, alone] {
            #expect(run.status == 3 && run.output.contains(#""kind":"info""#), "\(run)")
            #expect(run.messages.split(separator: "\n").prefix(2) == error, "\(run)\n\(state)")
        }
    }

    @Test("a journal alone reports damage that only its own reading meets")
    func alone() throws {
        let journal = ShopJournal { lines in
            lines[4] = lines[4].replacingOccurrences(of: #""op":"replace""#, with: #""op":"remove""#)
                .replacingOccurrences(of: #""path":"/"#, with: #""path":"/nowhere/"#)
        }
        let alone = ProgramRun([journal.path])
        #expect(alone.status == 3 && alone.output.contains(#""kind":"info""#), "\(alone)")
        #expect(alone.messages.contains("error:"), "\(alone)")
    }

    /// One thing that happens to a line, whatever it is.
    private static func damaged(_ lines: [[UInt8]], _ line: Int, _ random: inout SeededGenerator) -> [[UInt8]] {
        var lines = lines
        func place(_ isWanted: (UInt8) -> Bool) -> Int? {
            lines[line].indices.filter { isWanted(lines[line][$0]) }.randomElement(using: &random)
        }
        func withoutSum() {
            guard let sum = lines[line].firstRange(of: Array(#","sum":"#.utf8)) else { return }
            lines[line] = lines[line][..<sum.lowerBound] + [UInt8(ascii: "}")]
        }
        if Bool.random(using: &random) { withoutSum() }
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1, 2:
            if let place = place({ $0 >= 0x30 && $0 <= 0x39 }) {
                lines[line][place] = UInt8.random(in: 0x30...0x39, using: &random)
            }
        case 3:
            if let place = place({ _ in true }) { lines[line][place] ^= 1 << UInt8.random(in: 0..<7, using: &random) }
        case 4: if line > 0 { lines.remove(at: line) }
        case 5: lines.insert(lines[line], at: line)
        case 6: if line > 0, line + 1 < lines.count { lines.swapAt(line, line + 1) }
        default:
            let value = ["null", "\"x\"", "{}", "[]", "-1", "1.5", "7"].randomElement(using: &random) ?? ""
            if let colon = place({ $0 == UInt8(ascii: ":") }),
                let end = lines[line][colon...].firstIndex(where: { $0 == 0x2C || $0 == 0x7D })
            {
                lines[line].replaceSubrange((colon + 1)..<end, with: Array(value.utf8))
            }
        }
        return lines
    }

    @Test(
        "whatever another command refuses or reports is damage to 'verify', and what it repairs verifies",
        arguments: seeds(1..<61))
    func law(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let whole = Self.lines(seed: seed)
        let folder = TemporaryFolder()
        for line in whole.indices {
            let path = folder.write(Self.text(Self.damaged(whole, line, &random)), to: "run.jsonl")
            let verified = ProgramRun(["verify", path, "--repair", folder.path("whole.jsonl")])
            // What is no journal at all is refused by every command.
            if verified.status == 3 { continue }
            let again = ProgramRun(["verify", folder.path("whole.jsonl")])
            #expect(again.status == 0, "line \(line + 1)\n\(verified)\n\(again)")
            guard verified.status == 0 else { continue }
            for command in [
                ["info"], ["state"], ["log"], ["check", "--invariant", "a=true"], ["blame"], ["stats"],
                ["state", "--at", "start"],
            ] {
                let run = ProgramRun([command[0], path] + command.dropFirst())
                // Lost commits are no damage, and leave an answer open.
                #expect(run.status == 0 || run.status == 5, "line \(line + 1)\n\(verified)\n\(run)")
            }
        }
    }

    @Test(
        "with any line's store record flipped, 'info' is the same or reports it", arguments: seeds(1..<21))
    func flipped(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let whole = Self.lines(seed: seed)
        let folder = TemporaryFolder()
        let path = folder.write(Self.text(whole), to: "run.jsonl")
        let expected = ProgramRun(["info", path])
        for line in whole.indices where whole[line].firstRange(of: Array(#""kind":"store""#.utf8)) != nil {
            var lines = whole
            let place = Int.random(in: 0..<lines[line].count, using: &random)
            lines[line][place] ^= 1 << UInt8.random(in: 0..<7, using: &random)
            folder.write(Self.text(lines), to: "run.jsonl")
            let run = ProgramRun(["info", path])
            #expect(run.status == 3 || run.output == expected.output, "line \(line + 1), byte \(place)\n\(run)")
        }
    }
}
