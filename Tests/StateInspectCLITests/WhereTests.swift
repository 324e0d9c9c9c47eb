import Foundation
import JSONCore
import JournalFormat
import QueryLanguage
import TestSupport
import Testing
import TimeTravel

@testable import StateInspectCLI

@Suite("Commits chosen by the state after them")
struct WhereTests {
    private let journal = ShopJournal()

    @Test("'--where' reads '$old' and begins at the store of '--store'")
    func scoped() throws {
        let run = journal.run("log", "J", "--store", "cart", "--where", ".total < $old.total")
        #expect(Self.numbers(run) == [3, 5], "\(run)")
    }

    @Test("'--follow' asks the states of what is added too")
    func follow() throws {
        let journal = ShopJournal { $0.removeLast(6) }
        var rest = ShopJournal.lines.suffix(6)
        // Once what was there is answered.
        let sink = MemorySink {
            journal.append(rest)
            rest = []
        }
        let run = ProgramRun(["log", journal.path, "--follow", "--where", ".cart.total < 0"], output: sink)
        #expect(run.status == 0 && Self.numbers(run) == [3, 5, 6], "\(run)")
    }

    @Test("a commit after which the query fails is left out, told once, and the status is 5")
    func failing() throws {
        for command in ["log", "stats", "replay"] {
            let run = journal.run(command, "J", "--where", ".cart.items[0].price + {}")
            #expect(run.status == 5, "\(run)")
            #expect(run.messages.contains("that is the first of 4 commits that were left out"), "\(run)")
            #expect(run.messages.contains("at commit 1"), "\(run)")
        }
        let empty = journal.run("log", "J", "--where", ".cart.total | if . < 0 then error(\"x\") else true end")
        #expect(empty.status == 5 && Self.numbers(empty) == [1, 2, 4], "\(empty)")
        #expect(journal.run("log", "J", "--where", ".cart[").status == 2)
    }

    @Test("what would have been is asked of the state that would have been")
    func whatIf() throws {
        let run = journal.run("replay", "J", "--without", "3,4,5", "--where", ".cart.total < 0", "--json")
        #expect(run.output.split(separator: "\n").filter { $0.contains(#""kind":"state""#) }.isEmpty, "\(run)")
    }

    @Test("the commits kept are those whose whole state passes", arguments: seeds(0..<12))
    func equalsWholeStates(seed: UInt64) throws {
        let maker = JournalMaker(seed: seed, commits: 40)
        let folder = TemporaryFolder()
        let path = folder.write(maker.bytes, to: "run.jsonl")
        let commits = Self.numbers(ProgramRun(["log", path]))
        for text in [".cart.a", ".user | length > 2", "[.. | numbers] | add // 0 | . > 3", "keys | length > 2"] {
            let condition = Condition(bad: try Query(text))
            let expected = commits.filter {
                condition.verdict(on: maker.states[$0] ?? .null, context: .start).isBad == true
            }
            let forward = ProgramRun(["log", path, "--where", text])
            #expect(Self.numbers(forward) == expected, "seed \(seed), \(text): \(forward)")
            let backward = ProgramRun(["log", path, "--where", text, "--reverse"])
            #expect(Self.numbers(backward) == expected.reversed(), "seed \(seed), \(text)")
            let replayed = ProgramRun(["replay", path, "--where", text, "--select", "0", "--json"])
            #expect(Self.numbers(replayed, "\"kind\":\"state\"") == expected, "seed \(seed), \(text): \(replayed)")
        }
    }

    /// The members `seq` of the lines that hold a text.
    private static func numbers(_ run: ProgramRun, _ part: String = "{") -> [Int] {
        run.output.split(separator: "\n").filter { $0.contains(part) }.compactMap { line in
            guard case .object(let object)? = try? JSONParser.parse(Array(line.utf8)) else { return nil }
            return object["seq"]?.integer
        }
    }
}
