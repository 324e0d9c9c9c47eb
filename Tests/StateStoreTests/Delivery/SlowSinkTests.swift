import Foundation
import Synchronization
import Testing

import StateStore
@testable import StoreCore

/// Subscribers that take longer than the commits.
struct SlowSinkTests {
    @Test("no thread delivers for the others, each version comes once and in order")
    func handedOver() async {
        let store = Store(Cart(), recorder: nil)
        let seen = Log<Int>()
        // How many versions each thread has delivered; and the most in one commit, which a clock would not say under load.
        let delivered = Locked<[UInt: Int]>([:])
        let longest = Locked(0)
        let backlog = Locked(0)
        let subscription = store.subscribe(initially: false) { changes in
            seen.add(changes.version)
            delivered.modify { $0[SlowSinkTests.thread, default: 0] += 1 }
            usleep(500)
            let ahead = store.version - changes.version
            backlog.modify { $0 = max($0, ahead) }
        }
        await concurrently(3) { _ in
            for _ in 0..<1_000 {
                let before = delivered.wrappedValue[SlowSinkTests.thread] ?? 0
                store.commit { $0.count += 1 }
                let count = (delivered.wrappedValue[SlowSinkTests.thread] ?? 0) - before
                longest.modify { $0 = max($0, count) }
            }
        }
        await store.waitUntilDelivered()
        #expect(longest.wrappedValue <= 3, "its own version, and one of each other thread before it")
        #expect(store.version == 3_000)
        #expect(seen.entries == Array(1...store.version))
        // What waits, and what the committing threads are about to put behind it.
        #expect(backlog.wrappedValue <= DeliveryLine.limit + 8)
        subscription.cancel()
    }

    @Test(
        "values of a derived one do not pile up where its subscriber is slower than two stores"
    )
    func derivedBacklog() async {
        let stores = [Store(Cart(), recorder: nil), Store(Cart(), recorder: nil)]
        let sum = Derived("sum", stores[0].input(\.count), stores[1].input(\.count)) { $0 + $1 }
        let (seen, backlog) = (Log<Int>(), Locked(0))
        let subscription = sum.subscribe(initially: false) { changes in
            seen.add(changes.current)
            usleep(100)
            let ahead = stores[0].version + stores[1].version - changes.current
            backlog.modify { $0 = max($0, ahead) }
        }
        await concurrently(4) { number in for _ in 0..<2_000 { stores[number % 2].commit { $0.count += 1 } } }
        for store in stores { await store.waitUntilDelivered() }
        #expect(seen.entries == Array(1...8_000))
        // What waits in the line of each store, and in that of the value.
        #expect(backlog.wrappedValue <= 3 * DeliveryLine.limit + 16)
        subscription.cancel()
    }

    private static var thread: UInt {
        #if canImport(Darwin)
        UInt(bitPattern: pthread_self())
        #else
        UInt(pthread_self())
        #endif
    }

    @Test("a subscriber that never returns holds up each commit of others for a moment only")
    func stuck() async {
        let store = Store(Cart(), recorder: nil)
        let (isFree, isStuck) = (Locked(false), Locked(false))
        let subscription = store.subscribe(initially: false) { _ in
            isStuck.wrappedValue = true
            while !isFree.wrappedValue { usleep(1000) }
        }
        // A thread of its own: tasks have as few as there are cores, and others may be held up, too.
        Thread.detachNewThread { store.commit { $0.count += 1 } }
        while !isStuck.wrappedValue { await Task.yield() }
        for _ in 0...DeliveryLine.limit { store.commit { $0.count += 1 } }
        // Without an end of its wait the test would not get beyond this one.
        store.commit { $0.count += 1 }
        isFree.wrappedValue = true
        await store.waitUntilDelivered()
        subscription.cancel()
    }

    @Test("a store whose last subscriber cancels itself in a delivery is as quiet as before")
    func selfCancelled() {
        let store = Store(Cart(), recorder: nil)
        let links = Log<Subscription>()
        links.add(store.subscribe(initially: false) { _ in links.entries.first?.cancel() })
        #expect(isHeard(store))
        store.commit { $0.count += 1 }
        #expect(!isHeard(store))
        #expect(store.delivery.line.withLock { $0.delivered == nil })
    }

    @Test("a derived value that is let go in a delivery leaves its store as quiet as before")
    func derivedLetGo() {
        let store = Store(Cart(), recorder: nil)
        let links = Locked<[Subscription]>([])
        links.wrappedValue = [
            store.derived("count", \.count) { $0 }.subscribe(initially: false) { _ in links.wrappedValue = [] }
        ]
        store.commit { $0.count += 1 }
        #expect(!isHeard(store))
    }

    /// Whether a commit does what it does for listeners only.
    private func isHeard(_ store: Store<Cart>) -> Bool { store.published.withLock { $0.hasListeners } }

    @Test("the previous of what comes is what came before, not an equal version that nobody was given")
    func previous() async {
        let store = Store(Cart(), recorder: nil)
        let (seen, late) = (Log<String>(), Log<String>())
        let note: @Sendable (Log<String>, Changes<Cart>) -> Void = { log, changes in
            log.add("\(changes.previous.map { "\($0.version)\($0.user.name)" } ?? "-")>\(changes.version)")
        }
        let first = store.subscribe { note(seen, $0) }
        var sequence = store.changes().makeAsyncIterator()
        store.commit { $0.count = 1 }
        store.commit { $0.user.name = "Bea" }  // equal by its id
        let second = store.subscribe { note(late, $0) }
        store.commit { $0.count = 2 }
        #expect(seen.entries == ["->0", "0Ann>1", "1Ann>3"])
        #expect(late.entries == ["->2", "2Bea>3"])
        var taken: [String] = []
        for _ in 0..<3 {
            guard let changes = await sequence.next() else { break }
            taken.append("\(changes.previous?.version ?? -1)>\(changes.version)")
        }
        #expect(taken == ["-1>0", "0>1", "1>3"])
        withExtendedLifetime((first, second)) {}
    }

    @Test("a sequence of the newest keeps no more states than it was asked to, and the one that was seen")
    func newestOnly() async {
        let store = Store(Counted(), recorder: nil)
        let sequence = store.changes(buffering: .newest(1))
        for _ in 0..<100 { store.commit { $0.tick() } }
        #expect(Counted.Token.living.value <= 3)
        var iterator = sequence.makeAsyncIterator()
        _ = await iterator.next()
        for _ in 0..<100 { store.commit { $0.tick() } }
        #expect(Counted.Token.living.value <= 3)
        withExtendedLifetime(sequence) {}
    }

    /// A state of which it is known how many there are.
    private struct Counted: Encodable, Sendable {
        final class Token: Sendable {
            static let living = Living()
            init() { Token.living.add(1) }
            deinit { Token.living.add(-1) }
        }
        final class Living: Sendable {
            private let count = Mutex(0)
            var value: Int { count.withLock(\.self) }
            func add(_ number: Int) { count.withLock { $0 += number } }
        }
        private var token = Token()
        var number = 0
        enum CodingKeys: CodingKey { case number }
        mutating func tick() { (token, number) = (Token(), number + 1) }
    }
}
