import Testing

@testable import StateInspectCLI

@Suite("Commits chosen by the state after them")
struct WhereTests {
    @Test("'--where' keeps the commits after which the query is true, forwards and backwards")
    func both() throws {
        let journal = try ShopJournal()
        defer { journal.delete() }
        let forward = journal.run("replay", "J", "--select", "$seq", "--where", ".cart.total < 0", "--json")
        #expect(forward.status == 0, "\(forward)")
        #expect(forward.output.split(separator: "\n").count == 3, "\(forward)")
        let backward = journal.run("log", "J", "--where", ".cart.total < 0", "--reverse", "-n", "1")
        #expect(backward.output.hasPrefix(#"{"seq":6,"#), "\(backward)")
    }

    @Test("'--where' reads '$old' and begins at the store of '--store'")
    func scoped() throws {
        let journal = try ShopJournal()
        defer { journal.delete() }
        let run = journal.run("log", "J", "--store", "cart", "--where", ".total < $old.total")
        #expect(
            run.output.split(separator: "\n").map { $0.prefix(8) }
                == [#"{"seq":3,"#, #"{"seq":5,"#].map { $0.prefix(8) })
    }

    @Test("'--where' with '--follow' is refused")
    func follow() throws {
        let journal = try ShopJournal()
        defer { journal.delete() }
        #expect(journal.run("log", "J", "--follow", "--where", "true").status == 2)
    }
}
