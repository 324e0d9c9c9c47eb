import Diagnostics
import Foundation
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

/// jq's own test files: groups of a program, an input and the expected outputs; after `%%FAIL`, a program that must not
/// compile.
struct ConformanceSuite {
    struct Case: Sendable {
        var file: String
        var line: Int
        var program: String
        var input: String
        var outputs: [String]
        var mustNotCompile: Bool
    }

    /// Reads one file of the suite.
    static func cases(of file: String) throws -> [Case] {
        let text = String(decoding: try SharedFolder.data("suites/jq/\(file)"), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var cases: [Case] = []
        var index = 0
        while index < lines.count {
            guard isContent(lines[index]) else {
                index += 1
                continue
            }
            if lines[index].hasPrefix("%%FAIL") {
                cases.append(
                    Case(
                        file: file, line: index + 2, program: lines[index + 1], input: "", outputs: [],
                        mustNotCompile: true))
                index += 2
                while index < lines.count, !lines[index].isEmpty { index += 1 }
                continue
            }
            var end = index + 2
            while end < lines.count, isContent(lines[end]) { end += 1 }
            cases.append(
                Case(
                    file: file, line: index + 1, program: lines[index],
                    input: index + 1 < lines.count ? lines[index + 1] : "",
                    outputs: Array(lines[min(index + 2, end)..<end]), mustNotCompile: false))
            index = end
        }
        return cases
    }

    private static func isContent(_ line: String) -> Bool {
        let trimmed = line.drop { $0 == " " || $0 == "\t" }
        return !trimmed.isEmpty && !trimmed.hasPrefix("#")
    }
}

/// The manual page of the language: every built-in is on it, with an example that gives what the page says.
@Suite struct ReferencePageTests {
    private struct Entry {
        var signature: String
        var description: String
        /// A program that needs no input, and its outputs.
        var program: String
        var outputs: [String]

        /// `map(f)` as `map/1`.
        var key: String {
            guard let open = signature.firstIndex(of: "(") else { return signature + "/0" }
            return "\(signature[..<open])/\(signature.filter { $0 == ";" }.count + 1)"
        }
    }

    /// An entry is four lines: `.It Li`, what it does, `.Pp`-less literal lines of the example.
    private static func entries() throws -> [Entry] {
        let page = SharedFolder.packageRoot.appendingPathComponent("man/state-query.7")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").map(String.init)
        var entries: [Entry] = []
        for (index, line) in lines.enumerated() where line.hasPrefix(".It Li ") {
            guard index + 5 < lines.count, lines[index + 2] == ".Bd -literal -compact" else { continue }
            let example = plain(lines[index + 3]).components(separatedBy: "  →  ")
            entries.append(
                Entry(
                    signature: plain(String(line.dropFirst(7))).filter { $0 != "\"" }, description: lines[index + 1],
                    program: example[0],
                    outputs: example.count > 1 && !example[1].isEmpty ? example[1].components(separatedBy: "   ") : []))
        }
        return entries
    }

    /// A line of the page's source as it is shown.
    private static func plain(_ line: String) -> String {
        line.replacingOccurrences(of: "\\&", with: "").replacingOccurrences(of: "\\(->", with: "→")
            .replacingOccurrences(of: "\\e", with: "\\")
    }

    @Test("every example gives what the page says")
    func examples() throws {
        let entries = try Self.entries()
        #expect(entries.count > 200)
        for entry in entries {
            var environment = QueryEnvironment.empty
            environment.inputs = ListedInputs([1, 2, 3], named: "<stdin>").inputs
            let program = try Query(entry.program, in: environment)
            let outputs = try LargeStack.run { Result { try program.all(of: .null) } }.get()
            #expect(outputs.map { $0.text() } == entry.outputs, "\(entry.signature): \(entry.program)")
        }
    }

    @Test("every built-in that the compiler knows is on the page, and none that it does not know")
    func complete() throws {
        let listed = try Self.entries().map(\.key)
        let known =
            Builtins.signatures.filter { !$0.name.hasPrefix("_") }.map { "\($0.name)/\($0.arity)" }
            + InputFunctions.signatures
        #expect(Set(known).subtracting(listed).sorted() == [])
        #expect(Set(listed).subtracting(known).sorted() == [])
        #expect(listed.count == Set(listed).count)
    }

    @Test("every built-in is declared once")
    func declaredOnce() {
        let declared = Builtins.nodes.map(\.signature) + Prelude.definitions.keys
        let repeated = Dictionary(grouping: declared) { $0 }.filter { $0.value.count > 1 }
        #expect(repeated.keys.sorted() == [])
    }

    @Test("a built-in of the prelude is listed under its name and arity", arguments: Prelude.definitions.keys.sorted())
    func preludeSignature(_ signature: String) throws {
        let definitions = try Definitions(text: #require(Prelude.definitions[signature]), name: "prelude")
        #expect(definitions.functions.map { "\($0.name)/\($0.parameters.count)" } == [signature])
    }

    @Test("every built-in's example calls it")
    func calls() throws {
        for entry in try Self.entries() {
            let name = String(entry.key.prefix { $0 != "/" })
            #expect(entry.program.contains(name), "\(entry.signature): \(entry.program)")
        }
    }

    @Test("what is left out is on the page too, each with what to do instead")
    func leftOut() throws {
        let page = try String(
            contentsOf: SharedFolder.packageRoot.appendingPathComponent("man/state-query.7"), encoding: .utf8)
        let section = try #require(page.range(of: ".Sh WHAT IS LEFT OUT"))
        let text = page[section.lowerBound...]
        for signature in Builtins.leftOut.keys {
            #expect(text.contains(signature.prefix { $0 != "/" }), "\(signature)")
        }
    }
}
