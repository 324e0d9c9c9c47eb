import Foundation
import TestSupport
import Testing

@testable import StateInspectCLI

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
            for line in lines where DisplayWidth.of(String(line)) > width { Issue.record("\(command): \(line)") }
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
