import JSONCore
import StateStore
import Synchronization
import Testing

/// What a commit must not be made in ends the process, with a message that names both places.
struct CommitTrapTests {
    @Test("a commit inside a commit to the same store traps, and does not wait for itself")
    func sameStore() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = Store(Cart(), recorder: nil)
            store.commit { _ in store.scope(\.user).commit { $0.id = 2 } }
        }
        #expect(Self.places(result) >= 2)
    }

    @Test("a commit inside another store's scoped commit or binding traps")
    func binding() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (outer, inner) = (Store(Cart(), recorder: nil), Store(Session(), recorder: nil))
            let visits = inner.binding(\.visits)
            outer.scope(\.user).commit { _ in visits.wrappedValue = 1 }
        }
        #expect(Self.places(result) >= 2)
    }

    @Test("a commit inside a computed property traps, and names it")
    func computed() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = Store(Cart(), recorder: nil)
            Meddling.store.withLock { $0 = store }
            let subscription = store.subscribe { _ = $0.computed(Meddling.self) }
            subscription.cancel()
        }
        #expect(result.errors.contains("computed property 'Meddling'"))
    }

    @Test("a computed property that asks for itself traps with its name, and does not wait for itself")
    func computedByItself() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = Store(Cart(), recorder: nil)
            let subscription = store.subscribe { changes in
                SelfAsking.changes.withLock { $0 = changes }
                _ = changes.computed(SelfAsking.self)
            }
            subscription.cancel()
        }
        #expect(result.errors.contains("computed property 'SelfAsking' asks for itself"))
    }

    /// How often this file is named as a place.
    private static func places(_ result: ExitTest.Result?) -> Int {
        result.errors.split(separator: "at StateStoreTests/CommitTrapTests.swift:").count - 1
    }
}

/// A computed property that does what it must not.
enum Meddling: ComputedProperty {
    static let store = Mutex<Store<Cart>?>(nil)

    static func input(of state: Cart) -> Int { state.count }

    static func value(of input: Int) -> Int {
        store.withLock(\.self)?.commit { $0.count += 1 }
        return input
    }
}

/// A computed property that needs itself.
enum SelfAsking: ComputedProperty {
    static let changes = Mutex<Changes<Cart>?>(nil)

    static func input(of state: Cart) -> Int { state.count }

    static func value(of count: Int) -> Int { changes.withLock(\.self)?.computed(SelfAsking.self) ?? count }
}

/// A state that holds what runs code of the app when it goes away, and says nothing of it in JSON.
private struct Room: Encodable, Sendable {
    var count = 0
    var lease: Lease?
    var inner = Inner()
    struct Inner: Encodable, Sendable {
        var number = 0
        var lease: Lease?
        enum CodingKeys: CodingKey { case number }
    }
    enum CodingKeys: CodingKey { case count, inner }
}

/// A state that nobody needs any more goes away where a commit may be made.
struct LastReferenceTests {
    @Test("what goes away with an old state may commit to the same store")
    func unrecorded() {
        let store = Store(Room(), recorder: nil)
        store.commit { $0.lease = Lease { [weak store] in store?.commit { $0.count += 10 } } }
        store.commit { room in
            room.lease = nil
            room.count += 1
        }
        #expect(store.state.count == 11 && store.version == 3)
    }

    @Test("a commit from there is recorded and delivered, in order", arguments: [false, true])
    func recorded(isHeard: Bool) throws {
        let (journal, recorder) = try TemporaryJournal.recording(.reproducible)
        let store = Store(Room(), recorder: recorder)
        let seen = Log<Int>()
        let subscription = isHeard ? store.subscribe(initially: false) { seen.add($0.version) } : nil
        store.commit { room in
            room.lease = Lease { [weak store] in store?.commit { $0.count += 10 } }
            room.inner.lease = Lease { [weak store] in store?.commit { $0.count += 100 } }
        }
        store.commit { room in
            (room.lease, room.inner.lease) = (nil, nil)
            room.count += 1
        }
        // The recorder's copy of what was before goes away with the next commits.
        store.commit { $0.inner.number = 1 }
        store.commit { $0.inner.number = 2 }
        subscription?.cancel()
        recorder.close()
        #expect(store.state.count == 111)
        #expect(try journal.replayed().last?["room"]?.member("count")?.text() == "111")
        #expect(try journal.records("commit").compactMap { $0.integer("version") } == Array(1...store.version))
        // Commits that change nothing of the recorded state tell nobody.
        #expect(!isHeard || seen.entries.last == store.version && seen.entries == seen.entries.sorted())
        try journal.verify()
    }

    @Test("so does what a commit that threw leaves, and what a store leaves that ends")
    func thrown() throws {
        struct Full: Error {}
        let (journal, recorder) = try TemporaryJournal.recording(.reproducible)
        let other = Store(Cart(), recorder: recorder)
        do {
            let store = Store(Room(), recorder: recorder)
            #expect(throws: Full.self) {
                try store.commit { room in
                    room.lease = Lease { other.commit { $0.count += 1 } }
                    throw Full()
                }
            }
            #expect(other.state.count == 1)
            store.commit { $0.lease = Lease { other.commit { $0.count += 10 } } }
        }
        other.commit { $0.count += 100 }
        recorder.close()
        #expect(other.state.count == 111)
        try journal.verify()
    }

    @Test("what is left out of a buffer or a backlog may commit to the store it came from")
    func buffers() async {
        let store = Store(Room(), recorder: nil)
        let newest = store.changes(initially: false, buffering: .newest(1))
        let queued = store.subscribe(on: .scheduled { _ in }, initially: false) { _ in }
        for _ in 0..<3 {
            store.commit { $0.lease = Lease { [weak store] in store?.commit { $0.count += 1 } } }
        }
        store.commit { $0.lease = nil }
        queued.cancel()
        var iterator = newest.makeAsyncIterator()
        _ = await iterator.next()
        store.commit { $0.inner.number = 1 }
        _ = await iterator.next()
        #expect(store.state.count == 3)
    }
}
