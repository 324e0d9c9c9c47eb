import Dispatch
import StateStore
import Testing

struct DeliveryContextTests {
    @Test("a queue, even a concurrent one, receives every version once, in order, never two at a time")
    func queue() async {
        let store = Store(Cart(), recorder: nil)
        let (seen, inside, overlaps) = (Log<Int>(), Locked(0), Ticks())
        let queue = DispatchQueue(label: "sinks", attributes: .concurrent)
        let link = store.subscribe(on: .queue(queue), initially: false) { changes in
            if inside.modify({ inside -> Int in
                inside += 1
                return inside
            }) > 1 {
                _ = overlaps.next()
            }
            seen.add(changes.version)
            inside.modify { $0 -= 1 }
        }
        await concurrently(4) { _ in for _ in 0..<250 { store.commit { $0.count += 1 } } }
        await store.waitUntilDelivered()
        #expect(seen.entries == Array(1...1000))
        #expect(overlaps.value == 0)
        link.cancel()
    }

    @Test("a commit does not wait for who receives elsewhere; one turn receives all that came until then")
    func schedule() {
        let store = Store(Cart(), recorder: nil)
        let (turns, seen) = (Turns(), Log<Int>())
        let link = store.subscribe(on: turns.context) { seen.add($0.version) }
        for _ in 0..<3 { store.commit { $0.count += 1 } }
        #expect(seen.entries.isEmpty)
        #expect(turns.count == 1)
        turns.take()
        #expect(seen.entries == [0, 1, 2, 3])
        #expect(turns.count == 0)
        store.commit { $0.count += 1 }
        turns.take()
        #expect(seen.entries == [0, 1, 2, 3, 4])
        link.cancel()
    }

    @Test("what comes while a turn receives is received in a turn of its own")
    func turns() {
        let store = Store(Cart(), recorder: nil)
        let (turns, seen) = (Turns(), Log<Int>())
        let link = store.subscribe(on: turns.context, initially: false) { changes in
            seen.add(changes.version)
            if changes.version < 3 { store.commit { $0.count += 1 } }
        }
        store.commit { $0.count += 1 }
        for version in 1...3 {
            turns.take()
            #expect(seen.entries == Array(1...version))
        }
        #expect(turns.count == 0)
        link.cancel()
    }

    @Test("nothing is received after a cancellation, be it before or in the middle of a turn")
    func cancel() {
        let store = Store(Cart(), recorder: nil)
        let (turns, seen, links) = (Turns(), Log<Int>(), Log<Subscription>())
        links.add(
            store.subscribe(on: turns.context) { changes in
                seen.add(changes.version)
                if changes.version == 1 { links.entries.forEach { $0.cancel() } }
            })
        for _ in 0..<3 { store.commit { $0.count += 1 } }
        turns.take()
        #expect(seen.entries == [0, 1])
        let unheard = store.subscribe(on: turns.context) { _ in seen.add(-1) }
        unheard.cancel()
        turns.take()
        store.commit { $0.count += 1 }
        #expect(seen.entries == [0, 1])
        #expect(turns.count == 0)
    }

    @Test("what a subscriber elsewhere commits has the delivered commit as its cause")
    func cause() async throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let (cart, session) = (Store(Cart(), recorder: recorder), Store(Session(), recorder: recorder))
        let queue = DispatchQueue(label: "sinks")
        let links = [
            cart.subscribe(on: .queue(queue), initially: false) { _ in session.commit(name: "queue") { $0.visits += 1 }
            },
            cart.subscribe(on: MainActor.self, initially: false) { _ in
                session.commit(name: "main") { $0.visits += 1 }
            },
        ]
        for count in 1...3 { cart.commit(name: "cart") { $0.count = count } }
        await cart.waitUntilDelivered()
        links.forEach { $0.cancel() }
        recorder.close()
        let commits = try journal.records("commit")
        let carts = try commits.filter { try $0.text("name") == "cart" }.map { $0.integer("seq") }
        for name in ["queue", "main"] {
            #expect(try commits.filter { try $0.text("name") == name }.map { $0.integer("cause") } == carts)
        }
    }
}

/// A context whose turns a test takes by hand.
private final class Turns: Sendable {
    private let jobs = Locked<[@Sendable () -> Void]>([])

    var context: DeliveryContext {
        .scheduled { job in self.jobs.modify { $0.append(job) } }
    }

    var count: Int { jobs.wrappedValue.count }

    func take() {
        let taken = jobs.modify { jobs in
            defer { jobs = [] }
            return jobs
        }
        taken.forEach { $0() }
    }
}

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
