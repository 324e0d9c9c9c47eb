import JSONCore
import TestSupport
import Testing

@testable import QueryLanguage

/// Equal numbers have one text inside of strings, however a journal wrote them.
@Suite struct NumberTextTests {
    /// The ways in which a program makes text of a number.
    private static let forms = [
        "tojson", "tostring", "@text", "@json", #""\(.)""#, #"@base64 "\(.)" | @base64d"#, "[.] | join(\"\")",
        "[.] | @csv",
        "[.] | @tsv", "@sh", "{(tostring): 1} | keys[0]", "[.] | tojson | .[1:-1]", "{a: .} | tojson | .[5:-1]",
        "tojson | ltrimstr(\"x\")", "try error(.) catch tojson", ". as [$a] ?// $a | $a | tojson",
        "tojson | fromjson | tojson", "tostring | tonumber | tostring", "[., .] | map(tojson) | unique[0]",
    ]

    @Test(
        "the same number has the same text in each form",
        arguments: [
            ("100", ["1E2", "1e2", "1e+2", "100.0", "10e1", "0.1E3", "1000e-1"]), ("1.5", ["1.50", "15e-1", "0.15E1"]),
            ("1", ["1.0", "1.000", "100e-2", "0.001e3"]), ("0", ["0.0", "0e5", "0E-9"]), ("-0", ["-0.0", "-0e3"]),
            ("-0.01", ["-1e-2", "-0.010"]), ("1e-05", ["0.00001", "1E-5", "10e-6"]), ("1e+17", ["1E17", "1.0e17"]),
            ("123456", ["1.23456e5", "123456.0"]), ("12345678901234567890123", ["1.2345678901234567890123E22"]),
            ("1E+1000", ["1e1000", "10E999", "0.1e1001"]), ("-1.5E-400", ["-15e-401", "-0.15e-399"]),
            (
                "0.12345678901234567890123456789",
                ["0.123456789012345678901234567890", "12.345678901234567890123456789e-2"]
            ),
            ("13911860366432393", ["13911860366432393.0", "1.3911860366432393E16"]),
        ])
    func equalNumbers(_ text: String, _ spellings: [String]) throws {
        for spelling in [text] + spellings {
            let number = JSONValue.number(JSONNumber(literal: spelling))
            for form in Self.forms {
                #expect(try Query(form).first(of: number) == .string(text), "\(spelling) by \(form)")
            }
            #expect(number.text() == spelling, "what is given out as it is keeps its text")
            #expect(try Query(".").first(of: number)?.text() == spelling)
        }
    }

    @Test("the text reads back as the same number, and is its own text", arguments: seeds(0..<200))
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let spelling = Self.randomNumber(&generator)
        let number = JSONNumber(literal: spelling)
        let text = NumberText.json(number)
        #expect(JSONNumber(literal: text) == number, "\(spelling) is \(text)")
        #expect(NumberText.json(JSONNumber(literal: text)) == text)
        // The same number with a zero more, or its point elsewhere.
        let other = spelling.contains { "eE".contains($0) } ? spelling : spelling + "e0"
        #expect(NumberText.json(JSONNumber(literal: other)) == text, "\(other)")
    }

    private static func randomNumber(_ generator: inout SeededGenerator) -> String {
        func digits(_ most: Int) -> String {
            (0..<Int.random(in: 1...most, using: &generator)).map { _ in
                String(Int.random(in: 0...9, using: &generator))
            }.joined()
        }
        var text = Bool.random(using: &generator) ? "-" : ""
        let whole = digits(25).drop { $0 == "0" }
        text += whole.isEmpty ? "0" : whole
        if Bool.random(using: &generator) { text += "." + digits(20) }
        guard Bool.random(using: &generator) else { return text }
        return text + ["e", "E", "e+", "E-", "e-"][Int.random(in: 0..<5, using: &generator)] + digits(3)
    }
}
