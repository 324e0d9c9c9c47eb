import JSONCore
import JournalFormat
import Platform
import StateEncoding
import Synchronization
import TestSupport
import Testing

@testable import StoreCore

struct RecorderTests {
    @Test(
        "a store that ends inside another one's commit is closed in the journal after it, and nothing is written inside"
    )
    func closedAfterCommit() throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let store = Store(Cart(), name: "outer", recorder: recorder)
        let inner = Locked<Store<Session>?>(Store(Session(), name: "inner", recorder: recorder))
        let inside = try store.commit { cart in
            inner.wrappedValue = nil
            cart.count = 1
            return try journal.records("close").count
        }
        #expect(inside == 0)
        #expect(try journal.records("close").count == 1)
        recorder.close()
    }

    /// A clock that a test sets.
    private final class SetClock: Sendable {
        private let time: Mutex<Timestamp>

        init(_ text: String) { time = Mutex(Timestamp(text) ?? .now()) }

        /// Each look passes a millisecond.
        func now() -> Timestamp {
            time.withLock { time in
                defer { time = Timestamp(microseconds: time.microseconds + 1000) }
                return time
            }
        }

        func set(_ text: String) { time.withLock { $0 = Timestamp(text) ?? $0 } }
    }

    @Test("a clock that was years ahead and is set right is in a mark, and later times are right")
    func clockSetRight() throws {
        let journal = TemporaryJournal()
        let clock = SetClock("2040-01-01T00:00:00Z")
        var options = Recorder.Options()
        options.clock = { clock.now() }
        let recorder = try Recorder(journal.path, options: options)
        let store = Store(Cart(), recorder: recorder)
        store.commit { $0.count = 1 }
        clock.set("2026-05-01T12:00:00Z")
        for count in 2...4 { store.commit { $0.count = count } }
        recorder.mark("later")
        recorder.close()
        let records = try journal.records()
        let times = try records.map { try "\($0.text("kind")) \($0.text("time").prefix(4))" }
        #expect(
            times == [
                "journal 2040", "store 2040", "commit 2040", "mark 2040", "commit 2026", "commit 2026", "commit 2026",
                "mark 2026", "end 2026",
            ])
        #expect(records[3]["payload"]?.text() == #"{"clock":"2026-05-01T12:00:00.001000Z"}"#)
        #expect(
            try records[3].text("text")
                == "the clock was set back from 2040-01-01T00:00:00.002000Z to 2026-05-01T12:00:00.001000Z")
        try journal.verify()
    }

    @Test("a clock that is set right while nothing can be written is in a mark before the gap")
    func clockSetRightInLoss() throws {
        let journal = TemporaryJournal()
        let clock = SetClock("2040-01-01T00:00:00Z")
        let isFull = Flag()
        var options = Recorder.Options()
        options.retryInterval = .zero
        options.clock = { clock.now() }
        let calls = SystemCalls.full(while: isFull)
        let recorder = try Recorder(journal.path, options: options, calls: calls) { _ in }
        let store = Store(Cart(), recorder: recorder)
        store.commit { $0.count = 1 }
        isFull.value = true
        recorder.mark("in 2040")
        clock.set("2026-05-01T12:00:00Z")
        recorder.mark("in 2026")
        store.commit { $0.count = 2 }
        isFull.value = false
        store.commit { $0.count = 3 }
        recorder.close()
        let times = try journal.records().map { try "\($0.text("kind")) \($0.text("time").prefix(4))" }
        #expect(
            times == [
                "journal 2040", "store 2040", "commit 2040", "mark 2040", "mark 2040", "mark 2026", "gap 2026",
                "commit 2026", "end 2026",
            ])
        try journal.verify()
    }

    /// A state of some hundred kilobytes.
    struct Rows: Codable, Equatable, Sendable {
        var rows = (0..<10_000).map { Cart.Item(id: $0, name: "row \($0)") }
        var count = 0
    }

    @Test(
        "a state is not written again with the first commit after it was: its opening, a gap, a segment, a later store")
    func firstCommits() throws {
        let folder = TemporaryFolder()
        for limit in [nil, 8 << 20] {
            let path = folder.path("run.jsonl")
            let isFull = Flag()
            var options = Recorder.Options()
            options.retryInterval = .zero
            options.replacesFile = true
            let calls = SystemCalls.full(while: isFull)
            let recorder = try Recorder(path, limit: limit, options: options, calls: calls) { _ in }
            let small = Store(Cart(), recorder: recorder)
            small.commit { $0.count += 1 }
            let store = Store(Rows(), name: "rows", recorder: recorder)
            store.commit { $0.count += 1 }
            isFull.value = true
            store.commit { $0.count += 1 }
            isFull.value = false
            for _ in 0..<10 { store.commit { $0.count += 1 } }
            let other = Store(Rows(), name: "other", recorder: recorder)
            other.commit { $0.count += 1 }
            #expect(!TemporaryFolder.lines(path).contains { $0.contains(#""kind":"keyframe""#) })
            // One is due once four times that was written, and no later.
            let size = TemporaryFolder.read(path).count
            while !TemporaryFolder.lines(path).contains(where: { $0.contains(#""kind":"keyframe""#) }) {
                let name = String(repeating: "x", count: store.state.count % 2 == 0 ? 100_000 : 100_001)
                store.commit { state in
                    state.count += 1
                    state.rows[0].name = name
                }
                try #require(TemporaryFolder.read(path).count < 6 * size)
                if limit != nil { break }
            }
            recorder.close()
            for name in folder.names { try TemporaryJournal().verify(at: folder.path(name)) }
        }
    }

    @Test("causes cross linked stores and tasks, and the nearest commit counts")
    func causes() async throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let (cart, session) = (Store(Cart(), recorder: recorder), Store(Session(), recorder: recorder))
        let middle = Store(Session(), name: "middle", recorder: nil)
        let tasks = Log<Task<Void, Never>>()
        let links = [
            cart.subscribe(initially: false) { changes in
                changes.ifChanged(\.count) { count in middle.commit { $0.visits = count } }
                tasks.add(Task { cart.commit { $0.items = [] } })
            },
            middle.subscribe(initially: false) { changes in session.commit { $0.visits = changes.visits } },
        ]
        cart.commit { $0.count = 1 }
        for task in tasks.entries { await task.value }
        links.forEach { $0.cancel() }
        cart.commit { $0.count = 2 }
        recorder.close()
        let commits = try journal.records("commit")
        #expect(commits.map { $0.integer("cause") } == [nil, 1, 1, nil])
    }

    @Test(
        "a clock that steps back repeats the last time, and one that leaps and comes back is in a mark: no other record is earlier",
        arguments: [Recorder.Durability.synchronous, .background])
    func fallingClock(durability: Recorder.Durability) throws {
        let (journal, ticks) = (TemporaryJournal(), Ticks())
        let steps = [0, 5, 3, -9, 8, 2, 9_000_000_000_000, 1, .min / 2, 7]
        var options = Recorder.Options()
        options.clock = { Timestamp(microseconds: 1_700_000_000_000_000 + steps[ticks.next() % steps.count]) }
        let recorder = try Recorder(journal.path, durability: durability, options: options)
        let store = Store(Cart(), recorder: recorder)
        for count in 1...30 {
            store.commit { $0.count = count }
            recorder.mark("m")
            try? store.commit { _ throws(Moody.BadMood) in throw Moody.BadMood() }
            withExtendedLifetime(Store(Session(), recorder: recorder)) {}
        }
        recorder.close()
        withExtendedLifetime(store) {}
        let times = try journal.records().compactMap { $0["time"]?.string.flatMap { Timestamp($0) } }
        #expect(times.count > 120)
        let marks = try journal.records("mark").count { $0["at"] == nil }
        #expect(zip(times, times.dropFirst()).count { $1 < $0 } == marks && marks > 6)
        // No record is before an earlier one without such a mark.
        try journal.verify()
    }

    @Test("a commit while its own value is encoded traps and names the type")
    func commitInEncoding() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let journal = TemporaryJournal()
            let recorder = try Recorder(journal.path)
            let other = Store(Session(), recorder: nil)
            _ = Store(Calling(call: { _ in other.commit { $0.visits += 1 } }), recorder: recorder)
        }
        #expect(result.errors.contains("'Calling'"), "\(result.errors)")
    }

    @Test("the paths of a patch that nobody wanted are not known, and not none")
    func unwantedPatch() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path)
        let location = CommitLocation(file: "A/B.swift", line: 1, column: 1, function: "f()")
        let track = try #require(recorder.open(Cart(), wanted: "cart", by: EncodableForm(), at: location))
        func commit(wantsPatch: Bool) -> PendingCommit {
            PendingStateCommit(
                Cart(), track: track, recorder: recorder, version: 1, location: location, name: "f()", action: nil,
                cause: nil, wantsPatch: wantsPatch)
        }
        let patch = Array(#"[{"op":"replace","path":"/count","value":1,"old":0}]"#.utf8)
        var count = PathSet.nothing
        count.insert(try JSONPointer(parsing: "/count"))
        for wantsPatch in [false, true] {
            let pending = commit(wantsPatch: wantsPatch)
            #expect(pending.writtenPaths == nil, "it is not in the journal yet")
            pending.keep(patch: patch[...])
            #expect(pending.writtenPaths.map { $0.touches(count) } == (wantsPatch ? true : nil))
            pending.keep(patch: Array("[]".utf8)[...])
            #expect(pending.writtenPaths.map { $0.touches(count) } == false)
        }
        recorder.close()
    }
}

extension JSONValue {
    func member(_ name: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[name]
    }
}
