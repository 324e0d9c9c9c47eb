import Foundation
import JSONCore
import TestSupport
import Testing

@testable import CommandLine

/// `man/state-inspect-answers.7` lists what the table declares.
///
/// `RECORD_MANUAL=1 swift test --filter AnswerPageTests` writes the page anew, and fails.
@Suite("The manual page of the answers")
struct AnswerPageTests {
    init() { _ = tool }

    private static let page = SharedFolder.packageRoot.appendingPathComponent("man/state-inspect-answers.7")

    /// What stands around the list, which nobody declares.
    private static let opening = """
        .Dd November 22, 2026
        .Dt STATE-INSPECT-ANSWERS 7
        .Os
        .Sh NAME
        .Nm state-inspect-answers
        .Nd the JSON answers of state-inspect
        .Sh DESCRIPTION
        With
        .Fl -json ,
        and wherever standard output is no terminal, the commands of
        .Xr state-inspect 1
        answer with one JSON object a line.
        Its first member is
        .Cm kind ;
        the others are listed here, in the order in which they stand.
        A member that is marked
        .Pq optional
        is left out where there is nothing to say, and of one that is marked
        .Sq *
        the meaning stands at the end, with those of others of its name.
        .Pp
        A record inside an answer has the members that it has in the journal,
        .Xr state-journal 5 ,
        without its sum.
        .Ic log
        and
        .Ic marks
        print records as they stand, and
        .Ic state
        and
        .Ic query
        print bare values.
        .Sh ANSWERS
        """

    private static let closing = """
        .Sh SEE ALSO
        .Xr jq 1 ,
        .Xr state-inspect 1 ,
        .Xr state-journal 5 ,
        .Xr state-query 7
        """

    /// A member's name with what it means.
    private struct Meaning: Hashable {
        let name: String
        let text: String
    }

    /// What stands once on the page: what three kinds or more say of a member in the same long words.
    private static let common: [Meaning] = {
        let all = tool.answers.flatMap(\.members).map { Meaning(name: $0.name, text: $0.meaning) }
        return Dictionary(grouping: all) { $0 }
            .filter { $0.value.count >= 3 && $0.key.text.split(separator: " ").count > 5 }.keys.sorted {
                $0.name < $1.name
            }
    }()

    private static func entry(_ answer: AnswerDefinition) -> [String] {
        var lines = [".Ss \(answer.kind)", sentence(answer.summary), ".Bl -tag -width keyframeShare -compact"]
        for member in answer.members {
            lines.append(".It Cm \(member.name)" + (member.mayBeMissing ? " Pq optional" : ""))
            let isCommon = common.contains(Meaning(name: member.name, text: member.meaning))
            lines.append(isCommon ? "*" : escaped(member.meaning))
        }
        return lines + [".El"]
    }

    private static var commonEntries: [String] {
        [".Sh MEMBERS OF SEVERAL ANSWERS", ".Bl -tag -width keyframeShare -compact"]
            + common.flatMap { [".It Cm \($0.name)", escaped($0.text)] } + [".El"]
    }

    private static func sentence(_ text: String) -> String {
        escaped(text.prefix(1).uppercased() + text.dropFirst() + ".")
    }

    /// The text as it stands in a page: no line begins with a macro, no hyphen of an option is broken.
    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: " --", with: " \\-\\-").replacingOccurrences(of: "\"", with: "\\(dq")
    }

    private static var declared: String {
        ([opening] + tool.answers.flatMap(entry) + commonEntries + [closing]).joined(separator: "\n") + "\n"
    }

    @Test("the page lists every kind of answer with its members, as they are declared")
    func members() throws {
        if ProcessInfo.processInfo.environment["RECORD_MANUAL"] != nil {
            try Self.declared.write(to: Self.page, atomically: true, encoding: .utf8)
            Issue.record("the page was written anew")
            return
        }
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        for (found, expected) in zip(page.split(separator: "\n"), Self.declared.split(separator: "\n")) {
            try #require(found == expected, "RECORD_MANUAL=1 writes the page anew")
        }
        #expect(page.utf8.count == Self.declared.utf8.count)
    }

    @Test("what stands once for several answers has one meaning")
    func commonMeanings() { #expect(Set(Self.common.map(\.name)).count == Self.common.count) }

    @Test("the help has every kind of answer with its members, those inside of a part too")
    func help() throws {
        for answer in tool.answers where CommandName(rawValue: answer.kind) == nil {
            let text = try #require(HelpText(.long).text(about: answer.kind))
            for member in answer.members {
                #expect(text.contains("    \(member.name)  "), "\(answer.kind): \(member.name)")
            }
        }
    }

    @Test("every kind and every member of a kind is declared once, in the words of a manual")
    func once() {
        #expect(Set(tool.answers.map(\.kind)).count == tool.answers.count)
        for answer in tool.answers {
            #expect(Set(answer.members.map(\.name)).count == answer.members.count, "\(answer.kind)")
            for text in answer.members.map(\.meaning) + [answer.summary] {
                #expect(!text.isEmpty && !text.hasSuffix(".") && !text.contains("\n"), "\(answer.kind): \(text)")
            }
        }
    }

    /// Command lines for each kind of answer; `J` is a journal, `K` another one, `P` a path.
    private static let commands =
        AnswerFitTests.commands + [
            ["replay", "J", "--without", "1"], ["diff", "J", "2", "3", "--stat"],
            ["diff", "K", "J", "--final", "--stat"],
            ["bisect", "J", "--bad", "error"], ["bisect", "J", "--run", "false"], ["derived", "J", "--summary"],
            ["derived", "J", "--define", "badge=.cart.items | length", "--check"], ["derived", "J", "--why", "badge"],
            ["blame", "J", "--reverse"],
            ["check", "J", "--invariant", "total=.cart.total >= 0", "--invariant", "odd=error"],
            ["check", "J", "none.jsonl", "--invariant", "total=.cart.total >= 0"],
            ["stats", "J", "--path", "P", "-n", "2"],
        ]

    @Test("every line that a command prints has the members that the manual lists, in their order", arguments: commands)
    func printed(_ command: [String]) throws {
        let (journal, other) = (ShopJournal(), ShopJournal { $0[7].replace("-3", with: "-4") })
        let typed = command.map { ["J": journal.path, "K": other.path, "P": "/cart/total"][$0] ?? $0 }
        for line in ProgramRun(typed + ["--json"]).output.split(separator: "\n") {
            let names = (try? JSONParser.parse(String(line)))?.object?.map(\.key) ?? []
            // Records stand as they do in the journal, and states bare.
            guard names.first == "kind", let kind = line.dropFirst(9).split(separator: "\"").first else { continue }
            let definition = try #require(tool.answers.first { $0.kind == kind }, "no page lists '\(kind)'")
            // In the order of the manual, and none is left out that is always there.
            var rest = names.dropFirst()
            for member in definition.members {
                if rest.first == member.name { rest.removeFirst() } else { #expect(member.mayBeMissing, "\(line)") }
            }
            #expect(rest.isEmpty, "\(line)")
        }
    }
}

/// Journals of versions that were released, and what commands answered of them: both are kept, and are never recorded anew.
@Suite("What was promised of journals and answers")
struct KeptJournalTests {
    init() { _ = tool }

    private static let folder = SharedFolder.packageRoot.appendingPathComponent("Tests/Kept")

    @Test("a journal of version 1 is read for ever, and every member of an answer to it stays", arguments: [1])
    func kept(version: Int) throws {
        let journal = Self.folder.appendingPathComponent("version-\(version).jsonl").path
        let text = try String(
            contentsOf: Self.folder.appendingPathComponent("version-\(version).answers"), encoding: .utf8)
        for line in text.split(separator: "\n") {
            let kept = try #require(try JSONParser.parse(String(line)).object)
            let words = kept["command"]?.array?.compactMap(\.string) ?? []
            let named = words[0] == "export" ? Array(words.prefix(2)) : [words[0]]
            let run = ProgramRun(named + [journal] + words.dropFirst(named.count))
            let lines = kept["lines"]?.array?.compactMap(\.string) ?? []
            let answers = run.output.split(separator: "\n").map(String.init)
            #expect(kept["status"]?.number?.integerValue == Int(run.status), "\(run)")
            #expect(answers.count == lines.count, "\(run)")
            for (answer, line) in zip(answers, lines) {
                let (now, then) = (try JSONParser.parse(answer), try JSONParser.parse(line))
                #expect(Self.holds(now, then), "\(answer)\nwas\n\(line)")
            }
        }
    }

    /// Whether a value has all that it had: members may be added, nothing changes or goes.
    private static func holds(_ now: JSONValue, _ then: JSONValue) -> Bool {
        switch (now, then) {
        case (.object(let now), .object(let then)):
            // A journal's name is the path at which it lies.
            then.allSatisfy { key, value in key == "journal" || now[key].map { holds($0, value) } ?? false }
        case (.array(let now), .array(let then)):
            now.count == then.count && zip(now, then).allSatisfy { holds($0, $1) }
        default: now == then
        }
    }
}

/// `man/state-inspect-promises.7`: every promise names the tests that hold it.
@Suite("The page of promises")
struct PromisePageTests {
    init() { _ = tool }

    private static let root = SharedFolder.packageRoot

    /// The names of all tests, as they stand in the sources.
    private static func sources() throws -> String {
        let files = FileManager.default.enumerator(
            at: root.appendingPathComponent("Tests"), includingPropertiesForKeys: nil)
        var text = ""
        for case let file as URL in files ?? FileManager.DirectoryEnumerator() where file.pathExtension == "swift" {
            text += try String(contentsOf: file, encoding: .utf8)
        }
        return text
    }

    @Test("no promise is without a figure and a test, and every test that it names is there")
    func promises() throws {
        let page = try String(
            contentsOf: Self.root.appendingPathComponent("man/state-inspect-promises.7"), encoding: .utf8)
        let entries = page.components(separatedBy: "\n.It ").dropFirst()
        let sources = try Self.sources()
        #expect(entries.count > 8)
        for entry in entries {
            let title = String(entry.prefix { $0 != "\n" })
            let tests = entry.components(separatedBy: "\n").filter { $0.hasPrefix(".Dq ") }
                .map { String($0.dropFirst(4)) }
            #expect(!tests.isEmpty, "'\(title)' names no test")
            #expect(entry.contains { $0.isNumber }, "'\(title)' has no figure")
            for test in tests {
                // A quotation mark stands in the manual as mdoc has it.
                #expect(
                    sources.contains("\"" + test.replacing("\\(aq", with: "'") + "\""), "no test is called '\(test)'")
            }
        }
    }
}
