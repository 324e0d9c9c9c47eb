import Foundation
import TestSupport
import Testing

@testable import StateInspectCLI

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
