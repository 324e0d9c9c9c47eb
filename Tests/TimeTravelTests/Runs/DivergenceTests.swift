import Foundation
import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import TimeTravel

@Suite("Where two runs part")
struct DivergenceTests {
    private let folder = TemporaryFolder()

    /// One run of two stores; `order` says which takes its next step.
    private func run(
        _ order: String, clock: Int = 1_800_000_000_000_000, change: [Int: Int] = [:], line: [Int: Int] = [:]
    ) -> HandMadeRun {
        var run = HandMadeRun(clock: clock)
        run.open("a", ["n": .number(JSONNumber(0))])
        run.open("b", ["n": .number(JSONNumber(0))])
        var count: [Character: Int] = [:]
        for (index, store) in order.enumerated() {
            count[store, default: 0] += 1
            let number = (count[store] ?? 0) * (store == "a" ? 1 : 100)
            run.set(
                String(store), "n", .number(JSONNumber(change[number] ?? number)), line: line[number] ?? 2,
                cause: index > 0 ? index : nil)
        }
        run.end()
        return run
    }

    private func divergence(
        _ left: HandMadeRun, _ right: HandMadeRun, ignoring: [String] = []
    ) throws -> Divergence {
        var options = Divergence.Options()
        options.ignored = PathMatcher(try ignoring.map { try PathSteps(parsing: $0) })
        return try Divergence.first(
            of: left.journal("left.jsonl", in: folder), and: right.journal("right.jsonl", in: folder), options)
    }

    @Test(
        "another interleaving, clock and cause are no divergence",
        arguments: [("abab", "aabb"), ("abab", "bbaa"), ("aaabbb", "bbbaaa"), ("ab", "ab")])
    func equal(left: String, right: String) throws {
        let found = try divergence(run(left), run(right, clock: 1_900_000_000_000_000))
        #expect(found.isEqual && found.left == nil && found.right == nil && found.patch.isEmpty)
        #expect(found.common == left.count)
    }

    @Test("the first commit that differs is found in both runs, with what differs after it")
    func value() throws {
        let found = try divergence(run("ababab"), run("aabbba", change: [2: 7]))
        #expect(found.left?.seq.rawValue == 3 && found.right?.seq.rawValue == 2)
        #expect(found.store == "a" && found.common == 1)
        #expect(
            found.patch.operations == [
                .replace(JSONPointer(["a", "n"]), .number(JSONNumber(7)), old: .number(JSONNumber(2)))
            ])
    }

    @Test("of divergences in several stores the one that begins earliest in either run is the first")
    func earliest() throws {
        let found = try divergence(run("aaab", change: [3: 9]), run("baaa", change: [100: 5]))
        #expect(found.store == "b" && found.left?.seq.rawValue == 4 && found.right?.seq.rawValue == 1)
        #expect(found.common == 0)
    }

    @Test(
        "the divergence of two runs does not depend on which is the left one, and so do the other stores that part",
        arguments: 0..<40 as Range<UInt64>)
    func mirrored(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func order() -> String { String((0..<8).map { _ in Bool.random(using: &random) ? "a" : "b" }) }
        func change() -> [Int: Int] {
            var change: [Int: Int] = [:]
            for _ in 0..<2 {
                let number = Int.random(in: 1...4, using: &random) * (Bool.random(using: &random) ? 1 : 100)
                change[number] = 7777
            }
            return change
        }
        let (orders, changes) = ([order(), order()], [change(), change()])
        let one = try run(orders[0], change: changes[0]).journal("one.jsonl", in: folder)
        let other = try run(orders[1], change: changes[1]).journal("other.jsonl", in: folder)
        // Where a store's own values are not the same any more.
        func expected(_ store: Character) -> [Int?] {
            let commits = orders.map { order in order.enumerated().filter { $1 == store }.map { $0.offset + 1 } }
            func value(_ run: Int, _ index: Int) -> Int? {
                guard index < commits[run].count else { return nil }
                let number = (index + 1) * (store == "a" ? 1 : 100)
                return changes[run][number] ?? number
            }
            let index = (0...8).first { value(0, $0) != value(1, $0) } ?? 9
            return commits.map { index < $0.count ? $0[index] : nil }
        }
        var options = Divergence.Options()
        options.findsOthers = true
        let there = try Divergence.first(of: one, and: other, options)
        let back = try Divergence.first(of: other, and: one, options)
        #expect(there.store == back.store && there.common == back.common, "seed \(seed)")
        #expect(there.left?.seq == back.right?.seq && there.right?.seq == back.left?.seq, "seed \(seed)")
        #expect(there.others.map(\.store) == back.others.map(\.store), "seed \(seed)")
        #expect(there.others.map(\.left?.seq) == back.others.map(\.right?.seq), "seed \(seed)")
        // Asked of each store alone, the answer is the same.
        for store in ["a", "b"] {
            var alone = Divergence.Options()
            alone.store = store
            let found = try Divergence.first(of: one, and: other, alone)
            let isNamed = there.store == store || there.others.contains { $0.store == store }
            #expect(found.isEqual != isNamed, "seed \(seed)")
            #expect([found.left, found.right].map { $0?.seq.rawValue } == expected(Character(store)), "seed \(seed)")
        }
    }

    @Test("another source line is a divergence though the states are equal")
    func location() throws {
        let found = try divergence(run("ab"), run("ab", line: [100: 3]))
        #expect(!found.isEqual && found.left?.seq.rawValue == 2 && found.patch.isEmpty)
    }

    @Test("a run that has no further commit has no record", arguments: [true, false])
    func shorter(isLeft: Bool) throws {
        let (long, short) = (run("abab"), run("aba"))
        let found = try isLeft ? divergence(short, long) : divergence(long, short)
        #expect((isLeft ? found.left : found.right) == nil)
        #expect((isLeft ? found.right : found.left)?.seq.rawValue == 4)
        #expect(found.common == 3 && !found.isEqual)
    }

    @Test("values that may differ are ignored, in openings, patches and whole states")
    func ignored() throws {
        var left = HandMadeRun()
        var right = HandMadeRun()
        left.open("a", ["id": .number(JSONNumber(1)), "n": .null])
        right.open("a", ["id": .number(JSONNumber(2)), "n": .null])
        left.set("a", "n", .object(["id": .string("x"), "v": .bool(true)]))
        right.set("a", "n", .object(["id": .string("y"), "v": .bool(true)]))
        #expect(try !divergence(left, right).isEqual)
        #expect(try divergence(left, right, ignoring: ["/a/id", "/*/n/id"]).isEqual)
        #expect(try divergence(left, right, ignoring: ["/**/id"]).isEqual)
        right.set("a", "n", .null)
        let found = try divergence(left, right, ignoring: ["/**/id"])
        #expect(found.left == nil && found.right?.seq.rawValue == 2)
        #expect(found.patch.operations.count == 1)
    }

    @Test("the same values in other bytes are no divergence")
    func bytes() throws {
        let written = run("abab")
        let spaced = String(decoding: written.bytes, as: UTF8.self)
            .replacing(#""value":1,"#, with: #""value": 1.0, "#).replacing(#","sum""#, with: #","other""#)
        let other = try Journal.open(folder.write(spaced, to: "other.jsonl"), access: .random)
        let found = try Divergence.first(of: written.journal("run.jsonl", in: folder), and: other)
        #expect(found.isEqual)
    }

    @Test(
        "a last line without its newline, or with another end, is the line that it is",
        arguments: ["", "\r", " \n", "\r\n"], [[], ["/b/n"]])
    func lastLine(ending: String, ignored: [String]) throws {
        var options = Divergence.Options()
        options.ignored = PathMatcher(try ignored.map { try PathSteps(parsing: $0) })
        for change in [[:], [2: 7], [200: 7]] {
            // Without their ends: the last line is a commit's.
            let left = Array(run("abab").bytes.split(separator: UInt8(ascii: "\n")).dropLast().joined(separator: [10]))
            let right = run("abab", change: change)
            let whole = left + [10]
            let cut = left + Array(ending.utf8)
            func found(_ bytes: [UInt8]) throws -> Divergence {
                let journal = try Journal.open(folder.write(bytes, to: "left.jsonl"), access: .random)
                return try Divergence.first(of: journal, and: right.journal("right.jsonl", in: folder), options)
            }
            let (one, other) = (try found(whole), try found(cut))
            #expect(one.isEqual == other.isEqual && one.common == other.common && one.patch == other.patch)
            #expect(one.left?.seq == other.left?.seq && one.right == other.right)
            #expect(one.isEqual == (change.isEmpty || change.keys.contains(200) && !ignored.isEmpty))
        }
    }

    @Test("after a gap nothing is compared, and it is told where that is")
    func gap() throws {
        let left = run("ab")
        var right = HandMadeRun()
        right.open("a", ["n": .number(JSONNumber(0))])
        right.open("b", ["n": .number(JSONNumber(0))])
        right.set("a", "n", .number(JSONNumber(1)))
        right.lose(3)
        right.set("b", "n", .number(JSONNumber(5)))
        let found = try divergence(left, right)
        #expect(found.isEqual && found.gap == Divergence.Gap(isLeft: false, first: CommitNumber(2)))
    }

    @Test("the last states alone are compared on demand")
    func final() throws {
        let left = try run("abab").journal("left.jsonl", in: folder)
        let right = try run("bbaa", change: [1: 40]).journal("right.jsonl", in: folder)
        #expect(try Divergence.ofLastStates(left, right).isEqual)
        #expect(try !Divergence.first(of: left, and: right).isEqual)
    }

    @Test("any random run is equal to itself", arguments: seeds(0..<20))
    func itself(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, gaps: false)
        let found = try Divergence.first(of: run.journal, and: run.journal)
        #expect(found.isEqual && found.common == 60, "seed \(seed)")
    }
}
