import Diagnostics
import TestSupport
import Testing

@testable import QueryLanguage

/// What is said about a program that does not parse: what, where, and what to write instead.
@Suite struct SyntaxErrorTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var program: String
        var message: String
        /// The text under the first caret.
        var marked: String
        var help: String?

        init(_ program: String, _ message: String, marks marked: String, help: String? = nil) {
            self.program = program
            self.message = message
            self.marked = marked
            self.help = help
        }

        var testDescription: String { program }
    }

    static let examples: [Example] = [
        Example("select(.cart.total > 100", "this '(' is never closed", marks: "(", help: "add ')' at the end"),
        Example("[.a, {b: 1]", "this '{' is closed by ']'", marks: "{"),
        Example(".a | lenght", "there is no function 'lenght/0'", marks: "lenght", help: "write 'length'"),
        Example("map(.a; .b)", "'map' takes 1 argument, not 2", marks: "map(.a; .b)"),
        Example(". as $total | $totl", "there is no variable '$totl'", marks: "$totl", help: "write '$total'"),
        Example(".a && .b", "there is no operator '&&'", marks: "&&", help: "write 'and'"),
        Example(".a || .b", "there is no operator '||'", marks: "||", help: "write 'or'"),
        Example(".a === 1", "there is no operator '==='", marks: "===", help: "write '=='"),
        Example("!.a", "there is no operator '!'", marks: "!", help: "write '… | not'"),
        Example(".a == 'x'", "strings are written in double quotes", marks: "'x'"),
        Example("\"abc", "this string is never closed", marks: "\""),
        Example("\"a\\qb\"", "'\\q' is no escape", marks: "\\q"),
        Example("@base46", "there is no format '@base46'", marks: "@base46", help: "write '@base64'"),
        Example("input", "'input' is left out of questions over a run", marks: "input"),
        Example("{a:1,,}", "did not expect ',' here", marks: ",", help: "expected a member"),
        Example("{,}", "did not expect ',' here", marks: ",", help: "expected a member"),
        Example("", "the query is empty", marks: ""), Example("  # nothing", "the query is empty", marks: ""),
        Example("def f: 1;", "the query is empty", marks: ""),
        Example("cart.total < 0", "there is no function 'cart/0'", marks: "cart", help: "write '.cart.total'"),
        Example(
            ".a + cart.items[0].id", "there is no function 'cart/0'", marks: "cart", help: "write '.cart.items[0].id'"),
        Example("cart.", "did not expect the end of the query here", marks: ""),
        Example("cart < 0", "there is no function 'cart/0'", marks: "cart", help: "write 'cbrt'"),
        Example("$ENV.PATH", "'$ENV' is left out of the language", marks: "$ENV"),
        Example("now", "'now' is left out of the language", marks: "now"),
        Example("import \"a\" as a; .", "'import' is left out of the language", marks: "import"),
        Example("break $x", "there is no label '$x' around this", marks: "break $x"),
        Example("{(1): 2}", "a number (1) cannot be an object's key", marks: "1"),
        Example(".a ]", "did not expect ']' here", marks: "]"),
        Example(".cart.items[", "this '[' is never closed", marks: "[", help: "add ']' at the end"),
        Example("if .a then 1", "this 'if' is never closed", marks: "if", help: "add 'end' at the end"),
        Example("if .a 1 end", "did not expect '1' here", marks: "1", help: "expected 'then'"),
        Example("if .a == 1 then 2 else 3", "this 'if' is never closed", marks: "if", help: "add 'end' at the end"),
        Example(".a = = 1", "'=' assigns and cannot stand here", marks: "=", help: "write '==' to compare"),
        Example(
            ".foo-bar", "there is no function 'bar/0'", marks: "bar",
            help: "write '.[\"foo-bar\"]' for a member with a hyphen in its name"),
        Example(
            ".items.map(.a)", "a member cannot be called", marks: "(",
            help: "write '… | map(…)' to call the function 'map'"),
        Example(
            ".a.length()", "a member cannot be called", marks: "(",
            help: "write '… | length(…)' to call the function 'length'"),
        Example(".a ? .b : .c", "there is no operator '? :'", marks: ":", help: "write 'if … then … else … end'"),
        Example(".a not", "did not expect 'not' here", marks: "not", help: "write '… | not'"),
        Example("map(.a length)", "did not expect 'length' here", marks: "length", help: "write '… | length'"),
        Example(".a <> .b", "there is no operator '<>'", marks: "<>", help: "write '!='"),
        Example(".a := 1", "there is no operator ':='", marks: ":=", help: "write '='"),
        Example("2 ** 3", "there is no operator '**'", marks: "**", help: "write 'pow(a; b)'"),
        Example("len(.a)", "there is no function 'len/1'", marks: "len(.a)", help: "write 'length'"),
        Example(".a | filter(.b)", "there is no function 'filter/1'", marks: "filter(.b)", help: "write 'select'"),
        Example("to_entires", "there is no function 'to_entires/0'", marks: "to_entires", help: "write 'to_entries'"),
        Example("select(.a, .b; .c)", "'select' takes 1 argument, not 2", marks: "select(.a, .b; .c)"),
        Example(
            "reduce .a as x (0; 1)", "did not expect 'x' here", marks: "x",
            help: "expected a variable as '$x', '[' or '{'"),
        Example(
            "reduce .a as $x 0; 1", "did not expect '0' here", marks: "0", help: "expected '(' and the start value"),
        Example("foreach .a as $x (0)", "did not expect ')' here", marks: ")", help: "expected ';'"),
        Example("label x | 1", "did not expect 'x' here", marks: "x", help: "expected a label as '$out'"),
        Example(
            "def f: 1", "did not expect the end of the query here", marks: "",
            help: "expected ';' at the end of the definition of 'f'"),
        Example("def f 1; f", "did not expect '1' here", marks: "1", help: "expected ':' and the body of 'f'"),
        Example(".a |", "did not expect the end of the query here", marks: "", help: "expected a filter"),
        Example("[1, 2, ]", "did not expect ']' here", marks: "]", help: "expected a filter"),
        Example("{a 1}", "did not expect '1' here", marks: "1", help: "expected '}'"),
        Example(".a[1:2:3]", "did not expect ':' here", marks: ":", help: "expected ']'"),
        Example("and .b", "did not expect 'and' here", marks: "and", help: "expected a filter"),
        Example("end", "did not expect 'end' here", marks: "end", help: "expected a filter"),
        Example("include \"a\"; 1", "'include' is left out of the language", marks: "include"),
        Example("halt_error", "'halt_error' is left out of the language", marks: "halt_error"),
        Example("1 == 2 == 3", "did not expect '==' here", marks: "=="),
    ]

    private func errors(_ program: String) -> QuerySyntaxErrors? {
        do {
            _ = try Query(program)
            return nil
        } catch {
            return error
        }
    }

    @Test("a problem names what is wrong, where, and the remedy", arguments: examples)
    func problem(_ example: Example) throws {
        let diagnostic = try #require(errors(example.program)?.diagnostic)
        #expect(diagnostic.message == example.message)
        guard case .source(let excerpt)? = diagnostic.place else {
            Issue.record("no place")
            return
        }
        let mark = try #require(excerpt.marks.first).range
        #expect(String(decoding: Array(example.program.utf8)[mark], as: UTF8.self) == example.marked)
        if let help = example.help { #expect(diagnostic.help == [help]) }
    }

    @Test("several problems are told at once, in the order of the text")
    func severalProblems() throws {
        let found = try #require(errors(".a && foo | $b == 'x' | bar(1)"))
        #expect(
            found.diagnostics.map(\.code) == [
                "query.foreign-operator", "query.undefined-function", "query.undefined-variable", "query.single-quotes",
                "query.undefined-function",
            ])
    }

    @Test("a built-in with an argument too many is refused", arguments: ["range(1; 2; 3; 4)", "_sub(1; 2; 3; 4)"])
    func tooManyArguments(_ program: String) {
        #expect(errors(program)?.diagnostics.map(\.code) == ["query.wrong-arity"])
    }

    @Test("every text, however random, parses or is refused with a message", arguments: 0..<UInt64(200))
    func randomText(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "(", ")", "[", "]", "{", "}", "|", ",", ":", ";", "\"", "\\(", "'", ".", "..", "$x", "if", "then", "end",
            "def",
            "reduce", "as", "try", "1", "?//", "//=", "-", "a", "@csv", "#", "\n", "é", "\u{0}", "label", "foreach",
            "=",
        ]
        let text = (0..<Int.random(in: 0..<30, using: &generator)).map { _ in
            pieces.randomElement(using: &generator) ?? ""
        }.joined(separator: Bool.random(using: &generator) ? " " : "")
        guard let found = errors(text) else { return }
        #expect(!found.diagnostics.isEmpty && found.diagnostics.allSatisfy { !$0.message.isEmpty }, "\(text)")
    }
}
