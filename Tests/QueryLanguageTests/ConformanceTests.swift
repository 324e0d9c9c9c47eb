import Diagnostics
import JSONCore
import Platform
import TestSupport
import Testing

@testable import QueryLanguage

/// jq's own tests, read in place.
@Suite(.enabled(if: SharedFolder.has("suites/jq/jq.test"), "jq's suites are beside the checkout"))
struct ConformanceTests {
    /// Programs that this language leaves out, by a part of their text.
    static let leftOut: [(part: String, reason: String)] = [
        ("import ", "modules"), ("include ", "modules"), ("module (", "modules"), ("module [", "modules"),
        ("modulemeta", "modules"), ("%::wat", "modules"), ("input catch", "other inputs"),
        ("strflocaltime", "local time"), ("input_line_number", "other inputs"), ("$ENV", "the environment"),
    ]

    /// Cases that differ, each with its reason.
    static let differing: [String: String] = [:]

    private static func problem(with test: ConformanceSuite.Case) -> String? {
        let query: Query
        do {
            query = try Query(test.program)
        } catch {
            if test.mustNotCompile { return nil }
            return "does not compile: " + error.diagnostics.map(\.message).joined(separator: "; ")
        }
        if test.mustNotCompile { return "compiles" }
        do {
            let input = try JSONTextReader.read(test.input)
            let expected = try test.outputs.map { try JSONTextReader.read($0) }
            var outputs: [JSONValue] = []
            var failure = ""
            do {
                try query.evaluate(input) { value in
                    outputs.append(value)
                    return true
                }
            } catch {
                failure = ", then fails: " + error.message
            }
            let matches = outputs.count == expected.count && zip(outputs, expected).allSatisfy(isSame)
            if matches { return nil }
            return "gives " + outputs.map(ValueText.json).joined(separator: " ") + failure
        } catch {
            return "cannot be read: \(error)"
        }
    }

    /// Equal as printed: NaN is null in print.
    private static func isSame(_ a: JSONValue, _ b: JSONValue) -> Bool {
        ValueOrder.areEqual(a, b) || ValueText.json(a) == ValueText.json(b)
    }

    /// What stands in query.md as left out, the only reasons that count.
    private static let reasons: Set<String> = ["modules", "other inputs", "local time", "the environment"]

    @Test(
        "what is left out is left out for a reason that the language gives, and is refused with an error that says so")
    func leftOutCases() throws {
        #expect(Self.leftOut.allSatisfy { Self.reasons.contains($0.reason) })
        for file in ["jq.test", "onig.test", "base64.test", "uri.test"] {
            for test in try ConformanceSuite.cases(of: file) where !test.mustNotCompile {
                guard Self.leftOut.contains(where: { test.program.contains($0.part) }) else { continue }
                do {
                    _ = try Query(test.program)
                    Issue.record("\(file):\(test.line) is left out for nothing: \(test.program)")
                } catch {
                    #expect(error.diagnostics.contains { $0.code == "query.left-out" }, "\(file):\(test.line)")
                }
            }
        }
    }

    @Test(
        "jq's own tests pass but for what is left out", arguments: ["jq.test", "onig.test", "base64.test", "uri.test"])
    func suite(_ file: String) throws {
        let cases = try ConformanceSuite.cases(of: file)
        var failures: [String] = []
        var left = 0
        var known = 0
        LargeStack.run {
            for test in cases {
                if Self.leftOut.contains(where: { test.program.contains($0.part) }) {
                    left += 1
                } else if let problem = Self.problem(with: test) {
                    if Self.differing[test.program] != nil {
                        known += 1
                    } else {
                        failures.append(
                            "\(test.file):\(test.line): \(test.program) < \(test.input.prefix(80)): \(problem.prefix(300))"
                        )
                    }
                }
            }
        }
        print(
            "\(file): \(cases.count - left - known - failures.count) passed, \(failures.count) failed, \(known) known, \(left) left out of \(cases.count)"
        )
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }
}
