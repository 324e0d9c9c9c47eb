import Diagnostics

/// What `check` found as a JUnit document: a journal is a test suite, an invariant a test case.
struct CheckJUnit: CheckPrinter {
    private let output: OutputWriter

    /// A document on an output.
    init(_ output: OutputWriter) { self.output = output }

    mutating func begin() throws {
        try output.writeLine(#"<?xml version="1.0" encoding="UTF-8"?>"#)
        try output.writeLine(#"<testsuites name="state-inspect check">"#)
    }

    mutating func write(_ checked: CheckedJournal) throws {
        let problems = checked.problem?.diagnostics ?? []
        let failures = checked.verdicts.filter { $0.violation != nil }.count
        let errors = checked.verdicts.filter { $0.violation == nil && $0.failure != nil }.count
        try output.writeLine(
            "  <testsuite" + XMLText.attribute("name", checked.path)
                + XMLText.attribute("tests", "\(checked.problem == nil ? checked.verdicts.count : 1)")
                + XMLText.attribute("failures", "\(failures)")
                + XMLText.attribute("errors", "\(checked.problem == nil ? errors : 1)")
                + XMLText.attribute("skipped", "0") + ">")
        if !problems.isEmpty { try write(problems, of: checked.path) }
        for verdict in checked.verdicts { try write(verdict, checked) }
        if !checked.allMessages.isEmpty {
            let text = checked.allMessages.flatMap { [$0.message] + $0.notes.map { "  " + $0 } }
            try output.writeLine("    <system-err>" + XMLText.data(text.joined(separator: "\n")) + "</system-err>")
        }
        try output.writeLine("  </testsuite>")
    }

    mutating func finish(_ summary: CheckSummary) throws { try output.writeLine("</testsuites>") }

    private func write(_ problems: [Diagnostic], of path: String) throws {
        try output.writeLine("    " + testCase("journal", path) + ">")
        let text = problems.flatMap { [$0.message] + $0.notes }
        try output.writeLine("      " + element("error", problems[0].code, problems[0].message, text))
        try output.writeLine("    </testcase>")
    }

    private func write(_ verdict: CheckedJournal.Verdict, _ checked: CheckedJournal) throws {
        guard verdict.violation != nil || verdict.failure != nil else {
            return try output.writeLine("    " + testCase(verdict.name, checked.path) + "/>")
        }
        try output.writeLine("    " + testCase(verdict.name, checked.path) + ">")
        if let violation = verdict.violation {
            let heading = ViolationText.heading(verdict.name, violation, in: checked.path)
            let place =
                violation.record.flatMap { SourcePlace($0) }
                .map { [$0.text + "  " + (violation.summary?.label ?? "")] } ?? []
            let text = place + ViolationText.details(violation, verdict, checked)
            try output.writeLine("      " + element("failure", "violation", heading, text))
        }
        if let failure = verdict.failure {
            let text = "cannot be evaluated at \(failure.positions) positions, first at \(failure.seq)"
            try output.writeLine("      " + element("error", "failure", failure.message, [text]))
        }
        try output.writeLine("    </testcase>")
    }

    private func testCase(_ name: String, _ path: String) -> String {
        "<testcase" + XMLText.attribute("name", name) + XMLText.attribute("classname", path)
    }

    private func element(_ name: String, _ type: String, _ message: String, _ lines: [String]) -> String {
        "<\(name)" + XMLText.attribute("type", type) + XMLText.attribute("message", message) + ">"
            + XMLText.data(lines.joined(separator: "\n")) + "</\(name)>"
    }
}

/// Texts inside an XML 1.0 document.
enum XMLText {
    /// The text as character data, its line feeds kept.
    ///
    /// `&`, `<` and `>` become entities; what XML 1.0 forbids even as a reference (section 2.2), and everything else that acts
    /// on a terminal, the escape that people read.
    static func data(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
            .joined(separator: "\n")
    }

    /// An attribute's value, in double quotes: one line.
    static func attribute(_ name: String, _ value: String) -> String {
        " " + name + "=\"" + escaped(value) + "\""
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in ControlCharacters.escaped(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\u{FFFE}", "\u{FFFF}": result += "\\u" + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
