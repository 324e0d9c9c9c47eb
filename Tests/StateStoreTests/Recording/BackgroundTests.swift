import Dispatch
import Foundation
import JSONCore
import JournalFormat
import Platform
import StateStore
import Synchronization
import Testing

@testable import StoreCore

@Suite("A recorder in the background")
struct BackgroundTests {
    /// Where encodings wait while it is closed.
    private final class Gate: Sendable {
        let isClosed = Flag()
        let opening = DispatchSemaphore(value: 0)
        let encodings = Ticks()

        func state() -> Calling {
            Calling(call: { [self] _ in
                if isClosed.value {
                    opening.wait()
                    opening.signal()
                }
                _ = encodings.next()
            })
        }

        func open() {
            isClosed.value = false
            opening.signal()
        }
    }

    @Test("a commit returns before its state is encoded, and is delivered then; the exit of the recorder writes it")
    func returns() async throws {
        let journal = TemporaryJournal()
        let gate = Gate()
        let recorder = try Recorder(journal.path, durability: .background, options: .reproducible)
        let store = Store(gate.state(), name: "slow", recorder: recorder)
        let seen = Log<Int>()
        let link = store.subscribe(initially: false) { seen.add($0.count) }
        gate.isClosed.value = true
        for _ in 0..<100 { store.commit { $0.count += 1 } }
        // Nothing was encoded by now but perhaps the store's opening.
        #expect(seen.entries == Array(1...100))
        #expect(gate.encodings.value <= 2)
        gate.open()
        recorder.close()
        try journal.verify()
        let states = try journal.replayed().compactMap { $0["slow"] }
        #expect(states.count == 100 && states.last?.object?.integer("count") == 100)
        link.cancel()
    }

    @Test("who commits waits where too many wait already, and loses nothing")
    func bounded() async throws {
        let journal = TemporaryJournal()
        let gate = Gate()
        let recorder = try Recorder(journal.path, durability: .background, options: .reproducible)
        let store = Store(gate.state(), name: "slow", recorder: recorder)
        gate.isClosed.value = true
        let total = 3 * EncodingThread.limit
        let waited = Log<Int>()
        async let committed: Void = onThreads([
            {
                for number in 1...total {
                    let start = ContinuousClock.now
                    store.commit { $0.count += 1 }
                    // One that waits does so for a second, and the gate is closed until then.
                    if start.duration(to: .now) >= .milliseconds(900) || number == total { waited.add(number) }
                }
            }
        ])
        await waited.wait { !$0.isEmpty }
        #expect(waited.entries[0] <= 2 * EncodingThread.limit + 3)
        gate.open()
        await committed
        recorder.close()
        try journal.verify()
        #expect(try journal.records("commit").compactMap { $0.integer("seq") } == Array(1...total))
    }

    @Test(
        "what was written is brought to the disk while nothing is committed; a disk that refuses it is reported once",
        arguments: [false, true])
    func idleSync(isRefused: Bool) async throws {
        let journal = TemporaryJournal()
        let (syncs, problems) = (Log<Int32>(), Log<String>())
        var calls = SystemCalls()
        calls.sync = { file in
            defer { syncs.add(file) }
            if !isRefused { return SystemCalls.plainSync(file) }
            errno = EIO
            return -1
        }
        var options = Recorder.Options.reproducible
        options.sync = .interval(seconds: 1)
        let recorder = try Recorder(journal.path, durability: .background, options: options, calls: calls) {
            problems.add($0.diagnostic.code)
        }
        let store = Store(Cart(), recorder: recorder)
        for number in 1...2 {
            store.commit { $0.count = number }
            await syncs.wait { $0.count >= number }
        }
        recorder.close()
        try journal.verify()
        #expect(try journal.records("commit").count == 2)
        #expect(problems.entries == (isRefused ? ["journal.write"] : []))
    }

    @Test(
        "making a derived value waits for nothing that is queued, and its line stands where it was made")
    func derivedIsMadeAtOnce() throws {
        let journal = TemporaryJournal()
        let gate = Gate()
        let recorder = try Recorder(journal.path, durability: .background, options: .reproducible)
        let store = Store(gate.state(), name: "slow", recorder: recorder)
        gate.isClosed.value = true
        for _ in 0..<50 { store.commit { $0.count += 1 } }
        let (made, areMade) = (Locked<[Derived<Int>]>([]), DispatchSemaphore(value: 0))
        // Not a task: it may hold up its thread.
        Thread.detachNewThread {
            made.wrappedValue = (0..<2).map { _ in store.derived(\.count, named: "late") { $0 } }
            areMade.signal()
        }
        areMade.wait()
        #expect(made.wrappedValue.map(\.value) == [50, 50], "they are there while nothing can be encoded")
        store.commit { $0.count += 1 }
        gate.open()
        #expect(made.wrappedValue.map(\.name) == ["late", "late_2"])
        recorder.close()
        try journal.verify()
        let declared = try journal.records("derived")
        #expect(try declared.map { try $0.text("name") } == ["late", "late_2"])
        #expect(declared.map { $0.integer("seq") } == [50, 50])
        #expect(declared.map { $0["inputs"]?.text() } == [#"["/slow/count"]"#, #"["/slow/count"]"#])
        let outcomes = try journal.records("outcome")
        #expect(outcomes.map { $0.integer("commit") } == [51])
        #expect(outcomes.first?["derived"]?.text().contains("late_2") ?? false)
        made.wrappedValue = []
    }

    @Test(
        "a commit and its outcomes are in the file before a subscriber is told; in the background who commits writes nothing"
    )
    func writes() throws {
        for durability in [Recorder.Durability.synchronous, .background] {
            let journal = TemporaryJournal()
            let (isCommitting, ownWrites) = (Flag(), Ticks())
            let thread = pthread_self()
            var calls = SystemCalls()
            calls.write = { file, bytes, count in
                if isCommitting.value, pthread_equal(pthread_self(), thread) != 0 { _ = ownWrites.next() }
                return SystemCalls.plainWrite(file, bytes, count)
            }
            let recorder = try Recorder(journal.path, durability: durability, options: .reproducible, calls: calls)
            let store = Store(Cart(), recorder: recorder)
            let double = store.derived(\.count, named: "double") { $0 * 2 }
            let told = Log<Int>()
            let link = double.subscribe(initially: false) { changes in
                let lines = (try? journal.records("outcome")) ?? []
                if case .synchronous = durability {
                    #expect(lines.count == changes.version, "a trap here loses neither")
                }
                told.add(changes.current)
            }
            isCommitting.value = true
            for _ in 0..<60 { store.commit { $0.count += 1 } }
            isCommitting.value = false
            link.cancel()
            recorder.close()
            try journal.verify()
            #expect(told.entries.count == 60)
            #expect(try journal.records("outcome").count == 60)
            #expect(ownWrites.value == (durability == .synchronous ? 120 : 0))
        }
    }

    @Test("a value that commits where it ends, on the thread that encodes, loses nothing and holds up nobody")
    func commitFromTheThread() async throws {
        struct Holder: Encodable, Sendable {
            var lease: Lease?
            var count = 0
            private enum CodingKeys: CodingKey { case count }
        }
        let (journal, recorder) = try TemporaryJournal.recording(durability: .background, options: .reproducible)
        let other = Store(Cart(), name: "other", recorder: recorder)
        let store = Store(Holder(), name: "holder", recorder: recorder)
        let ended = Log<Int>()
        for number in 0..<2_000 {
            store.commit {
                $0.lease = Lease {
                    other.commit(name: "end of lease") { $0.count += 1 }
                    ended.add(number)
                }
                $0.count += 1
            }
        }
        store.commit { $0.lease = nil }
        await ended.wait { $0.count == 2_000 }
        recorder.close()
        try journal.verify()
        #expect(try journal.records("commit").count == 4_001)
    }
}
