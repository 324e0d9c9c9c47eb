import Foundation
import JSONCore
import TestSupport
import Testing

@testable import CommandLine
@testable import Commands
@testable import TimeTravel

@Suite("Rendering")
struct RenderingTests {
    init() { _ = tool }

    @Test("columns are counted as terminals do")
    func width() {
        #expect(DisplayWidth.of("abc") == 3)
        #expect(DisplayWidth.of("é") == 1 && DisplayWidth.of("e\u{301}") == 1)
        #expect(DisplayWidth.of("日本") == 4)
        #expect(("\("ab", .path)c" as StoryLine).columns == 3)
        #expect(DisplayWidth.clipped("日本語", to: 5) == "日本…")
        #expect(DisplayWidth.clipped("abcdef", to: 6) == "abcdef")
        #expect(DisplayWidth.clipped("abcdefg", to: 6) == "abcde…")
        #expect(DisplayWidth.clipped("abc", to: 0) == "…")
        #expect(DisplayWidth.padded("日", to: 4) == "日  ")
    }

    @Test(
        "arguments are quoted as a shell needs them",
        arguments: [
            ("samples/checkout.jsonl", "samples/checkout.jsonl"), ("", "''"), (".cart.total < 0", "'.cart.total < 0'"),
            ("it's", #"'it'\''s'"#), ("/a/*", "'/a/*'"), ("a\nb%", #""$(printf 'a\012b%%')""#),
            ("a\n", #"$'a\012'"#), ("a##b", "'a#''#b'"),
        ])
    func quoting(_ argument: String, _ expected: String) {
        #expect(ShellQuoting.quoted(argument) == expected)
    }

    private func changes(
        _ width: Int?, _ changes: (path: String, kind: StateChange.ChangeKind)...
    ) throws -> [String] {
        let changes = try changes.map { StateChange(path: try JSONPointer(parsing: $0.path), kind: $0.kind) }
        return CommitStory(width: width).lines(changes, indent: 2).map(\.text)
    }

    @Test("changes are aligned by their paths")
    func changeTable() throws {
        let lines = try changes(
            80,
            ("/cart/total", .replaced(.number(JSONNumber(-3)), old: .number(JSONNumber(12)))),
            ("/cart/discounts/1", .added(.string("SPRING"))),
            ("/cart/note", .removed(.null)), ("/cart/x", .removed(nil)),
            ("/cart/items/0", .moved(from: JSONPointer(["cart", "items", "2"]))),
            ("", .replaced(.bool(true), old: nil)))
        #expect(
            lines == [
                "  /cart/total         12 → -3", "  /cart/discounts/1   + \"SPRING\"", "  /cart/note          - null",
                "  /cart/x             removed", "  /cart/items/0       moved from /cart/items/2",
                "  (all)               is now true",
            ])
    }

    @Test("a copy is not called a move, and counts as an addition")
    func copies() throws {
        let patch = #"[{"op":"copy","from":"/s/a","path":"/s/b"},{"op":"move","from":"/s/a","path":"/s/c"}]"#
        let changes = StateChange.all(in: try JSONPatch(json: JSONParser.parse(Array(patch.utf8))))
        #expect(
            CommitStory(width: 80).lines(changes, indent: 0).map(\.text) == [
                "/s/b   copied from /s/a", "/s/c   moved from /s/a",
            ])
        #expect(ChangeCounts(changes).text == "1 added, 1 moved")
    }

    @Test("values are shortened to the width, and the shorter of two leaves its room to the other")
    func shortened() throws {
        let long = JSONValue.string(String(repeating: "x", count: 1000))
        for line in try changes(
            60, ("/a", .replaced(long, old: .null)),
            ("/b", .replaced(.null, old: long)),
            ("/c", .replaced(long, old: long)), ("/d", .added(long)))
        { #expect(DisplayWidth.of(line) <= 60 && DisplayWidth.of(line) >= 58, "\(line)") }
    }

    @Test("a value is shown over several lines as jq does")
    func valueTree() {
        var cart = JSONObject()
        cart["items"] = .array([.number(JSONNumber(1)), .string("a\u{9B}"), .array([])])
        cart["none"] = .object(JSONObject())
        let expected = #"""
            {
              "items": [
                1,
                "a\u009b",
                []
              ],
              "none": {}
            }
            """#
        #expect(ValueTree().text(.object(cart), .plain) == expected)
        #expect(ValueTree().lines(.object(cart)).map(\.text).joined(separator: "\n") == expected)
        let deep = (0..<800).reduce(JSONValue.null) { value, _ in [value] }
        #expect(ValueTree().text(deep, .plain).utf8.count < 1 << 18)
        #expect(ValueTree().text(.null, Style(isColored: true)) == "\u{1B}[35mnull\u{1B}[0m")
    }

    @Test("a preview of a large value stops early")
    func preview() {
        let value = JSONValue.array(Array(repeating: .array([.null, .bool(true)]), count: 100_000))
        #expect(FittedValue.text(value, limit: 50).utf8.count < 80)
        #expect(FittedValue.text(.array([.null, .bool(true)]), limit: 50) == "[null,true]")
    }

    @Test("a store or gap record says what it is")
    func otherRecords() {
        var lines = CommitLine()
        let gap = RecordSummary(seq: 9, kind: .gap(lost: 3, reason: "the disk was full"), time: "x")
        #expect(lines.text(gap).text == "9 (gap of 3 commits)  x  the disk was full")
    }

    private func bisection(_ arguments: String...) -> String {
        let samples = SharedFolder.packageRoot.appendingPathComponent("samples/").path
        let words = ["bisect", samples + "/checkout.jsonl"] + arguments + ["--format", "human", "--no-pager"]
        return ProgramRun(words, width: 80).output
    }

    @Test("a bisection that finds nothing says so")
    func nothing() {
        let never = bisection("--bad", ".cart.total < -1000000")
        #expect(never.contains(#/never bad in \d+ commits, positions 0 to \d+; \d+ positions tested\n/#), "\(never)")
        let always = bisection("--bad", ".cart.total >= -1000000", "--from", "10")
        #expect(always.hasPrefix("bad from the start: the state at 10 is bad already"), "\(always)")
    }

    @Test("skipped positions next to the answer are named")
    func candidates() {
        let story = bisection("--bad", ".cart.total < 0", "--skip", "117..118", "--color", "never")
        #expect(story.hasPrefix("first bad commit, or one near it:  119 of 412"), "\(story)")
        #expect(story.contains("1 position gave no answer, so the first bad one may be any of 118, 119"), "\(story)")
    }

    @Test("what fired is named with its values, and what did not fire though its input was written")
    func firings() {
        var firings = CommitStory.Firings()
        firings.fired = [
            .init(name: "total", change: .replaced(.number(JSONNumber(-3)), old: .number(JSONNumber(12)))),
            .init(name: "canCheckOut", change: .replaced(.bool(false), old: .bool(true))),
        ]
        firings.unchanged = ["badge"]
        #expect(
            CommitStory(width: 80).firings(firings)?.text
                == "  fired       total 12 → -3, canCheckOut true → false   (badge did not: its input is equal)")
    }

    @Test("what a journal holds is escaped in a line, and is no part of its looks")
    func interpolation() {
        let line: StoryLine = "\("a\u{1B}[2J\nb", .path) is \(3, .commit)"
        #expect(line.text == #"a\u001b[2J\nb is 3"#)
        #expect(line.text(Style(isColored: true)) == "\u{1B}[1ma\\u001b[2J\\nb\u{1B}[0m is \u{1B}[33m3\u{1B}[0m")
    }

    @Test("progress tells bytes, commits, rate and the time left")
    func progress() {
        let progress = Progress("reading", on: nil)
        let line = progress.line(
            bytes: 70_000_000, of: 350_000_000, commits: 200_000, read: 70_000_000, in: .seconds(2))
        #expect(line == "reading  70.0 MB of 350 MB  200000 commits  35.0 MB/s  8 s left")
    }
}

@Suite("why as a diagram")
struct CauseDiagramTests {
    @Test("the stores take part, and each commit is a message from the one that caused it")
    func diagram() throws {
        let journal = ShopJournal()
        let run = journal.run("why", "J", "3", "--format", "mermaid")
        #expect(run.status == 0, "\(run)")
        #expect(
            run.output
                == """
                sequenceDiagram
                    participant s1 as session
                    participant s2 as cart
                    s1->>s1: 2 refresh() Shop/Session.swift#58;20
                    Note over s1: /token #34;a1#34; → #34;b7#34;
                    s1->>s2: 3 applyDiscount(_#58;) Shop/Cart.swift#58;42
                    Note over s2: /total 12 → #45;3

                """.replacingOccurrences(of: "/token", with: "/session/token").replacingOccurrences(
                    of: "/total", with: "/cart/total"), "\(run)")
        let text = journal.run("why", "J", "3", "--format", "markdown")
        let block = run.output.split(separator: "\n").joined(separator: "\n")
        #expect(
            text.output.hasPrefix("### What caused commit 3\n\n```mermaid\n" + block + "\n```\n\n- 3 `cart` · "),
            "\(text)")
    }

    private static let names = [
        "end", "END", "a;b", "a#b", "a:b", "a\nb", "\"q\"", "`x`", "%%c", "{x}", "->>", "a-->>b", " ", "style:x#y;",
        "classDef a:#b;", "<br>", "é…", "e\u{301}nd", "\u{1B}[31m", "\u{202E}x", "as", "@{x}", "end end", "bend",
        String(repeating: "x;", count: 200), "loop", "#59;", "Note over s1: x", "\\",
    ]

    @Test("no name, of a store or of a function, breaks it", arguments: names)
    func hostileNames(_ name: String) throws {
        let quoted = JSONName.text(name)
        let journal = ShopJournal { lines in
            lines = lines.map {
                $0.replacingOccurrences(of: "\"cart\"", with: quoted)
                    .replacingOccurrences(of: "\"applyDiscount(_:)\"", with: quoted)
            }
        }
        let run = journal.run("why", "J", "3", "--format", "mermaid")
        #expect(run.status == 0, "\(run)")
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.count == 8 && lines[0] == "sequenceDiagram" && lines[7].isEmpty, "\(run)")
        for line in lines.dropFirst().dropLast() {
            // Without the entities a label has nothing that means anything to Mermaid.
            let bare = line.replacing(#/#[0-9]+;/#, with: "")
            let label = try #require(
                bare.firstMatch(of: #/^ {4}(participant s[12] as |s[12]->>s[12]: |Note over s[12]: )(.*)$/#), "\(line)")
            #expect(!label.2.contains(where: { ";#:\"`%{}<>@-\\\n".contains($0) }), "\(line)")
            #expect(!line.lowercased().dropFirst(4).contains("end"), "\(line)")
            #expect(!line.contains("style") && !line.contains("classDef"), "\(line)")
            #expect(line.dropFirst(22).contains { !$0.isWhitespace }, "\(line)")
            #expect(line.count < 1_200, "\(line)")
        }
    }

    @Test("a name of nothing, or of blanks, is shown in quotes")
    func blankNames() {
        #expect(Mermaid.name("", width: 10) == "#34;#34;")
        #expect(Mermaid.name(" ", width: 10) == "#34; #34;")
        #expect(Mermaid.name("ab", width: 10) == "ab")
    }

    @Test("of a long chain the newest hundred are drawn, and how many are left out is said")
    func longChain() throws {
        let commits = 150
        let journal = ShopJournal { lines in
            lines = Array(lines[..<3])
            for number in 1...commits {
                let cause = number == 1 ? "" : #""cause":\#(number - 1),"#
                lines.append(
                    #"{"seq":\#(number),"kind":"commit","store":"cart","version":\#(number),"time":"2026-11-21T12:00:01.000000Z","at":{"file":"A.swift","line":1,"column":1,"function":"f()"},\#(cause)"patch":[]}"#
                )
            }
        }
        let run = journal.run("why", "J", "\(commits)", "--format", "mermaid")
        #expect(run.output.contains("Note over s1: 50 causes before it are not drawn\n"), "\(run)")
        #expect(run.output.contains("s1->>s1: 51 f()") && !run.output.contains("s1->>s1: 50 f()"), "\(run)")
        #expect(run.output.split(separator: "\n").count == 3 + 200)
    }
}

private enum JSONName {
    /// A text as JSON.
    static func text(_ name: String) -> String {
        guard let data = try? JSONEncoder().encode(name) else { return "\"\"" }
        return String(decoding: data, as: UTF8.self)
    }
}
