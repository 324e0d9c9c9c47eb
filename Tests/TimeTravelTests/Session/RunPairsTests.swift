import Foundation
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import TimeTravel

@Suite("Two runs in step")
struct RunPairsTests {
    private func sample(_ name: String) throws -> Journal {
        try Journal.open(SharedFolder.packageRoot.path + "/samples/" + name, access: .random)
    }

    /// What is true of any two runs: every commit of both is made once, in the order of each, and both arrive at their ends.
    private func check(_ pairs: RunPairs, _ left: Journal, _ right: Journal) throws {
        #expect(pairs.steps.count { $0.isLeft } == (try left.lastCommit.rawValue) - left.start.rawValue)
        #expect(pairs.steps.count { $0.isRight } == (try right.lastCommit.rawValue) - right.start.rawValue)
        for (before, after) in zip(pairs.steps, pairs.steps.dropFirst()) {
            #expect(before.left <= after.left && before.right <= after.right)
            #expect(after.isLeft == (after.left > before.left))
        }
        #expect(try pairs.steps.last?.left == left.lastCommit)
        #expect(try pairs.steps.last?.right == right.lastCommit)
    }

    @Test("a run beside itself has no difference")
    func same() throws {
        let journal = try sample("checkout.jsonl")
        let pairs = try RunPairs(journal, journal)
        #expect(pairs.steps.allSatisfy { !$0.differs && $0.isLeft && $0.isRight && $0.left == $0.right })
        try check(pairs, journal, journal)
    }

    @Test("the first difference is where 'diff' finds that the runs part, and after it they go on in step")
    func parts() throws {
        let (good, bad) = (try sample("checkout-good.jsonl"), try sample("checkout.jsonl"))
        let pairs = try RunPairs(good, bad)
        let divergence = try Divergence.first(of: good, and: bad)
        let first = try #require(pairs.steps.first { $0.differs })
        #expect(first.isLeft ? first.left == divergence.left?.seq || divergence.left == nil : true)
        #expect(first.right == divergence.right?.seq || first.left == divergence.left?.seq)
        #expect(pairs.steps.count { !$0.differs } > 300)
        try check(pairs, good, bad)
    }

    @Test("the first difference is the same whichever run is the left one")
    func mirrored() throws {
        let runs = try ["checkout-good.jsonl", "checkout.jsonl", "checkout-flipping.jsonl"].map(sample)
        for (left, right) in [(0, 1), (0, 2), (1, 2)] {
            let there = try #require(try RunPairs(runs[left], runs[right]).steps.first { $0.differs })
            let back = try #require(try RunPairs(runs[right], runs[left]).steps.first { $0.differs })
            #expect(there.leftCommit == back.rightCommit && there.rightCommit == back.leftCommit)
        }
    }

    @Test("random runs with commits left out, are in step but for these", arguments: seeds(1..<21))
    func random(_ seed: UInt64) throws {
        let folder = TemporaryFolder()
        func journal(_ seed: UInt64, _ commits: Int, _ name: String) throws -> Journal {
            let maker = JournalMaker(seed: seed, commits: commits, gaps: false)
            return try Journal.open(folder.write(maker.bytes, to: name), access: .random)
        }
        let (left, longer) = (try journal(seed, 60, "a.jsonl"), try journal(seed, 90, "b.jsonl"))
        try check(try RunPairs(left, longer), left, longer)
        let other = try journal(seed + 100, 70, "c.jsonl")
        try check(try RunPairs(left, other), left, other)
        try check(try RunPairs(other, left), other, left)
    }
}
