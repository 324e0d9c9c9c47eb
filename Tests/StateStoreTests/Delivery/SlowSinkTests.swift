import Foundation
import StateStore
import Synchronization
import Testing

@testable import StoreCore

/// Subscribers that take longer than the commits.
struct SlowSinkTests {
    @Test("no thread delivers for the others, each version comes once and in order")
    func handedOver() async {
        let store = Store(Cart(), recorder: nil)
        let seen = Log<Int>()
        // How many versions each thread has delivered; and the most in one commit, which a clock would not say under load.
        let delivered = Locked<[Int: Int]>([:])
        let longest = Locked(0)
        let backlog = Locked(0)
        let subscription = store.subscribe(initially: false) { changes in
            seen.add(changes.version)
            delivered.modify { $0[threadNumber, default: 0] += 1 }
            usleep(500)
            let ahead = store.version - changes.version
            backlog.modify { $0 = max($0, ahead) }
        }
        await concurrently(3) { _ in
            for _ in 0..<1_000 {
                let before = delivered.wrappedValue[threadNumber] ?? 0
                store.commit { $0.count += 1 }
                let count = (delivered.wrappedValue[threadNumber] ?? 0) - before
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
        let sum = Derived(stores[0].input(\.count), stores[1].input(\.count), named: "sum") { $0 + $1 }
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

    @Test("a subscriber that never returns holds up each commit of others for a moment only")
    func stuck() async {
        let store = Store(Cart(), recorder: nil)
        let (isFree, stuck) = (DispatchSemaphore(value: 0), Log<Int>())
        let subscription = store.subscribe(initially: false) { changes in
            stuck.add(changes.version)
            isFree.wait()
            isFree.signal()
        }
        // A thread of its own: tasks have as few as there are cores, and others may be held up, too.
        Thread.detachNewThread { store.commit { $0.count += 1 } }
        await stuck.wait { !$0.isEmpty }
        for _ in 0...DeliveryLine.limit { store.commit { $0.count += 1 } }
        // Without an end of its wait the test would not get beyond this one.
        store.commit { $0.count += 1 }
        isFree.signal()
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
            store.derived(\.count, named: "count") { $0 }.subscribe(initially: false) { _ in links.wrappedValue = [] }
        ]
        store.commit { $0.count += 1 }
        #expect(!isHeard(store))
    }

    /// Whether a commit does what it does for listeners only.
    private func isHeard(_ store: Store<Cart>) -> Bool { store.published.withLock { $0.hasListeners } }
}

/// An app behaves the same with a recorder, without one, and with any durability.
struct RecorderChangesNothingTests {
    struct Compared: Encodable, Equatable, Sendable { var number = 0; var other = 0 }
    /// Without `==`; its bytes say all.
    struct Plain: Encodable, Sendable { var number = 0; var other = 0 }
    /// Without `==`, and with a reference, of which the bytes say nothing.
    struct Held: Encodable, Sendable {
        final class Box: Sendable {}
        var number = 0
        var other = 0
        let box = Box()
        enum CodingKeys: CodingKey { case number, other }
    }

    enum Setup: CaseIterable {
        case unrecorded, synchronous, background

        func recorder(_ journal: TemporaryJournal) throws -> Recorder? {
            switch self {
            case .unrecorded: nil
            case .synchronous: try Recorder(journal.path, options: .reproducible)
            case .background: try Recorder(journal.path, durability: .background, options: .reproducible)
            }
        }
    }

    /// What an app notices of 50 commits, 46 of which change nothing of the state.
    struct Noticed: Equatable {
        var versions: [Int] = []
        var selected: [Int] = []
        var derived: [Int] = []
        var counters: [Int] = []
    }

    private func noticed<State: Encodable & Sendable>(
        _ setup: Setup, _ make: (Recorder?) -> Store<State>, number: any WritableKeyPath<State, Int> & Sendable,
        other: any WritableKeyPath<State, Int> & Sendable
    ) throws -> Noticed {
        let journal = TemporaryJournal()
        let recorder = try setup.recorder(journal)
        let store = make(recorder)
        let versions = Log<Int>(), selected = Log<Int>(), derived = Log<Int>()
        let value = store.derived(number, named: "tens") { $0 / 10 }
        let subscriptions = [
            store.subscribe(initially: false) { versions.add($0.version) },
            store.subscribe({ $0[keyPath: number] }, initially: false) { selected.add($0) },
            value.subscribe(initially: false) { derived.add($0.current) },
        ]
        for step in 1...50 {
            store.commit { state in
                state[keyPath: number] = step / 20 * 10
                state[keyPath: other] = step / 25
            }
        }
        defer {
            for subscription in subscriptions { subscription.cancel() }
            recorder?.close()
        }
        let counters = value.counters
        return Noticed(
            versions: versions.entries, selected: selected.entries, derived: derived.entries,
            counters: [counters.fired, counters.same, counters.unchanged, counters.untouched])
    }

    @Test("the same commits are delivered, selected and derived, recorded or not", arguments: 0..<5)
    func deliveries(round: Int) throws {
        let equatable = try Setup.allCases.map { setup in
            try noticed(setup, { Store(Compared(), recorder: $0) }, number: \.number, other: \.other)
        }
        let plain = try Setup.allCases.map { setup in
            try noticed(setup, { Store(Plain(), recorder: $0) }, number: \.number, other: \.other)
        }
        let held = try Setup.allCases.map { setup in
            try noticed(setup, { Store(Held(), recorder: $0) }, number: \.number, other: \.other)
        }
        for kind in [equatable, plain, held] { #expect(kind[1] == kind[0] && kind[2] == kind[0]) }
        #expect(equatable[0].versions == [20, 25, 40, 50] && plain[0].versions == [20, 25, 40, 50])
        #expect(held[0].versions == Array(1...50))
        // Of 50 versions that count, the input differs in two.
        #expect(held[0].derived == [1, 2] && held[0].counters == [2, 0, 0, 48])
    }

    @Test("what differs in states that an app calls equal reaches derived values, recorded or not")
    func equalStates() throws {
        let counts = try Setup.allCases.map { setup in
            let journal = TemporaryJournal()
            let recorder = try setup.recorder(journal)
            let store = Store(Cart.User(), name: "user", recorder: recorder)
            let name = store.derived(\.name, named: "name") { $0 }
            let seen = Log<String>()
            let subscription = name.subscribe { seen.add($0.current) }
            // Equal by its id alone.
            store.commit { $0.name = "Ben" }
            subscription.cancel()
            recorder?.close()
            return seen.entries
        }
        #expect(counts == Array(repeating: ["Ann", "Ben"], count: 3))
    }
}
