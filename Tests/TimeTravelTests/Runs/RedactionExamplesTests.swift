import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import TimeTravel

/// Ways in which a value once got past a redaction.
@Suite("What a redaction must not leave")
struct RedactionExamplesTests {
    private let folder = TemporaryFolder()

    /// A redacted journal.
    ///
    /// - Parameters:
    ///   - problems: what verification says of the journal, and of the redacted one: each line and its code.
    private func redacted(
        _ lines: [String], _ path: String, problems: [String] = []
    ) throws -> Journal {
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        let journal = try Journal.open(folder.write(bytes, to: "run.jsonl"), access: .random)
        #expect(try codes(RunFixtures.problems(of: journal)) == problems)
        var redaction = try JournalRedaction(journal, [try PathSteps(parsing: path)], key: RedactionExpectation.key)
        let made = try RunFixtures.bytes { _ = try redaction.write(to: $0) }
        let redacted = try Journal.open(folder.write(made, to: "redacted.jsonl"), access: .random)
        #expect(try codes(RunFixtures.problems(of: redacted)) == problems)
        return redacted
    }

    /// Problems without their messages.
    private func codes(_ problems: [String]) -> [String] {
        problems.map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
    }

    private func left(_ secret: String, in journal: Journal) throws -> [String] {
        var places: [String] = []
        try SecretSearch([secret]).search(journal) { places.append("\($0.line) \($0.path)") }
        return places
    }

    @Test("elements that move past a numbered one are redacted where they come to lie")
    func movePastNumbered() throws {
        let journal = try redacted(
            [
                Lines.header, Lines.store(#"{"l":["aaaa","bbbb","cccc"]}"#),
                Lines.commit(1, #"{"op":"move","from":"/l/0","path":"/l/2"}"#),
            ], "/s/l/1")
        #expect(try left("cccc", in: journal) == [] && left("bbbb", in: journal) == [])
        #expect(try !left("aaaa", in: journal).isEmpty)
    }

    @Test(
        "a text that was copied or moved out of a redacted place goes, and one that was moved there was never",
        arguments: [
            [#"{"op":"copy","from":"/p","path":"/q"}"#], [#"{"op":"move","from":"/p","path":"/q"}"#],
            [#"{"op":"copy","from":"","path":"/whole"}"#], [#"{"op":"test","path":"/p","value":"hunter2"}"#],
            [#"{"op":"add","path":"/t","value":"hunter2"}"#, #"{"op":"move","from":"/t","path":"/p"}"#],
            [#"{"op":"replace","path":"","value":{"p":{"x":"hunter2"},"deep":["say hunter2!"]}}"#],
        ])
    func flows(patch: [String]) throws {
        let lines = patch.enumerated().map { Lines.commit($0 + 1, $1) }
        let journal = try redacted(
            [Lines.header, Lines.store(#"{"p":"hunter2","n":1}"#)] + lines, "/s/p")
        #expect(try left("hunter2", in: journal) == [])
    }

    @Test("what stands in members that nobody reads goes too")
    func everywhere() throws {
        let secret = "hunter2-secret"
        let escaped = #"\u0068unter2-secret"#
        let lines = [
            #"{"seq":0,"kind":"journal","version":1,"id":"\#(secret)",\#(Lines.time),"recorder":"\#(escaped)","labels":{"\#(secret)":"l"},"odd":"\#(secret)"}"#,
            Lines.store(#"{"p":"\#(secret)","q":1}"#),
            #"{"seq":0,"kind":"store","store":"\#(secret)","type":"\#(secret)",\#(Lines.time),\#(Lines.at),"state":{"\#(secret)":0}}"#,
            #"{"seq":0,"kind":"derived","name":"\#(secret)","inputs":["/\#(secret)/x"],\#(Lines.at)}"#,
            Lines.commit(
                1, #"{"op":"replace","path":"/q","value":2,"old":1,"comment":"\#(secret)"}"#,
                more: #","thread":"\#(secret)","action":{"type":"T","meta":"\#(secret)","payload":{"p":"short"}}"#),
            #"{"seq":1,"kind":"outcome","commit":1,"derived":[{"name":"\#(secret)","outcome":"fired","value":1,"beside":"\#(secret)"}]}"#,
            #"{"seq":1,"kind":"mark","text":"\#(escaped)","text":"plain","level":"\#(secret)",\#(Lines.time)}"#,
            #"{"seq":1,"kind":"abort","store":"s",\#(Lines.time),"at":{"file":"\#(secret)","line":1,"column":1,"function":"\#(escaped)"},"error":"e"}"#,
            #"{"seq":2,"kind":"commit","store":"\#(secret)","version":1,\#(Lines.time),\#(Lines.at),"patch":[{"op":"replace","path":"/\#(escaped)","value":1,"old":0}]}"#,
            #"{"seq":2,"kind":"close","store":"\#(secret)",\#(Lines.time),"why":"\#(secret)"}"#,
            #"{"seq":2,"kind":"custom","deep":[{"\#(secret)":"third-\#(escaped)"}]}"#,
            #"{"seq":4,"kind":"gap",\#(Lines.time),"first":3,"lost":2,"reason":"\#(secret)","states":{"s":{"p":"\#(escaped)","q":3}}}"#,
        ]
        // A level that the format does not have stays one.
        let journal = try redacted(lines, "/s/p", problems: ["line 7: record"])
        #expect(try left(secret, in: journal) == [])
        #expect(TemporaryFolder.lines(journal.path).allSatisfy { !$0.contains("short") })
        #expect(try journal.record(of: CommitNumber(2)).object()["kind"]?.string == "commit")
    }

    @Test("what only looks like a hash is a value")
    func forgedHash() throws {
        let journal = try redacted(
            [Lines.header, Lines.store(#"{"p":{"$redacted":"my secret"},"q":{"$redacted":"0123456789abcdef"}}"#)],
            "/s/*")
        #expect(try left("my secret", in: journal) == [])
        #expect(try !left("0123456789abcdef", in: journal).isEmpty)
    }

    @Test("equal numbers have equal hashes, however they are written, and go wherever they stand")
    func numbers() throws {
        let journal = try redacted(
            [
                Lines.header, Lines.store(#"{"p":41110.0,"q":0,"r":41110,"near":941110}"#),
                Lines.commit(1, #"{"op":"replace","path":"/p","value":4.111e4,"old":41110}"#),
                Lines.commit(2, #"{"op":"replace","path":"/q","value":4111e1,"old":0}"#),
                Lines.commit(3, #"{"op":"replace","path":"/q","value":"card 41110","old":41110.00}"#),
            ], "/s/p")
        let state = try journal.state(at: CommitNumber(2)).value
        func part(_ name: String) -> JSONValue? { JSONPointer(["s", name]).value(in: state) }
        #expect(part("p") == part("q") && part("p") == part("r") && part("p")?.isRedacted == true)
        #expect(part("near")?.text() == "941110")
        #expect(TemporaryFolder.lines(journal.path).allSatisfy { !$0.contains("card 4") && !$0.contains("111e") })
    }

    @Test(
        "a number goes with either sign, as a number and in a text", arguments: ["48213377", "-48213377", "-1.25e-7"])
    func signs(secret: String) throws {
        let digits = secret.drop { $0 == "-" }
        let journal = try redacted(
            [
                Lines.header,
                Lines.store(
                    #"{"p":\#(secret),"l":[\#(digits),-\#(digits)],"t":"owes \#(digits), or -\#(digits)","n":4821}"#),
            ], "/s/p")
        #expect(try left(String(digits), in: journal) == [])
        #expect(try !left("4821", in: journal).isEmpty)
    }

    @Test("the value of a derived value goes unless it is known to read nothing redacted")
    func derivedValues() throws {
        func derived(_ name: String, _ reads: String) -> String {
            #"{"seq":0,"kind":"derived","name":"\#(name)",\#(reads),\#(Lines.at)}"#
        }
        let outcomes = ["direct", "through", "unknown", "never", "free"].map {
            #"{"name":"\#($0)","outcome":"fired","value":"of \#($0)"}"#
        }
        let journal = try redacted(
            [
                Lines.header, Lines.store(#"{"p":"hunter2","q":0}"#),
                derived("through", #""inputs":[],"from":["direct"]"#),
                derived("direct", #""inputs":["/s"]"#), derived("unknown", #""inputs":null"#),
                derived("free", #""inputs":["/s/q"]"#),
                Lines.commit(1, #"{"op":"replace","path":"/q","value":1,"old":0}"#),
                #"{"seq":1,"kind":"outcome","commit":1,"derived":[\#(outcomes.joined(separator: ","))]}"#,
            ], "/s/p")
        let kept = try ["direct", "through", "unknown", "never", "free"].filter {
            try !left("of \($0)", in: journal).isEmpty
        }
        #expect(kept == ["free"])
    }

    @Test("a path that matches nothing is told before anything is written")
    func unmet() throws {
        let bytes = Array([Lines.header, Lines.store(#"{"p":{"a":1}}"#)].map { $0 + "\n" }.joined().utf8)
        let journal = try Journal.open(folder.write(bytes, to: "run.jsonl"), access: .random)
        let paths = try ["/s/p/a", "/s/q", "/s/p/a/b", "/*/p"].map { try PathSteps(parsing: $0) }
        #expect(try JournalRedaction(journal, paths).unmet == [1, 2])
    }

    @Test("a secret is found in any line, also in one that is torn or no record, escapes undone")
    func searchOfDamage() throws {
        let lines = [
            Lines.header, #"{"seq":0,"kind":"mark","text":"hun\u0074er2"#, "", #"garbage hunter2 \ud83d"#,
            Lines.header.replacing("x", with: "hunter2"), #"{"seq":9,"kind":"mark","a":"\u0068unter2","a":1}"#,
            #"{"seq":7,"kind":"mark","text":"hunter2-sec"#,
        ]
        let bytes = Array(lines.joined(separator: "\n").utf8)
        let journal = try Journal.open(folder.write(bytes, to: "run.jsonl"), access: .random)
        #expect(try left("hunter2", in: journal) == ["2 ", "4 ", "5 /id", "6 ", "7 "])
    }

    @Test(
        "a name is hidden in whatever form of Unicode a line has it, and a path is typed in",
        arguments: [
            ("caf\u{E9}", "cafe\u{301}"), ("cafe\u{301}", "caf\u{E9}"), ("\u{212A}ey", "Key"), ("Key", "\u{212A}ey"),
        ], ["/s/T/pw", "/s/T", "/*/T", "/**/T", "/s/T/*", "/s/T/**/pw", "/**/pw", "/T/o/pw", "/T"])
    func formsOfNames(name: (written: String, typed: String), path: String) throws {
        let written = name.written
        // Values so short that they are found by their place alone.
        let other = Lines.store(#"{"o":{"pw":"q0"},"a":[]}"#).replacing(
            #""store":"s""#, with: #""store":"\#(written)""#)
        let payload = #","action":{"type":"A","payload":{"\#(written)":"q1","pw":"q1"}}"#
        let totals = #"{"commits":{"s":2},"open":["\#(written)","s"],"derived":["d"],"marks":0,"gaps":0,"aborts":0}"#
        let lines = [
            Lines.header, Lines.store(#"{"\#(written)":{"pw":"q2"},"t":0}"#), other,
            #"{"seq":0,"kind":"derived","name":"d","inputs":["/s/\#(written)/pw","/\#(written)/o/pw"],\#(Lines.at)}"#,
            Lines.commit(1, #"{"op":"replace","path":"/\#(written)/pw","value":"q3","old":"q2"}"#, more: payload),
            #"{"seq":1,"kind":"outcome","commit":1,"derived":[{"name":"d","outcome":"fired","value":"q4"}]}"#,
            Lines.commit(2, #"{"op":"replace","path":"/\#(written)","value":{"pw":"q5"},"old":{"pw":"q3"}}"#),
            #"{"seq":2,"kind":"keyframe","states":{"\#(written)":{"a":[],"o":{"pw":"q0"}},"s":{"\#(written)":{"pw":"q5"},"t":0}},"totals":\#(totals)}"#,
        ]
        let typed = path.replacing("T", with: name.typed)
        _ = try redacted(lines, typed)
        let text = String(decoding: TemporaryFolder.read(folder.path("redacted.jsonl")), as: UTF8.self)
        var hidden = ["q4"]
        if path.hasPrefix("/T") || path.hasPrefix("/**") { hidden += ["q0"] }
        if !path.hasPrefix("/T") { hidden += ["q2", "q3", "q5"] }
        for value in hidden { #expect(!text.contains("\"\(value)"), "\(value) in \(text)") }
        // A member of a payload is called as a path ends.
        if path.hasSuffix("/T") && path != "/T" { #expect(!text.contains(#""\#(written)":"q1""#), "\(text)") }
        if path.hasSuffix("pw") { #expect(!text.contains(#""pw":"q1""#), "\(text)") }
    }
}
