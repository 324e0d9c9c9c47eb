import Foundation
import Testing

@testable import StateInspectCLI

@Suite("'derived --check' and '--why'")
struct DerivedCommandTests {
    private let journal = ShopJournal()

    @Test("what the app recorded is held against the definition, and status 1 tells of a difference")
    func check() throws {
        let right = journal.run("derived", "J", "--define", "badge=.cart.items | length", "--check")
        #expect(right.status == 0, "\(right)")
        #expect(
            right.output == #"{"kind":"derived.check","name":"badge","compared":2,"differences":0,"incomparable":0}"#
                + "\n", "\(right)")
        let wrong = journal.run("derived", "J", "--define", "badge=.cart.total", "--check", "-n", "1")
        #expect(wrong.status == 1, "\(wrong)")
        #expect(
            wrong.output.hasPrefix(
                #"{"kind":"derived.difference","seq":1,"name":"badge","outcome":"fired","old":0,"value":12,"recorded":{"outcome":"fired","value":1},"at":{"file":"Shop/Cart.swift","line":30,"#
            ), "\(wrong)")
        #expect(wrong.output.hasSuffix(#""compared":2,"differences":2,"incomparable":0}"# + "\n"), "\(wrong)")
        let human = journal.run(
            "derived", "J", "--define", "badge=.cart.total", "--check", "--color", "never", width: 100)
        #expect(
            human.output.hasPrefix("1  badge  recorded fired 1, by its definition fired 12  Shop/Cart.swift:30\n"),
            "\(human)")
    }

    @Test(
        "a definition that a word of the language names says what to type", arguments: ["label", "if", "reduce", "def"])
    func reservedName(_ word: String) throws {
        let file = journal.path + ".jq"
        try "def \(word): .cart.total + 1;\n".write(toFile: file, atomically: true, encoding: .utf8)
        let run = journal.run("derived", "J", "--definitions", file)
        #expect(run.status == 2 && run.messages.contains("'\(word)' is a word of the language"), "\(run)")
        #expect(run.messages.contains("write --define '\(word)=.cart.total + 1'"), "\(run)")
        let typed = journal.run("derived", "J", "--define", "\(word)=.cart.total + 1", "--summary")
        #expect(typed.status == 0 && typed.output.contains(#""name":"\#(word)","fired":4"#), "\(typed)")
        let check = journal.run("check", "J", "--invariants", file)
        #expect(check.messages.contains("write --invariant '\(word)=.cart.total + 1'"), "\(check)")
    }

    @Test("where nothing was recorded of a value, the check says that it compared nothing")
    func nothing() throws {
        let run = journal.run("derived", "J", "--define", "other=.cart.total", "--check")
        #expect(run.status == 5 && run.messages.contains("nothing was compared"), "\(run)")
    }

    @Test("what the app recorded of a value without a formula is what the summary counts")
    func recorded() throws {
        let summary = journal.run("derived", "J", "--summary")
        let whole = journal.run("derived", "J", "--all")
        let fired = whole.output.split(separator: "\n").filter { $0.contains(#""recorded":{"outcome":"fired""#) }.count
        #expect(fired > 0 && summary.output.contains(#""fired":\#(fired),"#), "\(summary) \(whole)")
    }

    @Test("a definition that fails is told, and is inconclusive where it never has a value")
    func failing() throws {
        let never = journal.run("derived", "J", "--define", "x=error(\"no\")")
        #expect(never.status == 5 && never.messages.contains("in 'x' at 0, the first of 7 positions"), "\(never)")
        let once = journal.run("derived", "J", "--define", "x=if .cart.total < 0 then error(\"no\") else 1 end")
        #expect(once.status == 0 && once.messages.contains("in 'x' at 3"), "\(once)")
        for text in [".cart.total >= 0", "x=", "1x=.a"] {
            #expect(journal.run("derived", "J", "--define", text).status == 2)
        }
        #expect(journal.run("derived", "J", "--define", "x=.a", "--define", "x=.b").status == 2)
    }

    @Test("why it fired: the input that changed; why not: what it reads, or that it was equal")
    func why() throws {
        let define = ["--define", "sign=.cart.total < 0"]
        func why(_ position: String) -> String {
            ProgramRun(
                ["derived", journal.path, "--why", "sign", "--at", position, "--color", "never"] + define, width: 100
            ).output
        }
        #expect(
            why("3").hasPrefix("sign  fired at 3  Shop/Cart.swift:42  applyDiscount(_:)\n  false → true\n"))
        #expect(why("3").contains("/cart/total   12 → -3"))
        #expect(why("2").contains("nothing that it reads was written"))
        #expect(why("2").contains("it reads: /cart/total"))
        #expect(why("1").contains("its inputs changed, its value is the same"))
        let json = ProgramRun(["derived", journal.path, "--why", "sign", "--at", "3"] + define)
        #expect(
            json.output.hasPrefix(
                #"{"kind":"derived.why","seq":3,"name":"sign","outcome":"fired","old":false,"value":true,"changed":[{"path":"/cart/total","old":12,"value":-3}],"touched":["/cart/total"],"from":[],"inputs":{"old":{"cart":{"total":12}},"new":{"cart":{"total":-3}}},"#
            ), "\(json)")
    }

    @Test("a value that nobody declared is status 4, with the nearest one; forms exclude one another")
    func unknown() throws {
        let run = journal.run("derived", "J", "--why", "bagde")
        #expect(run.status == 4 && run.messages.contains("write 'badge'"), "\(run)")
        #expect(journal.run("derived", "J", "--why", "badge", "--at", "99").status == 4)
        #expect(journal.run("derived", "J", "--why", "badge", "--at", "start").status == 4)
        #expect(journal.run("derived", "J", "--why", "badge", "--check").status == 2)
        #expect(journal.run("derived", "J", "--check", "--summary").status == 2)
    }
}
