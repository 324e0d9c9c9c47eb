import Diagnostics
import JSONCore
import Testing

@testable import CommandLine

@Suite("Messages")
struct DiagnosticRendererTests {
    private func text(_ diagnostic: Diagnostic, width: Int? = nil) -> String {
        DiagnosticRenderer(width: width).lines(diagnostic).map { $0.text + "\n" }.joined()
    }

    private let unclosed = Diagnostic(
        code: "query.unclosed", "this '(' is never closed",
        place: .source(
            SourceExcerpt(
                name: "query", text: "select(.cart.total > 100",
                marks: [.init(6..<7, "opened here"), .init(24..<24, "the query ends here")])),
        help: ["add ')' at the end"])

    @Test("a problem says what, where and what to type")
    func plain() {
        let diagnostic = Diagnostic(
            code: "position.past-end", "position '900' is past the end of 'shop.jsonl'",
            notes: ["it holds commits 0 to 412"],
            help: ["write 'end' for the last commit, 'end-3' for the third before it"])
        #expect(
            text(diagnostic) == """
                state-inspect: error: position '900' is past the end of 'shop.jsonl'
                note: it holds commits 0 to 412
                help: write 'end' for the last commit, 'end-3' for the third before it

                """)
    }

    @Test("a place in a file has line, byte and length, as far as they are known")
    func file() {
        let diagnostic = Diagnostic(
            .warning, code: "journal.torn", "the last record of 'shop.jsonl' is incomplete and was left out",
            place: .file(path: "shop.jsonl", line: 415, byte: 90112, length: 37),
            notes: ["the program stopped while writing it; commits 0 to 412 are whole"])
        #expect(
            text(diagnostic) == """
                state-inspect: warning: the last record of 'shop.jsonl' is incomplete and was left out
                 --> shop.jsonl:415 (byte 90112, 37 bytes)
                note: the program stopped while writing it; commits 0 to 412 are whole

                """)
        #expect(DiagnosticRenderer.file(path: "a", line: nil, byte: 7, length: nil) == "a (byte 7)")
        #expect(DiagnosticRenderer.file(path: "a", line: nil, byte: nil, length: nil) == "a")
    }

    @Test("several marks of one line stand side by side")
    func marks() {
        #expect(
            text(unclosed) == """
                state-inspect: error: this '(' is never closed
                 --> query:1:7
                1 | select(.cart.total > 100
                  |       ^ opened here     ^ the query ends here
                help: add ')' at the end

                """)
    }

    @Test("a label that has no room goes below its carets")
    func crowdedMarks() {
        let diagnostic = Diagnostic(
            code: "x", "two things",
            place: .source(
                SourceExcerpt(
                    name: "query", text: "ab + cd",
                    marks: [.init(5..<7, "this is a number"), .init(0..<2, "this is a string")],
                    suffix: ", at commit 37")))
        #expect(
            text(diagnostic) == """
                state-inspect: error: two things
                 --> query:1:6, at commit 37
                1 | ab + cd
                  | ^^   ^^ this is a number
                  | this is a string

                """)
    }

    @Test("marks on several lines show those lines only")
    func lines() {
        let source = "def a: (\n  1;\n  2;\ndef b: é];"
        let close = source.utf8.count - 2
        let diagnostic = Diagnostic(
            code: "x", "']' closes '('",
            place: .source(
                SourceExcerpt(
                    name: "defs.jq", text: source,
                    marks: [.init(close..<close + 1, "closed here"), .init(7..<8, "opened here")])))
        #expect(
            text(diagnostic) == """
                state-inspect: error: ']' closes '('
                 --> defs.jq:4:9
                1 | def a: (
                  |        ^ opened here
                  ⋮
                4 | def b: é];
                  |         ^ closed here

                """)
    }

    @Test("a line wider than the screen is shown around its mark")
    func longLine() {
        let query = String(repeating: "a", count: 200) + "!" + String(repeating: "b", count: 200)
        let diagnostic = Diagnostic(
            code: "x", "no", place: .source(SourceExcerpt(name: "query", text: query, marks: [.init(200..<201)])))
        let lines = text(diagnostic, width: 44).split(separator: "\n")
        #expect(lines[2] == "1 | …" + String(repeating: "a", count: 13) + "!" + String(repeating: "b", count: 24) + "…")
        #expect(lines[3] == "  | " + String(repeating: " ", count: 14) + "^")
    }

    @Test("nothing that a journal or a person wrote reaches the terminal unescaped")
    func escaping() {
        let evil = "\u{1B}[31m\u{202E}\n::error::"
        let diagnostic = Diagnostic(
            code: "x", evil,
            place: .source(SourceExcerpt(name: evil, text: "a\tb" + "\u{1B}", marks: [.init(3..<4, evil)])),
            notes: [evil], help: [evil])
        let rendered = text(diagnostic)
        #expect(!rendered.unicodeScalars.contains { $0 != "\n" && ControlCharacters.isUnsafe($0) })
        #expect(!rendered.contains("\n::error"))
        #expect(rendered.contains("1 | a\\tb\\u001b\n  |     ^^^^^^ "))
    }

    @Test("marks past the end of the text stand at its end")
    func outside() {
        let diagnostic = Diagnostic(
            code: "x", "no", place: .source(SourceExcerpt(name: "query", text: "", marks: [.init(9..<12)])))
        #expect(text(diagnostic).hasSuffix(" --> query:1:1\n1 |\n  | ^\n"))
    }

    @Test("as JSON a problem is one line with the same facts")
    func json() {
        let expected =
            #"{"kind":"error","code":"query.unclosed","message":"this '(' is never closed","#
            + #""place":{"source":"query","line":1,"column":7,"text":"select(.cart.total > 100","#
            + #""marks":[{"from":6,"to":7,"label":"opened here"},{"from":24,"to":24,"label":"the query ends here"}]},"#
            + #""help":["add ')' at the end"]}"# + "\n"
        #expect(DiagnosticJSON.line(unclosed) == expected)
    }

    @Test("carets are coloured where text is")
    func color() {
        let lines = DiagnosticRenderer(width: nil).lines(unclosed).map { $0.text(Style(isColored: true)) }
        #expect(lines.joined().contains("\u{1B}[1;31m^\u{1B}[0m"))
    }
}
