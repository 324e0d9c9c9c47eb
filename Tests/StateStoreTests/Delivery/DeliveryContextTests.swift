import Dispatch
import StateStore
import TestSupport
import Testing

@testable import StoreCore

struct DeliveryContextTests {
    @Test("a queue, even a concurrent one, receives every version once, in order, never two at a time")
    func queue() async {
        let store = Store(Cart(), recorder: nil)
        let (seen, inside, overlaps) = (Log<Int>(), Locked(false), Ticks())
        let queue = DispatchQueue(label: "sinks", attributes: .concurrent)
        let link = store.subscribe(on: .queue(queue), initially: false) { changes in
            if inside.modify({ inside in
                defer { inside = true }
                return inside
            }) {
                _ = overlaps.next()
            }
            seen.add(changes.version)
            inside.wrappedValue = false
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
            cart.subscribe(on: .mainActor, initially: false) { @MainActor _ in
                session.commit(name: "main") { $0.visits += 1 }
            },
        ]
        let selected = cart.subscribe(\.count, initially: false) { _ in
            session.commit(name: "selection") { $0.visits += 1 }
        }
        for count in 1...3 { cart.commit(name: "cart") { $0.count = count } }
        await cart.waitUntilDelivered()
        (links + [selected]).forEach { $0.cancel() }
        recorder.close()
        let commits = try journal.records("commit")
        let carts = try commits.filter { try $0.text("name") == "cart" }.map { $0.integer("seq") }
        for name in ["queue", "main", "selection"] {
            #expect(try commits.filter { try $0.text("name") == name }.map { $0.integer("cause") } == carts)
        }
    }
}

struct WaitingTests {
    @Test("waiting returns when queues and the main actor have received all, and all that they committed")
    func all() async {
        let store = Store(Cart(), recorder: nil)
        let (queued, main) = (Log<Int>(), Log<Int>())
        let queue = DispatchQueue(label: "slow")
        let links = [
            store.subscribe(on: .mainActor) { @MainActor in main.add($0.version) },
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

    @Test("cancelling a subscription that has not received all lets who waits go on")
    func cancel() async {
        let store = Store(Cart(), recorder: nil)
        let turns = Turns()
        let link = store.subscribe(on: turns.context) { _ in }
        store.commit { $0.count += 1 }
        async let wait: Void = store.waitUntilDelivered()
        await Task.yield()
        link.cancel()
        await wait
        turns.take()
    }
}

@Suite("Things handed on in order by one at a time")
struct DrainQueueTests {
    private struct Numbered: Versioned { let version: Int }

    @Test(
        "each comes out once, in order, in a turn of its own thread or of one that works for all, however turns begin and end",
        arguments: seeds(1..<7))
    func order(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var handover = DrainQueue<Numbered>()
        let threads = (1...3).map { DeliveringThread(place: $0) }
        // What each thread has brought and not come for; who has the turn, and up to where, by the plain rules.
        var (brought, arrived) = ([Int?](repeating: nil, count: 3), -1)
        var (next, taken, ready) = (0, [] as [Int], 0)
        var turn: (thread: Int?, through: Int)?
        for _ in 0..<8_000 {
            let thread = Int.random(in: 0..<3, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                guard brought[thread] == nil else { break }
                handover.append(Numbered(version: next), by: threads[thread])
                if turn?.thread == thread, let through = turn?.through, next <= through + 1 { turn = (thread, next) }
                brought[thread] = next
                next += 1
            case 2: ready = Int.random(in: ready...max(ready, next), using: &random)
            case 3:
                guard let own = brought[thread] else { break }
                brought[thread] = nil
                arrived = max(arrived, own)
                let hasTurn = handover.begin(through: own, by: threads[thread])
                #expect(hasTurn == (turn == nil && taken.count < next))
                if hasTurn { turn = (thread, own) }
            default:
                guard let current = turn else { break }
                switch handover.take(if: { $0.version < ready }) {
                case .element(let element):
                    #expect(element.version <= current.through)
                    taken.append(element.version)
                case .end:
                    #expect(taken.count == next || taken.count >= ready || taken.count > max(arrived, current.through))
                    turn = nil
                case .handedOver:
                    #expect(taken.count < next && taken.count > current.through && taken.count <= arrived)
                    handover.takeOver(by: nil)
                    turn = (nil, .max)
                }
            }
            #expect(handover.isTaken == (turn != nil) && handover.count == next - taken.count)
        }
        #expect(taken == Array(0..<taken.count) && taken.count > 100)
    }

    @Test("subscribers stay in the order in which they came, whoever goes", arguments: seeds(1..<5))
    func subscribers(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (list, expected) = (SubscriberList(), [] as [Subscriber])
        let node = Changes(
            0, version: 0, location: .init(file: "", line: 0, column: 0, function: ""), cause: nil)
        for _ in 0..<500 {
            if Bool.random(using: &random) || expected.isEmpty {
                let subscriber = Subscriber(after: node, isStarting: false) { (_: Changes<Int>) in }
                list.append(subscriber)
                expected.append(subscriber)
            } else {
                let place = Int.random(in: 0..<expected.count, using: &random)
                list.remove(expected[place])
                list.remove(expected[place])
                expected.remove(at: place)
            }
            var found: [Subscriber] = []
            list.forEach { found.append($0) }
            #expect(found.elementsEqual(expected, by: ===) && list.count == expected.count)
        }
    }

    @Test("subscriptions that end while others are told are told no more, and the others keep their order")
    func cancelDuringDelivery() {
        let store = Store(Cart(), recorder: nil)
        let links = Log<Subscription>()
        let seen = Log<Int>()
        for number in 0..<50 {
            links.add(
                store.subscribe(initially: false) { _ in
                    seen.add(number)
                    if number % 2 == 0 { links.entries[number + 1].cancel() }
                })
        }
        store.commit { $0.count += 1 }
        store.commit { $0.count += 1 }
        let heard = Array(stride(from: 0, to: 50, by: 2))
        #expect(seen.entries == heard + heard)
    }
}
