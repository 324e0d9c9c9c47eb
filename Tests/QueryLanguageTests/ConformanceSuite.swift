import Foundation
import TestSupport

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
