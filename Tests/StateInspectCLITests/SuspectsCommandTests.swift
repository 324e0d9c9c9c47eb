import Foundation
import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("Which lines are to blame")
struct SuspectsCommandTests {
    private static let samples = SharedFolder.packageRoot.appendingPathComponent("samples").path
    private static let bad = samples + "/checkout.jsonl"
    private static let good = samples + "/checkout-good.jsonl"

    private func suspects(_ arguments: String...) -> ProgramRun { ProgramRun(["suspects"] + arguments) }

    @Test("for people each suspect has its place, what speaks against it, and where to look")
    func people() {
        let run = suspects(
            Self.bad, "--bad", ".cart.total < 0", "--good", Self.good, "--format", "human", "-n", "2")
        #expect(run.status == 0, "\(run)")
        #expect(
            run.output.replacing(Self.samples, with: "samples") == """
                symptom  '.cart.total < 0' at 118 of samples/checkout.jsonl   shop/Cart.swift:37  applyDiscount(_:)

                suspect 1  shop/Session.swift:29  refresh(_:token:)   score 1.00
                  it committed in 1 of 1 trial that failed, 0 of 3 that passed
                  first at commit 117 of samples/checkout.jsonl refresh(_:token:)

                suspect 2  shop/Cart.swift:37  applyDiscount(_:)   score 0.79
                  it committed because of shop/Session.swift:29  refresh(_:token:) in 1 of 1 trial that failed, 0 of 3 that passed
                  first at commit 118 of samples/checkout.jsonl applyDiscount(_:)

                  9 more of 11 places rank below

                look further:  state-inspect show samples/checkout.jsonl 117
                               state-inspect show samples/checkout.jsonl 118
                               state-inspect log samples/checkout.jsonl -p --source shop/Session.swift:29

                """, "\(run)")
    }

    @Test("for programs each is a 'suspect', and a last line says what they were taken from")
    func programs() throws {
        let run = suspects(Self.bad, "--bad", ".cart.total < 0", "--good", Self.good, "--json")
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 11, "\(run)")
        let start = #"{"kind":"suspect","rank":1,"score":1,"at":{"file":"shop/Session.swift","line":29,"#
        #expect(lines.first?.hasPrefix(start) == true)
        let evidence =
            #"{"query":"$at.file != \"shop/Session.swift\" or $at.line != 29","text":"it committed in 1 of 1"#
        #expect(lines.first?.contains(evidence) == true)
        #expect(
            lines.last?.contains(
                #""places":11,"runs":{"bad":1,"good":1},"trials":{"bad":1,"good":3},"abstained":false,"symptom":{"#)
                == true)
        #expect(lines.last?.hasSuffix(#""seq":118,"text":"'.cart.total < 0'"}}"#) == true)
    }

    /// A run of 240 commits in which a total is that of its parts up to a commit.
    private func cart(in folder: TemporaryFolder, brokenFrom broken: Int) -> String {
        let time = #""time":"2026-03-01T12:00:00.000000Z""#
        var lines = [
            #"{"seq":0,"kind":"journal","version":1,"id":"cart",\#(time),"recorder":"test"}"#,
            #"{"seq":0,"kind":"store","store":"cart","type":"S",\#(time),"state":{"fruit":0,"bread":0,"total":0}}"#,
        ]
        for seq in 1...240 {
            let (fruit, bread, function) = (seq * 7919 % 503, seq * 104_729 % 509, seq % 6 == 0 ? "bake()" : "add()")
            let total = fruit + bread + (seq >= broken ? 1 : 0)
            lines.append(
                #"{"seq":\#(seq),"kind":"commit","store":"cart","version":\#(seq),\#(time),"at":{"file":"Cart.swift","#
                    + #""line":\#(seq % 6 == 0 ? 9 : 4),"column":1,"function":"\#(function)"},"patch":[{"op":"replace","path":"","#
                    + #""value":{"fruit":\#(fruit),"bread":\#(bread),"total":\#(total)}}]}"#)
        }
        return folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "cart-\(broken).jsonl")
    }

    @Test("where nothing is asked and nothing recorded, what held through many changes and broke is the symptom")
    func broken() {
        let folder = TemporaryFolder()
        let path = cart(in: folder, brokenFrom: 186)
        let run = suspects(path, "--format", "human")
        #expect(
            run.output.hasPrefix("symptom  '.cart.total == .cart.") && run.output.contains(", and broke at 186 of "),
            "\(run)")
        let alone = ProgramRun([path, "--json"])
        #expect(
            alone.status == 0
                && alone.output.contains(#"{"kind":"broken","seq":186,"condition":".cart.total == .cart."#),
            "\(alone)")
        let whole = ProgramRun([cart(in: folder, brokenFrom: 241), "--json"])
        #expect(whole.status == 0 && !whole.output.contains(#""kind":"broken""#), "\(whole)")
        #expect(suspects(folder.path("cart-241.jsonl")).messages.contains("nothing that held through 50 changes broke"))
    }

    @Test("the query of a suspect's evidence finds its commits by 'check'")
    func evidence() {
        let run = ProgramRun([
            "check", Self.bad, "--counts", "--invariant",
            #"suspect=$at.file != "shop/Session.swift" or $at.line != 29"#,
        ])
        #expect(run.status == 1)
        #expect(run.output.contains(#""seq":117"#), "\(run)")
    }

    @Test("an abort is a symptom where nothing is asked, and what is met in good trials too is not a suspect")
    func abort() {
        let run = suspects(Self.bad, "--format", "human")
        #expect(run.status == 1, "\(run)")
        #expect(run.output.contains("a commit threw"))
        #expect(!run.output.contains("suspect 1"))
        #expect(run.messages.contains("nothing stands out"), "\(run)")
    }

    @Test("a run without the symptom has no suspects, and says so")
    func noSymptom() {
        let run = suspects(Self.good, "--bad", ".cart.total < 0", "--format", "human")
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.messages.contains("does not show the symptom"), "\(run)")
        let short = ProgramRun(
            ["suspects", Self.good, "--bad", ".cart.total < 0"], environment: AnswerFitTests.agents)
        #expect(short.output == "nothing to suspect in 1 run\n", "\(short)")
    }

    @Test("a good run that shows the symptom counts as bad, with a warning")
    func notGood() throws {
        let folder = TemporaryFolder()
        let copy = folder.write(TemporaryFolder.read(Self.bad), to: "copy.jsonl")
        let run = suspects(Self.bad, "--bad", ".cart.total < 0", "--good", copy, Self.good, "--json")
        #expect(run.messages.contains("shows the symptom at 118, and counts as bad"), "\(run)")
        #expect(run.output.contains(#""runs":{"bad":2,"good":1}"#))
    }

    @Test("a damaged run is reported and left out, and the others are compared all the same")
    func damaged() throws {
        let folder = TemporaryFolder()
        var bytes = TemporaryFolder.read(Self.good)
        bytes[bytes.count / 2] ^= 0x15
        let damaged = folder.write(bytes, to: "damaged.jsonl")
        let run = suspects(Self.bad, "--bad", ".cart.total < 0", "--good", Self.good, damaged, "--json")
        #expect(run.status == 3, "\(run)")
        #expect(run.messages.contains("the run is left out"))
        #expect(run.output.contains(#""runs":{"bad":1,"good":1}"#), "\(run)")
        #expect(run.output.contains(#""rank":1"#))
    }

    @Test("a bad run that cannot be read is reported in the status, also where it is the only one")
    func damagedAlone() throws {
        let folder = TemporaryFolder()
        let damaged = folder.write(
            Array(TemporaryFolder.read(Self.bad).prefix(3000)) + Array("garbage\n".utf8), to: "damaged.jsonl")
        let run = suspects(damaged, "--bad", ".cart.total < 0", "--json")
        #expect(run.status == 3, "\(run)")
        let unanswered = suspects(Self.good, "--bad", ".cart.total | error", "--json")
        #expect(unanswered.status == 5, "\(unanswered)")
    }

    /// A run that closes its day ten times, and once more after something that it never did before.
    private func days(in folder: TemporaryFolder) -> String {
        var lines = [
            #"{"seq":0,"kind":"journal","version":1,"id":"days","time":"2026-03-01T12:00:00.000000Z","recorder":"test"}"#,
            #"{"seq":0,"kind":"store","store":"s","type":"S","time":"2026-03-01T12:00:00.000000Z","state":{"day":0,"n":0}}"#,
        ]
        let names = (0..<10).flatMap { _ in ["work", "close"] } + ["work", "stumble", "close"]
        for (index, name) in names.enumerated() {
            let seq = index + 1
            let line = ["work": 10, "stumble": 20, "close": 30][name]!
            let (path, value) = name == "close" ? ("/day", seq == names.count ? -1 : seq) : ("/n", seq)
            lines.append(
                #"{"seq":\#(seq),"kind":"commit","store":"s","version":\#(seq),"time":"2026-03-01T12:00:00.000000Z","#
                    + #""at":{"file":"App/Day.swift","line":\#(line),"column":1,"function":"\#(name)()"},"#
                    + #""patch":[{"op":"replace","path":"\#(path)","value":\#(value)}]}"#)
        }
        return folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "days.jsonl")
    }

    @Test("where enough trials passed, 'bisect', 'check' and the page of 'report' end with the first suspect")
    func besideOtherAnswers() {
        let folder = TemporaryFolder()
        let path = days(in: folder)
        let line =
            "  suspect     App/Day.swift:20  stumble()   it committed in 1 of 1 trial that failed, 0 of 10 that passed\n"
        let bisect = ProgramRun(["bisect", path, "--bad", ".s.day < 0", "--format", "human"])
        #expect(bisect.output.contains(line), "\(bisect)")
        #expect(bisect.output.contains("state-inspect suspects \(path) --bad '.s.day < 0'\n"), "\(bisect)")
        let check = ProgramRun(["check", path, "--invariant", "day=.s.day >= 0", "--format", "human"])
        #expect(check.output.contains(line), "\(check)")
        #expect(
            check.output.hasSuffix("look further:  state-inspect suspects \(path) --invariant 'day=.s.day >= 0'\n"),
            "\(check)")
        for question in [["--bad", ".s.day < 0"], ["--invariant", "day=.s.day >= 0"]] {
            let page = ProgramRun(["report", path] + question)
            #expect(page.output.contains(#""suspects":[{"record":{"title":"22","#), "\(page.messages)")
        }
        // A question that 'suspects' cannot be asked is not suggested.
        for options in [["--from", "2"], ["--recover"], ["--store", "s"]] {
            let query = options.first == "--store" ? ".day < 0" : ".s.day < 0"
            let run = ProgramRun(["bisect", path, "--bad", query, "--format", "human"] + options)
            #expect(run.output.contains(line) && !run.output.contains("state-inspect suspects"), "\(run)")
        }
        let good = ProgramRun(["bisect", path, "--good", ".s.day >= 0", "--format", "human"])
        #expect(good.output.contains("suspects \(path) --invariant 'good=.s.day >= 0'\n"), "\(good)")
        // What a person is shown is not added to what programs read.
        #expect(!ProgramRun(["bisect", path, "--bad", ".s.day < 0", "--json"]).output.contains("stumble"))
    }

    @Test("of several journals 'check' ends with the command that compares the bad ones with the good ones")
    func severalJournals() {
        let run = ProgramRun(
            ["check", Self.bad, Self.good, "--invariant", "total=.cart.total >= 0", "--format", "human"],
            environment: ["COLUMNS": "400"])
        let command = "suspects \(Self.bad) --invariant 'total=.cart.total >= 0' --good \(Self.good)\n"
        #expect(run.output.hasSuffix(command), "\(run)")
    }

    @Test("the query of a commit that changed nothing finds it by 'check'")
    func idleEvidence() throws {
        let query = #"$at.file != "shop/Session.swift" or $at.line != 29 or . != $old"#
        let run = ProgramRun(["check", Self.bad, "--counts", "--invariant", "idle=" + query])
        #expect(run.status == 0, "\(run)")
    }

    @Test(
        "what cannot be meant is refused",
        arguments: [
            ["samples/checkout.jsonl", "--good"], ["samples/checkout.jsonl", "--bad", " "],
            ["samples/checkout.jsonl", "--bad", ".a", "--invariant", "x=.b"],
            ["samples/checkout.jsonl", "--bad", ".a |"],
            ["samples/checkout.jsonl", "-n", "-1"], ["x.jsonl", "--good", "x.jsonl"], [],
        ])
    func refused(_ arguments: [String]) {
        let run = ProgramRun(["suspects"] + arguments)
        #expect(run.status == 2, "\(run)")
        #expect(run.output.isEmpty)
    }

    @Test("reports mark the lines of suspects", arguments: ["sarif", "markdown", "github"])
    func reports(_ format: String) {
        let run = suspects(
            Self.bad, "--bad", ".cart.total < 0", "--good", Self.good, "--format", format, "-n", "1")
        #expect(run.status == 0, "\(run)")
        let text = run.output + run.messages
        #expect(text.contains("suspect 1"), "\(run)")
        #expect(text.contains("Session.swift"))
        #expect(!text.contains("suspect 2"))
    }
}
