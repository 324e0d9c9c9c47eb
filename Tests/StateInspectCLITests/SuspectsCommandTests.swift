import Foundation
import TestSupport
import Testing

@Suite("Which lines are to blame")
struct SuspectsCommandTests {
    private let folder = TemporaryFolder()
    private static let samples = SharedFolder.packageRoot.appendingPathComponent("samples").path
    private static let bad = samples + "/checkout.jsonl"
    private static let good = samples + "/checkout-good.jsonl"

    private func suspects(_ arguments: String...) -> ProgramRun { ProgramRun(["suspects"] + arguments) }

    @Test("for people each suspect has its place, what speaks against it, and where to look")
    func people() {
        let run = suspects(Self.bad, "--bad", ".cart.total < 0", "--good", Self.good, "--format", "human", "-n", "2")
        #expect(run.status == 0, "\(run)")
        #expect(
            run.output.replacing(Self.samples, with: "samples") == """
                symptom  '.cart.total < 0' at 118 of samples/checkout.jsonl   shop/Cart.swift:37  applyDiscount(_:)

                suspect 1  shop/Cart.swift:37  applyDiscount(_:)   perhaps, score 1.00
                  its commit turned the run bad
                  commit 118 of samples/checkout.jsonl applyDiscount(_:)

                suspect 2  shop/Session.swift:29  refresh(_:token:)   perhaps, score 0.50
                  its commit caused the one that turned the run bad
                  commit 117 of samples/checkout.jsonl refresh(_:token:)

                  18 places more rank below

                look further:  state-inspect show samples/checkout.jsonl 118
                               state-inspect show samples/checkout.jsonl 117
                               state-inspect log samples/checkout.jsonl -p --source shop/Cart.swift:37

                """, "\(run)")
    }

    @Test("for programs each is a 'suspect', and a last line says what they were taken from")
    func programs() throws {
        let run = suspects(Self.bad, "--bad", ".cart.total < 0", "--good", Self.good, "--json")
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 11, "\(run)")
        let start =
            #"{"kind":"suspect","rank":1,"tied":false,"certain":false,"score":1,"at":{"file":"shop/Cart.swift","line":37,"#
        #expect(lines.first?.hasPrefix(start) == true, "\(run)")
        let evidence =
            #"{"query":"$at.file != \"shop/Cart.swift\" or $at.line != 37","text":"its commit turned the run bad"}"#
        #expect(lines.first?.contains(evidence) == true)
        #expect(lines.last?.hasSuffix(#""runs":{"bad":1,"good":1},"abstained":false}"#) == true, "\(run)")
    }

    @Test("a path that is not there where it turned bad is told as 'bisect' tells it, with the same commit")
    func absentPath() {
        let query = ".catalogue.products.cup.stock < 20"
        let run = suspects(Self.bad, "--bad", query, "--json")
        let bisect = ProgramRun(["bisect", Self.bad, "--bad", query, "--json"])
        let warning = "'/catalogue/products/cup/stock' is not there in the first bad state"
        #expect(run.messages.contains(warning) && bisect.messages.contains(warning), "\(run)")
        #expect(run.output.contains(#""first":{"seq":357,"#), "\(run)")
        #expect(bisect.output.contains(#""lastFlip":{"seq":357,"#), "\(bisect)")
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

    @Test("where nothing is asked and no mark says what is wrong, it says what would help")
    func unasked() {
        let run = suspects(Self.bad, "--format", "human")
        #expect(run.status == 1 && run.output.isEmpty, "\(run)")
        #expect(run.messages.contains("has no mark of level error") && run.messages.contains("'--bad QUERY'"), "\(run)")
        let pair = suspects(Self.bad, "--good", Self.good, "--json")
        #expect(pair.status == 1 && pair.output.contains(#""abstained":true"#), "\(pair)")
        #expect(pair.messages.contains("2 runs without a symptom are too few to compare"), "\(pair)")
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
        let copy = folder.write(TemporaryFolder.read(Self.bad), to: "copy.jsonl")
        let run = suspects(Self.bad, "--bad", ".cart.total < 0", "--good", copy, Self.good, "--json")
        #expect(run.messages.contains("shows the symptom at 118, and counts as bad"), "\(run)")
        #expect(run.output.contains(#""runs":{"bad":2,"good":1}"#))
    }

    @Test("a damaged run is reported and left out, and the others are compared all the same")
    func damaged() throws {
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
        let damaged = folder.write(
            Array(TemporaryFolder.read(Self.bad).prefix(3000)) + Array("garbage\n".utf8), to: "damaged.jsonl")
        let run = suspects(damaged, "--bad", ".cart.total < 0", "--json")
        #expect(run.status == 3, "\(run)")
        let unanswered = suspects(Self.good, "--bad", ".cart.total | error", "--json")
        #expect(unanswered.status == 5, "\(unanswered)")
    }

    @Test("of several journals 'check' ends with the command that compares the bad ones with the good ones")
    func severalJournals() {
        let run = ProgramRun(
            ["check", Self.bad, Self.good, "--invariant", "total=.cart.total >= 0", "--format", "human"],
            environment: ["COLUMNS": "400"])
        let command = "suspects \(Self.bad) --invariant 'total=.cart.total >= 0' --good \(Self.good)\n"
        #expect(run.output.hasSuffix(command), "\(run)")
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
        #expect(text.contains("Cart.swift"))
        #expect(!text.contains("suspect 2"))
    }
}

@Suite("What held all along good runs")
struct LearnCommandTests {
    private var file: String { folder.path("learned.jq") }
    private let folder = TemporaryFolder()
    private static let samples = SharedFolder.packageRoot.appendingPathComponent("samples").path
    private static let good = samples + "/checkout-good.jsonl"

    private func learn(_ arguments: String...) -> ProgramRun { ProgramRun(["learn"] + arguments) }

    @Test("the file that it writes is one that 'check' takes, and the runs it was learned from satisfy it")
    func written() {
        let run = learn(Self.good, Self.samples + "/checkout-flipping.jsonl", "-o", file)
        #expect(run.status == 0, "\(run)")
        #expect(run.messages.contains("of 2 runs"))
        let text = String(decoding: TemporaryFolder.read(file), as: UTF8.self)
        #expect(text.contains("# could have been false "))
        #expect(text.contains("\ndef "))
        let check = ProgramRun(["check", Self.good, "--invariants", file])
        #expect(check.status == 0, "\(check)")
    }

    @Test("a file that was written is not an empty answer, and an empty answer says what it looked through")
    func shortForm() {
        let environment = AnswerFitTests.agents
        let written = ProgramRun(["learn", Self.good, "-o", file], environment: environment)
        #expect(written.status == 0 && written.output.isEmpty, "\(written)")
        let lines = TemporaryFolder.read(Self.good).split(separator: UInt8(ascii: "\n")).prefix(12)
        let short = folder.write(Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [10], to: "short.jsonl")
        let nothing = ProgramRun(["learn", short], environment: environment)
        #expect(nothing.status == 1 && nothing.output.hasPrefix("nothing sure enough in "), "\(nothing)")
        #expect(nothing.output.hasSuffix(" of 1 run\n"), "\(nothing)")
    }

    @Test("what is learned of a derived value is a definition that 'check' takes; one that there never is is named")
    func derived() {
        let run = learn(
            Self.good, "-o", file, "--define", "unread=[.feed.entries[] | select(.isRead | not)] | length", "--define",
            "gone=.feed.gone[]", "--define", "totl=.cart.totl")
        #expect(run.status == 0, "\(run)")
        #expect(run.messages.contains("the query of 'gone' has no output in any state, or fails"), "\(run)")
        #expect(run.messages.contains("the query of 'totl' has no output"), "\(run)")
        #expect(String(decoding: TemporaryFolder.read(file), as: UTF8.self).contains("select(.isRead | not)"))
        #expect(ProgramRun(["check", Self.good, "--invariants", file]).status == 0)
        let old = learn(Self.good, "--define", "x=$old.cart")
        #expect(old.status == 2 && old.messages.contains("'x' asks about the commit"), "\(old)")
    }

    @Test("a bad run breaks what was learned of good ones")
    func broken() {
        #expect(learn(Self.good, "-o", file).status == 0)
        let check = ProgramRun(["check", Self.samples + "/checkout.jsonl", "--invariants", file, "--json"])
        #expect(check.status == 1, "\(check)")
    }

    @Test("for people it prints the file, for programs an object for each and one for all")
    func forms() {
        let people = learn(Self.good, "--format", "human")
        #expect(people.status == 0)
        #expect(people.output.hasPrefix("# Learned from "), "\(people)")
        let programs = learn(Self.good, "--json")
        let lines = programs.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix(#"{"kind":"learned","name":""#) == true, "\(programs)")
        #expect(lines.last?.hasPrefix(#"{"kind":"learning","runs":1,"leftOut":0,"commits":"#) == true)
        #expect(lines.count > 2)
        #expect(people.output.components(separatedBy: "\ndef ").count == lines.count)
    }

    @Test("a damaged run and one of another app are reported and left out, and the others are learned from")
    func leftOut() {
        var bytes = TemporaryFolder.read(Self.good)
        let header =
            #"{"seq":0,"kind":"journal","version":1,"id":"x","time":"2026-03-01T12:00:00.000000Z","app":"Other","recorder":"test"}"#
        let another = folder.write(header + "\n", to: "other.jsonl")
        bytes[bytes.count / 2] ^= 0x15
        let damaged = folder.write(bytes, to: "damaged.jsonl")
        let run = learn(Self.good, damaged, another, "--json")
        #expect(run.status == 3, "\(run)")
        #expect(run.messages.contains("the run is left out"))
        #expect(run.messages.contains("it is of 'Other', not of 'Shop'"))
        #expect(run.output.contains(#""runs":1,"leftOut":2"#), "\(run)")
    }

    @Test("a run without commits teaches nothing, and that is said")
    func empty() {
        let header =
            #"{"seq":0,"kind":"journal","version":1,"id":"x","time":"2026-03-01T12:00:00.000000Z","recorder":"test"}"#
        let run = learn(folder.write(header + "\n", to: "empty.jsonl"), "--format", "human")
        #expect(run.status == 1, "\(run)")
        #expect(run.output.isEmpty)
        #expect(run.messages.contains("nothing is sure enough"))
    }

    @Test("where no run can be read the status says so, not that nothing was learned")
    func unreadable() {
        let run = learn(folder.write([], to: "none.jsonl"), "--format", "human")
        #expect(run.status == 3, "\(run)")
        #expect(run.output.isEmpty)
    }

    @Test("what cannot be meant is refused", arguments: [[], ["x.jsonl", "-n", "3"], ["x.jsonl", "--all"]])
    func refused(_ arguments: [String]) { #expect(ProgramRun(["learn"] + arguments).status == 2) }

    @Test("a journal is not replaced by what is learned of it")
    func sameFile() {
        let copy = folder.write(TemporaryFolder.read(Self.good), to: "copy.jsonl")
        #expect(learn(copy, "-o", copy).status == 2)
        #expect(TemporaryFolder.read(copy) == TemporaryFolder.read(Self.good))
    }
}
