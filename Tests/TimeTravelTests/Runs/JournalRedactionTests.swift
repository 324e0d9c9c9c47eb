import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import TimeTravel

@Suite("A journal without some values")
struct JournalRedactionTests {
    private func redacted(
        _ journal: Journal, _ paths: [String], in folder: TemporaryFolder
    ) throws -> Journal {
        var redaction = try JournalRedaction(
            journal, try paths.map { try PathSteps(parsing: $0) }, key: RedactionExpectation.key)
        let bytes = try RunFixtures.bytes { _ = try redaction.write(to: $0) }
        return try Journal.open(folder.write(bytes, to: "redacted.jsonl"), access: .random)
    }

    @Test(
        "lines that are passed over are the ones that stay: all of them written otherwise, each parsed, give the same",
        arguments: seeds(0..<60))
    func otherForm(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, commits: 60)
        let spaced = try RunFixtures.spaced(run.journal, "spaced.jsonl", in: run.folder)
        var random = SeededGenerator(seed: seed)
        let paths: [[String]] = [
            ["/cart/a"], ["/*/*/a"], ["/user", "/feed/0"], ["/cart/*/1", "/é/0"], ["/*/b", "/a b/m~0n/a"],
            ["/cart/0/a"],
            ["/feed/-", "/user/a~1b"], ["/user/*", "/cart/1/0", "/feed//a"],
        ]
        let steps = try (paths.randomElement(using: &random) ?? []).map { try PathSteps(parsing: $0) }
        func texts(_ journal: Journal) throws -> [String] {
            var redaction = try JournalRedaction(journal, steps, key: RedactionKey([1, 2, 3]))
            let bytes = try RunFixtures.bytes { _ = try redaction.write(to: $0) }
            let redacted = try Journal.open(run.folder.write(bytes, to: "redacted.jsonl"), access: .random)
            return try RunFixtures.records(of: redacted).map { JSONValue.object($0).text() }
        }
        #expect(try texts(run.journal) == texts(spaced), "seed \(seed), \(steps)")
    }

    @Test("a secret in the name or the action of a commit that touches nothing is found", arguments: [true, false])
    func untouchingCommit(isInName: Bool) throws {
        var run = HandMadeRun()
        run.open("session", ["token": .string("s3cret"), "n": .null])
        let member = isInName ? #""name":"reset s3cret","# : #""action":{"type":"A","payload":{"x":"s3cret"}},"#
        for (seq, member) in [(1, ""), (2, member), (3, "")] {
            run.raw(
                #"{"seq":\#(seq),"kind":"commit","store":"session","version":\#(seq),"time":"2030-01-01T00:00:00.000000Z","#
                    + #""at":{"file":"A/B.swift","line":1,"column":1,"function":"f()"},\#(member)"patch":[]}"#)
        }
        let folder = TemporaryFolder()
        let journal = try redacted(try run.journal("run.jsonl", in: folder), ["/session/token"], in: folder)
        #expect(TemporaryFolder.lines(journal.path).allSatisfy { !$0.contains("s3cret") })
        #expect(try RunFixtures.problems(of: journal) == [])
    }

    @Test("a commit that touches nothing must fit the state all the same, and its store be open")
    func damage() throws {
        for (store, path) in [("gone", "/n"), ("session", "/n/deep")] {
            var run = HandMadeRun()
            run.open("session", ["token": .string("s3cret"), "n": .null])
            run.raw(
                #"{"seq":1,"kind":"commit","store":"\#(store)","version":1,"time":"2030-01-01T00:00:00.000000Z","#
                    + #""at":{"file":"A/B.swift","line":1,"column":1,"function":"f()"},"#
                    + #""patch":[{"op":"replace","path":"\#(path)","value":1,"old":null}]}"#)
            let folder = TemporaryFolder()
            #expect(throws: JournalError.self) {
                try redacted(try run.journal("run.jsonl", in: folder), ["/session/token"], in: folder)
            }
        }
    }

    @Test("a secret that is the name of a store is gone from what the end counts, too")
    func storeNames() throws {
        var run = HandMadeRun()
        run.open("s3cret", ["n": .null])
        run.open("session", ["token": .string("s3cret")])
        run.set("s3cret", "n", 1)
        run.end()
        let folder = TemporaryFolder()
        let journal = try redacted(try run.journal("run.jsonl", in: folder), ["/session/token"], in: folder)
        #expect(TemporaryFolder.lines(journal.path).allSatisfy { !$0.contains("s3cret") })
        #expect(try RunFixtures.problems(of: journal) == [])
    }

    @Test("equal values have equal hashes, and redacting twice changes nothing")
    func twice() throws {
        var run = HandMadeRun()
        run.open("a", ["x": .string("same"), "y": .string("same")])
        run.set("a", "z", .string("same"))
        let folder = TemporaryFolder()
        let once = try redacted(try run.journal("run.jsonl", in: folder), ["/a/*"], in: folder)
        let state = try once.state(at: CommitNumber(1)).value
        #expect(JSONPointer(["a", "x"]).value(in: state) == JSONPointer(["a", "z"]).value(in: state))
        let bytes = TemporaryFolder.read(once.path)
        #expect(try TemporaryFolder.read(redacted(once, ["/a/*"], in: folder).path) == bytes)
    }

    @Test("a search tells where a secret is, escapes undone")
    func search() throws {
        let line = #"{"seq":3,"kind":"mark","text":"a\u0062c","b":{"abc":[1,1234]},"p":"/x~1y"}"#
        var found: [String] = []
        _ = SecretSearch(["abc", "234", "x/y"]).search(Array((line + "\n").utf8), firstLine: 7) {
            found.append("\($0.line) \($0.path)")
        }
        #expect(found == ["7 /text", "7 /b/abc", "7 /b/abc/1", "7 /p"])
    }
}
