import Observation
import Testing

@testable import StoreCore

struct ObservationTests {
    @Test("a tracked read of the state is told of the next commit that changes it, once the new state can be read")
    func tracked() {
        let store = Store(Cart(), recorder: nil)
        let seen = Log<Int>()
        store.commit { $0.count = 1 }
        let count = withObservationTracking {
            store.state.count
        } onChange: {
            seen.add(store.state.count)
        }
        #expect(count == 1)
        #expect(seen.entries.isEmpty)
        store.commit { $0.count = 2 }
        #expect(seen.entries == [2])
        store.commit { $0.count = 3 }
        #expect(seen.entries == [2], "tracking is for one change")
    }

    @Test("a commit that leaves an equal state is not told, nor is one that throws")
    func equalValue() {
        struct Full: Error {}
        let store = Store(Cart(), recorder: nil)
        let seen = Log<Int>()
        withObservationTracking {
            _ = store.state
        } onChange: {
            seen.add(store.state.count)
        }
        store.commit { $0.count = 0 }
        #expect(throws: Full.self) { try store.commit { _ in throw Full() } }
        #expect(seen.entries.isEmpty)
        store.commit { $0.count = 5 }
        #expect(seen.entries == [5])
    }

    @Test("tracking may begin again at each change, as a view does")
    func again() {
        let store = Store(Cart(), recorder: nil)
        let seen = Log<Int>()
        @Sendable func render() {
            withObservationTracking {
                seen.add(store.state.count)
            } onChange: {
                render()
            }
        }
        render()
        for count in 1...3 { store.commit { $0.count = count } }
        #expect(seen.entries == [0, 1, 2, 3])
    }

    @Test("reading the part of a scope, or through a binding, tracks")
    func scope() {
        let store = Store(Cart(), recorder: nil)
        let seen = Log<String>()
        withObservationTracking {
            _ = store.scope(\.user).state
        } onChange: {
            seen.add("scope")
        }
        withObservationTracking {
            _ = store.binding(\.user.name).wrappedValue
        } onChange: {
            seen.add("binding")
        }
        store.scope(\.user).commit { $0.id = 2 }
        #expect(Set(seen.entries) == ["scope", "binding"])
    }

    @Test("what a commit changes of one store is not told to who read another")
    func twoStores() {
        let (left, right) = (Store(Cart(), recorder: nil), Store(Session(), recorder: nil))
        let seen = Log<String>()
        withObservationTracking {
            _ = left.state
        } onChange: {
            seen.add("left")
        }
        withObservationTracking {
            _ = (left.state, right.state)
        } onChange: {
            seen.add("both")
        }
        right.commit { $0.visits = 1 }
        #expect(seen.entries == ["both"])
        left.commit { $0.count = 1 }
        #expect(seen.entries == ["both", "left"])
    }

    @Test("tracking outlives its store")
    func deadStore() {
        weak var gone: Store<Cart>?
        do {
            let store = Store(Cart(), recorder: nil)
            gone = store
            withObservationTracking {
                _ = store.state
            } onChange: {
            }
        }
        #expect(gone == nil)
    }

    @Test("the state is tracked while other threads commit, and the last commit is told")
    func threads() async {
        let store = Store(Cart(), recorder: nil)
        let told = Ticks()
        @Sendable func track() {
            withObservationTracking {
                _ = store.state
            } onChange: {
                _ = told.next()
                track()
            }
        }
        track()
        await concurrently(4) { _ in for _ in 0..<200 { store.commit { $0.count += 1 } } }
        await store.waitUntilDelivered()
        #expect(told.value == 800, "each delivery tells whoever began to track in the one before")
    }

    @Test("whether a read is tracked is known from the framework's tables, and an untracked one costs no delivery")
    func trackedReads() {
        #expect(
            ObservationPoint.tellsTrackedReads, "without it every read makes a store deliver, which is right but slower"
        )
        let store = Store(Cart(), recorder: nil)
        #expect(store.state.count == 0)
        #expect(!store.observation.noteRead())
        withObservationTracking {
            _ = store.state
        } onChange: {
        }
        #expect(store.delivery.line.withLock(\.isObserved))
    }

    @Test("of many threads that begin to track at once, each is told of what follows", arguments: 1...20)
    func beginningAtOnce(round: Int) async {
        let store = Store(Cart(), recorder: nil)
        let (tracking, told) = (Ticks(), Ticks())
        await concurrently(3) { thread in
            if thread == 0 {
                while tracking.value < 2 { store.commit { $0.items = [] } }
                store.commit { $0.count += 1 }
            } else {
                withObservationTracking {
                    _ = store.state
                } onChange: {
                    _ = told.next()
                }
                _ = tracking.next()
            }
        }
        #expect(told.value == 2)
    }
}
