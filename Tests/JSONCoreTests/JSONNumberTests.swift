import JSONCore
import TestSupport
import Testing

@Suite("Numbers")
struct JSONNumberTests {
    @Test(
        "a number keeps its text",
        arguments: [
            "0", "-0", "1", "-1", "1.0", "1.10", "1e3", "1E+3", "0.1e-7", "9007199254740993", "9223372036854775807",
            "9223372036854775808", "-9223372036854775808", "18446744073709551616", "1e400",
        ])
    func text(literal: String) throws {
        #expect(JSONNumber(literal: literal).text == literal)
        #expect(try JSONParser.parse("[\(literal)]").text() == "[\(literal)]")
    }

    @Test(
        "a computed double prints its shortest digits, whole numbers without a fraction",
        arguments: [
            (1.0, "1"), (0.1, "0.1"), (-0.0, "-0"), (1e21, "1e+21"), (Double.leastNonzeroMagnitude, "5e-324"),
            (0.1 + 0.2, "0.30000000000000004"),
            (100_000, "100000"),
        ])
    func computed(value: Double, text: String) {
        #expect(JSONNumber(value).text == text)
        #expect(Double(JSONNumber(value).text) == value)
    }

    @Test(
        "notation is no difference",
        arguments: [
            ("1", "1.0"), ("1000", "1e3"), ("0", "-0"), ("0", "0e999"), ("0.5", "5e-1"), ("10", "100E-1"),
            ("123456789012345678901234567890", "1.2345678901234567890123456789e29"),
        ])
    func equalNotations(a: String, b: String) {
        let (x, y) = (JSONNumber(literal: a), JSONNumber(literal: b))
        #expect(x == y)
        #expect(!(x < y) && !(y < x))
        #expect(x.hashValue == y.hashValue)
    }

    @Test(
        "literals are compared exactly, beyond what a double holds",
        arguments: [
            ("9007199254740992", "9007199254740993"), ("9223372036854775806", "9223372036854775807"),
            ("9223372036854775807", "9223372036854775808"), ("-9223372036854775809", "-9223372036854775808"),
            ("1e400", "1.1e400"), ("-1e400", "1e-400"), ("0", "1e-400"), ("-1e-400", "0"),
            ("100000000000000000000000000000", "100000000000000000000000000001"),
            ("0.1", "0.10000000000000000000001"), ("1e-1000000000000000000000", "1"), ("1", "1e1000000000000000000000"),
        ])
    func exactOrder(small: String, large: String) {
        let (x, y) = (JSONNumber(literal: small), JSONNumber(literal: large))
        #expect(x < y)
        #expect(!(y < x))
        #expect(x != y)
    }

    @Test("the order of decimals is that of scaled integers", arguments: seeds(0..<500))
    func orderModel(seed: UInt64) {
        var random = RandomJSON(seed: seed)
        func literal() -> (text: String, scaled: Int) {
            let (mantissa, exponent) = (random.below(400) - 200, random.below(7) - 3)
            var scaled = mantissa
            for _ in 0..<(exponent + 3) { scaled *= 10 }
            return ("\(mantissa)e\(exponent)", scaled)
        }
        let (a, b) = (literal(), literal())
        let (x, y) = (JSONNumber(literal: a.text), JSONNumber(literal: b.text))
        #expect((x < y) == (a.scaled < b.scaled), "\(a.text), \(b.text)")
        #expect((x == y) == (a.scaled == b.scaled), "\(a.text), \(b.text)")
        #expect(x != y || x.hashValue == y.hashValue)
        #expect(x.integerValue == (a.scaled.isMultiple(of: 1_000) ? a.scaled / 1_000 : nil))
    }

    @Test(
        "an integer is exact or none",
        arguments: [
            ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min), ("9223372036854775808", nil),
            ("9.223372036854775807e18", Int.max), ("-922337203685477580.8e1", Int.min), ("1.5", nil), ("1.0", 1),
            ("1e3", 1_000), ("0e99999999999999999999", 0), ("1e99999999999999999999", nil), ("1e19", nil), ("-0", 0),
        ] as [(String, Int?)])
    func integers(literal: String, expected: Int?) {
        #expect(JSONNumber(literal: literal).integerValue == expected)
    }

    @Test("a computed double equals a literal as a double does, and not-a-number equals nothing")
    func doubles() {
        #expect(JSONNumber(0.1) == JSONNumber(literal: "0.1"))
        #expect(JSONNumber(9_007_199_254_740_992.0) == JSONNumber(literal: "9007199254740993"))
        #expect(JSONNumber(Double.nan) != JSONNumber(Double.nan))
        #expect(JSONNumber(Double.nan) < JSONNumber(literal: "-1e400"))
        #expect(JSONNumber(2.0).integerValue == 2)
        #expect(JSONNumber(Double.infinity).integerValue == nil)
    }
}
