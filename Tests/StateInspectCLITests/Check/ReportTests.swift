import Foundation
import JSONCore
import TestSupport
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@testable import CommandLine
@testable import Commands

@Suite("Reports for other tools")
struct ReportTests {
    private let journal = ShopJournal()

    private static let total = ["--invariant", "total=.cart.total >= 0"]

    // MARK: GitHub

    @Test("an annotation names the place, and standard output is the story for people, or the usual lines")
    func annotation() {
        let run = ProgramRun(["check", journal.path, "--format", "github"] + Self.total)
        let story = ProgramRun(["check", journal.path, "--format", "human"] + Self.total)
        #expect(run.status == 1 && run.output == story.output, "\(run)")
        let lines = ProgramRun(["check", journal.path, "--format", "github", "--json"] + Self.total)
        #expect(lines.output == ProgramRun(["check", journal.path] + Self.total).output, "\(lines)")
        #expect(
            run.messages.hasPrefix(
                "::error file=Shop/Cart.swift,line=42,col=9,title=invariant total::'total' is violated at commit 3 of "),
            "\(run)")
        #expect(run.messages.contains("%0A/cart/total   12 → -3%0Aviolated at 3 of 7 positions"), "\(run)")
        #expect(run.messages.split(separator: "\n").count { $0.hasPrefix("::error") } == 1, "\(run)")
    }

    @Test("a file that is not below the current folder, of which GitHub shows nothing, is warned of once")
    func unknownFile() throws {
        let here = FileManager.default.currentDirectoryPath
        #expect(!FileManager.default.fileExists(atPath: here + "/Shop/Cart.swift"))
        let twice = ["--invariant", "a=.cart.total >= 0", "--invariant", "b=.cart.total > 0"]
        let run = ProgramRun(["check", journal.path, "--format", "github"] + twice)
        let warning = "warning: there is no file 'Shop/Cart.swift' below the current folder"
        #expect(run.messages.components(separatedBy: warning).count == 2, "\(run)")
        #expect(run.messages.contains("'--source-root DIR' names"), "\(run)")
        // A file that is there, below a folder that no workflow knows.
        let folder = TemporaryFolder()
        let source = folder.write("\n", to: "Shop/Cart.swift")
        let rooted = ProgramRun(["check", journal.path, "--format", "github", "--source-root", folder.path] + twice)
        #expect(rooted.messages.contains("there is no file '\(source)' below the current folder"), "\(rooted)")
        let missing = ProgramRun(["check", journal.path, "--format", "github", "--source-root", "/usr/bin"] + twice)
        #expect(missing.messages.contains("below '/usr/bin'") && !missing.messages.contains("current folder"))
        let other = ProgramRun(["check", journal.path, "--format", "sarif"] + twice)
        #expect(!other.messages.contains("current folder"))
    }

    @Test(
        "texts are escaped as the runner's toolkit does",
        arguments: [
            ("100%", "100%25", "100%25"), ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"), ("a:b,c", "a:b,c", "a%3Ab%2Cc"),
            ("%0A", "%250A", "%250A"), ("::error::x", "::error::x", "%3A%3Aerror%3A%3Ax"),
        ])
    func escapes(_ text: String, _ data: String, _ property: String) {
        #expect(WorkflowCommand.escaped(text) == data)
        #expect(WorkflowCommand.escapedProperty(text) == property)
    }

    @Test("a value cannot forge a command in any line that a runner reads")
    func forgery() throws {
        let hostile = ShopJournal { lines in
            lines[7] = lines[7].replacing(#""Shop/Cart.swift""#, with: #""a.swift,line=1::x\n::error file=b::y""#)
                .replacing("applyDiscount(_:)", with: "##[error]forged ###[warning]x")
        }
        let run = ProgramRun(["check", hostile.path, "--format", "github"] + Self.total)
        let lines = run.messages.split(separator: "\n").filter { $0.contains("::") }
        #expect(lines.count == 2 && lines[1].contains("there is no file"), "\(run)")
        #expect(lines[0].hasPrefix("::error file=a.swift%2Cline=1%3A%3Ax\\n%3A%3Aerror"), "\(run)")
        #expect(!run.output.contains("##["), "\(run)")
        let json = ProgramRun(["check", hostile.path, "--format", "github", "--json"] + Self.total)
        #expect(!json.output.contains("##["), "\(json)")
        let text = try #require(json.output.split(separator: "\n").first)
        #expect(try JSONValue(text: text).text().contains("##[error]forged ###[warning]x"))
    }

    @Test("at most ten annotations are written, and the last says how many there were more")
    func manyAnnotations() {
        let options = (1...13).flatMap { ["--invariant", "i\($0)=.cart.total >= 0"] }
        let run = ProgramRun(["check", journal.path, "--format", "github"] + options)
        let lines = run.messages.split(separator: "\n").filter { $0.hasPrefix("::") }
        #expect(lines.count == 10 && lines.allSatisfy { $0.hasPrefix("::error ") }, "\(run)")
        #expect(lines.last?.hasSuffix("%0Aand 3 more") == true, "\(run)")
        #expect(run.output.split(separator: "\n").count { $0.contains(" is violated ") } == 13, "\(run)")
    }

    @Test("bisect annotates its commit")
    func bisectAnnotation() {
        let run = journal.run("bisect", "J", "--bad", ".cart.total < 0", "--format", "github")
        #expect(run.status == 0 && run.output.hasPrefix("first bad commit  3 of 6"), "\(run)")
        #expect(
            run.messages.hasPrefix("::error file=Shop/Cart.swift,line=42,col=9,title=first bad commit::commit 3"),
            "\(run)")
        #expect(journal.run("bisect", "J", "--bad", ".x", "--format", "junit").status == 2)
        #expect(journal.run("log", "J", "--format", "sarif").status == 2)
    }

    // MARK: SARIF

    private func document(_ arguments: [String]) throws -> JSONValue {
        let run = ProgramRun(arguments + ["--format", "sarif"])
        return try JSONValue(text: run.output)
    }

    @Test(
        "a violation is a result of its rule, with its place, and the records that led to it with the state after each")
    func sarif() throws {
        let document = try document(["check", journal.path] + Self.total)
        #expect(document["version"]?.said == "2.1.0")
        let run = try #require(document["runs"]?[0])
        #expect(run["tool"]?["driver"]?["rules"]?[0]?["id"]?.said == "total")
        let result = try #require(run["results"]?[0])
        #expect(result["ruleId"]?.said == "total" && result["ruleIndex"]?.integer == 0)
        let place = try #require(result["locations"]?[0]?["physicalLocation"])
        #expect(place["artifactLocation"]?["uri"]?.said == "Shop/Cart.swift")
        #expect(place["region"]?["startLine"]?.integer == 42 && place["region"]?["startColumn"]?.integer == 9)
        let flow = try #require(result["codeFlows"]?[0]?["threadFlows"]?[0]?["locations"])
        #expect(flow.elements.map { $0["state"]?["/cart/total"]?["text"]?.said } == ["12", "-3"])
        #expect(flow[0]?["location"]?["physicalLocation"]?["region"]?["startLine"]?.integer == 30)
        #expect(run["invocations"]?[0]?["exitCode"]?.integer == 1)
        #expect(run["invocations"]?[0]?["executionSuccessful"] == .bool(true))
    }

    @Test("failures, warnings and unreadable journals are notifications")
    func notifications() throws {
        let document = try document(["check", journal.path, "/no/such", "--invariant", "x=error(\"{no}\")"])
        let invocation = try #require(document["runs"]?[0]?["invocations"]?[0])
        #expect(invocation["executionSuccessful"] == .bool(false) && invocation["exitCode"]?.integer == 3)
        let notifications = try #require(invocation["toolExecutionNotifications"]).elements
        #expect(notifications.contains { $0["associatedRule"]?["id"]?.said == "x" })
        #expect(notifications.contains { $0["descriptor"]?["id"]?.said == "journal.missing" })
        #expect(notifications.first?["message"]?["text"]?.said?.hasSuffix("{{no}}") == true)
    }

    @Test("no more results are written than consumers take; the others are counted")
    func resultLimit() throws {
        let sink = MemorySink()
        let messages = MemorySink()
        let output = OutputWriter(sink)
        var document = SarifReport(output, MessageWriter(MessageSink(messages), after: output), nil)
        try document.begin([FindingRule(id: "total", summary: "", description: "")])
        var finding = Finding(.bad, "")
        finding.result = Finding.Result(heading: "", details: [], properties: .null)
        let findings = Array(repeating: finding, count: SarifReport.resultLimit + 7)
        try document.write(FindingsOfJournal(path: "run.jsonl", findings: findings))
        try document.finish(.negative, nil)
        #expect(messages.text.contains("7 violations were left out of the document"))
        try output.flush()
        let run = try #require(try JSONValue(text: sink.text)["runs"]?[0])
        #expect(run["results"]?.elements.count == 25_000)
        #expect(sink.text.contains("7 more results were left out"))
    }

    @Test("a history is the last steps only, far below what consumers take")
    func historyLimit() throws {
        let many = ShopJournal { lines in
            let commits = (1...200).map { index in
                #"{"seq":\#(index),"kind":"commit","store":"cart","version":\#(index),"time":"2026-11-21T12:00:01.000000Z","at":{"file":"Shop/Cart.swift","line":\#(index),"column":9,"function":"add(_:)"},"patch":[{"op":"replace","path":"/total","value":\#(index),"old":\#(index - 1)}]}"#
            }
            lines = Array(lines[..<4]) + commits
        }
        let document = try document(["check", many.path, "--invariant", "total=.cart.total < 150"])
        let flow = try #require(
            document["runs"]?[0]?["results"]?[0]?["codeFlows"]?[0]?["threadFlows"]?[0]?["locations"])
        #expect(flow.elements.count == JournalCheck.historyLength && JournalCheck.historyLength <= 10_000)
        #expect(flow.elements.last?["state"]?["/cart/total"]?["text"]?.said == "150")
        #expect(flow.elements.first?["state"]?["/cart/total"]?["text"]?.said == "101")
    }

    @Test("bisect names the commit's place in a document")
    func bisectDocument() throws {
        let document = try document(["bisect", journal.path, "--bad", ".cart.total < 0"])
        let result = try #require(document["runs"]?[0]?["results"]?[0])
        #expect(result["locations"]?[0]?["physicalLocation"]?["region"]?["startLine"]?.integer == 42)
        let none = try self.document(["bisect", journal.path, "--bad", ".cart.total < -100"])
        #expect(none["runs"]?[0]?["results"]?.elements.isEmpty == true)
    }

    @Test(
        "a path of any bytes becomes a URI", arguments: [("a b/ä.swift", "a%20b/%C3%A4.swift"), ("c:x%", "c%3Ax%25")])
    func uri(_ path: String, _ uri: String) { #expect(SourceRoot.uri(path) == uri) }

    @Test("a message holds no placeholder and no link of a journal's making")
    func messages() {
        #expect(SarifText.message(#"{"a":[1]}"#) == #"{{"a":[1]}}"#)
        #expect(SarifText.message("[x](http://y)") == #"\[x\](http://y)"#)
    }

    // MARK: JUnit

    @Test("a journal is a suite, an invariant a case, and forged markup and forbidden characters stay text")
    func junit() throws {
        let hostile = ShopJournal { lines in
            lines[7] = lines[7].replacing(
                "applyDiscount(_:)", with: #"]]></failure><x a=\"\u0000\u0008\u001b[31m\ufffe\uffff\n&amp;"#)
        }
        let run = ProgramRun(
            [
                "check", hostile.path, "/no/such", "--format", "junit", "--invariant",
                #"x=error("]]></error><y a=\"&amp;\u0001")"#, "--invariant", "token=.session.token",
            ] + Self.total)
        #expect(run.status == 3, "\(run)")
        let counter = ElementCounter()
        let parser = XMLParser(data: Data(run.output.utf8))
        parser.delegate = counter
        #expect(parser.parse(), "\(String(describing: parser.parserError)) \(run)")
        #expect(
            counter.counts == [
                "testsuites": 1, "testsuite": 2, "testcase": 4, "failure": 1, "error": 2, "system-err": 1,
            ])
        #expect(
            !run.output.unicodeScalars.contains {
                $0.value < 0x20 && $0 != "\n" || $0.value >= 0xFFFE && $0.value <= 0xFFFF
            })
    }
}

/// Counts the elements of a document.
private final class ElementCounter: NSObject, XMLParserDelegate {
    var counts: [String: Int] = [:]

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) { counts[name, default: 0] += 1 }
}

extension JSONValue {
    /// Parses a text.
    fileprivate init(text: some StringProtocol) throws {
        self = try Array(text.utf8).withBytes { try JSONParser.parse($0, order: .asWritten) }
    }

    fileprivate subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    fileprivate subscript(_ index: Int) -> JSONValue? { elements.indices.contains(index) ? elements[index] : nil }

    /// The text of a string.
    fileprivate var said: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    fileprivate var elements: [JSONValue] { array ?? [] }
}
