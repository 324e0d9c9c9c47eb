import JSONCore
import TestSupport
import Testing

@testable import JournalFormat
@testable import JournalReading

@Suite("What a record says")
struct RecordTests {
    private static let members: [Record.Member] = [
        .seq, .kind, .store, .type, .version, .time, .at, .name, .action, .cause, .thread, .patch, .state, .states,
        .text, .level,
        .error, .reason, .lost, .derived,
    ]

    /// The records of a journal's text, whatever their form.
    private func records(_ text: [UInt8]) throws -> [OwnedRecord] {
        let folder = TemporaryFolder()
        var reader = try Journal.open(folder.write(text, to: "run.jsonl"), access: .random).records()
        var records: [OwnedRecord] = []
        while let line = try reader.next() { records.append(line.owned()) }
        return records
    }

    private func compact(_ append: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        append(&writer)
        return writer.bytes
    }

    @Test(
        "is the same, member by member and as it is copied, read in place or parsed, in our form or in another's",
        arguments: seeds(0..<60))
    func members(seed: UInt64) throws {
        let maker = JournalMaker(seed: seed, foreign: seed % 2 == 0, commits: 20)
        var form = ForeignForm(seed: seed)
        for text in [maker.bytes, form.journal(maker.bytes)] {
            for owned in try records(text) {
                let (record, object) = (try Record(owned), try owned.object())
                for member in Self.members {
                    #expect(record[member] == object[member.rawValue], "seed \(seed): \(member) of \(owned.text)")
                    #expect(record.string(member) == object[member.rawValue]?.string)
                    let copied = compact { record.append(member, to: &$0) }
                    #expect(copied == compact { $0.write(object[member.rawValue] ?? .null) })
                }
                var whole = object
                whole.removeValue(forKey: "sum")
                #expect(compact { record.append(to: &$0) } == compact { $0.write(.object(whole)) })
                #expect(record.json == .object(whole))
                #expect(try owned.withLine { (line) throws(JournalError) in try Record(line).json } == record.json)
                #expect(record.seq == owned.seq && record.kind == owned.kind)
            }
        }
    }

    @Test("has typed members: place, title, action, cause and patch")
    func typed() throws {
        let head = #"{"seq":0,"kind":"journal","version":1,"id":"x","time":"2026-01-01T00:00:00Z"}"#
        let store = #"{"seq":0,"kind":"store","store":"a\"b","state":{}}"#
        let commit =
            #"{"seq":1,"kind":"commit","store":"a\"b","time":"t","at":{"file":"A/B.swift","line":4,"column":2,"function":"f()"},"#
            + #""action":{"type":"T.a","payload":[1]},"cause":0,"patch":[{"op":"add","path":"/x","value":1}]}"#
        let found = try records(Array([head, store, commit, ""].joined(separator: "\n").utf8))
        let record = try Record(found[2])
        #expect(record.store == "a\"b")
        #expect(record.place?.file == "A/B.swift" && record.place?.line == 4 && record.place?.column == 2)
        #expect(record.name == nil && record.title == "f()")
        #expect(record.action?.type == "T.a" && record.action?.payload == [1])
        #expect(record.cause == 0)
        #expect(record.patch == JSONPatch([.add(JSONPointer(["x"]), 1)]))
        #expect(try Record(found[1]).place == nil && Record(found[1]).patch == nil)
    }

    @Test("is damage where the line is not JSON inside", arguments: ["[", "[1,]", "\"\\x\""])
    func damaged(value: String) throws {
        let head = #"{"seq":0,"kind":"journal","version":1,"id":"x","time":"2026-01-01T00:00:00Z"}"#
        let found = try records(Array("\(head)\n{\"seq\":0,\"kind\":\"mark\",\"text\":\(value)}\n".utf8))
        #expect(throws: JournalError.self) { try Record(found[1]) }
    }
}

@Suite("Operations of a patch as they lie in a line")
struct PatchOperationTests {
    /// What was read of an operation.
    private struct Parts: Equatable {
        let name: PatchOperation.Name?
        let texts: [String?]

        init(_ operation: PatchOperation) {
            name = operation.name
            texts = [operation.path?.raw, operation.from?.raw, operation.value?.text, operation.old?.text].map { text in
                text.map { String(decoding: $0, as: UTF8.self) }
            }
        }
    }

    private func parts(_ patch: String) -> [Parts] {
        let tape = JSONTape()
        defer { withExtendedLifetime(tape) {} }
        return Array(patch.utf8).withBytes { bytes in
            (try? tape.read(bytes))?.elements.map { PatchOperation($0).map(Parts.init) }.compactMap(\.self) ?? []
        }
    }

    @Test("an operation is read alike whatever stands around its members", arguments: seeds(1..<41))
    func spaced(seed: UInt64) throws {
        var count = 0
        for line in WrittenLines.commits(seed) {
            guard case .object(let record) = try JSONParser.parse(line), let patch = record["patch"]?.text() else {
                continue
            }
            let written = parts(patch)
            #expect(parts(patch.replacing(#"{"op":"#, with: #"{ "\u006fp" : "#)) == written, "\(patch)")
            count += written.count
        }
        #expect(count > 30)
    }

    @Test(
        "what our writer does not write is read too",
        arguments: [
            (#"{"op":"add","path":"/a","value":1,"from":"/b"}"#, ["/a", "/b", "1", nil]),
            (#"{"op":"remove","path":"/a","value":1}"#, ["/a", nil, "1", nil]),
            (#"{"op":"replace","path":"/a","value":1,"old":2,"value":3}"#, ["/a", nil, "3", "2"]),
            (#"{"op":"replace","path":"/a","old":2,"value":1}"#, ["/a", nil, "1", "2"]),
        ] as [(String, [String?])])
    func otherForms(text: String, texts: [String?]) { #expect(parts("[\(text)]").map(\.texts) == [texts]) }
}

@Suite("The count of a journal's records")
struct TotalsTests {
    let folder = TemporaryFolder()

    @Test("what is counted from the lines is what the writer wrote", arguments: seeds(1..<31))
    func counted(seed: UInt64) throws {
        let maker = JournalMaker(seed: seed, commits: 80)
        let journal = try Journal.open(folder.write(maker.bytes, to: "run.jsonl"), access: .random)
        var totals = Totals()
        var reader = journal.records()
        while let line = try reader.next() {
            if let claimed = try line.totals() { #expect(totals.difference(from: claimed) == nil, "seed \(seed)") }
            totals.count(try CountedRecord(line))
        }
    }

    @Test("two Unicode forms of one word are two names")
    func names() {
        var totals = Totals()
        for name in ["\u{E9}", "e\u{301}"] {
            totals.count(CountedRecord(.store, seq: .zero, name: name))
            totals.count(CountedRecord(.derived, seq: .zero, name: name))
            totals.count(CountedRecord(.commit, seq: CommitNumber(1), name: name))
        }
        totals.count(CountedRecord(.close, seq: CommitNumber(2), name: "\u{E9}"))
        #expect(totals.commits.count == 2)
        #expect(totals.derived.count == 2)
        #expect(totals.isOpen("e\u{301}") && !totals.isOpen("\u{E9}"))
    }

    @Test("derived values after the first thousand are counted, also where a foreign line names them all")
    func manyDerived() throws {
        var totals = Totals()
        let names = (0..<1_500).map { "row-\($0)" }
        for name in names { totals.count(CountedRecord(.derived, seq: .zero, name: name)) }
        totals.count(CountedRecord(.derived, seq: .zero, name: "row-7"))
        #expect(totals.derived == Array(names.prefix(1_000)) && totals.moreDerived == 500)
        #expect(totals.difference(from: Totals(derived: names)) == nil)
        #expect(totals.difference(from: Totals(derived: names.dropLast())) != nil)
        #expect(totals.difference(from: Totals(derived: Array(names.prefix(1_000)), moreDerived: 500)) == nil)
    }

    @Test("a store that closes without a commit is counted, with none")
    func silentStore() {
        var totals = Totals()
        totals.count(CountedRecord(.store, seq: .zero, name: "a"))
        totals.count(CountedRecord(.close, seq: .zero, name: "a"))
        #expect(totals.commits == [.init(store: "a", count: 0)] && totals.open == [])
    }

    @Test("a gap says which stores are open")
    func gap() {
        var totals = Totals(open: ["a", "b"])
        totals.count(CountedRecord(.gap, seq: CommitNumber(3), states: ["a"]))
        #expect(totals.open == ["a"])
        #expect(totals.gaps == 1)
    }

    @Test("counts near the largest number neither trap nor are believed")
    func overflow() throws {
        var totals = Totals(marks: .max, gaps: .max, aborts: .max)
        totals.commits = [.init(store: "a", count: .max), .init(store: "b", count: .max)]
        for kind in [RecordKind.mark, .abort, .gap] { totals.count(CountedRecord(kind, seq: .zero)) }
        totals.count(CountedRecord(.commit, seq: .zero, name: "a"))
        #expect(totals.commitCount == .max)
        let claim =
            #"{"commits":{"a":9007199254740992,"b":9007199254740992},"open":[],"derived":[],"marks":0,"gaps":0,"aborts":0}"#
        guard case .object(let object) = try JSONParser.parse(claim) else { return }
        #expect(throws: RecordFault.self) { try Totals(object) }
    }

    @Test("a table of names keeps their order, whatever is taken out", arguments: seeds(1..<21))
    func table(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = NameTable<Int>()
        var model: [(name: String, value: Int)] = []
        for step in 0..<300 {
            let name = ["a", "\u{E9}", "e\u{301}", "n\(step % 40)"].randomElement(using: &random)!
            let place = model.firstIndex { UTF8Order.equal($0.name, name) }
            if Bool.random(using: &random) {
                table[name] = nil
                if let place { model.remove(at: place) }
            } else {
                table[name] = step
                if let place { model[place].value = step } else { model.append((name, step)) }
            }
            #expect(table.names.map { Array($0.utf8) } == model.map { Array($0.name.utf8) }, "seed \(seed)")
            #expect(table.map(\.value) == model.map(\.value), "seed \(seed)")
        }
    }
}
