package import CommandLine
import Commands
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

/// What a report asks of each run: whether invariants hold, and where the state turned bad.
package struct ReportQuestions {
    let definitions: InvariantDefinitions?
    private let judge: BisectReport.AskedQuery?
    private let recovers: Bool

    package init(_ typed: TypedArguments) throws {
        definitions = typed.has(.invariant) || typed.has(.invariants) ? try InvariantDefinitions(typed) : nil
        judge = try Self.judge(typed)
        recovers = typed.has(.recover)
    }

    private static func judge(_ typed: TypedArguments) throws -> BisectReport.AskedQuery? {
        let given = [Option.bad, .good].filter(typed.has)
        guard given.count <= 1 else { throw UsageError.exclusive(given) }
        return try given.first.map { try BisectReport.AskedQuery(typed, $0, StoreScope(typed)) }
    }

    /// - Parameter copy: what may be shown of the run, where that is not all of it; the answers are those of the run
    ///   itself.
    func answers(
        about input: JournalInput, _ range: PositionRange, shown copy: RedactedCopy?, in context: CommandContext
    ) throws -> (findings: [Finding], checked: CheckedJournal?) {
        let bisected = try judge.map { try [finding($0, input.journal, range, copy, context)] } ?? []
        guard let definitions else { return (bisected, nil) }
        let check = JournalCheck(definitions, context, recovers: recovers, range: RangeText(range))
        var checked = check.run(input.journal)
        for message in checked.allMessages { context.messages.reportOnce(message) }
        for diagnostic in checked.problem?.diagnostics ?? [] { context.messages.report(diagnostic) }
        if let problem = checked.problem {
            throw CommandFailure(
                problem.status, problem.diagnostics.first ?? Diagnostic(code: "report.check", "the journal is damaged"))
        }
        if let copy { checked = try copy.redacted(checked) }
        return (bisected + checked.findings(definitions, StoreScope(store: nil, recovers: recovers)).findings, checked)
    }

    private func finding(
        _ judge: BisectReport.AskedQuery, _ journal: Journal, _ range: PositionRange, _ copy: RedactedCopy?,
        _ context: CommandContext
    ) throws -> Finding {
        let scope = StoreScope(store: nil, recovers: recovers)
        try QueryWarnings(journal, range, scope).check(judge.query, context.messages)
        var options = BisectOptions()
        options.recover = recovers
        let answer = try BisectAnswer(journal, range, judge.condition, options: options)
        BisectReport(answer, journal, range, scope, query: judge).warn(context.messages)
        let shown = try copy?.redacted(answer) ?? answer
        return try BisectReport(shown, copy?.journal ?? journal, range, scope, query: nil)
            .finding(journal.path, of: judge.text, context.messages)
    }
}

extension RangeText {
    fileprivate init(_ range: PositionRange) {
        self.init(from: .commit(range.lower.rawValue), to: .commit(range.upper.rawValue))
    }
}

/// The outcomes are records of the page that stand where the app's own do, so the page shows both in one way; `old` is
/// added to what an app records.
final class DefinedOutcomes {
    private var firings: DerivedFirings
    private var next: [DerivedFiring]?

    init(_ journal: Journal, _ range: PositionRange, _ definitions: DerivedDefinitions, recover: Bool) throws {
        let firings = try DerivedFirings(
            journal, range, values: definitions.values(declared: []), recover: recover)
        next = try firings.next()
        self.firings = firings
    }

    /// Takes out the records of the positions before one; nil for all that are left.
    func take(before position: CommitNumber?) throws -> [JSONObject] {
        var records: [JSONObject] = []
        while let reported = next, let seq = reported.first?.seq, position.map({ seq < $0 }) ?? true {
            records.append(Self.record(of: reported, seq))
            next = try firings.next()
        }
        return records
    }

    private static func record(of firings: [DerivedFiring], _ seq: CommitNumber) -> JSONObject {
        let derived = firings.map { firing -> JSONValue in
            var members: JSONObject = ["name": .string(firing.name), "outcome": .string(firing.outcome.rawValue)]
            if firing.outcome == .fired {
                members["old"] = firing.old
                members["value"] = firing.value
            }
            return .object(members)
        }
        return [
            "seq": .number(seq.rawValue), "kind": "outcome", "commit": .number(seq.rawValue),
            "derived": .array(derived),
        ]
    }
}
