import Testing

@testable import StateInspectCLI

/// What `--store` leaves in an answer, and what a store is where it is not open.
@Suite("Answers about one store")
struct StoreScopeTests {
    /// The store `b` opens after commit 1, is changed by 3 and a gap, and ends with commit 7, which is one of `a`.
    static let text = journal([
        store(0, "a", "{\"n\":0}"), commit(1, "a", replace("/n", 1, 0)), store(1, "b", "{\"m\":1}"),
        commit(2, "a", replace("/n", 2, 1)), commit(3, "b", replace("/m", 2, 1)),
        #"{"seq":5,"kind":"gap",\#(time),"first":4,"lost":2,"reason":"full","states":{"a":{"n":2},"b":{"m":3}}}"#,
        commit(6, "a", replace("/n", 3, 2)), #"{"seq":6,"kind":"close","store":"b",\#(time)}"#,
        commit(7, "a", replace("/n", 4, 3)), commit(8, "a", replace("/n", 5, 4)),
    ])

    private static let time = #""time":"2026-11-21T12:00:00.000000Z""#
    private static let place = #""at":{"file":"A/B.swift","line":1,"column":1,"function":"f()"}"#

    static func journal(_ records: [String]) -> String {
        ([#"{"seq":0,"kind":"journal","version":1,"id":"r",\#(time),"recorder":"hand"}"#] + records)
            .map { $0 + "\n" }.joined()
    }

    static func store(_ seq: Int, _ name: String, _ state: String) -> String {
        #"{"seq":\#(seq),"kind":"store","store":"\#(name)","type":"T",\#(time),\#(place),"state":\#(state)}"#
    }

    static func commit(_ seq: Int, _ store: String, _ patch: String) -> String {
        #"{"seq":\#(seq),"kind":"commit","store":"\#(store)","version":\#(seq),\#(time),\#(place),"patch":[\#(patch)]}"#
    }

    static func replace(_ path: String, _ value: Int, _ old: Int) -> String {
        #"{"op":"replace","path":"\#(path)","value":\#(value),"old":\#(old)}"#
    }

    /// The numbers of the lines of an answer.
    private func numbers(_ run: ProgramRun) -> [Int] {
        run.output.split(separator: "\n").compactMap { line in
            line.firstMatch(of: #/"seq":([0-9]+)/#).flatMap { Int($0.1) }
        }
    }

    @Test(
        "a history under '--store' has what changed the store itself: its opening, a gap and its end",
        arguments: [[".m"], ["/m"], ["m"], ["/*"], [".m // 0"], ["[.m, $old.m] | .[0]"]])
    func history(_ what: [String]) throws {
        let journal = ShopJournal(text: Self.text)
        let run = ProgramRun(["history", journal.path] + what + ["--store", "b"])
        #expect(numbers(run) == [1, 3, 5, 7], "\(run)")
        #expect(!(run.output.split(separator: "\n").first ?? "").contains("\"old\":1"), "\(run)")
    }

    @Test("and no commit of another store, whatever a query reads of the commit")
    func otherCommits() throws {
        let journal = ShopJournal(text: Self.text)
        let run = journal.run("history", "J", "$seq", "--store", "b")
        #expect(numbers(run) == [3, 5, 7], "\(run)")
        let ranged = journal.run("history", "J", "/m", "--store", "b", "--range", "6..8")
        #expect(numbers(ranged) == [7], "\(ranged)")
        let named = journal.run("history", "J", "/m", "--store", "b", "--function", "f")
        #expect(numbers(named) == [3], "\(named)")
    }

    @Test("derived values under '--store' fire with the store's opening, a gap and its end")
    func derived() throws {
        let journal = ShopJournal(text: Self.text)
        let run = journal.run("derived", "J", "--store", "b", "--define", "double=.m * 2")
        #expect(numbers(run) == [1, 3, 5, 7], "\(run)")
        let summary = journal.run("derived", "J", "--store", "b", "--define", "double=.m * 2", "--summary")
        #expect(summary.output.contains(#""fired":4"#), "\(summary)")
    }

    @Test("'log --all' under '--store' has the records of the store")
    func log() throws {
        let journal = ShopJournal(text: Self.text)
        let run = journal.run("log", "J", "--store", "b", "--all")
        #expect(numbers(run) == [1, 3, 5, 6], "\(run)")
    }

    @Test("the state of a store that is not open is null, and only a store that never was is none")
    func notOpen() throws {
        let journal = ShopJournal(text: Self.text)
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
        let journal = ShopJournal(text: Self.text)
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
    private static let reopened = journal([
        store(0, "p", #"{"o":{"q":{"t":[]},"-":[]},"-":1,"list":[1]}"#), opened(0), commit(1, "o", ""),
        #"{"seq":1,"kind":"close","store":"o",\#(time)}"#, opened(1), commit(2, "o", ""),
        commit(3, "p", #"{"op":"remove","path":"/o/-","old":[]}"#),
        commit(4, "p", #"{"op":"replace","path":"/-","value":2,"old":1}"#),
        commit(5, "p", #"{"op":"move","from":"/-","path":"/o/x"}"#),
        commit(6, "p", #"{"op":"add","path":"/list/-","value":2}"#),
    ])

    private static func opened(_ seq: Int) -> String {
        #"{"seq":\#(seq),"kind":"store","type":"T",\#(time),"state":{},"store":"o",\#(place)}"#
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

    private static let tests = journal([
        store(0, "s", #"{"a":0}"#), commit(1, "s", #"{"op":"test","path":"/a","value":0}"#),
        commit(2, "s", #"{"op":"test","path":"/a","value":0},"# + replace("/a", 1, 0)),
        commit(3, "s", replace("/a", 2, 1)).replacing(#","patch""#, with: #","name":"own","patch""#),
        commit(4, "s", replace("/a", 3, 2)).replacing(#","patch""#, with: #","name":null,"patch""#),
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
            text: Self.journal([
                Self.store(0, "s", #"{"a":{},"n":0}"#),
                Self.commit(1, "s", #"{"op":"add","path":"/a/x","value":{"y":0}}"#),
                Self.commit(2, "s", Self.replace("/a/x/y", 1, 0)), Self.commit(3, "s", Self.replace("/n", 1, 0)),
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
