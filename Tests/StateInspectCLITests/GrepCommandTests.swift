import Foundation
import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("Where a text came in")
struct GrepCommandTests {
    private static let sample = SharedFolder.packageRoot.appendingPathComponent("samples/checkout.jsonl").path

    private func grep(_ arguments: String...) -> ProgramRun { ProgramRun(["grep", Self.sample] + arguments) }

    @Test("each place is a line: the record that brought the text, and the commit that took it away")
    func people() {
        let run = grep("courier", "--format", "human")
        #expect(run.status == 0, "\(run)")
        #expect(
            run.output == """
                73  12:00:36.730  shop/Shopper.swift:129  payload  (all)  "courier"
                73  12:00:36.730  shop/Shopper.swift:129  value    /checkout/delivery  "courier"  gone at 119

                """, "\(run)")
    }

    @Test("for programs it is a 'hit'")
    func programs() {
        let run = grep("SPRING", "--path", "/cart", "-n", "1")
        #expect(
            run.output == """
                {"kind":"hit","in":"value","path":"/cart/discounts/0/code","value":"SPRING","seq":71,\
                "time":"2026-03-01T12:00:35.270000Z","at":{"file":"shop/Cart.swift","line":37,"column":22,\
                "function":"applyDiscount(_:)"},"gone":null}

                """, "\(run)")
    }

    @Test(
        "the filters choose the commits that brought it, a path what is there",
        arguments: [
            (["--path", "/cart"], ["71", "118"]), (["--store", "cart"], ["71", "118"]), (["-n", "1"], ["70"]),
            (["--reverse", "-n", "1"], ["118"]), (["--range", "71.."], ["118"]), (["--range", "..70"], ["70"]),
            (["--function", "applyDiscount"], ["71", "118"]), (["--where", ".cart.total < 0"], ["118"]),
            (["-n", "0"], []),
        ])
    func filters(_ options: [String], _ commits: [String]) {
        let run = ProgramRun(["grep", Self.sample, "SPRING", "--format", "human"] + options)
        let numbers = run.output.split(separator: "\n").map { String($0.prefix { $0.isNumber }) }
        #expect(numbers == commits, "\(run)")
    }

    @Test("under '--store' paths begin at the store")
    func store() {
        #expect(grep("SPRING", "--store", "cart", "--format", "human").output.contains("  /discounts/0/code  "))
        #expect(grep("cart", "--store", "cart", "-n", "9").output.isEmpty)
    }

    @Test("small letters stand for capitals where that is asked for; an expression is one of the query language")
    func patterns() {
        #expect(grep("spring").status == 1)
        #expect(grep("spring", "-i").output == grep("SPRING").output)
        #expect(grep("-e", "^SPR.NG$").output == grep("SPRING").output)
        #expect(grep("-i", "-e", "^spring$").output == grep("SPRING").output)
    }

    @Test("where there is nothing, the status is 1 and it is said what was searched")
    func nothing() {
        let run = grep("nowhere")
        #expect(run.status == 1 && run.output.isEmpty, "\(run)")
        #expect(
            run.messages
                == "note: nothing in 412 commits has 'nowhere': values, names, marks and payloads were searched\n",
            "\(run)")
    }

    @Test(
        "what cannot be looked for is refused",
        arguments: [[], [""], ["SPRING", "-e", "S"], ["-e", "("], ["a", "1..2", "2..3"]])
    func usage(_ arguments: [String]) {
        #expect(ProgramRun(["grep", Self.sample] + arguments).status == 2)
    }

    @Test("git's and the shell's words lead here")
    func words() {
        let search = ProgramRun(["search", Self.sample, "SPRING"]).messages
        #expect(search.contains("write 'state-inspect grep \(Self.sample) SPRING'"), "\(search)")
        #expect(ProgramRun(["log", Self.sample, "-S", "SPRING"]).messages.contains("grep JOURNAL TEXT"))
        #expect(ProgramRun(["log", Self.sample, "--grep", "SPRING"]).messages.contains("grep JOURNAL TEXT"))
    }

    @Test("escapes hide no text, and write nothing to the terminal")
    func escapes() throws {
        let journal = ShopJournal { $0[6] = $0[6].replacing(#""b7""#, with: #""\u0062\u0037\u001b[31m""#) }
        let found = journal.run("grep", "J", "b7", "--format", "human", "--color", "never")
        #expect(found.output.contains("2  12:00:02.000"), "\(found)")
        #expect(!found.output.contains("\u{1B}"))
        let mark = journal.run("grep", "J", "red", "--format", "human", "--color", "never")
        #expect(mark.output.contains("mark") && !mark.output.contains("\u{1B}"), "\(mark)")
    }

    @Test("what is lost in a gap is reported, and no answer is good across it")
    func gap() throws {
        let journal = ShopJournal { lines in
            lines[9] = """
                {"seq":4,"kind":"gap","first":4,"lost":1,"time":"2026-11-21T12:00:04.000000Z","reason":"disk full",\
                "states":{"cart":{"items":[{"id":1,"price":12}],"total":12},"session":{"token":"b7"}}}
                """
        }
        let run = journal.run("grep", "J", "nowhere")
        #expect(run.status == 5 && run.messages.contains("was lost: 4"), "\(run)")
    }

    @Test("a journal that is damaged ends with status 3, unless reading may go on")
    func damage() throws {
        let journal = ShopJournal { $0[9] = "{\"seq\":4," }
        #expect(journal.run("grep", "J", "b7").status == 3)
        #expect(journal.run("grep", "J", "b7", "--recover").status == 5)
    }

    @Test("a value of many megabytes costs what it is long")
    func large() throws {
        let long = String(repeating: "a", count: 2_000_000)
        let journal = ShopJournal { $0[6] = $0[6].replacing(#""b7""#, with: "\"\(long)b\"") }
        let run = journal.run("grep", "J", String(repeating: "a", count: 2_000) + "b", "--format", "human", width: 80)
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.output.split(separator: "\n").allSatisfy { DisplayWidth.of(String($0)) <= 80 })
    }
}
