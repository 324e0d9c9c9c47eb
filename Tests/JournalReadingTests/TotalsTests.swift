import JSONCore
import TestSupport
import Testing

@testable import JournalFormat
@testable import JournalReading

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
            totals.note(try CountedRecord(line))
        }
    }

    @Test("two Unicode forms of one word are two names")
    func names() {
        var totals = Totals()
        for name in ["\u{E9}", "e\u{301}"] {
            totals.note(CountedRecord(.store, seq: .zero, name: name))
            totals.note(CountedRecord(.derived, seq: .zero, name: name))
            totals.note(CountedRecord(.commit, seq: CommitNumber(1), name: name))
        }
        totals.note(CountedRecord(.close, seq: CommitNumber(2), name: "\u{E9}"))
        #expect(totals.commits.count == 2)
        #expect(totals.derived.count == 2)
        #expect(totals.isOpen("e\u{301}") && !totals.isOpen("\u{E9}"))
    }

    @Test("derived values after the first thousand are counted, also where a foreign line names them all")
    func manyDerived() throws {
        var totals = Totals()
        let names = (0..<1_500).map { "row-\($0)" }
        for name in names { totals.note(CountedRecord(.derived, seq: .zero, name: name)) }
        totals.note(CountedRecord(.derived, seq: .zero, name: "row-7"))
        #expect(totals.derived == Array(names.prefix(1_000)) && totals.moreDerived == 500)
        #expect(totals.difference(from: Totals(derived: names)) == nil)
        #expect(totals.difference(from: Totals(derived: names.dropLast())) != nil)
        #expect(totals.difference(from: Totals(derived: Array(names.prefix(1_000)), moreDerived: 500)) == nil)
    }

    @Test("a store that closes without a commit is counted, with none")
    func silentStore() {
        var totals = Totals()
        totals.note(CountedRecord(.store, seq: .zero, name: "a"))
        totals.note(CountedRecord(.close, seq: .zero, name: "a"))
        #expect(totals.commits == [.init(store: "a", count: 0)] && totals.open == [])
    }

    @Test("a gap says which stores are open")
    func gap() {
        var totals = Totals(open: ["a", "b"])
        totals.note(CountedRecord(.gap, seq: CommitNumber(3), states: ["a"]))
        #expect(totals.open == ["a"])
        #expect(totals.gaps == 1)
    }

    @Test("counts near the largest number neither trap nor are believed")
    func overflow() throws {
        var totals = Totals(marks: .max, gaps: .max, aborts: .max)
        totals.commits = [.init(store: "a", count: .max), .init(store: "b", count: .max)]
        for kind in [RecordKind.mark, .abort, .gap] { totals.note(CountedRecord(kind, seq: .zero)) }
        totals.note(CountedRecord(.commit, seq: .zero, name: "a"))
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
