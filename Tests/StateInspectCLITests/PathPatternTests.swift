import Diagnostics
import Foundation
import JSONCore
import QueryLanguage
import TestSupport
import Testing
import TimeTravel

@testable import CommandLine

@Suite("Paths as they are typed")
struct PathPatternTests {
    private func pattern(_ text: String) throws -> PathPattern { try PathPattern(parsing: text, of: .path) }

    @Test("'~0', '~1' and '~2' are '~', '/' and '*'")
    func escapes() throws {
        #expect(try pattern("/a~1b/~2/~0").pointer?.segments == ["a/b", "*", "~"])
        #expect(try pattern("/a/*").pointer == nil)
        #expect(throws: UsageError.self) { try pattern("/a~3") }
        #expect(throws: UsageError.self) { try pattern(String(repeating: "/a", count: 65)) }
    }

    @Test(
        "three spellings are one path",
        arguments: [
            (
                "/cart/items/0",
                ["cart/items/0", "cart.items[0]", ".cart.items[0]", ".cart.items.0", #".["cart"].items[0]"#]
            ),
            ("", [".", ""]), ("/cart", ["cart", ".cart", ".[\"cart\"]", #""cart""#, #"["cart"]"#]),
            ("/cart/*/price", ["cart/*/price", "cart.*.price", ".cart[].price", ".cart[*].price"]),
            ("/**/price", ["**/price", ".**.price"]), ("/0", ["0", ".[0]", "[0]", ".0"]),
            ("/my-store/a b", ["my-store/a b", "my-store.a b", #".my-store."a b""#]),
            ("/~2/~2~2", [#"."*"."**""#, #".["*"]["**"]"#]), ("/cart/a.b", ["cart/a.b", #"cart."a.b""#]),
            ("/a~1b/~0", [#"."a/b".~"#, #".["a/b"]["~"]"#]), ("/\"", [#"."\"""#, #".["\u0022"]"#, "/\""]),
            ("/é/日本", ["é.日本", ".é.日本", #".é["\u65e5本"]"#]),
        ])
    func spellings(_ pointer: String, _ texts: [String]) throws {
        for text in texts + [pointer] {
            #expect(try pattern(text).steps == pattern(pointer).steps, "\(text)")
            #expect(try pattern(text).text == pointer, "\(text)")
        }
    }

    @Test("a path of any names reads back as it is printed, in each spelling", arguments: seeds(1..<21))
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let parts = ["a", "*", "~", "/", ".", "\"", "[", "]", "0", "\\", " ", "é", "\u{301}", "\n", "~2", "**"]
        for _ in 0..<100 {
            let names = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                (0..<Int.random(in: 1...3, using: &random)).map { _ in parts.randomElement(using: &random)! }.joined()
            }
            let path = JSONPointer(names)
            #expect(try pattern(PathPattern(path).text).pointer?.segments == names, "seed \(seed), \(names)")
            #expect(try pattern(JQPath.text(of: path, in: .null)).pointer?.segments == names, "seed \(seed), \(names)")
        }
    }

    @Test(
        "what is no path says why",
        arguments: [
            (".cart/items", "not with both"), ("cart.items/0", "not with both"), (".cart.", "a name after each '.'"),
            ("..", "a name after each '.'"), (".items[-1]", "from the front"), (".items[0", "hold an index"),
            (".items[a]", "hold an index"), (#"."a"#, "hold an index"), (".a\"b\"", "hold an index"),
            (".items[01]", "hold an index"), ("/a~3", "'~' is written '~0'"), ("a~3", "'~' is written '~0'"),
            (String(repeating: "a.", count: 65) + "a", "at most 64"),
        ])
    func refused(_ text: String, _ expected: String) {
        let error = #expect(throws: UsageError.self) { try pattern(text) }
        #expect(error?.diagnostic.message.contains(expected) == true, "\(text): \(error?.diagnostic.message ?? "")")
    }

    @Test("what is ignored is taken out of a state, elements become null")
    func removing() throws {
        let state = try JSONParser.parse(#"{"a":{"t":1,"u":2},"b":[{"t":3},4]}"#)
        func without(_ path: String) throws -> String { try pattern(path).removing(from: state).text() }
        #expect(try without("/a/t") == #"{"a":{"u":2},"b":[{"t":3},4]}"#)
        #expect(try without("/*/t") == #"{"a":{"u":2},"b":[{"t":3},4]}"#)
        #expect(try without("/**/t") == #"{"a":{"u":2},"b":[{},4]}"#)
        #expect(try without("/b/1") == #"{"a":{"t":1,"u":2},"b":[{"t":3},null]}"#)
        #expect(try without("/none/x") == state.text())
        #expect(try without("") == "null")
    }

    @Test("a pathological pattern ends", arguments: [20, 60])
    func pathological(_ count: Int) throws {
        let path = PathMatcher([try pattern(String(repeating: "/**/a", count: count / 2)).steps])
        _ = path.touch(at: Array(repeating: "a", count: 100) + ["b"], [.null])
        let deep = (0..<200).reduce(JSONValue.null) { value, _ in .object(["a": value]) }
        _ = path.touch(at: ["a"], [deep])
    }

    @Test(
        "globs",
        arguments: [
            ("*", "", true), ("*", "abc", true), ("a*c", "abc", true), ("a*c", "abcd", false), ("?", "é", true),
            ("a?c", "ac", false), ("*Success", "requestSuccess", true), ("*a*b*", "xxaxxbxx", true), ("", "a", false),
        ])
    func globs(_ glob: String, _ text: String, _ expected: Bool) {
        #expect(Glob(glob).matches(text) == expected)
    }

    @Test("a path as the query language writes it")
    func queryPaths() throws {
        func text(_ path: String, _ state: JSONValue) throws -> String {
            JQPath.text(of: try JSONPointer(parsing: path), in: state)
        }
        let state = try JSONParser.parse(#"{"cart":{"items":[{}],"byID":{"18":{}}}}"#)
        #expect(try text("/cart/items/0/the name/1a", state) == #".cart.items[0]."the name"."1a""#)
        #expect(try text("/cart/byID/18/price", state) == #".cart.byID."18".price"#)
        #expect(try text("/0", [1]) == ".[0]")
        #expect(try text("/0", .null) == #"."0""#)
        #expect(try text("", state) == ".")
    }
}

@Suite("The commits that '--path' names")
struct PathFilterTests {
    /// A journal of one store and these patches.
    private func journal(_ state: String, _ patches: [String]) -> ShopJournal {
        let commits = patches.enumerated().map { Lines.commit($0 + 1, $1) }
        return ShopJournal(text: Lines.journal([Lines.store(state)] + commits))
    }

    /// The numbers that lines of JSON have.
    private func numbers(_ run: ProgramRun) throws -> [Int] {
        try run.output.split(separator: "\n").compactMap { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["seq"] as? Int
        }
    }

    /// Holds what `log`, both ways, `log` of a stream, `replay` and `stats` say against the numbers.
    private func expect(_ journal: ShopJournal, _ path: String, _ commits: [Int]) throws {
        #expect(try numbers(journal.run("log", "J", "--path", path)) == commits, "\(path)")
        #expect(try numbers(journal.run("log", "J", "--reverse", "--path", path)) == commits.reversed(), "\(path)")
        #expect(try numbers(journal.run("replay", "J", "--path", path)) == commits, "\(path)")
        let stats = journal.run("stats", "J", "--path", path).output
        #expect(stats.contains(#""commits":\#(commits.count),"#), "\(path): \(stats)")
        let file = try #require(FileHandle(forReadingAtPath: journal.path))
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: file.readDataToEndOfFile())
        try pipe.fileHandleForWriting.close()
        let stream = ProgramRun(["log", "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)", "--path", path])
        #expect(try numbers(stream) == commits, "\(path): \(stream)")
    }

    @Test("a name in digits is no element")
    func digits() throws {
        let journal = journal(
            #"{"b":{"x":1}}"#,
            [
                #"{"op":"add","path":"/0","value":1}"#, #"{"op":"add","path":"/b/0","value":1}"#,
                #"{"op":"replace","path":"","value":[{"b":{"x":1}}]}"#, #"{"op":"add","path":"/0","value":1}"#,
            ])
        try expect(journal, "/*/b/x", [3, 4])
        let bisect = journal.run("bisect", "J", "--path", "/s/b/x", "--bad", ".s | length > 1")
        #expect(
            bisect.output.contains(#""firstBad":{"seq":4"#) || bisect.output.contains(#""lastGood":3"#), "\(bisect)")
    }

    @Test("an element's number is its own: another element that changes is not judged")
    func otherElement() throws {
        let journal = journal(
            #"{"l":[1,2]}"#,
            [#"{"op":"replace","path":"/l/1","value":0}"#, #"{"op":"replace","path":"/l/0","value":0}"#])
        let run = journal.run("bisect", "J", "--path", "/s/l/0", "--bad", ".s.l | add < 3")
        #expect(run.output.contains(#""tested":2"#), "\(run)")
        let any = journal.run("bisect", "J", "--path", "/**/l", "--bad", ".s.l | add < 3")
        #expect(any.output.contains(#""firstBad":{"seq":1"#), "\(any)")
    }

    @Test("a place that an element only came to because one was put before it is there")
    func shifted() throws {
        let journal = journal(
            #"{"l":[]}"#,
            [#"{"op":"add","path":"/l/0","value":{"a":1}}"#, #"{"op":"add","path":"/l/0","value":{"a":2}}"#])
        for path in ["/s/l/1", "/s/l/1/a"] {
            let run = journal.run("log", "J", "--path", path)
            #expect(run.status == 0 && run.output.contains(#""seq":2"#), "\(run)")
        }
        let never = journal.run("log", "J", "--path", "/s/m/1")
        #expect(never.status == 4, "\(never)")
    }

    @Test("the history of a place in a long array says that the element is followed by 'blame'")
    func longArrayHistory() throws {
        func run(elements: Int, commits: Int) throws -> ProgramRun {
            let journal = ShopJournal { lines in
                let items = (0..<elements).map { "\($0)" }.joined(separator: ",")
                lines = Array(lines[..<3])
                lines[2] = lines[2].replacingOccurrences(of: #""items":[]"#, with: "\"items\":[\(items)]")
                for number in 1...commits {
                    lines.append(
                        #"{"seq":\#(number),"kind":"commit","store":"cart","version":\#(number),"time":"2026-11-21T12:00:01.000000Z","at":{"file":"A.swift","line":1,"column":1,"function":"f()"},"patch":[{"op":"add","path":"/items/0","value":-\#(number)}]}"#
                    )
                }
            }
            return journal.run("history", "J", "/cart/items/7")
        }
        let long = try run(elements: 100, commits: 30)
        #expect(
            long.status == 0 && long.messages.contains("element 7 of '/cart/items' is a place among 130"), "\(long)")
        #expect(
            long.messages.contains("state-inspect blame J /cart/items/7") || long.messages.contains("blame"), "\(long)")
        #expect(try run(elements: 100, commits: 5).messages.isEmpty)
        #expect(try run(elements: 10, commits: 30).messages.isEmpty)
    }
}
