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
        #expect(Self.text(result).contains("computed property 'Meddling'"))
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
        #expect(Self.text(result).contains("computed property 'SelfAsking' asks for itself"))
    }

    @Test("after a commit that threw the thread may commit again")
    func afterAbort() {
        struct Full: Error {}
        let store = Store(Cart(), recorder: nil)
        #expect(throws: Full.self) { try store.commit { _ in throw Full() } }
        store.commit { $0.count += 1 }
        #expect(store.version == 1)
    }

    private static func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    /// How often this file is named as a place.
    private static func places(_ result: ExitTest.Result?) -> Int {
        text(result).split(separator: "at StateStoreTests/CommitTrapTests.swift:").count - 1
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
