import Foundation
import TestSupport
import Testing

@testable import CommandLine

/// Each command on a journal of six commits: its JSON, what a person sees, its status.
@Suite("Commands")
struct CommandTests {
    private let journal = ShopJournal()

    private func lines(_ run: ProgramRun) -> [String] { run.output.split(separator: "\n").map(String.init) }

    @Test("info tells what a journal holds")
    func info() {
        let run = journal.run("info", "J")
        #expect(run.status == 0 && run.messages.isEmpty, "\(run)")
        let expected =
            #"{"kind":"info","journal":"\#(journal.path)","version":1,"id":"run-1","app":"shop","commits":6,"stores":["#
            + #"{"store":"cart","type":"Cart","commits":5,"open":true},"#
            + #"{"store":"session","type":"Session","commits":1,"open":true}],"derived":["badge"],"marks":1,"gaps":0,"aborts":0,"#
            + #""start":"2026-11-21T12:00:00.000000Z","end":"2026-11-21T12:00:07.000000Z","bytes":"#
        #expect(
            run.output.hasPrefix(expected) && run.output.hasSuffix(#","ended":true,"torn":false}"# + "\n"), "\(run)")
    }

    @Test("info counts where there are no totals")
    func infoCounted() throws {
        let unfinished = ShopJournal { $0.removeLast() }
        let run = unfinished.run("info", "J")
        #expect(run.output.contains(#""commits":6,"stores":[{"store":"cart","type":"Cart","commits":5,"open":true}"#))
        #expect(run.output.contains(#""ended":false,"torn":false"#), "\(run)")
    }

    @Test("show embeds the commit, what fired and the marks")
    func show() {
        let run = journal.run("show", "J", "3")
        let commit = ShopJournal.lines[7]
        let mark = ShopJournal.lines[8]
        #expect(run.output == #"{"kind":"show","commit":\#(commit),"derived":[],"marks":[\#(mark)]}"# + "\n")
        #expect(journal.run("show", "J", "start").status == 4)
        #expect(journal.run("show", "J", "3", "--store", "session").status == 4)
    }

    @Test("state prints the bare value, under '--store' that of one store")
    func state() {
        #expect(
            journal.run("state", "J", "--at", "1").output
                == #"{"cart":{"items":[{"id":1,"price":12}],"total":12},"session":{"token":"a1"}}"# + "\n")
        #expect(journal.run("state", "J", "--store", "session").output == #"{"token":"b7"}"# + "\n")
        #expect(journal.run("state", "J", "--store", "session", "--select", ".token", "-r").output == "b7\n")
        #expect(journal.run("state", "J", "--store", "cart", "--at", "5", "--select", "$old.total").output == "12\n")
        #expect(
            journal.run("state", "J", "--at", "3", "--select", "[$seq,$store,$name,$at.line]").output
                == "[3,\"cart\",\"applyDiscount(_:)\",42]\n")
    }

    @Test("'-e' makes a status of the last output, as jq does")
    func exitStatus() {
        #expect(journal.run("state", "J", "-e", "--select", ".cart.total < 0").status == 0)
        #expect(journal.run("state", "J", "-e", "--select", ".cart.total > 0").status == 1)
        #expect(journal.run("state", "J", "-e", "--select", "empty").status == 4)
        #expect(journal.run("state", "J", "--select", ".cart.total.x").status == 5)
    }

    @Test("diff is a patch in either direction, status 1 when different")
    func diff() {
        let there = journal.run("diff", "J", "2", "3")
        #expect(there.status == 1)
        #expect(
            there.output
                == #"{"kind":"diff","from":2,"to":3,"patch":[{"op":"replace","path":"/cart/total","value":-3,"old":12}]}"#
                + "\n")
        let back = journal.run("diff", "J", "3", "2")
        #expect(back.output.contains(#""value":12,"old":-3"#), "\(back)")
        let equal = journal.run("diff", "J", "5", "6")
        #expect(equal.status == 0 && equal.output == #"{"kind":"diff","from":5,"to":6,"patch":[]}"# + "\n")
        #expect(journal.run("diff", "J", "2", "3", "--ignore", "/cart/total").status == 0)
        #expect(
            journal.run("diff", "J", "start", "3", "--name-only").output.contains(
                #""paths":["/cart/items/0","/cart/total","/session/token"]"#))
    }

    @Test("verify finds nothing in a whole journal, and says where a damaged one is damaged")
    func verify() throws {
        let healthy = journal.run("verify", "J")
        #expect(healthy.output == #"{"kind":"verified","records":14,"commits":6,"sums":0}"# + "\n", "\(healthy)")
        #expect(healthy.status == 0)
        let lying = ShopJournal { lines in lines[7] = lines[7].replacing(#""old":12"#, with: #""old":13"#) }
        let run = lying.run("verify", "J")
        #expect(run.status == 1 && run.output.hasPrefix(#"{"kind":"problem","code":"old","line":8,"byte":"#), "\(run)")
        let unfinished = ShopJournal { $0.removeLast() }
        #expect(unfinished.run("verify", "J").status == 0)
        #expect(unfinished.run("verify", "J").messages.hasPrefix("note: "))
    }
}

@Suite("The action of a commit")
struct CommitActionTests {
    private static let sample = SharedFolder.packageRoot.appendingPathComponent("samples/checkout.jsonl").path

    /// Every answer for people that shows commit 119 whole.
    static let commands: [[String]] = [
        ["show", "J", "119"], ["log", "J", "-p", "--range", "118..119"], ["why", "J", "119"],
        ["bisect", "J", "--bad", ".checkout.delivery == \"post\""],
        ["check", "J", "--invariant", "delivery=.checkout.delivery != \"post\""],
        ["check", "J", "--invariant", "delivery=.checkout.delivery != \"post\"", "--format", "sarif"],
    ]

    @Test("it stands with its payload below the commit's line", arguments: commands, [40, 60, 80, 200])
    func shown(_ command: [String], _ width: Int) {
        let typed = command.map { $0 == "J" ? Self.sample : $0 }
        let run = ProgramRun(typed + ["--no-pager", "--color", "never"], width: width)
        let text = run.output.replacing("\\\"", with: "\"")
        let expected = #/action   +CheckoutAction.chooseDelivery "post"/#
        #expect(width < 60 ? text.contains("CheckoutAction.ch") : text.contains(expected), "\(run)")
    }

    @Test("Markdown has it too")
    func markdown() {
        let run = ProgramRun([
            "check", Self.sample, "--invariant", "delivery=.checkout.delivery != \"post\"", "--format", "markdown",
        ])
        #expect(run.output.contains("- action: `CheckoutAction.chooseDelivery` `\"post\"`\n"), "\(run)")
    }

    @Test("a hidden part of a payload is the hash that the journal has")
    func redacted() {
        let run = ProgramRun(["show", Self.sample, "74", "--format", "human"])
        let payload = #"{"amount":12,"card":{"$redacted":"e81d5266647ef00f"}}"#
        #expect(run.output.contains("action      CheckoutAction.startPayment " + payload + "\n"), "\(run)")
    }

    @Test("a commit without one says nothing, one without a payload only its type")
    func absent() throws {
        let journal = ShopJournal()
        #expect(!journal.run("show", "J", "3", "--format", "human").output.contains("action"))
        let run = journal.run("show", "J", "5", "--format", "human")
        #expect(run.output.contains("\n  action      Cart.Action.refund\n\n"), "\(run)")
    }

    @Test("its type and payload are cut to the screen, and write nothing to the terminal", arguments: [20, 60, 120])
    func hostile(_ width: Int) throws {
        let long = String(repeating: "x", count: 3_000_000)
        let journal = ShopJournal {
            $0[10] = $0[10].replacing(
                #""action":{"type":"Cart.Action.refund"}"#,
                with: #""action":{"type":"a\u001b[31mb\n::error::c","payload":{"text":"\u0007\#(long)"}}"#)
        }
        for command in [["show", "J", "5"], ["log", "J", "-p"], ["why", "J", "5"]] {
            let run = ProgramRun(command.map { $0 == "J" ? journal.path : $0 } + ["--color", "never"], width: width)
            #expect(run.status == 0 && run.output.contains("action"), "\(width) \(command)")
            #expect(!run.output.contains("\u{1B}") && !run.output.contains("\u{7}"))
            let lines = run.output.split(separator: "\n")
            for line in lines where shownWidth(line) > width { Issue.record("\(command): \(line)") }
            #expect(!lines.contains { $0.hasPrefix("::") }, "\(command)")
        }
    }

    @Test("two runs that part show the action of each")
    func divergence() throws {
        let left = ShopJournal()
        let right = ShopJournal { lines in
            lines[10] = lines[10].replacing("-9", with: "-10").replacing("refund", with: "pay")
        }
        let run = ProgramRun(["diff", left.path, right.path, "--format", "human"])
        #expect(run.output.contains("action   Cart.Action.refund\n"), "\(run)")
        #expect(run.output.contains("action   Cart.Action.pay\n"), "\(run)")
    }
}
