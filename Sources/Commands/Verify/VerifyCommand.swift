import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import Platform
import TimeTravel

struct VerifyCommand: Command {
    static let definition = CommandDefinition(
        name: .verify, summary: "check a journal's integrity", synopsis: ["JOURNAL [--repair OUT]"],
        operands: [.required("JOURNAL", .file)],
        options: [.repair],
        details: [
            """
            Replays the whole journal and reports what does not fit: line sums, numbers, times, the old value of \
            every change, keyframes and totals. A journal without an end, and gaps, are noted but are no damage.
            """,
            "With '--repair' what is whole of a damaged journal is written to another file.",
        ],
        examples: [.init(line: "state-inspect verify samples/checkout.jsonl", purpose: "is this journal whole")],
        answers: [problem.definition, verified.definition])

    private let path: String
    private let repaired: String?

    /// No more problems are listed: a file that is damaged all over has one a line.
    static let shownCount = 100

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        repaired = typed.value(.repair)
        if let repaired, JournalOutput.isStandardOutput(repaired) {
            throw UsageError.value(.repair, repaired, expected: "a file: what is found stands on standard output")
        }
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        guard let repaired else { return try verify(.sequential(path, recovers: true, in: context), context) }
        let output = try JournalOutput(repaired, of: [path], option: .repair, context)
        // The journal is read twice, so a pipe is kept.
        let input = try JournalInput.whole(path, recovers: true, in: context)
        let status = try verify(input, context)
        return status.worse(try repair(input, to: repaired, output, context))
    }

    private func verify(_ input: JournalInput, _ context: CommandContext) throws -> ExitStatus {
        var refused: OutputError?
        var shown = 0
        let summary = try Verification.run(input.journal) { problem in
            guard refused == nil, shown < Self.shownCount else { return }
            shown += 1
            do throws(OutputError) { try write(problem, context) } catch { refused = error }
        }
        if let refused { throw refused }
        Self.noteUnlisted(summary.problems - shown, context.messages)
        try Self.report(summary, path, context)
        return summary.problems == 0 ? .done : .negative
    }

    private static func noteUnlisted(_ count: Int, _ messages: MessageWriter) {
        if count > 0 { messages.note("\(count.counted("more problem")), which are not listed") }
    }

    private func write(_ problem: VerificationProblem, _ context: CommandContext) throws(OutputError) {
        switch context.format {
        case .json:
            try context.output.writeLine(Self.problem(problem))
        case .human:
            let place = DiagnosticRenderer.file(
                path: path, line: problem.line?.rawValue, byte: problem.byte.rawValue, length: nil)
            try context.write("\(place, .location)  \(problem.code.rawValue, .error)  \(problem.message)")
        }
    }

    private static func report(_ summary: Verification.Summary, _ path: String, _ context: CommandContext) throws {
        if let found = summary.firstRepeatedName { context.messages.report(warning(found, summary)) }
        if summary.linesWithReturns > 0 {
            context.messages.report(
                Diagnostic(
                    .warning, code: "verify.line-end",
                    "\(summary.linesWithReturns.counted("line")) of '\(path)' end in CR LF, as git and some editors write them",
                    notes: ["every command reads them all the same"],
                    help: [
                        "'--repair OUT' writes the journal as it was",
                        "'*.jsonl -text' in '.gitattributes' keeps git from changing it",
                    ]))
        }
        if summary.gaps > 0 {
            context.messages.note("'\(path)' has \(summary.gaps.counted("gap")): commits that could not be kept")
        }
        if !summary.isEnded { context.messages.note("'\(path)' has no end: the program is still running, or stopped") }
        guard context.format == .human else { return try writeVerified(summary, context) }
        let looked =
            "\(summary.records.counted("record")), \(summary.commits.counted("commit")), "
            + "\(summary.sums.counted("sum")) checked"
        let found = summary.problems == 0 ? "whole" : summary.problems.counted("problem")
        try context.write("\(path): \(found) (\(looked))")
    }

    private static func warning(_ found: Verification.RepeatedName, _ summary: Verification.Summary) -> Diagnostic {
        let more = summary.linesWithRepeatedNames - 1
        return Diagnostic(
            .warning, code: "verify.repeated-name",
            "the name '\(found.name)' stands twice in an object of line \(found.line.map { "\($0.rawValue)" } ?? "?")",
            notes: ["the last member of a name counts here; other programs may take the first"]
                + (more > 0 ? ["so it is in \(more.counted("line")) more"] : []))
    }

    /// That all is well is an answer too: no check at all looks otherwise.
    private static func writeVerified(_ summary: Verification.Summary, _ context: CommandContext) throws {
        guard summary.problems == 0 else { return }
        try context.output.writeLine(verified(summary))
    }

    static let problem = AnswerKind<VerificationProblem>(
        "problem", "something that does not fit",
        [
            .always("code", "a stable name for the problem", \.code.rawValue),
            .always("line", "the number of the line, null where it is not known", \.line?.rawValue),
            .always("byte", "the offset of the first byte", \.byte.rawValue),
            .always("message", "what does not fit", \.message),
        ])

    static let verified = AnswerKind<Verification.Summary>(
        "verified", "that nothing was found which does not fit",
        [
            .always("records", "how many records were looked at", \.records),
            .always("commits", "how many of them are commits", \.commits),
            .always("sums", "how many have a sum, which is right", \.sums),
        ])
}

extension VerifyCommand {
    /// In bytes.
    private static let repairCapacity = 1 << 18

    /// - Returns: done, or negative where something had to be left out or changed.
    private func repair(
        _ input: JournalInput, to path: String, _ output: JournalOutput, _ context: CommandContext
    ) throws -> ExitStatus {
        var repair = JournalRepair(input.journal)
        while try repair.next() {
            if repair.pendingCount >= Self.repairCapacity { try repair.withPendingLines(output.append) }
        }
        try repair.withPendingLines(output.append)
        try output.finish()
        Self.report(repair.summary, path, context)
        return repair.summary.isUnchanged ? .done : .negative
    }

    private static func report(_ summary: JournalRepair.Summary, _ path: String, _ context: CommandContext) {
        let lost = summary.lost > 0 ? ", \(summary.lost.counted("lost commit")) became part of a gap" : ""
        context.messages.note("'\(path)' has \(summary.commits.counted("commit"))\(lost)")
        if summary.isCut {
            let cut = summary.cutCommits > 0 ? ", so \(summary.cutCommits.counted("commit")) were left out" : ""
            context.messages.note(
                "'\(path)' ends after commit \(summary.lastCommit): no keyframe follows the damage after it\(cut)")
        }
        if summary.leftOut > 0 {
            context.messages.note("\(summary.leftOut.counted("other line")) left out: \(lines(summary))")
        }
        if summary.rewritten > 0 { context.messages.note("\(summary.rewritten.counted("line")) written anew") }
    }

    private static let namedCount = 10

    /// The lines that were left out, with what they are, as "12 (store), 14 (no record)".
    private static func lines(_ summary: JournalRepair.Summary) -> String {
        let named = summary.leftOutLines.prefix(namedCount).map { line in
            let kind = line.kind.map { $0.name.description } ?? "no record"
            return "\(line.line.map { "\($0)" } ?? "?") (\(kind))"
        }
        return named.joined(separator: ", ") + (summary.leftOut > named.count ? ", …" : "")
    }
}
