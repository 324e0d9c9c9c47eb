import Foundation
import JSONCore
import TestSupport
import Testing

/// Journals of versions that were released, and what commands answered of them: both are kept, and are never recorded anew.
@Suite("What was promised of journals and answers")
struct KeptJournalTests {
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
