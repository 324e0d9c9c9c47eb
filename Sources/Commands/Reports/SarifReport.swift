import CommandLine
import Diagnostics
import JSONCore

/// A SARIF 2.1.0 document (OASIS, 2020) with one run: what is asked is a rule, what a record did a result, a failure a
/// notification.
///
/// Each result is written on a line of its own and none is kept, so the document may be larger than memory.
struct SarifReport: FindingReport {
    /// The most results of a run that consumers take; more are counted.
    static let resultLimit = 25_000
    /// The most notifications; more are counted.
    static let notificationLimit = 1_000

    private let output: OutputWriter
    private let messages: MessageWriter
    private let root: SourceRoot?
    private var rules: [FindingRule] = []
    private var results = 0
    private var more = 0
    private var notifications: [JSONValue] = []
    private var moreNotifications = 0

    init(_ output: OutputWriter, _ messages: MessageWriter, _ root: SourceRoot?) {
        (self.output, self.messages, self.root) = (output, messages, root)
    }

    mutating func begin(_ rules: [FindingRule]) throws {
        self.rules = rules
        let driver = JSONValue.members([
            "name": .string("state-inspect"), "version": .string(Program.version),
            "semanticVersion": .string(Program.version), "rules": .array(rules.map(Self.json)),
        ])
        var members = [
            #""tool":"# + JSONValue.members(["driver": driver]).text(), #""columnKind":"unicodeCodePoints""#,
        ]
        if let root {
            let base = JSONValue.members([SarifPlace.base: .members(["uri": .string(root.uri)])])
            members.append(#""originalUriBaseIds":"# + base.text())
        }
        try output.write(
            #"{"$schema":"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json","#
                + #""version":"2.1.0","runs":[{"# + members.joined(separator: ",") + #","results":["#)
    }

    mutating func write(_ found: FindingsOfJournal) throws {
        for finding in found.findings {
            if let failure = finding.failure { note(failure, rules[finding.rule].id, found.path) }
            guard let result = finding.result else { continue }
            guard results < Self.resultLimit else {
                more += 1
                continue
            }
            let json = result.sarif(of: rules[finding.rule], finding.rule, in: found.path, SarifPlace(root: root))
            try output.write((results == 0 ? "\n" : ",\n") + json.text())
            results += 1
        }
        for message in found.messages { note(message.severity, message.code, message.message + Self.notes(message)) }
        for problem in found.problems { note(.error, problem.code, problem.message + Self.notes(problem)) }
    }

    private mutating func note(_ failure: CheckedJournal.EvaluationFailure, _ name: String, _ path: String) {
        let count =
            failure.positions == 1
            ? "at \(failure.seq)" : "at \(failure.positions) positions, first \(failure.seq)"
        note(
            .error, "check.failure", "'\(name)' cannot be evaluated \(count) of \(path): \(failure.message)", rule: name
        )
    }

    private static func notes(_ diagnostic: Diagnostic) -> String {
        diagnostic.notes.isEmpty ? "" : " (" + diagnostic.notes.joined(separator: "; ") + ")"
    }

    private mutating func note(_ level: Diagnostic.Severity, _ code: String, _ text: String, rule: String? = nil) {
        guard notifications.count < Self.notificationLimit else {
            moreNotifications += 1
            return
        }
        notifications.append(
            .members([
                "level": .string(level.rawValue), "descriptor": .members(["id": .string(code)]),
                "message": .members(["text": .string(SarifText.message(text))]),
                "associatedRule": rule.map { .members(["id": .string($0)]) },
            ]))
    }

    mutating func finish(_ status: ExitStatus, _ summary: CheckSummary?) throws {
        if moreNotifications > 0 { notifications.append(left(moreNotifications, "notifications")) }
        if more > 0 { notifications.append(left(more, "results")) }
        let invocation = JSONValue.members([
            "executionSuccessful": .bool((summary?.unreadable ?? 0) == 0), "exitCode": .number(Int(status.rawValue)),
            "toolExecutionNotifications": .array(notifications),
        ])
        try output.writeLine((results == 0 ? "" : "\n") + #"],"invocations":["# + invocation.text() + "]}]}")
        guard more > 0 else { return }
        messages.warn(
            code: "sarif.limit", "\(more) violations were left out of the document",
            notes: ["consumers of SARIF take \(Self.resultLimit) results of a run"],
            help: ["check fewer journals at a time, or write '--format json'"])
    }

    private func left(_ count: Int, _ noun: String) -> JSONValue {
        .members([
            "level": .string("warning"), "descriptor": .members(["id": .string("sarif.limit")]),
            "message": .members(["text": .string("\(count) more \(noun) were left out")]),
        ])
    }

    private static func json(_ rule: FindingRule) -> JSONValue {
        .members([
            "id": .string(rule.id),
            "shortDescription": .members(["text": .string(SarifText.message(rule.summary))]),
            "fullDescription": .members(["text": .string(SarifText.message(rule.description))]),
            "defaultConfiguration": .members(["level": .string("error")]),
        ])
    }
}

enum SarifText {
    /// A plain text message: braces are doubled (section 3.11.5), and what reads as an embedded link is not one (3.11.6).
    static func message(_ text: String) -> String {
        let hasLink = text.utf8.contains("](".utf8)
        return text.replacingScalars { scalar in
            switch scalar {
            case "{", "}": "\(scalar)\(scalar)"
            case "[" where hasLink, "]" where hasLink: "\\\(scalar)"
            default: nil
            }
        }
    }
}

struct SarifPlace {
    /// What stands for `--source-root` in a document.
    static let base = "SOURCEROOT"

    let root: SourceRoot?

    /// The location of a record: its place in the source; where it has none, the journal.
    func location(_ place: SourcePlace?, journal: String, message: String? = nil) -> JSONValue {
        .members([
            "physicalLocation": place.map(physical) ?? artifact(journal),
            "logicalLocations": place?.function.map { name in
                .array([.members(["name": .string(name), "kind": .string("function")])])
            },
            "message": message.map { .members(["text": .string(SarifText.message($0))]) },
        ])
    }

    private func physical(_ place: SourcePlace) -> JSONValue {
        let found = root?.path(of: place.file)
        return .members([
            "artifactLocation": .members([
                "uri": .string(found.map(SourceRoot.uri) ?? SourceRoot.reference(place.file)),
                "uriBaseId": found == nil ? nil : .string(Self.base),
            ]),
            "region": place.line.map { line in
                .members(["startLine": .number(line), "startColumn": place.column.map { .number($0) }])
            },
        ])
    }

    private func artifact(_ path: String) -> JSONValue {
        .members(["artifactLocation": .members(["uri": .string(SourceRoot.uri(path == "-" ? "stdin" : path))])])
    }
}

extension Finding.Result {
    func sarif(of rule: FindingRule, _ index: Int, in journal: String, _ places: SarifPlace) -> JSONValue {
        let message = ([heading] + details).joined(separator: "\n")
        // Identifies a finding across runs in which one line of source does one thing: the line's number is left out, as it
        // moves.
        let fingerprint = [rule.id, place?.file ?? "", place?.function ?? ""].joined(separator: "|")
        let steps = history.enumerated().map { sarif($1, $0, in: journal, places) }
        let flow = JSONValue.members(["threadFlows": .array([.members(["locations": .array(steps)])])])
        return .members([
            "ruleId": .string(rule.id), "ruleIndex": .number(index), "level": .string("error"),
            "message": .members(["text": .string(SarifText.message(message))]),
            "locations": .array([places.location(place, journal: journal)]),
            "partialFingerprints": .members(["ruleAndPlace/v1": .string(fingerprint)]),
            "codeFlows": steps.isEmpty ? nil : .array([flow]),
            "properties": properties,
        ])
    }

    private func sarif(
        _ step: Finding.HistoryStep, _ index: Int, in journal: String, _ places: SarifPlace
    ) -> JSONValue {
        var state = JSONObject()
        for (path, value) in step.state { state[path] = .members(["text": .string(SarifText.message(value))]) }
        let message = ([step.record.designation] + Finding.changes(step.record)).joined(separator: "\n")
        return .members([
            "location": places.location(step.place, journal: journal, message: message),
            "state": .object(state), "executionOrder": .number(index + 1),
            "importance": .string(index == history.count - 1 ? "essential" : "important"),
            "properties": .members(["seq": .number(step.record.seq), "time": .string(step.record.time)]),
        ])
    }
}
