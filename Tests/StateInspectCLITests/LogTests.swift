import Foundation
import JSONCore
import JournalFormat
import QueryLanguage
import TestSupport
import Testing
import TimeTravel

@testable import CommandLine

@Suite("The log and the marks")
struct LogTests {
    static let gap =
        #"{"seq":4,"kind":"gap","time":"2026-11-21T12:00:04.000000Z","first":3,"lost":2,"reason":"the queue was full","states":{"cart":{"items":[{"id":1,"price":12}],"total":12},"session":{"token":"b7"}}}"#

    private static let abort =
        #"{"seq":4,"kind":"abort","store":"cart","time":"2026-11-21T12:00:04.200000Z","at":{"file":"Shop/Cart.swift","line":80,"column":9,"function":"pay()"},"error":"declined"}"#

    @Test("people see marks, aborts and what was lost among the commits, and '-n' does not count them")
    func beside() throws {
        let journal = ShopJournal {
            $0.replaceSubrange(
                7...9, with: [Self.gap, Self.abort, $0[8].replacingOccurrences(of: #""seq":3"#, with: #""seq":4"#)])
        }
        let run = journal.run("log", "J", "--color", "never", "-n", "3", width: 100)
        #expect(
            run.output.split(separator: "\n").map { $0.prefix(55) } == [
                "1  12:00:01.000  cart     add(_:)    Shop/Cart.swift:30",
                "2  12:00:02.000  session  refresh()  Shop/Session.swift",
                "4  12:00:04.000  gap  2 commits lost: the queue was ful", "4  12:00:04.200  abort  cart  declined",
                "4  12:00:03.500  mark  total \\u001b[31mred",
                "5  12:00:05.000  cart     Refund     Shop/Cart.swift:61",
            ], "\(run)")
        #expect(run.status == 0 && run.messages.isEmpty, "\(run)")
        let narrowed = journal.run("log", "J", "--store", "cart", "--color", "never", width: 100)
        #expect(!narrowed.output.contains("mark") && !narrowed.output.contains("abort"), "\(narrowed)")
        #expect(narrowed.status == 5 && narrowed.messages.contains("were lost, the first is 3"), "\(narrowed)")
        let json = journal.run("log", "J")
        #expect(json.status == 0 && json.messages.contains("were lost, the first is 3"), "\(json)")
        #expect(!json.output.contains(#""kind":"mark""#))
    }

    @Test("no row of '-p' is wider than the screen", arguments: [40, 80])
    func narrow(_ width: Int) throws {
        let key = String(repeating: "long", count: 20)
        let journal = ShopJournal { lines in
            lines[4] = lines[4].replacingOccurrences(
                of: #"{"op":"replace","path":"/total","value":12,"old":0}"#,
                with:
                    #"{"op":"replace","path":"/total","value":12,"old":0},{"op":"add","path":"/\#(key)","value":"\#(key)"},{"op":"move","from":"/\#(key)","path":"/\#(key)2"}"#
            )
        }
        let run = journal.run("log", "J", "-p", "--color", "never", width: width)
        #expect(run.status == 0, "\(run)")
        for line in run.output.split(separator: "\n") { #expect(shownWidth(line) <= width, "\(line)") }
        #expect(run.output.contains("0 → 12"), "\(run)")
    }

    @Test("'--marks' and '--no-marks' say whether marks stand among the commits")
    func marksOption() throws {
        let journal = ShopJournal()
        let json = journal.run("log", "J", "--marks", "--range", "2..4").output.split(separator: "\n").map(String.init)
        #expect(json == [ShopJournal.lines[7], ShopJournal.lines[8], ShopJournal.lines[9]])
        #expect(!journal.run("log", "J", "--no-marks", width: 80).output.contains("mark"))
        #expect(journal.run("log", "J", "--marks", "--store", "cart", width: 80).output.contains("mark"))
        #expect(journal.run("log", "J", "--marks", "--no-marks").status == 2)
        let backward = journal.run("log", "J", "--marks", "--reverse", "-n", "4").output.split(separator: "\n")
        #expect(backward.map(String.init)[3...] == [ShopJournal.lines[8], ShopJournal.lines[7]].prefix(2))
    }

    @Test("marks lists the marks as they stand, and for people with time, level and text")
    func marks() throws {
        let later = #"{"seq":5,"kind":"mark","time":"2026-11-21T12:00:05.500000Z","text":"paid","level":"warning"}"#
        let journal = ShopJournal { $0.insert(later, at: 12) }
        func marks(_ options: String...) -> [String] {
            ProgramRun(["marks", journal.path] + options).output.split(separator: "\n").map(String.init)
        }
        #expect(marks() == [ShopJournal.lines[8], later])
        #expect(marks("--reverse", "-n", "1") == [later] && marks("-1") == [ShopJournal.lines[8]])
        #expect(marks("--range", "3..") == [later] && marks("--range", "2..3") == [ShopJournal.lines[8]])
        let human = journal.run("marks", "J", "--color", "never", width: 80)
        #expect(
            human.output == """
                3  12:00:03.500  total \\u001b[31mred
                5  12:00:05.500  warning  paid

                """, "\(human)")
        #expect(ShopJournal { $0.remove(at: 8) }.run("marks", "J").output.isEmpty)
    }

    @Test("'--follow' checks the numbers where it goes on, and that the file does not become shorter")
    func follow() throws {
        let journal = ShopJournal { $0.removeLast(5) }
        let jump = MemorySink { journal.append([ShopJournal.lines[12]]) }
        let run = ProgramRun(["log", journal.path, "--follow"], output: jump)
        #expect(run.status == 3 && run.messages.contains("6"), "\(run)")
        let cut = ShopJournal { $0.removeLast() }
        // Not before it is read, or there would be nothing but a wait for its end.
        let sink = MemorySink { FileHandle(forWritingAtPath: cut.path)?.truncateFile(atOffset: 1000) }
        let shorter = ProgramRun(["log", cut.path, "--follow"], output: sink)
        #expect(shorter.status == 3 && shorter.messages.contains("became shorter while it was followed"), "\(shorter)")
    }
}

@Suite("The lines of source that committed")
struct PlaceListTests {
    private static let sample = SharedFolder.packageRoot.appendingPathComponent("samples/checkout.jsonl").path

    private func rows(_ arguments: String...) throws -> [JSONObject] {
        let run = ProgramRun(["log", Self.sample, "--by-place", "--format", "json"] + arguments)
        #expect(run.status == 0, "\(run.messages)")
        return try run.output.split(separator: "\n").map { try #require(JSONParser.parse(String($0)).object) }
    }

    @Test("each commit is counted at one line, and the last one is shown")
    func counts() throws {
        let rows = try rows()
        let counts = rows.compactMap { $0["commits"]?.number?.integerValue }
        #expect(counts.reduce(0, +) == 412)
        let discount = try #require(rows.first { $0["function"] == "applyDiscount(_:)" })
        #expect(discount["file"] == "shop/Cart.swift" && discount["line"] == 37 && discount["last"] == 118)
        #expect(discount["title"]?.string?.contains("/cart/total") == true)
        let command = try #require(discount["command"]?.string)
        #expect(command.hasPrefix("state-inspect show ") && command.hasSuffix(" 118"))
        let places = rows.map { "\($0["file"]?.string ?? "") \(10_000 + ($0["line"]?.number?.integerValue ?? 0))" }
        #expect(places == places.sorted())
    }

    @Test("filters and ranges choose the commits")
    func filters() throws {
        let part = try rows("--range", "..118", "--store", "cart")
        #expect(part.contains { $0["last"] == 118 })
        #expect(part.allSatisfy { $0["file"] == "shop/Cart.swift" })
        #expect(try rows("-n", "2").count == 2)
    }

    @Test("it has no use for what shows commits", arguments: ["--follow", "--reverse", "-p", "--stat", "--all"])
    func exclusive(option: String) {
        #expect(ProgramRun(["log", Self.sample, "--by-place", option]).status == 2)
    }
}

@Suite("Commits chosen by the state after them")
struct WhereTests {
    private let journal = ShopJournal()

    @Test("'--follow' asks the states of what is added too")
    func follow() throws {
        let journal = ShopJournal { $0.removeLast(6) }
        var rest = ShopJournal.lines.suffix(6)
        // Once what was there is answered.
        let sink = MemorySink {
            journal.append(rest)
            rest = []
        }
        let run = ProgramRun(["log", journal.path, "--follow", "--where", ".cart.total < 0"], output: sink)
        #expect(run.status == 0 && Self.numbers(run) == [3, 5, 6], "\(run)")
    }

    @Test("a commit after which the query fails is left out, told once, and the status is 5")
    func failing() throws {
        for command in ["log", "stats", "replay"] {
            let run = journal.run(command, "J", "--where", ".cart.items[0].price + {}")
            #expect(run.status == 5, "\(run)")
            #expect(run.messages.contains("that is the first of 4 commits that were left out"), "\(run)")
            #expect(run.messages.contains("at commit 1"), "\(run)")
        }
        let empty = journal.run("log", "J", "--where", ".cart.total | if . < 0 then error(\"x\") else true end")
        #expect(empty.status == 5 && Self.numbers(empty) == [1, 2, 4], "\(empty)")
        #expect(journal.run("log", "J", "--where", ".cart[").status == 2)
    }

    /// The members `seq` of the lines that hold a text.
    private static func numbers(_ run: ProgramRun, _ part: String = "{") -> [Int] {
        run.output.split(separator: "\n").filter { $0.contains(part) }.compactMap { line in
            guard case .object(let object)? = try? JSONParser.parse(Array(line.utf8)) else { return nil }
            return object["seq"]?.integer
        }
    }
}
