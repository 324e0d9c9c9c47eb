package import CommandLine
package import Diagnostics
package import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

package struct RedactCommand: Command {
    package static let definition = CommandDefinition(
        name: .redact, summary: "a journal without the values at some paths",
        synopsis: ["JOURNAL --path PATH [--check SECRET] [-o FILE]", "JOURNAL --check SECRET"],
        operands: [.required("JOURNAL", .file)],
        options: [.redactPath, .redactCheck, .output],
        details: [
            """
            Replaces each value at a path by a keyed hash, in states, patches, keyframes and gaps: equal values \
            have equal hashes, and the key is thrown away. What stood there in any state is then replaced wherever \
            else it stands: a text of four bytes or more as a part of any text or name, and a number of four digits \
            or more. A derived value that may read it is hashed, and so are members of payloads and outcomes that \
            are called as a path ends.
            """,
            """
            What stays: the numbers and times that the format itself needs, shorter texts away from their paths, \
            names of members that are plain words, and whatever a program made of a text (a part of it, another \
            spelling).
            """,
            """
            A path that matches nothing in the whole journal is status 4, and nothing is written. With '--check' \
            the result is searched for a text, escapes undone: where it is left is reported, the status is 1, and \
            nothing is written. Without '--path' the journal itself is searched, damaged and torn lines too.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect redact samples/checkout.jsonl --path /session/token",
                purpose: "a journal to hand on")
        ],
        isAnswer: false)

    private let path: String
    private let patterns: [PathPattern]
    private let secrets: [String]
    private let output: String?

    private static let mostFindings = 20

    package init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        patterns = try StoreScope(store: nil).patterns(typed, .path)
        secrets = typed.all(.check)
        output = JournalOutput.path(typed)
        if patterns.isEmpty, secrets.isEmpty { throw UsageError.needsOne(.redact, [.path, .check]) }
        if secrets.contains("") { throw UsageError.value(.check, "", expected: "a text that is not empty") }
        if patterns.isEmpty, typed.has(.output) { throw UsageError.needsOne(.redact, [.path]) }
    }

    package func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.whole(path, in: context)
        let check = SecretCheck(secrets)
        guard !patterns.isEmpty else {
            try check.readAll(input.journal)
            return report(check, context)
        }
        let output = try JournalOutput(output, of: [path], context)
        let redaction = try JournalRedaction(input.journal, patterns.map(\.steps))
        if !redaction.unmet.isEmpty {
            throw try noSuchPaths(of: redaction, input.journal, context)
        }
        if !secrets.isEmpty {
            // What still holds a secret is not written at all.
            try write(redaction, to: LineSink { check.read($0) })
            guard check.count == 0 else { return report(check, context) }
        }
        let torn = try write(redaction, to: output.sink)
        try output.finish()
        input.report(torn)
        return .done
    }

    /// Writes equal bytes however often it is called.
    @discardableResult
    private func write(_ redaction: JournalRedaction, to sink: LineSink) throws -> TornTail? {
        var redaction = redaction
        return try redaction.write(to: sink).torn
    }

    /// Paths that match nothing: a slip there would leave everything as it was.
    private func noSuchPaths(
        of redaction: JournalRedaction, _ journal: Journal, _ context: CommandContext
    ) throws -> CommandFailure {
        // What the other paths redact is not suggested either.
        let state = redaction.redacted(try journal.state(at: try journal.lastCommit).value)
        let problems = redaction.unmet.map { Self.absence(of: patterns[$0], in: state) }
        for problem in problems.dropLast() { context.messages.report(problem) }
        return CommandFailure(.notThere, problems[problems.count - 1])
    }

    package static func absence(of pattern: PathPattern, in state: JSONValue) -> Diagnostic {
        Diagnostic(
            code: "redact.no-such-path", "nothing is at '\(pattern.text)' anywhere in the journal",
            notes: ["so nothing was written"],
            help: NearestPath.help(for: pattern, in: state, StoreScope(store: nil)))
    }

    private func diagnostic(_ finding: SecretSearch.Finding) -> Diagnostic {
        let place = place(of: finding)
        let which = "it is the '--check' text number \(finding.secret + 1)"
        guard let kind = finding.kind, let seq = finding.seq else {
            return Diagnostic(
                code: "redact.secret-left", "a secret is left in line \(finding.line), which is no record",
                notes: [which],
                help: patterns.isEmpty ? Advice(path).help(.verify, to: "lists all damage") : [])
        }
        return Diagnostic(
            code: "redact.secret-left",
            "a secret is left in \(place) of the \(name(of: kind)) record at line \(finding.line)",
            notes: ["\(which); the record's number is \(seq)"], help: ["give '--path' what holds it too"])
    }

    /// Where a secret was found, up to the first name that holds one.
    private func place(of finding: SecretSearch.Finding) -> String {
        if finding.path.isEmpty { return "its text" }
        var path = JSONPointer()
        for segment in (try? JSONPointer(parsing: finding.path))?.segments ?? [] {
            let longer = JSONPointer(path.segments + [segment])
            if holdsSecret(segment) || holdsSecret(longer.text) {
                return path.segments.isEmpty ? "a name" : "a name in '\(path.text)'"
            }
            path = longer
        }
        return "'\(path.text)'"
    }

    /// What a kind of records is called, where that holds no secret.
    private func name(of kind: RecordKind) -> String {
        let name = kind.name.description
        return holdsSecret(name) ? "other" : name
    }

    private func holdsSecret(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return secrets.contains { bytes.firstRange(of: Array($0.utf8)) != nil }
    }

    private func report(_ check: SecretCheck, _ context: CommandContext) -> ExitStatus {
        guard check.count > 0 else { return .done }
        for finding in check.findings.prefix(Self.mostFindings) {
            context.messages.report(diagnostic(finding))
        }
        if check.count > Self.mostFindings { context.messages.note("\(check.count - Self.mostFindings) more places") }
        if let output { context.messages.note("'\(output)' was not written") }
        return .negative
    }
}

private final class SecretCheck {
    private let search: SecretSearch
    private var lines = 0
    private(set) var findings: [SecretSearch.Finding] = []
    private(set) var count = 0

    private static let keptCount = 100

    init(_ secrets: [String]) {
        search = SecretSearch(secrets)
    }

    func read(_ bytes: [UInt8]) {
        lines += search.search(bytes, firstLine: lines + 1, found: note)
    }

    private func note(_ finding: SecretSearch.Finding) {
        count += 1
        if findings.count < Self.keptCount { findings.append(finding) }
    }

    /// Reads a journal as it stands, damaged and torn lines too.
    func readAll(_ journal: Journal) throws(JournalError) {
        try search.search(journal, found: note)
    }
}
