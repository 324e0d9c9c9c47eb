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
        return Array(patch.utf8).withUnsafeBytes { bytes in
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
    func otherForms(text: String, texts: [String?]) {
        #expect(parts("[\(text)]").map(\.texts) == [texts])
    }
}
