import Dispatch
import StateStore
import Testing

struct WaitingTests {
    @Test("waiting returns at once where nothing is left to deliver, and where nobody listens")
    func idle() async {
        let store = Store(Cart(), recorder: nil)
        await store.waitUntilDelivered()
        store.commit { $0.count += 1 }
        await store.waitUntilDelivered()
        let link = store.subscribe { _ in }
        store.commit { $0.count += 1 }
        await store.waitUntilDelivered()
        link.cancel()
    }

    @Test("waiting returns when queues and the main actor have received all, and all that they committed")
    func all() async {
        let store = Store(Cart(), recorder: nil)
        let (queued, main) = (Log<Int>(), Log<Int>())
        let queue = DispatchQueue(label: "slow")
        let links = [
            store.subscribe(on: MainActor.self) { main.add($0.version) },
            store.subscribe(on: .queue(queue)) { changes in
                queued.add(changes.version)
                if changes.count < 10 { store.commit { $0.count += 1 } }
            },
        ]
        await store.waitUntilDelivered()
        #expect(queued.entries == Array(0...10))
        #expect(main.entries == Array(0...10))
        links.forEach { $0.cancel() }
    }

    @Test("waiting returns when another thread has delivered what this one committed")
    func otherThread() async {
        let store = Store(Cart(), recorder: nil)
        let seen = Log<Int>()
        let link = store.subscribe(initially: false) { seen.add($0.version) }
        for round in 1...50 {
            await concurrently(4) { _ in store.commit { $0.count += 1 } }
            await store.waitUntilDelivered()
            #expect(seen.entries.count == round * 4)
        }
        link.cancel()
    }

    @Test("cancelling a subscription that has not received all lets who waits go on")
    func cancel() async {
        let store = Store(Cart(), recorder: nil)
        let jobs = Log<@Sendable () -> Void>()
        let link = store.subscribe(on: .scheduled { jobs.add($0) }) { _ in }
        store.commit { $0.count += 1 }
        async let wait: Void = store.waitUntilDelivered()
        await Task.yield()
        link.cancel()
        await wait
        jobs.entries.forEach { $0() }
    }
}
