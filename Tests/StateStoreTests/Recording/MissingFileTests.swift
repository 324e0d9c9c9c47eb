import Dispatch
import JournalFormat
import StateStore
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What a recorder does when its file goes away, and when the disk stands still.
struct MissingFileTests {
    @Test("a journal that is deleted while it is written is reported once", arguments: [false, true])
    func deleted(isMoved: Bool) throws {
        let journal = TemporaryJournal()
        let errors = Log<String>()
        var options = Recorder.Options()
        let ticks = Ticks()
        options.clock = { Timestamp(microseconds: 1_700_000_000_000_000 + ticks.next() * 300_000) }
        let recorder = try Recorder(journal.path, options: options) { errors.add($0.diagnostic.message) }
        let store = Store(Session(), recorder: recorder)
        for _ in 0..<10 { store.commit { $0.visits += 1 } }
        #expect(errors.entries.isEmpty)
        if isMoved { #expect(rename(journal.path, journal.path + ".moved") == 0) } else { unlink(journal.path) }
        defer { unlink(journal.path + ".moved") }
        for _ in 0..<20 { store.commit { $0.visits += 1 } }
        recorder.close()
        #expect(errors.entries == ["'\(journal.path)' was deleted or moved while it is written"])
        #expect(store.state.visits == 30)
    }

    /// Its first change waits in its encoding.
    private struct Gated: Encodable, Equatable, Sendable {
        static let isEncoding = DispatchSemaphore(value: 0)
        static let goesOn = DispatchSemaphore(value: 0)
        var count = 0
        private enum CodingKeys: CodingKey { case count }

        func encode(to encoder: any Encoder) throws {
            if count == 1 {
                Gated.isEncoding.signal()
                Gated.goesOn.wait()
                Gated.goesOn.signal()
            }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(count, forKey: .count)
        }
    }

    @Test("a commit returns though nothing is written and a thousand states wait")
    func standingStill() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, durability: .background())
        let store = Store(Gated(), recorder: recorder)
        store.commit { $0.count += 1 }
        Gated.isEncoding.wait()
        // The last two find no room.
        for _ in 0..<1_026 { store.commit { $0.count += 1 } }
        Gated.goesOn.signal()
        recorder.close()
        #expect(try journal.records("commit").count == 1_027)
    }

    @Test("errors print as words")
    func words() {
        let error = #expect(throws: JournalWriteError.self) { try Recorder("/nowhere/x.jsonl") }
        let words = error.map { "\($0)" } ?? ""
        #expect(words.hasPrefix("'/nowhere/x.jsonl' cannot be made"), "\(words)")
        let refused = RecorderError.attached(store: "cart", journal: "a.jsonl")
        #expect(
            "\(refused)" == """
                store 'cart' is recorded in 'a.jsonl' already
                note: a store has one recorder
                help: detach it from that recorder first
                """)
    }
}
