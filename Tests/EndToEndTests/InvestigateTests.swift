import Foundation
import JSONCore
import TestSupport
import Testing

/// Who set this, since when, why, where two runs part, what a run is like, and is it ever broken: on the built command.
struct InvestigateTests {
    /// One question and what its answer must be.
    struct Case: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let status: Int32
        /// The kinds of the lines, each once, in the order in which they come first.
        let kinds: [String]
        /// How many lines there are; nil where that is no matter.
        var lines: Int?
        /// What the lines or the messages must hold.
        var says: [String] = []

        var testDescription: String {
            arguments.map { $0.split(separator: "/").last.map(String.init) ?? $0 }.joined(separator: " ")
        }
    }

    private static let bad = BuiltProducts.sample("checkout.jsonl")
    private static let good = BuiltProducts.sample("checkout-good.jsonl")
    private static let cut = BuiltProducts.sample("crashed.jsonl")
    private static let total = ["--invariant", "total=.cart.total >= 0"]

    private static let answers: [Case] = [
        Case(
            arguments: ["blame", bad, "/cart/total"], status: 0, kinds: ["blame"], lines: 1,
            says: [#""path":"/cart/total","value":-6,"store":"cart","seq":118,"#]),
        Case(arguments: ["blame", bad, "/cart", "--at", "118"], status: 0, kinds: ["blame"], lines: 11),
        Case(
            arguments: ["blame", bad, "/cart/items/*/price"], status: 0, kinds: ["blame"], lines: 2,
            says: [
                #""path":"/cart/items/0/price","value":20,"store":"cart","seq":58"#,
                #""value":5,"store":"cart","seq":60"#,
            ]),
        Case(
            arguments: ["blame", bad, "/total", "--store", "cart", "--ignore", "118"], status: 0, kinds: ["blame"],
            lines: 1, says: [#""path":"/total","value":12,"now":-6,"store":"cart","seq":71"#]),
        Case(
            arguments: ["history", bad, "/cart/total"], status: 0, kinds: ["change"], lines: 7,
            says: [#""seq":118,"store":"cart","old":12,"value":-6"#]),
        Case(
            arguments: ["history", bad, ".checkout.step", "--reverse", "-n", "1"], status: 0, kinds: ["change"],
            lines: 1, says: [#""seq":75,"store":"checkout","old":"paying","value":"choosing""#]),
        Case(
            arguments: ["history", bad, ".cart.total", "--where", ".cart.total < 0"], status: 0, kinds: ["change"],
            lines: 1, says: [#""seq":118"#]),
        Case(
            arguments: ["why", bad, "118"], status: 0, kinds: ["cause"], lines: 2,
            says: [#""depth":0,"commit":{"seq":118"#, #""depth":1,"commit":{"seq":117"#]),
        Case(
            arguments: ["diff", good, bad], status: 1, kinds: ["divergence"], lines: 1,
            says: [
                #"{"kind":"divergence","common":116,"left":null,"right":{"seq":117,"#, #""file":"shop/Session.swift""#,
            ]),
        Case(
            arguments: ["diff", good, bad, "--store", "cart"], status: 1, kinds: ["divergence"], lines: 1,
            says: [#""left":{"seq":119,"#, #""right":{"seq":118,"#]),
        Case(
            arguments: ["diff", bad, bad], status: 0, kinds: ["equal"], lines: 1,
            says: [#""common":412"#]),
        Case(arguments: ["diff", good, bad, "--final", "--name-only"], status: 1, kinds: ["divergence"], lines: 1),
        Case(
            arguments: ["stats", bad], status: 0,
            kinds: [
                "stats", "stats.path", "stats.location", "stats.function", "stats.store", "stats.putBack",
                "stats.records", "stats.rate",
            ], says: [#"{"kind":"stats","commits":412,"#]),
        Case(
            arguments: ["derived", bad, "--definitions", BuiltProducts.sample("shop.jq"), "--check"], status: 0,
            kinds: ["derived.check"], lines: 9, says: [#""name":"total","compared":7,"differences":0"#]),
        Case(
            arguments: ["derived", bad, "--why", "canCheckOut", "--at", "118"], status: 0, kinds: ["derived.why"],
            lines: 1,
            says: [#""outcome":"recomputed""#]),
        Case(arguments: ["check", good] + total, status: 0, kinds: ["holds"], lines: 1),
        Case(
            arguments: ["check", good, bad, BuiltProducts.sample("checkout-flipping.jsonl"), "--jobs", "2"] + total,
            status: 1, kinds: ["holds", "violation", "check.summary"],
            says: [#""lastSeq":412,"positions":295,"stretches":1"#]),
        Case(
            arguments: ["check", good, "--invariant", "n=.cart.total + {} | true"], status: 5, kinds: ["failure"],
            lines: 1),
        Case(
            arguments: ["check", bad, "--invariant", "n=.cart.total + {} | true"] + total, status: 1,
            kinds: ["failure", "violation"], lines: 2),
        Case(
            arguments: ["check", bad, "nowhere.jsonl"] + total, status: 3, kinds: ["violation", "check.summary"],
            says: ["there is no file 'nowhere.jsonl'"]),
    ]

    @Test("an answer is JSON Lines of known kinds, with its status", arguments: answers)
    func answer(_ question: Case) async throws {
        let folder = TemporaryFolder()
        let run = try await ProgramRun.of(BuiltProducts.stateInspect, question.arguments + ["--json"], in: folder)
        #expect(run.status == question.status, "\(run)")
        var kinds: [String] = []
        for line in run.lines {
            let kind = try JSONParser.parse(Array(line.utf8)).objectValue?["kind"]?.text ?? "none"
            if !kinds.contains(kind) { kinds.append(kind) }
        }
        #expect(kinds == question.kinds, "\(run)")
        if let lines = question.lines { #expect(run.lines.count == lines, "\(run)") }
        for part in question.says { #expect((run.text + run.errors).contains(part), "should say \(part): \(run)") }
        let human = try await ProgramRun.of(
            BuiltProducts.stateInspect, question.arguments + ["--format", "human"], in: folder)
        #expect(human.status == question.status, "\(human)")
        #expect(!human.text.contains("{\"kind\""), "\(human)")
    }

    @Test(
        "a file that is not there is status 3, named",
        arguments: [
            ["blame", "J"], ["history", "J", ".a"], ["why", "J", "1"], ["diff", "J", good], ["diff", good, "J"],
            ["stats", "J"], ["check", "J", "--invariant", "a=true"], ["derived", "J", "--check"],
            ["slice", "J", "1..2"], ["merge", good, "J"], ["redact", "J", "--path", "/a"],
            ["minimize", "J", "--bad", "true"],
        ])
    func missing(arguments: [String]) async throws {
        let folder = TemporaryFolder()
        let named = arguments.map { $0 == "J" ? "nowhere.jsonl" : $0 }
        let run = try await ProgramRun.of(BuiltProducts.stateInspect, named, in: folder)
        #expect(run.status == 3 && run.text.isEmpty, "\(run)")
        #expect(run.errors.contains("there is no file 'nowhere.jsonl'"), "\(run)")
        let message = try await ProgramRun.of(BuiltProducts.stateInspect, named + ["--messages", "json"], in: folder)
        for line in message.errors.split(separator: "\n") {
            let object = try JSONParser.parse(Array(line.utf8)).objectValue
            #expect(["error", "warning", "note"].contains(object?["kind"]?.text), "\(message)")
        }
    }

    @Test(
        "a run that was cut is answered for, and told",
        arguments: [
            (["blame", cut, "/cart/total"], 0, ""), (["history", cut, "/cart/total"], 0, ""),
            (["why", cut, "118"], 0, ""),
            (["stats", cut], 0, "is incomplete"), (["diff", cut, cut], 0, "is incomplete"),
            (["diff", cut, bad], 1, "is incomplete"), (["check", cut, "--invariant", "a=true"], 0, "is incomplete"),
            (["slice", cut, "100..118"], 0, ""), (["redact", cut, "--path", "/cart/total"], 0, "is incomplete"),
            (["merge", cut], 0, "its run was cut"), (["minimize", cut, "--bad", ".cart.total < 0"], 0, ""),
        ] as [([String], Int32, String)])
    func cutRun(arguments: [String], status: Int32, says: String) async throws {
        let folder = TemporaryFolder()
        let run = try await ProgramRun.of(BuiltProducts.stateInspect, arguments + ["--json"], in: folder)
        #expect(run.status == status && !run.errors.contains("error:"), "\(run)")
        #expect(says.isEmpty || run.errors.contains(says), "\(run)")
    }

    @Test(
        "what is mistyped names what is near",
        arguments: [
            (["blame", bad, "/cart/totl"], 4, "help: write '/cart/total'"),
            (["blame", bad, "/crat/items/0/prise"], 4, "help: write '/cart/items/0/price'"),
            (["blame", bad, "/total"], 4, "help: write '/cart/total'"),
            (["blame", bad, "/cart/items/9/price"], 4, "'/cart/items' has 2 elements"),
            (["blame", bad, "--store", "cart", "/totl"], 4, "help: write '/total'"),
            (["blame", bad, "cart/totl"], 4, "help: write '/cart/total'"),
            (["history", bad, "/cart/totl"], 4, "help: write '/cart/total'"),
            (["history", bad, ".crat.total"], 4, "help: write '/cart/total'"),
            (["blame", bad, "--store", "crat"], 4, "'cart'"),
            (["derived", bad, "--why", "totl"], 4, "write 'total'"),
            (["redact", bad, "--path", "/cart/totl"], 4, "nothing is at '/cart/totl' anywhere in the journal"),
            (["why", bad, "413"], 4, "position '413' is past the end"), (["why", bad, "start"], 4, "no commit"),
            (["slice", bad, "9..3"], 2, ""), (["slice", bad, "9..900"], 4, "past the end"),
            (["check", bad, "--invariant", "total=.cart.total >="], 2, "^"), (["check", bad], 2, "--invariant"),
            (["stats", bad, "--where", ".cart["], 2, "^"), (["minimize", bad, "--bad", "("], 2, "^"),
            (["diff", bad], 2, ""), (["merge"], 2, ""),
        ] as [([String], Int32, String)])
    func mistyped(arguments: [String], status: Int32, says: String) async throws {
        let folder = TemporaryFolder()
        let run = try await ProgramRun.of(BuiltProducts.stateInspect, arguments + ["--json"], in: folder)
        #expect(run.status == status && (says.isEmpty || run.errors.contains(says)), "\(run)")
    }
}
