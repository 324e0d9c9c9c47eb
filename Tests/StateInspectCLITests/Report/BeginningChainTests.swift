import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("The states that the parts of a page begin with")
struct BeginningChainTests {
    private let folder = TemporaryFolder()

    /// The states that the page's own reader makes of the beginnings.
    private func beginnings(_ chunks: RunChunks) throws -> [(start: Int, state: JSONValue, closing: JSONValue?)] {
        var state = JSONValue.null
        return try zip(chunks.entries, chunks.beginnings).map { entry, text in
            let line = SeptetTextTests.decoded(text, count: entry.beginningByteCount)
            let object = try entry.source == .end ? JSONObject() : #require(try JSONParser.parse(line).object)
            switch entry.source {
            case .whole: state = try #require(object["states"])
            case .patch: try JSONPatch(json: try #require(object["patch"])).apply(to: &state, order: .ascending)
            case .end: state = try opening(chunks)
            }
            return (entry.start, state, object["closing"])
        }
    }

    /// The states that the lines of the first chunk, which has no commits, lead to.
    private func opening(_ chunks: RunChunks) throws -> JSONValue {
        let lines = SeptetTextTests.decoded(chunks.texts[0], count: chunks.entries[0].byteCount)
        var states = JSONObject()
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            let object = try #require(try JSONParser.parse(Array(line)).object)
            if object["kind"] == "gap" { states = try #require(object["states"]?.ascending().object) }
            guard object["kind"] == "store", let name = object["store"]?.string else { continue }
            states.insertAscending(try #require(object["state"]).ascending(), forKey: name)
        }
        return .object(states)
    }

    private func chunks(_ journal: Journal, patches: Int, length: Int, opening: Int) throws -> RunChunks {
        var limits = RunChunks.Limits()
        limits.leastLength = 1
        limits.lengthPerState = 1
        limits.openingLength = opening
        limits.chain = BeginningChain.Limits(patches: patches, length: length, lengthPerState: 1)
        let range = try #require(PositionRange(journal.start, try journal.tail().lastCommit))
        return try RunChunks.of(journal, range, packer: nil, recover: false, limits: limits)
    }

    @Test(
        "whatever the chain, each part begins with the state of the journal there, by the text of its numbers too",
        arguments: [0, 1, 2, 3, 4, 5, 6, 7, 21, 23] as [UInt64])
    func chains(seed: UInt64) throws {
        let bytes: [UInt8]
        if seed.isMultiple(of: 2) {
            var maker = JournalMaker(seed: seed, after: seed.isMultiple(of: 3) ? 7 : nil)
            maker.run(commits: 60)
            bytes = maker.bytes
        } else {
            var maker = ForeignJournal(seed: seed)
            maker.run(commits: 60)
            bytes = maker.bytes
        }
        let journal = try Journal.open(folder.write(bytes, to: "run.jsonl"), access: .random)
        for (patches, length, opening) in [(0, 0, .max), (1, 1 << 20, 1), (3, 200, .max), (1000, 1 << 20, 1)] {
            let chunks = try chunks(journal, patches: patches, length: length, opening: opening)
            #expect(chunks.entries.dropFirst().contains { $0.source == .end } == (opening == 1), "seed \(seed)")
            let count = chunks.entries.reduce(into: (run: 0, longest: 0)) { count, entry in
                count.run = entry.source == .patch ? count.run + 1 : 0
                count.longest = max(count.longest, count.run)
            }
            #expect(count.longest <= patches, "seed \(seed)")
            // The first one stands before the records that open the run's stores.
            for (start, state, closing) in try beginnings(chunks).dropFirst() {
                let expected = try journal.state(at: CommitNumber(start)) as PositionState
                #expect(state.text() == expected.value.text(), "seed \(seed), \(patches) patches, at \(start)")
                if let closing { #expect(closing == .array(expected.closing.map(JSONValue.string)), "seed \(seed)") }
            }
        }
    }

    @Test("a patch also says where only the text of a number differs", arguments: seeds(0..<40))
    func exactDifference(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let texts = [
            "1", "1.0", "1e0", "10", "1e1", "0", "-0", "[1.0,1]", "[1,1.0]", #"{"id":1,"n":1.0}"#, #"{"id":1.0,"n":1}"#,
        ]
        func value() throws -> JSONValue {
            let parts = (0..<4).map { _ in texts[random.below(texts.count)] }
            return try JSONParser.parse("[\(parts.joined(separator: ","))]")
        }
        var old = try value()
        let new = try value()
        try JSONPatch.exactDifference(from: old, to: new).apply(to: &old, order: .ascending)
        #expect(old.ascending().text() == new.ascending().text(), "seed \(seed)")
    }
}
