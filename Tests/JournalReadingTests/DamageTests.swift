import Diagnostics
import JSONCore
import TestSupport
import Testing

@testable import JournalFormat
@testable import JournalReading

@Suite("Bad bytes")
struct DamageTests {
    let folder = TemporaryFolder()
    let header = Lines.header
    let store = Lines.store(#"{"n":0,"list":[1,2]}"#)

    func commit(_ number: Int, _ patch: String = "[]") -> String {
        Lines.commit(number, "").replacing("[]", with: patch)
    }

    func journal(_ lines: [String], ending: String = "\n", access: Journal.Access = .random) throws -> Journal {
        try Journal.open(folder.write(lines.joined(separator: "\n") + ending, to: "run.jsonl"), access: access)
    }

    /// Reads every line, and brings a state over it.
    func pass(_ journal: Journal, recover: Bool = false) throws -> (
        lines: Int, state: PositionState, torn: TornTail?, damages: [JournalError]
    ) {
        var reader = journal.records(recover: recover)
        var state = PositionState(start: journal.start)
        var lines = 0
        while let line = try reader.next() {
            lines += 1
            if line.resumed { try state.reset(to: line) } else { try state.apply(line) }
        }
        return (lines, state, reader.tornTail, reader.damages)
    }

    func damage(_ error: any Error) -> JournalDamage? {
        guard case .damage(let damage)? = (error as? JournalError)?.fact else { return nil }
        return damage
    }

    // MARK: What is no journal

    @Test(
        "a file that is no journal is told as such",
        arguments: [
            ("", "journal.empty"), ("hello\n", "journal.not-a-journal"), ("[1]\n", "journal.not-a-journal"),
            ("\n", "journal.not-a-journal"), ("{\"seq\":0,\"ki", "journal.not-a-journal"),
            ("{\"seq\":0,\"kind\":\"commit\"}\n", "journal.not-a-journal"),
            ("{\"seq\":0,\"kind\":\"journal\"}\n", "journal.not-a-journal"),
            ("{\"seq\":0,\"kind\":\"journal\",\"version\":2}\n", "journal.newer-version"),
            ("\u{FEFF}{\"seq\":0,\"kind\":\"journal\",\"version\":1}\n", "journal.not-a-journal"),
            ("{\"seq\":-1,\"kind\":\"journal\",\"version\":1}\n", "journal.not-a-journal"),
            (String(repeating: "x", count: 3 << 20), "journal.not-a-journal"),
        ])
    func notAJournal(text: String, code: String) throws {
        let path = folder.write(text, to: "x.jsonl")
        for access in [Journal.Access.random, .sequential] {
            #expect { try Journal.open(path, access: access) } throws: { error in
                let error = error as? JournalError
                return error?.diagnostic.code == code && error?.category == .unreadable
            }
        }
    }

    @Test("a missing file, a folder and a file in a file are told apart")
    func files() {
        #expect(throws: JournalError(path: folder.path("none"), .missing)) {
            try Journal.open(folder.path("none"), access: .random)
        }
        #expect(throws: JournalError(path: folder.path, .directory)) { try Journal.open(folder.path, access: .random) }
        let file = folder.write([1], to: "file")
        #expect(throws: JournalError(path: file + "/x", .missing)) { try Journal.open(file + "/x", access: .random) }
    }

    // MARK: Forms of writing

    @Test("another order of members, spaces, a carriage return and a missing last newline are no damage")
    func forms() throws {
        let spaced = commit(1, #"[ { "path" : "/n" , "value" : 5 , "op" : "replace" } ]"#)
            .replacing(#"{"seq":1,"kind":"commit","#, with: #" { "kind" : "commit" , "#).replacing(
                #""patch":"#, with: #""seq":1.0 ,"patch": "#)
        let lines = [header, store, spaced + "\r", commit(2, #"[{"op":"add","path":"\/list\/0","value":"\u00e9"}]"#)]
        let read = try pass(journal(lines, ending: ""))
        #expect(read.lines == 4)
        #expect(read.torn == nil)
        #expect(read.state.value.text() == #"{"s":{"list":["é",1,2],"n":5}}"#)
        let seek = try journal(lines, ending: "")
        #expect(try seek.state(at: CommitNumber(1)).value.text() == #"{"s":{"list":[1,2],"n":5}}"#)
        #expect(try seek.record(of: CommitNumber(1)).offset.rawValue == header.utf8.count + store.utf8.count + 2)
    }

    @Test("kinds and members of a later time are passed over")
    func unknownKinds() throws {
        let read = try pass(journal([header, store, #"{"seq":0,"kind":"weather","sun":true}"#, commit(1)]))
        #expect(read.lines == 4)
        #expect(read.state.position == CommitNumber(1))
    }

    // MARK: Damage

    @Test("each break of the order is told with its line and byte")
    func order() throws {
        let front = header.utf8.count + store.utf8.count + 2
        let cases: [(String, JournalDamage.Reason)] = [
            (commit(2), .jump(found: CommitNumber(2), expected: CommitNumber(1))),
            (commit(0), .jump(found: .zero, expected: CommitNumber(1))),
            (
                #"{"seq":3,"kind":"mark","time":"2026-01-01T00:00:00Z","text":"x"}"#,
                .wrongNumber(kind: .mark, found: CommitNumber(3), expected: .zero)
            ),
            (header, .secondHeader), ("", .blank), ("[]", .notAnObject), (#"{"kind":"x"}"#, .noNumber),
            (#"{"seq":0}"#, .noKind), (#"{"seq":1e99,"kind":"commit"}"#, .noNumber),
            ("\u{FEFF}" + commit(1), .byteOrderMark),
        ]
        for (line, reason) in cases {
            #expect { try self.pass(self.journal([header, store, line, commit(1)])) } throws: { error in
                damage(error) == JournalDamage(line: LineNumber(3), offset: ByteOffset(front), reason: reason)
            }
        }
    }

    @Test("a line that is no JSON is told with the byte at which it stops being it")
    func notJSON() throws {
        let line = #"{"seq":1,"kind":"commit",}"#
        let front = header.utf8.count + store.utf8.count + 2
        // The quick check of a pass looks at the ends of a line only; this one it leaves to who reads the line.
        #expect { try self.pass(self.journal([header, store, line + "x", commit(2)])) } throws: { error in
            damage(error)?.offset == ByteOffset(front + 25) && damage(error)?.line == LineNumber(3)
        }
        #expect { try self.pass(self.journal([header, store, line, commit(2)])) } throws: {
            damage($0)?.line == LineNumber(3)
        }
    }

    @Test("a patch that does not apply is told with its commit, operation and path; a seek counts the line too")
    func patch() throws {
        let journal = try journal([
            header, store, commit(1),
            commit(2, #"[{"op":"add","path":"/m","value":1},{"op":"remove","path":"/x","old":1}]"#), commit(3),
        ])
        for read in [{ _ = try pass(journal) }, { _ = try journal.state(at: CommitNumber(3)) }] {
            #expect { try read() } throws: { error in
                guard case .patch(let commit, let store, let patch)? = damage(error)?.reason else { return false }
                return commit == CommitNumber(2) && store == "s" && patch.operation == 1 && patch.path.text == "/x"
                    && damage(error)?.line == LineNumber(4)
            }
        }
        #expect(try journal.state(at: CommitNumber(1)).position == CommitNumber(1))
    }

    @Test("a commit of a store that is not open is told with its name")
    func noStore() throws {
        #expect { try self.pass(self.journal([header, commit(1)])) } throws: {
            damage($0)?.reason == .storeNotOpen(commit: CommitNumber(1), store: "s")
        }
    }

    @Test(
        "operations that a patch cannot have are told",
        arguments: [
            #"[{"op":"spin","path":"/n"}]"#, #"[{"path":"/n"}]"#, #"[{"op":"add","path":"n","value":1}]"#,
            #"[{"op":"add","path":"/n"}]"#, #"[{"op":"move","path":"/n"}]"#, #"[{"op":"remove"}]"#, #"[1]"#, #"{}"#,
            "7", #"[{"op":"add","path":"/n","value":tru}]"#, #"[{"op":"add","path":"/n","value":1}"#,
            #"[{"op":"replace","path":"/list/9","value":1}]"#,
        ])
    func badPatch(patch: String) throws {
        let journal = try journal([header, store, commit(1, patch)])
        #expect { try self.pass(journal) } throws: { damage($0)?.line == LineNumber(3) }
    }

    @Test("a torn tail is a fact with its line, byte and length, and no error")
    func tornTail() throws {
        let lines = [header, store, commit(1), String(commit(2).dropLast(40))]
        let journal = try journal(lines, ending: "")
        let read = try pass(journal)
        let offset = lines[0].utf8.count + lines[1].utf8.count + lines[2].utf8.count + 3
        let torn = TornTail(
            line: LineNumber(4), offset: ByteOffset(offset), length: lines[3].utf8.count, lastCommit: CommitNumber(1))
        #expect(read.torn == torn)
        let tail = try journal.tail()
        #expect(tail.lastCommit == CommitNumber(1))
        #expect(tail.torn?.offset == torn.offset)
        #expect(tail.wholeEnd == torn.offset)
        #expect(try journal.state(at: CommitNumber(1)).position == CommitNumber(1))
        let message = torn.diagnostic(path: "shop.jsonl")
        #expect(message.message == "the last record of 'shop.jsonl' is incomplete and was left out")
        #expect(message.help.isEmpty)
    }

    @Test("a recovering reader goes on at the next keyframe, and tells what it jumped over")
    func recovery() throws {
        let keyframe = #"{"seq":3,"kind":"keyframe","states":{"s":{"n":3}},"totals":{}}"#
        let journal = try journal([
            header, store, commit(1), "junk", commit(3), keyframe,
            commit(4, #"[{"op":"replace","path":"/n","value":4}]"#),
        ])
        let read = try pass(journal, recover: true)
        #expect(read.lines == 5)
        #expect(read.state.value.text() == #"{"s":{"n":4}}"#)
        #expect(read.damages.compactMap { damage($0)?.line } == [LineNumber(4)])
        let without = try self.journal([header, store, commit(1), "junk", commit(3)])
        #expect(try pass(without, recover: true).damages.count == 1)
    }

    @Test("a commit whose own line is damaged is lost too, whether it is no JSON or has another sum")
    func lostCommit() throws {
        let keyframe = #"{"seq":4,"kind":"keyframe","states":{"s":{"n":3}},"totals":{}}"#
        for damaged in ["junk", String(commit(2).dropLast()) + #","sum":"00000000"}"#] {
            let journal = try journal([header, store, commit(1), damaged, commit(3), commit(4), keyframe])
            var reader = journal.records(recover: true)
            while let line = try reader.next() {
                guard line.resumed else { continue }
                #expect(reader.lastBeforeDamage == CommitNumber(1))
                #expect(try reader.lost(before: line) == CommitNumber(2)...CommitNumber(4))
            }
            let last = try self.journal([header, store, commit(1), damaged])
            reader = last.records(recover: true)
            while try reader.next() != nil {}
            #expect(reader.lostEnd == CommitNumber(2)...CommitNumber(2))
        }
    }

    // MARK: Any bytes

    /// A small journal with every kind of record that changes the state.
    func small() -> [UInt8] {
        let place = #""time":"2026-01-01T00:00:00Z","at":{"file":"f","line":1,"column":1,"function":"g()"}"#
        let lines = [
            #"{"seq":0,"kind":"journal","version":1,"id":"x"}"#,
            #"{"seq":0,"kind":"store","store":"s",\#(place),"state":{"n":0,"l":[1,{"é":2}]}}"#,
            #"{"seq":1,"kind":"commit","store":"s",\#(place),"patch":[{"op":"add","path":"/l/0","value":"a\"b"}]}"#,
            #"{"seq":1,"kind":"keyframe","states":{"s":{"n":0,"l":["a\"b",1,{"é":2}]}}}"#,
            #"{"seq":1,"kind":"mark","text":"tap"}"#,
            #"{"seq":3,"kind":"gap","first":2,"lost":2,"states":{"s":{"n":7}}}"#,
            #"{"seq":4,"kind":"commit","store":"s","patch":[{"op":"replace","path":"/n","value":8,"old":7}]}"#,
            #"{"seq":4,"kind":"close","store":"s"}"#, #"{"seq":4,"kind":"end"}"#,
        ]
        return Array(lines.map { $0 + "\n" }.joined().utf8)
    }

    /// Asks everything of a journal; whatever is thrown is a ``JournalError``.
    func exercise(_ bytes: [UInt8]) throws {
        let path = folder.write(bytes, to: "bad.jsonl")
        do throws(JournalError) {
            let journal = try Journal.open(path, access: .random)
            for recover in [false, true] {
                var reader = journal.records(recover: recover)
                var filter = RecordFilter(touching: PathSet(.shallow), kinds: .all)
                do throws(JournalError) {
                    while try reader.next(matching: &filter) != nil {}
                } catch { _ = error.diagnostic }
            }
            var back = try journal.recordsBackward()
            while true {
                do throws(JournalError) { if try back.next() == nil { break } } catch { _ = error.diagnostic }
            }
            let last = try journal.lastCommit.rawValue
            for position in 0...min(last, 12) {
                do throws(JournalError) { _ = try journal.state(at: CommitNumber(position)) } catch {
                    _ = error.diagnostic
                }
                do throws(JournalError) { _ = try journal.record(of: CommitNumber(position)) } catch {
                    _ = error.diagnostic
                }
            }
        } catch { _ = error.diagnostic }
    }

    @Test("a journal cut at any byte is read up to its last whole line")
    func cutEverywhere() throws {
        let bytes = small()
        let ends = bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
        for length in bytes.indices {
            let path = folder.write(Array(bytes[..<length]), to: "cut.jsonl")
            let whole = ends.last { $0 <= length } ?? 0
            guard let journal = try? Journal.open(path, access: .random) else {
                // Only a first line that is not whole is no journal.
                #expect(length < ends[0] - 1)
                continue
            }
            var reader = journal.records()
            var count = 0
            while try reader.next() != nil { count += 1 }
            let isLineWithoutNewline = ends.contains(length + 1)
            #expect(count == ends.filter { $0 <= length }.count + (isLineWithoutNewline ? 1 : 0), "cut at \(length)")
            #expect(reader.tornTail?.offset == (length > whole && !isLineWithoutNewline ? ByteOffset(whole) : nil))
            #expect(try journal.tail().torn?.offset == reader.tornTail?.offset)
        }
    }

    @Test("a journal with any byte flipped never traps", arguments: sampled([0x01, 0x20, 0x80, 0xFF] as [UInt8]))
    func flipEverywhere(mask: UInt8) throws {
        let bytes = small()
        for index in bytes.indices {
            var flipped = bytes
            flipped[index] ^= mask
            try exercise(flipped)
        }
    }

    @Test("random garbage never traps, neither alone nor after a first line", arguments: seeds(1..<21))
    func garbage(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces: [[UInt8]] = [
            Array(#"{"seq":1,"kind":"commit","store":"s","patch":["#.utf8), Array(#"{"op":"add","path":"/"#.utf8),
            [0x0A], [0x22], [0x5C], [0x7B], [0x7D, 0x0A], [0x5D], Array("1e9".utf8), [0xFF, 0x00],
            Array(#","kind":"gap","first":0,"states":{}}"#.utf8),
            Array(#"{"seq":999999999999999"#.utf8), Array(header.utf8) + [0x0A], Array(store.utf8) + [0x0A],
        ]
        for round in 0..<30 {
            var bytes: [UInt8] = round % 2 == 0 ? Array((header + "\n").utf8) : []
            for _ in 0..<Int.random(in: 0...30, using: &random) {
                if Bool.random(using: &random) {
                    bytes += pieces.randomElement(using: &random)!
                } else {
                    bytes.append(UInt8.random(in: 0...255, using: &random))
                }
            }
            try exercise(bytes)
        }
    }

    @Test("the messages say what, where, why and what to type next")
    func messages() {
        let past = JournalError(
            path: "shop.jsonl", .pastEnd(asked: CommitNumber(900), first: .zero, last: CommitNumber(412))
        ).diagnostic
        #expect(past.message == "position '900' is past the end of 'shop.jsonl'")
        #expect(past.notes == ["it holds commits 0 to 412"])
        let jump = JournalError(
            path: "shop.jsonl",
            .damage(
                JournalDamage(
                    line: LineNumber(12), offset: ByteOffset(3400),
                    reason: .jump(found: CommitNumber(10), expected: CommitNumber(9))))
        ).diagnostic
        #expect(jump.message == "the commits do not count up in 'shop.jsonl'")
        #expect(jump.notes.first == "the number is 10, should be 9")
        #expect(jump.place == .file(path: "shop.jsonl", line: 12, byte: 3400, length: nil))
        let store = JournalError(
            path: "shop.jsonl", .noSuchStore(name: "crat", at: CommitNumber(3), known: ["cart", "user"])
        ).diagnostic
        #expect(store.help == ["write 'cart'"])
    }
}
