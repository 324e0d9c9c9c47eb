import JSONCore
import TestSupport
import Testing

@testable import JournalFormat
@testable import JournalReading

@Suite("Lines that are as our writer writes them")
struct WrittenFormTests {
    private func members(_ text: [UInt8]) -> [String]? {
        OwnedRecord(text: text, path: "line").withLine { line in
            guard line.isAsWritten, let record = try? line.token() else { return nil }
            return record.members.map { String(decoding: $0.name.raw, as: UTF8.self) }
        }
    }

    private func isCompact(_ value: String) -> Bool {
        members(Array(#"{"seq":1,"kind":"mark","value":\#(value)}"#.utf8)) != nil
    }

    @Test(
        "any other form of a value is not compact",
        arguments: [
            "1 ", " 1", "[1, 2]", #"{"a" :1}"#, "\"\\/\"", "\"\\u0041\"", "\"\u{7F}\"", "\"\t\"", "01", "1.", ".5",
            "+1", "1e",
            "-", "tru", "truth", "nul", "\"open", "[1,]", "{\"a\":1,}", "{\"a\"}", "[1", "{\"a\":1", "NaN", "",
            #"{"a":1,"a":2}"#, #"{"b":1,"a":2,"b":3}"#, #"{"longname1":1,"longname2":2,"longname1":3}"#,
            #"{"":1,"":2}"#, #"[{"x":{"op":1,"path":2,"old":3,"op":4}}]"#, "1}{", #""a""b""#, "\"\\", "[\"\\\"]",
        ])
    func otherForms(value: String) { #expect(!isCompact(value)) }

    @Test(
        "what our writer writes is compact",
        arguments: [
            "null", "true", "false", "0", "-0", "-12", "1.50", "1e400", "12345678901234567890123", "\"\"",
            "\"é\\n\\\"\\\\\"", "[]", "{}", "[[],{}]", #"{"b":1,"a":{"b":[1,2,{"b":null}]},"":0}"#,
            #"{"longname2":1,"longname1":2,"longname":3}"#,
        ])
    func ownForm(value: String) { #expect(isCompact(value)) }

    @Test("bytes that are no UTF-8 are not compact")
    func malformed() {
        for bytes: [UInt8] in [[0xFF], [0xC3], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xC0, 0x80]] {
            #expect(members(Array(#"{"seq":1,"kind":"mark","a":""#.utf8) + bytes + Array("\"}".utf8)) == nil)
        }
    }

    @Test("large objects are compact where their names ascend, and names that come twice are found all the same")
    func manyNames() {
        func object(_ names: [Int]) -> String {
            "{" + names.map { #""name-of-\#($0 + 10_000)":{"b":{},"a":[]}"# }.joined(separator: ",") + "}"
        }
        #expect(isCompact(object(Array(0..<1000))))
        #expect(!isCompact(object(Array(0..<1000) + [999])))
        #expect(!isCompact(object(Array(0..<1000) + [5])))
        #expect(isCompact(object((0..<40).reversed())))
        #expect(!isCompact(object((0..<40).reversed() + [17])))
    }

    @Test("nesting counts for nothing, up to the depth that the parser follows")
    func deep() {
        #expect(isCompact(String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)))
        #expect(!isCompact(String(repeating: "[", count: 11_000) + String(repeating: "]", count: 11_000)))
        #expect(!isCompact(String(repeating: #"{"a":"#, count: 5000)))
    }

    @Test(
        "a compact text, whatever was done to it, is what its value is written as", arguments: seeds(0..<200))
    func writtenAlike(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        var record: JSONObject = ["seq": 7, "kind": "mark"]
        for name in ["value", "old", "more"] { record[name] = random.value() }
        let text = Array(JSONValue.object(record).text().utf8)
        #expect(members(text) == record.keys, "seed \(seed)")
        for _ in 0..<60 {
            var other = text
            for _ in 0...random.below(3) {
                let place = random.below(other.count)
                let byte = Array(#"{}[]",:0123-.eE\ ntabu/"#.utf8)[random.below(23)]
                switch random.below(4) {
                case 0: other.remove(at: place)
                case 1: other.insert(byte, at: place)
                case 2: other[place] = byte
                default: other.insert(contentsOf: other[place..<min(other.count, place + 9)], at: place)
                }
            }
            guard members(other) != nil else { continue }
            let value = try JSONParser.parse(other)
            #expect(Array(value.text().utf8) == other, "seed \(seed): \(String(decoding: other, as: UTF8.self))")
        }
    }

    // MARK: In any form

    @Test(
        "a commit whose every member is found in place is one that can be decoded, and one that can is checked; they say the same",
        arguments: seeds(1..<41))
    func strict(seed: UInt64) {
        var (found, places) = (0, RecentTexts<Bool>(capacity: 16))
        for line in WrittenLines.inAnyForm(seed) {
            let record = OwnedRecord(text: line, path: "line")
            guard record.kind == .commit else { continue }
            record.withLine { line in
                let text = String(decoding: line.bytes, as: UTF8.self)
                let decoded = try? line.decode { (o) throws(RecordFault) in try CommitRecord(o) }
                let checked = try? CheckedCommit(line, &places)
                #expect((checked != nil) == (decoded != nil), "\(text)")
                guard let commit = checked, let decoded else { return }
                found += 1
                #expect(decoded.store == commit.text.store.string && decoded.time == commit.time, "\(text)")
                #expect(decoded.cause == commit.cause && decoded.undoes == commit.undoes, "\(text)")
                #expect(decoded.version < 0 ? commit.negativeVersion == decoded.version : commit.negativeVersion == nil)
                #expect(decoded.patch == (try? JSONPatch(json: commit.text.patch.value())), "\(text)")
            }
        }
        #expect(found > 20)
    }
}

/// Lines of commits as our writer makes them, and such lines with something changed in them.
enum WrittenLines {
    /// The commits of a random journal.
    static func commits(_ seed: UInt64) -> [[UInt8]] {
        var maker = JournalMaker(seed: seed)
        maker.run(commits: 60)
        return maker.bytes.split(separator: UInt8(ascii: "\n")).map(Array.init).filter { line in
            line.withBytes { LineHead($0)?.kind == .commit }
        }
    }

    /// The commits of a random journal, as another writer has them, too, and such lines with something changed in them.
    static func inAnyForm(_ seed: UInt64) -> [[UInt8]] {
        var random = SeededGenerator(seed: seed)
        var form = ForeignForm(seed: seed)
        return commits(seed).flatMap { written in
            let foreign = form.line(written)
            return [written, foreign] + (0..<6).map { change($0 < 3 ? written : foreign, &random) }
        }
    }

    /// A line with a stretch of it taken out, put in again elsewhere, or with other bytes in it.
    static func change(_ line: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        let texts = [
            ",\"patch\":[]", ",\"store\":\"x\"", ",\"seq\":1", ",\"path\":\"/x\"", ",\"op\":\"add\"", " ", "\\", "\"",
            "}", "]", "\\u0073", ",\"from\":\"/y\"", "~", "\n", ",\"value\":{}", ",\"old\":1",
        ]
        var changed = line
        let place = Int.random(in: 0...line.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: changed.insert(contentsOf: Array(texts.randomElement(using: &random)?.utf8 ?? " ".utf8), at: place)
        case 1:
            let end = min(line.count, place + Int.random(in: 1...12, using: &random))
            changed.removeSubrange(place..<end)
        case 2:
            let end = min(line.count, place + Int.random(in: 1...60, using: &random))
            changed.insert(contentsOf: line[place..<end], at: Int.random(in: 0...line.count, using: &random))
        default:
            // Where members end: there a whole one may stand.
            let ends = line.indices.filter { line[$0] == UInt8(ascii: ",") || line[$0] == UInt8(ascii: "}") }
            let text = Array(texts.randomElement(using: &random)?.utf8 ?? " ".utf8)
            changed.insert(contentsOf: text, at: ends.randomElement(using: &random) ?? place)
        }
        return changed
    }
}

@Suite("Lines that others wrote")
struct ForeignFormTests {
    let folder = TemporaryFolder()

    func made(_ seed: UInt64) throws -> (maker: JournalMaker, journal: Journal) {
        var maker = JournalMaker(seed: seed)
        maker.run(commits: 60)
        var form = ForeignForm(seed: seed)
        let path = folder.write(form.journal(maker.bytes), to: "\(seed).jsonl")
        return (maker, try Journal.open(path, access: .random))
    }

    @Test(
        "a walk that is tolerant of the form gives the states that strict reading gives", arguments: seeds(1..<41))
    func states(seed: UInt64) throws {
        var (maker, journal) = try made(seed)
        for position in maker.start...maker.seq {
            guard let expected = maker.states[position] else { continue }
            #expect(
                try journal.state(at: CommitNumber(position)).value == expected, "seed \(seed), position \(position)")
            let paths = maker.paths()
            #expect(
                try journal.state(at: CommitNumber(position), pruning: paths).value == expected.pruned(to: paths),
                "seed \(seed), position \(position), \(paths.patterns)")
        }
    }

    @Test("no line that matters is passed over, whatever its form", arguments: seeds(1..<41))
    func filtered(seed: UInt64) throws {
        var (maker, journal) = try made(seed)
        let paths = maker.paths()
        var filter = RecordFilter(touching: paths)
        var interests = Interest([paths, .everything])
        var reader = journal.records()
        while let line = try reader.next() {
            guard line.kind == .commit else { continue }
            let commit = try line.decode { (object) throws(RecordFault) in try CommitRecord(object) }
            let inStore = PathSet(paths.root?.node(forKey: commit.store))
            let matters = commit.patch.operations.contains { inStore.mayBeTouched(by: $0) }
            let touched = interests.touched(by: line)
            #expect(!matters || touched[0], "seed \(seed), commit \(line.seq)")
            #expect(commit.patch.isEmpty || touched[1])
            #expect(!matters || filter.verdict(line) == .wanted, "seed \(seed), commit \(line.seq)")
        }
    }

    @Test(
        "the operations of a patch are found as a strict reader finds them", arguments: seeds(1..<201))
    func operations(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let state = random.state()
        let patch = JSONPatch.difference(from: state, to: random.state())
        var form = ForeignForm(seed: seed)
        let text = form.text(patch.json)
        let strict = try JSONPatch(json: try JSONParser.parse(text))
        let tape = JSONTape()
        defer { withExtendedLifetime(tape) {} }
        try text.withBytes { bytes in
            var found: [JSONPatch.Operation] = []
            for element in try tape.read(bytes).elements {
                // A decoy of another type sends the patch to the strict reader.
                guard let operation = PatchOperation(element) else { return }
                #expect(operation.isWhole)
                let path = try JSONPointer(parsing: #require(operation.path?.string))
                let (value, old) = (operation.value?.value(), operation.old?.value())
                switch operation.name {
                case .add: found.append(.add(path, try #require(value)))
                case .remove: found.append(.remove(path, old: old))
                case .replace: found.append(.replace(path, try #require(value), old: old))
                case .move:
                    found.append(.move(from: try JSONPointer(parsing: #require(operation.from?.string)), to: path))
                default: Issue.record("seed \(seed): an operation that is not in the patch")
                }
            }
            #expect(found == strict.operations, "seed \(seed): \(String(decoding: text, as: UTF8.self))")
        }
    }

    @Test("a number or a kind that stands twice, and differs, is damage where the line is read")
    func contradiction() throws {
        let header = #"{"seq":0,"kind":"journal","version":1,"id":"x"}"#
        let store = #"{"seq":0,"kind":"store","store":"s","state":1}"#
        for commit in [
            #"{"seq":1,"kind":"commit","store":"s","patch":[],"seq":2}"#,
            #"{"seq":1,"kind":"commit","store":"s","patch":[],"kind":"mark"}"#,
        ] {
            let path = folder.write("\(header)\n\(store)\n\(commit)\n", to: "twice.jsonl")
            let journal = try Journal.open(path, access: .random)
            #expect(throws: JournalError.self) { try journal.state(at: CommitNumber(1)) }
        }
    }
}
