import JSONCore
import JournalFormat
import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("The states that the parts of a page begin with")
struct BeginningChainTests {
    /// The states that the page's own reader makes of the beginnings, as JSON text, with where they begin.
    private func beginnings(_ chunks: RunChunks) throws -> [(start: Int, state: String, closing: JSONValue?)] {
        var state = JSONValue.null
        return try zip(chunks.entries, chunks.beginnings).map { entry, text in
            let line = SeptetTextTests.decoded(text, count: entry.beginningByteCount)
            let object = try #require(try JSONValue(parsing: line).object)
            if entry.isPatch {
                try JSONPatch(json: try #require(object["patch"])).apply(to: &state, order: .ascending)
            } else {
                state = try #require(object["states"])
            }
            return (entry.start, state.text(), object["closing"])
        }
    }

    private func chunks(_ journal: Journal, patches: Int, length: Int) throws -> RunChunks {
        var limits = RunChunks.Limits()
        limits.leastLength = 1
        limits.lengthPerState = 1
        limits.chain = BeginningChain.Limits(patches: patches, length: length, lengthPerState: 1)
        let range = try #require(PositionRange(journal.start, try journal.tail().lastCommit))
        return try RunChunks.of(journal, range, packer: nil, recover: false, limits: limits)
    }

    @Test(
        "whatever the chain, each part begins with the state of the journal there, by the text of its numbers too",
        arguments: 0..<40 as Range<UInt64>)
    func chains(seed: UInt64) throws {
        var bytes: [UInt8]
        if seed.isMultiple(of: 2) {
            var maker = JournalMaker(seed: seed, after: seed.isMultiple(of: 3) ? 7 : nil)
            maker.run(commits: 60)
            bytes = maker.bytes
        } else {
            var maker = ForeignJournal(seed: seed)
            maker.run(commits: 60)
            bytes = Array(maker.text.utf8)
        }
        let journal = try Journal.open(bytes: bytes)
        for (patches, length) in [(0, 0), (1, 1 << 20), (3, 200), (1000, 1 << 20)] {
            let chunks = try chunks(journal, patches: patches, length: length)
            let count = chunks.entries.reduce(into: (run: 0, longest: 0)) { count, entry in
                count.run = entry.isPatch ? count.run + 1 : 0
                count.longest = max(count.longest, count.run)
            }
            #expect(count.longest <= patches, "seed \(seed)")
            for (start, state, closing) in try beginnings(chunks) {
                let expected = try journal.state(at: CommitNumber(start)) as PositionState
                #expect(state == expected.value.text(), "seed \(seed), \(patches) patches, at \(start)")
                #expect(closing == .array(expected.closing.map(JSONValue.string)), "seed \(seed), at \(start)")
            }
        }
    }

    @Test("a patch also says where only the text of a number differs", arguments: 0..<200 as Range<UInt64>)
    func exactDifference(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let texts = ["1", "1.0", "1e0", "10", "1e1", "0", "-0", "[1.0,1]", "[1,1.0]", #"{"id":1,"n":1.0}"#, #"{"n":1,"id":1.0}"#]
        func value() throws -> JSONValue {
            let parts = (0..<4).map { _ in texts[random.below(texts.count)] }
            return try JSONValue(parsing: Array("[\(parts.joined(separator: ","))]".utf8))
        }
        var old = try value()
        let new = try value()
        try JSONPatch.exactDifference(from: old, to: new).apply(to: &old, order: .ascending)
        #expect(old.sorted.text() == new.sorted.text(), "seed \(seed)")
    }
}
