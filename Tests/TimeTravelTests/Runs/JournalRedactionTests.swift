import Foundation
import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import TimeTravel

@Suite("A journal without some values")
struct JournalRedactionTests {
    private let folder = TemporaryFolder()

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
        let journal = try redacted(try run.journal("run.jsonl", in: folder), ["/session/token"], in: folder)
        #expect(TemporaryFolder.lines(journal.path).allSatisfy { !$0.contains("s3cret") })
        #expect(try RunFixtures.problems(of: journal) == [])
    }

    @Test("equal values have equal hashes, and redacting twice changes nothing")
    func twice() throws {
        var run = HandMadeRun()
        run.open("a", ["x": .string("same"), "y": .string("same")])
        run.set("a", "z", .string("same"))
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

@Suite("Any journal without some values")
struct RedactionPropertyTests {
    /// Paths that hit something, by name, by number and by wildcards.
    private func paths(_ journal: inout ForeignJournal) -> [PathSteps] {
        let states = journal.states.values.map { $0 }.sorted { $0.text() < $1.text() }
        return (0..<(1 + journal.random.below(2))).map { _ in
            journal.random.pattern(in: states[journal.random.below(states.count)])
        }
    }

    @Test(
        "no byte of a secret is left, the result verifies, and every state is the one it was but for what was redacted",
        arguments: seeds(0..<200))
    func holds(seed: UInt64) throws {
        var made = ForeignJournal(seed: seed)
        made.run(commits: 25)
        let steps = paths(&made)
        let folder = TemporaryFolder()
        let journal = try Journal.open(folder.write(made.bytes, to: "run.jsonl"), access: .random)
        #expect(try RunFixtures.problems(of: journal) == [], "seed \(seed)")
        let expected = try RedactionExpectation(journal, steps, states: made.states)
        var redaction = try JournalRedaction(journal, steps, key: RedactionExpectation.key)
        let bytes = try RunFixtures.bytes { _ = try redaction.write(to: $0) }
        _ = SecretSearch(expected.secrets).search(bytes, firstLine: 1) { found in
            Issue.record("seed \(seed), \(steps): \(expected.secrets[found.secret]) is left, \(found)")
        }
        let redacted = try Journal.open(folder.write(bytes, to: "redacted.jsonl"), access: .random)
        #expect(try RunFixtures.problems(of: redacted) == [], "seed \(seed), \(steps)")
        for (position, state) in made.states {
            #expect(
                try redacted.state(at: CommitNumber(position)).value == expected.state(state),
                "seed \(seed), \(steps), position \(position)")
        }
    }
}

/// What the states of a redacted journal must be, made from the states alone.
struct RedactionExpectation {
    static let key = RedactionKey([1, 2, 3])

    /// The texts that must be nowhere.
    let secrets: [String]
    private let values: RedactedValues

    /// - Parameter states: those of the journal; what they have at the paths must be among the texts.
    init(_ journal: Journal, _ paths: [PathSteps], states: [Int: JSONValue]) throws {
        var matcher = PathMatcher(paths)
        if matcher.isMatch(matcher.root) { matcher = PathMatcher([PathSteps([.one])]) }
        values = RedactedValues(matcher, RedactionExpectation.key)
        var survey = RedactionSurvey(matcher, paths)
        try survey.read(journal)
        var found = SecretTexts()
        for state in states.values {
            for path in matcher.matches(in: state) { path.value(in: state).map { found.collect($0) } }
        }
        #expect(found.texts.isSubset(of: survey.secrets.texts))
        secrets = survey.secrets.texts.map { String(decoding: $0, as: UTF8.self) }
    }

    private func text(_ text: String) -> String {
        secrets.contains { UTF8Order.equal($0, text) } ? values.mark(text) : text
    }

    private func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .number: value
        case .string(let string): .string(text(string))
        case .array(let elements): .array(elements.map(masked))
        case .object(let members):
            value.isRedacted ? value : .object(JSONObject(members.map { (text($0.key), masked($0.value)) }))
        }
    }

    /// What becomes of a state.
    func state(_ state: JSONValue) -> JSONValue { masked(values.redacted(state, at: [])) }
}

@Suite("Many texts looked for at once")
struct AhoCorasickTests {
    private func matches(_ patterns: [[UInt8]], in text: [UInt8]) -> Set<[Int]> {
        var found = Set<[Int]>()
        text.withBytes { text in
            AhoCorasick(patterns).search(text) { range, pattern in
                found.insert([range.lowerBound, range.upperBound, pattern])
                return .shorter
            }
        }
        return found
    }

    @Test("all places of all patterns are found, and nothing else", arguments: seeds(0..<300))
    func all(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func word(_ longest: Int) -> [UInt8] {
            (0..<Int.random(in: 0...longest, using: &random)).map { _ in UInt8.random(in: 97...98, using: &random) }
        }
        let patterns = Array(Set((0..<Int.random(in: 0...9, using: &random)).map { _ in word(5) }))
        let text = word(40)
        var expected = Set<[Int]>()
        for (index, pattern) in patterns.enumerated() where !pattern.isEmpty {
            for start in text.indices where text[start...].starts(with: pattern) {
                expected.insert([start, start + pattern.count, index])
            }
        }
        #expect(matches(patterns, in: text) == expected, "seed \(seed)")
    }

    @Test("many patterns that begin alike cost no more than their bytes")
    func alike() {
        let front = Array(repeating: UInt8(ascii: "a"), count: 200)
        let patterns = (0..<8_000).map { front + Array("\($0)".utf8) }
        let search = AhoCorasick(patterns)
        let text = Array(repeating: UInt8(ascii: "a"), count: 2_000_000)
        // Were it not so, the test would not end.
        #expect(!text.withBytes { search.isAny(in: $0) })
    }
}
