import Dispatch
import Foundation
import JSONCore
import JournalFormat
import JournalReading
import StateReplay
import StateStore
import Testing

/// What a commit or a subscription delivers, and what it leaves to other threads that commit at the same time.
struct OwnVersionTests {
    @Test("a commit calls the subscribers of a derived value for its own version, not for those of other threads")
    func derived() async {
        let (left, right) = (Store(Cart(), recorder: nil), Store(Cart(), recorder: nil))
        let sum = Derived(left[\.count], right[\.count], named: "sum") { left, right in left + 100 * right }
        let (calls, meanwhile) = (Calls(), Meanwhile())
        let link = sum.subscribe(initially: false) { changes in
            calls.add(changes.current)
            if changes.current == 1 { meanwhile.wait() }
        }
        await onThreads([
            { left.commit { $0.count += 1 } },
            { meanwhile.run { for _ in 0..<5 { right.commit { $0.count += 1 } } } },
        ])
        await left.waitUntilDelivered()
        await right.waitUntilDelivered()
        #expect(calls.values == [1, 101, 201, 301, 401, 501])
        #expect(calls.values(ofThreadOf: 1) == [1], "the others are another thread's")
        link.cancel()
    }

    @Test("a subscription makes its first delivery, and leaves what other threads commit meanwhile to others")
    func firstDelivery() async {
        let store = Store(Cart(), recorder: nil)
        let (calls, meanwhile, links) = (Calls(), Meanwhile(), Log<Subscription>())
        await onThreads([
            {
                links.add(
                    store.subscribe { changes in
                        calls.add(changes.count)
                        if changes.count == 0 { meanwhile.wait() }
                    })
            },
            { meanwhile.run { for _ in 0..<5 { store.commit { $0.count += 1 } } } },
        ])
        await store.waitUntilDelivered()
        #expect(calls.values == Array(0...5))
        #expect(calls.values(ofThreadOf: 0) == [0])
        links.entries.forEach { $0.cancel() }
    }

    @Test("what a subscriber commits in its first delivery is delivered when the subscription is made")
    func firstDeliveryCommits() {
        let store = Store(Cart(), recorder: nil)
        let calls = Calls()
        let link = store.subscribe { changes in
            calls.add(changes.count)
            if changes.count < 3 { store.commit { $0.count += 1 } }
        }
        #expect(calls.values == [0, 1, 2, 3])
        #expect(calls.values(ofThreadOf: 0) == [0, 1, 2, 3])
        link.cancel()
    }

    @Test("a commit delivers what its subscribers commit, and nothing that another thread commits")
    func commitsOfSubscribers() async {
        let store = Store(Cart(), recorder: nil)
        let (calls, meanwhile) = (Calls(), Meanwhile())
        let link = store.subscribe(initially: false) { changes in
            calls.add(changes.count)
            if changes.count == 1 { store.commit { $0.count += 1 } }
            if changes.count == 2 { meanwhile.wait() }
        }
        await onThreads([
            { store.commit { $0.count += 1 } },
            { meanwhile.run { for _ in 0..<5 { store.commit { $0.count += 1 } } } },
        ])
        await store.waitUntilDelivered()
        #expect(calls.values == Array(1...7))
        #expect(calls.values(ofThreadOf: 1) == [1, 2])
        link.cancel()
    }

    // Not asynchronous: tasks, too, wait for the threads that it keeps busy.
    @Test("versions are delivered while the app keeps all threads of the system's queues busy")
    func busyQueues() {
        let store = Store(Cart(), recorder: nil)
        let (calls, meanwhile) = (Calls(), Meanwhile())
        let (isCalled, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let busy = 2 * ProcessInfo.processInfo.activeProcessorCount
        for _ in 0..<busy { DispatchQueue.global().async { isOver.wait() } }
        let link = store.subscribe(initially: false) { changes in
            calls.add(changes.count)
            if changes.count == 1 { meanwhile.wait() } else { isCalled.signal() }
        }
        Thread.detachNewThread { store.commit { $0.count += 1 } }
        meanwhile.run { store.commit { $0.count += 1 } }
        isCalled.wait()
        #expect(calls.values == [1, 2])
        for _ in 0..<busy { isOver.signal() }
        link.cancel()
    }
}

/// What a subscriber was called with, and on which threads.
private final class Calls: Sendable {
    private let log = Log<(value: Int, thread: Int)>()

    func add(_ value: Int) { log.add((value, threadNumber)) }

    var values: [Int] { log.entries.map(\.value) }

    /// All on the thread on which the first one with a value was.
    func values(ofThreadOf value: Int) -> [Int] {
        let thread = log.entries.first { $0.value == value }?.thread
        return log.entries.filter { $0.thread == thread }.map(\.value)
    }
}

/// Something that happens while a subscriber is in the middle of a call.
private final class Meanwhile: Sendable {
    private let (isInside, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

    /// Has it happen, for the subscriber.
    func wait() {
        isInside.signal()
        isDone.wait()
    }

    /// Runs it, on another thread, once the subscriber waits.
    func run(_ body: () -> Void) {
        isInside.wait()
        body()
        isDone.signal()
    }
}

/// Subscribers that do at the wrong moment what they may.
struct DeliverySafetyTests {
    @Test("a sink may let its store go, and another one's subscription")
    func letGo() {
        let box = Locked<Store<Cart>?>(Store(Cart(), name: "let go", recorder: nil))
        let (seen, links) = (Log<String>(), Locked<[Subscription]>([]))
        let first = box.wrappedValue?.subscribe(initially: false) { changes in
            seen.add("first \(changes.version)")
            box.wrappedValue = nil
            links.wrappedValue = []
        }
        let second = box.wrappedValue?.subscribe(initially: false) { seen.add("second \($0.version)") }
        links.modify { $0.append(contentsOf: [second].compactMap(\.self)) }
        box.wrappedValue?.commit { $0.count = 1 }
        #expect(seen.entries.first == "first 1")
        first?.cancel()
        #expect(!StoreRegistry.live.contains { $0.name == "let go" })
    }

    @Test("with sinks that commit, come and go in the middle of deliveries, the journal has every version in its order")
    func recorded() throws {
        let (journal, recorder) = try TemporaryJournal.recording(.reproducible)
        let store = Store(Cart(), recorder: recorder)
        let (seen, late) = (Log<String>(), Log<Int>())
        let links = Locked<[Subscription]>([])
        let first = store.subscribe(initially: false) { changes in
            seen.add("first \(changes.previous?.version ?? -1)>\(changes.version)")
            if changes.count < 6 { store.commit { $0.count += 1 } }
            if changes.version == 2 {
                links.wrappedValue = [store.subscribe(initially: false) { late.add($0.version) }]
            }
            if changes.version == 4 { links.wrappedValue = [] }
        }
        let second = store.subscribe(initially: false) {
            seen.add("second \($0.previous?.version ?? -1)>\($0.version)")
        }
        store.commit { $0.count += 1 }
        recorder.close()
        first.cancel()
        second.cancel()
        #expect(seen.entries == (1...6).flatMap { ["first \($0 - 1)>\($0)", "second \($0 - 1)>\($0)"] })
        #expect(late.entries.allSatisfy { (3...4).contains($0) } && !late.entries.isEmpty)
        try journal.verify()
        let commits = try journal.records("commit")
        #expect(commits.map { $0.integer("version") } == Array(1...6))
        #expect(commits.map { $0.integer("cause") } == [nil, 1, 2, 3, 4, 5])
        for version in 1...6 {
            #expect(
                try JournalReader(journal.path).state(at: .commit(version), of: "cart", as: Cart.self).count == version)
        }
    }

    @Test("a store is registered from its birth to its death, with its type, its journal and its count of commits")
    func registry() throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        do {
            let store = Store(Cart(), name: "born", recorder: recorder)
            store.scope(\.user).commit { $0.id = 2 }
            let entry = StoreRegistry.live.first { $0.name == "born" }
            #expect(entry?.type == "Cart")
            #expect(entry?.version == 1)
            #expect(entry?.journal == recorder.path)
        }
        #expect(!StoreRegistry.live.contains { $0.name == "born" })
        recorder.close()
        #expect(try journal.records("store").map { try $0.text("store") } == ["born"])
        #expect(try journal.records("close").map { try $0.text("store") } == ["born"])
    }
}
