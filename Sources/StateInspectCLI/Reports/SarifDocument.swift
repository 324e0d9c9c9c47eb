import Diagnostics
import JSONCore

/// A SARIF 2.1.0 document (OASIS, 2020) with one run, written as its results come.
///
/// Each result is written on a line of its own and none is kept, so the document may be larger than memory. What is
/// said about the run itself follows them.
struct SarifDocument {
    /// The most results of a run that consumers take; more are counted.
    static let resultLimit = 25_000
    /// The most notifications; more are counted.
    static let notificationLimit = 1_000

    /// A rule that results are of.
    struct Rule {
        let id: String
        let summary: String
        let description: String
    }

    private let output: OutputWriter
    private let root: SourceRoot?
    private var results = 0
    /// Results that were left out.
    private var more = 0
    private var notifications: [JSONValue] = []
    private var moreNotifications = 0

    /// A document on an output.
    init(_ output: OutputWriter, _ root: SourceRoot?) {
        self.output = output
        self.root = root
    }

    /// Whether another result has room.
    var hasRoom: Bool { results < Self.resultLimit }

    /// Writes what stands before the results.
    func begin(_ rules: [Rule]) throws(OutputError) {
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

    /// Writes a result.
    mutating func add(_ result: JSONValue) throws(OutputError) {
        guard hasRoom else {
            more += 1
            return
        }
        try output.write((results == 0 ? "\n" : ",\n") + result.text())
        results += 1
    }

    /// Counts a result that does not fit.
    mutating func leaveOut() { more += 1 }

    /// Notes what went wrong beside the results.
    ///
    /// - Parameter rule: the index of the rule that it is about.
    mutating func note(_ level: Diagnostic.Severity, _ code: String, _ text: String, rule: String? = nil) {
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

    /// Writes what follows the results.
    ///
    /// - Parameter isSuccessful: whether everything that was asked about could be looked at.
    /// - Returns: how many results were left out.
    mutating func finish(_ status: ExitStatus, isSuccessful: Bool) throws(OutputError) -> Int {
        if moreNotifications > 0 { notifications.append(left(moreNotifications, "notifications")) }
        if more > 0 { notifications.append(left(more, "results")) }
        let invocation = JSONValue.members([
            "executionSuccessful": .bool(isSuccessful), "exitCode": .number(Int(status.rawValue)),
            "toolExecutionNotifications": .array(notifications),
        ])
        try output.writeLine((results == 0 ? "" : "\n") + #"],"invocations":["# + invocation.text() + "]}]}")
        return more
    }

    private func left(_ count: Int, _ noun: String) -> JSONValue {
        .members([
            "level": .string("warning"), "descriptor": .members(["id": .string("sarif.limit")]),
            "message": .members(["text": .string("\(count) more \(noun) were left out")]),
        ])
    }

    private static func json(_ rule: Rule) -> JSONValue {
        .members([
            "id": .string(rule.id),
            "shortDescription": .members(["text": .string(SarifText.message(rule.summary))]),
            "fullDescription": .members(["text": .string(SarifText.message(rule.description))]),
            "defaultConfiguration": .members(["level": .string("error")]),
        ])
    }
}

/// Texts as SARIF 2.1.0 wants them.
enum SarifText {
    /// A plain text message: braces are doubled (section 3.11.5), and what reads as an embedded link is not one (3.11.6).
    static func message(_ text: String) -> String {
        let hasLink = text.contains("](")
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "{": result += "{{"
            case "}": result += "}}"
            case "[" where hasLink, "]" where hasLink: result += "\\" + String(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A path as a URI reference (RFC 3986): everything but letters, digits, `-._~` and slashes in percents.
    static func uri(_ path: String) -> String {
        var result = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return result
    }
}

/// Places of the source as SARIF's location objects.
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
                "uri": .string(SarifText.uri(found ?? place.file)),
                "uriBaseId": found == nil ? nil : .string(Self.base),
            ]),
            "region": place.line.map { line in
                .members(["startLine": .number(line), "startColumn": place.column.map { .number($0) }])
            },
        ])
    }

    private func artifact(_ path: String) -> JSONValue {
        .members(["artifactLocation": .members(["uri": .string(SarifText.uri(path == "-" ? "stdin" : path))])])
    }
}
