import JSONCore
import TestSupport
import Testing

@testable import StateInspectCLI

/// What `replay` makes of commits that were lost, and of ranges without any.
@Suite("Replaying")
struct ReplayTests {
    private func lines(_ run: ProgramRun) -> [String] { run.output.split(separator: "\n").map(String.init) }

    private static let head = """
        {"seq":0,"kind":"journal","version":1,"id":"r","time":"2026-01-01T00:00:00.000000Z","recorder":"t"}
        {"seq":0,"kind":"store","store":"a","type":"T","time":"2026-01-01T00:00:00.000000Z","at":null,"state":{"n":0,"m":0}}

        """
    private static let gap = """
        {"seq":4,"kind":"gap","time":"2026-01-01T00:00:04.000000Z","first":2,"lost":3,"reason":"full","states":{"a":{"n":7,"m":0}}}

        """

    private static func commit(_ seq: Int, _ patch: String) -> String {
        #"{"seq":\#(seq),"kind":"commit","store":"a","version":1,"time":"2026-01-01T00:00:0\#(seq).000000Z","at":null,"patch":\#(patch)}"#
            + "\n"
    }

    private static func set(_ member: String, _ value: Int) -> String {
        #"[{"op":"replace","path":"/\#(member)","value":\#(value)}]"#
    }

    /// Commits 1 and 5 to 6, with 2 to 4 lost between them; 5 does not touch what changed in the gap.
    private func gapped() throws -> ShopJournal {
        ShopJournal(
            text: Self.head + Self.commit(1, Self.set("n", 1)) + Self.gap + Self.commit(5, Self.set("m", 5))
                + Self.commit(6, Self.set("n", 7)))
    }

    @Test(
        "commits that were lost are told and counted, status 5",
        arguments: [[], ["--reverse"], ["--changed"], ["--changed", "--reverse"], ["--without", "6"]])
    func lost(options: [String]) throws {
        let journal = try gapped()
        let run = ProgramRun(["replay", journal.path] + options)
        #expect(run.status == 5 && run.messages.contains("3 commits of "), "\(run)")
        #expect(run.messages.contains("were lost, the first is 2"), "\(run)")
        // What ends before the gap, or begins behind it, has its answer.
        #expect(
            ProgramRun(["replay", journal.path, "--range", "..1"] + options.filter { $0 != "6" && $0 != "--without" })
                .status == 0)
        #expect(ProgramRun(["replay", journal.path, "--range", "4.."] + options).status == 0)
    }

    @Test("a value that changed in a gap is new at the commit behind it", arguments: [[], ["--reverse"]])
    func changedInGap(order: [String]) throws {
        let journal = try gapped()
        let run = ProgramRun(["replay", journal.path, "--changed", "--select", ".a.n"] + order)
        let told = lines(run).compactMap { try? JSONParser.parse($0).object }.map {
            "\($0["seq"]?.text() ?? "") \($0["value"]?.text() ?? "")"
        }
        #expect((order.isEmpty ? told : told.reversed()) == ["1 1", "5 7"], "\(run)")
    }

    @Test("'--final' over commits that were all lost is the state behind them")
    func finalOverGap() throws {
        let run = try gapped().run("replay", "J", "--final", "--range", "1..4")
        #expect(
            run.output == #"{"kind":"state","seq":4,"store":null,"time":null,"at":null,"value":{"a":{"m":0,"n":7}}}"#
                + "\n",
            "\(run)")
        #expect(run.status == 5)
    }

    @Test("'--final' tells that the last commits were lost")
    func finalBeforeGap() throws {
        let journal = try gapped()
        let before = ProgramRun(["replay", journal.path, "--final", "--range", "..4"])
        #expect(lines(before).first?.contains(#""seq":1,"#) == true && before.status == 5, "\(before)")
        let behind = ProgramRun(["replay", journal.path, "--final"])
        #expect(lines(behind).first?.contains(#""seq":6,"#) == true && behind.status == 0, "\(behind)")
    }

    @Test("'--final' of a store without commits is its state at the end, of a filter that nothing passes no line")
    func finalWithoutCommits() throws {
        let journal = ShopJournal()
        let store = journal.run("replay", "J", "--final", "--store", "session", "--range", "2..4")
        #expect(store.output.contains(#""seq":4,"store":null"#) && store.output.contains("b7"), "\(store)")
        let filtered = journal.run("replay", "J", "--final", "--where", ".cart.total > 100")
        #expect(filtered.output.isEmpty && filtered.status == 0, "\(filtered)")
    }

    @Test("a query that fails is counted at every position where it does, whatever is passed over")
    func failures() throws {
        let select = ["--select", "if .cart.total < 0 then error(\"x\") else .cart.total end"]
        for options in [[], ["--changed"], ["--reverse"], ["--changed", "--reverse"]] as [[String]] {
            let journal = ShopJournal()
            let run = ProgramRun(["replay", journal.path] + select + options)
            #expect(run.status == 5 && run.messages.contains("the first of 3 positions without a line"), "\(run)")
        }
    }
}
