import TestSupport
import Testing

/// What `--store` leaves in an answer, and what a store is where it is not open.
@Suite("Answers about one store")
struct StoreScopeTests {
    private let journal = ShopJournal(text: Self.text)

    /// The store `b` opens after commit 1, is changed by 3 and a gap, and ends with commit 7, which is one of `a`.
    static let text = Lines.journal([
        Lines.store("{\"n\":0}", "a"), Lines.commit(1, Lines.replace("/n", 1, old: 0), "a"),
        Lines.store("{\"m\":1}", "b", seq: 1),
        Lines.commit(2, Lines.replace("/n", 2, old: 1), "a"), Lines.commit(3, Lines.replace("/m", 2, old: 1), "b"),
        #"{"seq":5,"kind":"gap",\#(Lines.time),"first":4,"lost":2,"reason":"full","states":{"a":{"n":2},"b":{"m":3}}}"#,
        Lines.commit(6, Lines.replace("/n", 3, old: 2), "a"), #"{"seq":6,"kind":"close","store":"b",\#(Lines.time)}"#,
        Lines.commit(7, Lines.replace("/n", 4, old: 3), "a"), Lines.commit(8, Lines.replace("/n", 5, old: 4), "a"),
    ])

    /// The numbers of the lines of an answer.
    private func numbers(_ run: ProgramRun) -> [Int] {
        run.output.split(separator: "\n").compactMap { line in
            line.firstMatch(of: #/"seq":([0-9]+)/#).flatMap { Int($0.1) }
        }
    }

    @Test("'log --all' under '--store' has the records of the store")
    func log() throws {
        let run = journal.run("log", "J", "--store", "b", "--all")
        #expect(numbers(run) == [1, 3, 5, 6], "\(run)")
    }

    @Test("the state of a store that is not open is null, and only a store that never was is none")
    func notOpen() throws {
        for position in ["0", "8"] {
            let run = journal.run("state", "J", position, "--store", "b")
            #expect(run.status == 0 && run.output == "null\n", "\(run)")
            let query = journal.run("state", "J", position, "--store", "b", "--select", ".m // 7")
            #expect(query.status == 0 && query.output == "7\n", "\(query)")
        }
        let diff = journal.run("diff", "J", "0", "8", "--store", "b")
        #expect(diff.output.contains(#""patch":[]"#), "\(diff)")
        #expect(journal.run("state", "J", "0", "--store", "c").status == 4)
        #expect(journal.run("diff", "J", "0", "8", "--store", "c").status == 4)
    }

    @Test("a difference across lost commits says so, with status 5 where nothing differs")
    func gap() throws {
        for (from, to, status) in [("3", "6", 1), ("6", "3", 1), ("2", "5", 1)] {
            let run = journal.run("diff", "J", from, to)
            #expect(run.status == status && run.messages.contains("2 commits of"), "\(run)")
        }
        let equal = journal.run("diff", "J", "3", "5", "--store", "a")
        #expect(equal.status == 5 && equal.output.contains(#""patch":[]"#), "\(equal)")
        #expect(equal.messages.contains("2 commits of") && equal.messages.contains("were lost"), "\(equal)")
        for positions in [["6", "8"], ["0", "3"], ["7"]] {
            let run = ProgramRun(["diff", journal.path] + positions)
            #expect(run.messages.isEmpty, "\(run)")
        }
    }

    // MARK: Names that look like places

    /// The store `o` closes and opens again in a line whose members stand in another order.
    private static let reopened = Lines.journal([
        Lines.store(#"{"o":{"q":{"t":[]},"-":[]},"-":1,"list":[1]}"#, "p"), opened(0), Lines.commit(1, "", "o"),
        #"{"seq":1,"kind":"close","store":"o",\#(Lines.time)}"#, opened(1), Lines.commit(2, "", "o"),
        Lines.commit(3, #"{"op":"remove","path":"/o/-","old":[]}"#, "p"),
        Lines.commit(4, #"{"op":"replace","path":"/-","value":2,"old":1}"#, "p"),
        Lines.commit(5, #"{"op":"move","from":"/-","path":"/o/x"}"#, "p"),
        Lines.commit(6, #"{"op":"add","path":"/list/-","value":2}"#, "p"),
    ])

    private static func opened(_ seq: Int) -> String {
        #"{"seq":\#(seq),"kind":"store","type":"T",\#(Lines.time),"state":{},"store":"o",\#(Lines.at)}"#
    }

    @Test(
        "a member called '-' is one where something is replaced or taken away, whatever opened before",
        arguments: [("/p/o/q", []), ("/p/o/-", [3]), ("/p/-", [4, 5]), ("/p/list/0", [6]), ("/p/o", [3, 5])])
    func hyphen(_ path: String, _ touching: [Int]) throws {
        let journal = ShopJournal(text: Self.reopened)
        for command in ["log", "replay"] {
            for options in [[], ["--range", "2..6"]] {
                let run = ProgramRun([command, journal.path, "--path", path] + options)
                #expect(numbers(run) == touching, "\(run)")
            }
        }
    }

    @Test("and is counted and listed as one, once")
    func hyphenCounted() throws {
        let journal = ShopJournal(text: Self.reopened)
        let stats = journal.run("stats", "J")
        #expect(stats.output.contains(#""path":"/p/-""#) && stats.output.contains(#""path":"/p/o/-""#), "\(stats)")
        #expect(stats.output.contains(#""path":"/p/list/*""#), "\(stats)")
        let names = journal.run("diff", "J", "3", "4", "--name-only")
        #expect(names.output.contains(#""paths":["/p/-"]"#), "\(names)")
    }

    // MARK: Tests, names

    private static let tests = Lines.journal([
        Lines.store(#"{"a":0}"#), Lines.commit(1, #"{"op":"test","path":"/a","value":0}"#),
        Lines.commit(2, #"{"op":"test","path":"/a","value":0},"# + Lines.replace("/a", 1, old: 0)),
        Lines.commit(3, Lines.replace("/a", 2, old: 1)).replacing(#","patch""#, with: #","name":"own","patch""#),
        Lines.commit(4, Lines.replace("/a", 3, old: 2)).replacing(#","patch""#, with: #","name":null,"patch""#),
    ])

    @Test("an operation that tests is no change")
    func testOperations() throws {
        let journal = ShopJournal(text: Self.tests)
        let stats = journal.run("stats", "J")
        #expect(stats.output.contains(#""changes":3"#), "\(stats)")
        let csv = journal.run("export", "csv", "J")
        #expect(!csv.output.contains("test") && csv.output.split(separator: "\n").count == 4, "\(csv)")
        let changes = journal.run("export", "changes", "J")
        #expect(changes.output.split(separator: "\n").count == 3, "\(changes)")
    }

    @Test("a commit without a name has that of its function, in filters, queries, answers and tables alike")
    func names() throws {
        let journal = ShopJournal(text: Self.tests)
        #expect(numbers(journal.run("log", "J", "--name", "f*")) == [1, 2, 4])
        #expect(numbers(journal.run("log", "J", "--where", #"$name == "f()""#)) == [1, 2, 4])
        #expect(numbers(journal.run("log", "J", "--name", "own")) == [3])
        #expect(numbers(journal.run("bisect", "J", "--bad", #"$name == "own""#)) == [3])
        #expect(numbers(journal.run("check", "J", "--invariant", #"x=$name != "own""#)) == [3])
        #expect(numbers(journal.run("history", "J", "$name")) == [1, 3, 4])
        let csv = journal.run("export", "csv", "J").output.split(separator: "\n").dropFirst()
        #expect(csv.map { $0.split(separator: ",")[3] } == ["f()", "own", "f()"], "\(csv)")
        let changes = journal.run("export", "changes", "J").output.split(separator: "\n")
        #expect(changes.map { $0.contains(#""name":"f()""#) } == [true, false, true], "\(changes)")
    }

    @Test("a commit that is not chosen is no conflict", arguments: [[], ["--store", "s"]])
    func conflicts(_ options: [String]) throws {
        let journal = ShopJournal(
            text: Lines.journal([
                Lines.store(#"{"a":{},"n":0}"#), Lines.commit(1, #"{"op":"add","path":"/a/x","value":{"y":0}}"#),
                Lines.commit(2, Lines.replace("/a/x/y", 1, old: 0)), Lines.commit(3, Lines.replace("/n", 1, old: 0)),
            ]))
        for only in ["$seq > 2", #"$name == "f()" and $seq > 2"#, "$at.line == 1 and $seq == 3"] {
            let run = ProgramRun(["replay", journal.path, "--only", only] + options)
            #expect(run.status == 0 && numbers(run) == [3], "\(run)")
        }
        // Of one that is chosen by the state, it is not known where its patch does not apply.
        let path = options.isEmpty ? ".s.n" : ".n"
        let byState = ProgramRun(["replay", journal.path, "--only", path + " == 1"] + options)
        #expect(numbers(byState) == [2, 3], "\(byState)")
    }
}
