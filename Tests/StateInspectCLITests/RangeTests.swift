import JSONCore
import TestSupport
import Testing

/// What a range, and a store, mean to the commands that ask along a run.
@Suite("Questions about a range")
struct RangeTests {
    private func json(_ text: some StringProtocol) -> JSONObject? { try? JSONParser.parse(String(text)).object }

    private func lines(_ run: ProgramRun) -> [JSONObject] { run.output.split(separator: "\n").compactMap(json) }

    // MARK: Stores

    /// The shop's journal, whose session closes behind commit 3.
    private func closing() throws -> ShopJournal {
        ShopJournal {
            $0.insert(#"{"seq":3,"kind":"close","store":"session","time":"2026-11-21T12:00:03.500000Z"}"#, at: 8)
            $0.append($0.removeLast().replacing(#""open":["cart","session"]"#, with: #""open":["cart"]"#))
        }
    }

    @Test(
        "a store that no record of the journal has is refused, with the nearest name",
        arguments: [
            ["replay"], ["history", "."], ["bisect", "--bad", "."], ["stats"], ["derived", "--define", "x=."], ["log"],
        ])
    func unknownStore(arguments: [String]) throws {
        let journal = try closing()
        let run = ProgramRun([arguments[0], journal.path] + arguments.dropFirst() + ["--store", "sesion"])
        #expect(run.status == 4 && run.messages.contains("help: write 'session'"), "\(run)")
    }

    @Test("at the start of a journal there is no commit and no state before")
    func start() throws {
        let run = ShopJournal().run(
            "bisect", "J", "--to", "start", "--bad",
            "[$seq, $store, $name, $time, $at, $old] == [0, null, null, null, null, null]")
        #expect(lines(run).first?["badAtStart"] == .bool(true), "\(run)")
    }

    // MARK: Records of stores that nobody reads

    @Test("a store that opens behind a commit takes no change away, however its line is written")
    func storeBehindCommit() throws {
        let journal = ShopJournal {
            $0.insert(
                #"{"kind":"store","seq":3,"time":"2026-11-21T12:00:03.490000Z","type":"T","at":null,"state":1,"store":"other"}"#,
                at: 8)
            $0.append($0.removeLast().replacing(#""open":["#, with: #""open":["other","#))
        }
        let summary = journal.run("derived", "J", "--define", "total=.cart.total", "--summary")
        #expect(lines(summary).last?["fired"] == 4, "\(summary)")
        let history = journal.run("history", "J", "/cart/total", "--range", "2..3")
        #expect(lines(history).map { $0["store"] } == ["cart"], "\(history)")
    }

    @Test("a commit of a store that never opened is noticed by who does not read it")
    func ghost() throws {
        let journal = ShopJournal {
            $0[6] = $0[6].replacing(#""store":"session""#, with: #""store":"ghost""#)
        }
        for arguments in [
            ["history", ".cart.total"], ["bisect", "--bad", ".cart.total < -5"], ["replay", "--select", ".cart.total"],
            ["replay", "--select", ".cart.total", "--reverse"], ["derived", "--define", "x=.cart.total"],
        ] {
            let run = ProgramRun([arguments[0], journal.path] + arguments.dropFirst())
            #expect(run.status == 3 && run.messages.contains("store 'ghost', which is not open"), "\(run)")
        }
    }

    @Test("a commit of a store that is not open is noticed among many stores, and behind a gap that it is gone with")
    func ghostAmongOthers() {
        let folder = TemporaryFolder()
        func store(_ name: String) -> String { Lines.store(#"{"count":0}"#, name) }
        func commit(_ seq: Int, _ name: String) -> String { Lines.commit(seq, Lines.replace("/count", seq), name) }
        let names = (0..<400).map { "s\($0)" }
        let many =
            names.map(store) + names.enumerated().map { commit($0 + 1, $1) }
            + names.enumerated().map { commit($0 + 401, $1) } + [commit(801, "ghost"), commit(802, "s1")]
        let gap = [
            store("s7"), store("ghost"), commit(1, "s7"), commit(2, "ghost"),
            #"{"seq":4,"kind":"gap",\#(Lines.time),"first":3,"lost":2,"reason":"full","states":{"s7":{"count":1}}}"#,
            commit(5, "ghost"), commit(6, "s7"),
        ]
        for lines in [many, gap] {
            let path = folder.write(Lines.journal(lines), to: "run.jsonl")
            for arguments in [
                ["bisect", "--bad", ".s7.count < 0"], ["history", ".s7.count"], ["replay", "--select", ".s7"],
            ] {
                let run = ProgramRun([arguments[0], path] + arguments.dropFirst())
                #expect(run.status == 3 && run.messages.contains("store 'ghost', which is not open"), "\(run)")
            }
        }
    }
}

/// What `--recover` reaches besides the pass itself.
@Suite("Going on behind damage")
struct RecoveringTests {
    private func journal() throws -> ShopJournal {
        ShopJournal {
            $0.insert(
                #"{"seq":4,"kind":"keyframe","states":{"cart":{"items":[],"total":12},"session":{"token":"b7"}}}"#,
                at: 10)
            $0[7] = #"{"seq":3,"kind":"commit","store":nothing}"#
        }
    }

    @Test("a declaration that cannot be read is told, and the others are followed")
    func declarations() throws {
        let journal = ShopJournal { $0[3] = #"{"seq":0,"kind":"derived","inputs":["/cart/items"]}"# }
        let arguments = ["derived", journal.path, "--define", "total=.cart.total", "--summary"]
        #expect(ProgramRun(arguments).status == 3)
        let run = ProgramRun(arguments + ["--recover"])
        #expect(run.status == 0 && run.output.contains(#""name":"total","fired":4"#), "\(run)")
        #expect(run.messages.contains("a record lacks what its kind needs"), "\(run)")
    }

    @Test("a path that may have been in what was lost is not refused")
    func history() throws {
        let run = try journal().run("history", "J", "/cart/coupon", "--recover")
        #expect(run.status == 5 && run.output.isEmpty, "\(run)")
    }

    @Test("a value that no record wrote is told, status 5")
    func noAuthor() throws {
        let journal = ShopJournal {
            $0.insert(
                #"{"seq":5,"kind":"keyframe","states":{"cart":{"items":[],"total":-9},"session":{"token":"b7"}}}"#,
                at: 11)
            $0.remove(at: 1)
            $0[5] = $0[5].replacing(#""store":"session""#, with: #""store":"cart""#).replacing(
                #"[{"op":"replace","path":"/token","value":"b7","old":"a1"}]"#, with: "[]")
        }
        let run = journal.run("blame", "J", "/session")
        #expect(run.status == 5 && run.messages.contains("no record of the journal wrote '/session/token'"), "\(run)")
        #expect(journal.run("blame", "J", "/cart").status == 0)
    }
}
