import StateStore
import TestSupport
import Testing

@testable import StoreCore

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
        let node = StateNode(
            state: 0, version: 0, location: .init(file: "", line: 0, column: 0, function: ""), cause: nil)
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
