import Diagnostics
import JSONCore
import JournalFormat
import TimeTravel

/// `redact J --path PATH`: a journal without the values at some paths.
struct RedactCommand: Command {
    static let definition = CommandDefinition(
        name: .redact, summary: "a journal without the values at some paths",
        synopsis: ["JOURNAL --path PATH [--check SECRET] [-o FILE]", "JOURNAL --check SECRET"],
        operands: [.required("JOURNAL", .file)],
        options: [.path, .check, .output],
        details: [
            """
            Replaces each value at a path by a keyed hash, in states, patches, keyframes and gaps: equal values \
            have equal hashes, and the key is thrown away. The texts that were redacted so are also taken out of \
            payloads, outcomes, marks and errors, if they have four bytes or more.
            """,
            """
            With '--check' the result is searched for a text: where it is left is told, the status is 1, and FILE \
            is not written.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect redact samples/checkout.jsonl --path /session/token",
                purpose: "a journal to hand on")
        ])

    private let path: String
    private let patterns: [PathPattern]
    private let secrets: [String]
    private let output: String?

    /// How many places of secrets are told; more are counted.
    private static let mostFindings = 20

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        patterns = try StoreScope(store: nil).patterns(typed, .path)
        secrets = typed.all(.check)
        output = typed.value(.output)
        if patterns.isEmpty, secrets.isEmpty { throw UsageError.needsOne(.redact, [.path, .check]) }
        if secrets.contains("") { throw UsageError.value(.check, "", expected: "a text that is not empty") }
        if patterns.isEmpty, output != nil { throw UsageError.needsOne(.redact, [.path]) }
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.whole(path, in: context)
        let check = SecretCheck(secrets)
        guard !patterns.isEmpty else {
            try check.readAll(input.journal)
            return tell(check, context)
        }
        let output = try JournalOutput(output, of: [path], context)
        let progress = input.progress("redacting")
        var redaction = JournalRedaction(input.journal, patterns.map(\.steps))
        let sink = LineSink { lines in
            check.read(lines)
            try output.append(lines)
        }
        let summary = try redaction.write(to: sink) { progress.update(bytes: $0, commits: $1) }
        progress.finish()
        input.tell(summary.torn)
        if !summary.unmet.isEmpty { try tellUnmet(summary.unmet.map { patterns[$0] }, input.journal, context) }
        // A file that still holds a secret does not come into being.
        if check.count == 0 { try output.finish() }
        return tell(check, context)
    }

    /// Warns of paths that match nothing: a slip there leaves everything as it was.
    private func tellUnmet(_ unmet: [PathPattern], _ journal: Journal, _ context: CommandContext) throws {
        let state = try journal.state(at: try journal.lastCommit).value
        for pattern in unmet {
            context.messages.tell(
                Diagnostic(
                    .warning, code: "redact.no-such-path", "nothing is at '\(pattern.text)' anywhere in the journal",
                    notes: ["so nothing was redacted for it"],
                    help: NearestPath.help(for: pattern, in: state, StoreScope(store: nil))))
        }
    }

    private func tell(_ check: SecretCheck, _ context: CommandContext) -> ExitStatus {
        guard check.count > 0 else { return .done }
        for finding in check.findings.prefix(Self.mostFindings) {
            let place = finding.path.isEmpty ? "its text" : "'\(finding.path)'"
            context.messages.tell(
                Diagnostic(
                    code: "redact.secret-left",
                    "a secret is left in \(place) of the \(finding.kind.name) record at line \(finding.line)",
                    notes: [
                        "it is the '--check' text number \(finding.secret + 1); the record's number is \(finding.seq)"
                    ],
                    help: ["give '--path' what holds it too"]))
        }
        if check.count > Self.mostFindings { context.messages.note("\(check.count - Self.mostFindings) more places") }
        if let output { context.messages.note("'\(output)' was not written") }
        return .negative
    }
}

/// Looks for secrets in the lines of a journal as they are written.
private final class SecretCheck {
    private let search: SecretSearch
    private let isWanted: Bool
    private var lines = 0
    private(set) var findings: [SecretSearch.Finding] = []
    private(set) var count = 0

    /// More findings are only counted.
    private static let keptCount = 100

    init(_ secrets: [String]) {
        search = SecretSearch(secrets)
        isWanted = !secrets.isEmpty
    }

    func read(_ bytes: [UInt8]) {
        guard isWanted else { return }
        lines += search.search(bytes, firstLine: lines + 1) { finding in
            count += 1
            if findings.count < Self.keptCount { findings.append(finding) }
        }
    }

    /// Reads a journal as it stands.
    func readAll(_ journal: Journal) throws(JournalError) {
        var reader = journal.records()
        while let line = try reader.next() { read(Array(line.bytes)) }
    }
}
