import CommandLine
import Diagnostics

/// Findings as a JUnit document: a journal is a test suite, an invariant a test case.
struct JUnitReport: FindingReport {
    private let output: OutputWriter

    init(_ output: OutputWriter) { self.output = output }

    mutating func begin(_ rules: [FindingRule]) throws {
        try output.writeLine(#"<?xml version="1.0" encoding="UTF-8"?>"#)
        try output.writeLine(#"<testsuites name="state-inspect check">"#)
    }

    mutating func write(_ found: FindingsOfJournal) throws {
        // What is violated and fails elsewhere has two findings, one after the other.
        var cases: [[Finding]] = []
        for finding in found.findings {
            if cases.last?.last?.rule == finding.rule {
                cases[cases.count - 1].append(finding)
            } else {
                cases.append([finding])
            }
        }
        let failures = cases.count { $0.contains { $0.result != nil } }
        let errors = cases.count { $0.allSatisfy { $0.result == nil } && $0.contains { $0.failure != nil } }
        let isUnreadable = !found.problems.isEmpty
        try output.writeLine(
            "  <testsuite" + Self.attribute("name", found.path)
                + Self.attribute("tests", "\(isUnreadable ? 1 : cases.count)")
                + Self.attribute("failures", "\(failures)")
                + Self.attribute("errors", "\(isUnreadable ? 1 : errors)")
                + Self.attribute("skipped", "0") + ">")
        if let problem = found.problems.first {
            let text = found.problems.flatMap { [$0.message] + $0.notes }
            try write("journal", in: found.path, [element("error", problem.code, problem.message, text)])
        }
        for findings in cases {
            try write(findings[0].invariant ?? findings[0].title, in: found.path, findings.flatMap(elements))
        }
        if !found.messages.isEmpty {
            let text = found.messages.flatMap { [$0.message] + $0.notes.map { "  " + $0 } }
            try output.writeLine("    <system-err>" + Self.data(text.joined(separator: "\n")) + "</system-err>")
        }
        try output.writeLine("  </testsuite>")
    }

    mutating func finish(_ status: ExitStatus, _ summary: CheckSummary?) throws {
        try output.writeLine("</testsuites>")
    }

    private func write(_ name: String, in path: String, _ elements: [String]) throws {
        let start = "    <testcase" + Self.attribute("name", name) + Self.attribute("classname", path)
        if elements.isEmpty { return try output.writeLine(start + "/>") }
        try output.writeLine(start + ">")
        for element in elements { try output.writeLine("      " + element) }
        try output.writeLine("    </testcase>")
    }

    private func elements(_ finding: Finding) -> [String] {
        var elements: [String] = []
        if let result = finding.result {
            let place = result.place.map { [$0.text + "  " + (finding.record?.label ?? "")] } ?? []
            elements.append(element("failure", "violation", result.heading, place + result.details))
        }
        if let failure = finding.failure {
            let text = "cannot be evaluated at \(failure.positions) positions, first at \(failure.seq)"
            elements.append(element("error", "failure", failure.message, [text]))
        }
        return elements
    }

    private func element(_ name: String, _ type: String, _ message: String, _ lines: [String]) -> String {
        "<\(name)" + Self.attribute("type", type) + Self.attribute("message", message) + ">"
            + Self.data(lines.joined(separator: "\n")) + "</\(name)>"
    }

    /// Keeps line feeds; what XML 1.0 forbids (section 2.2), and all else that acts on a terminal, becomes a readable
    /// escape.
    private static func data(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
            .joined(separator: "\n")
    }

    /// The value stands in double quotes: one line.
    private static func attribute(_ name: String, _ value: String) -> String {
        " " + name + "=\"" + escaped(value) + "\""
    }

    private static func escaped(_ text: String) -> String {
        ControlCharacters.escaped(text).replacingScalars { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\u{FFFE}", "\u{FFFF}": ControlCharacters.escape(scalar)
            default: nil
            }
        }
    }
}
