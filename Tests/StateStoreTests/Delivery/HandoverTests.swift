import StateStore
import TestSupport
import Testing

@testable import StoreCore

@Suite("Things handed on in order by one at a time")
struct HandoverTests {
    @Test("each comes out once, in order, however turns begin and end", arguments: 1...6 as ClosedRange<UInt64>)
    func order(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var handover = Handover<Int>()
        var (next, taken, isTaken) = (0, [] as [Int], false)
        var ready = 0
        for _ in 0..<4_000 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                handover.append(next)
                next += 1
            case 2: ready = Int.random(in: ready...max(ready, next), using: &random)
            case 3:
                let hasTurn = handover.begin()
                #expect(hasTurn == (!isTaken && taken.count < next))
                isTaken = isTaken || hasTurn
            case 4 where isTaken:
                if let element = handover.take(if: { $0 < ready }) { taken.append(element) } else { isTaken = false }
            case 5 where isTaken: if handover.handOn(if: { $0 < ready }) { isTaken = false }
            default: break
            }
            #expect(handover.isTaken == isTaken && handover.count == next - taken.count)
        }
        #expect(taken == Array(0..<taken.count))
    }

    @Test("subscribers stay in the order in which they came, whoever goes", arguments: 1...4 as ClosedRange<UInt64>)
    func sinks(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (list, expected) = (SinkList(), [] as [Sink])
        let node = StateNode(
            state: 0, version: 0, location: .init(file: "", line: 0, column: 0, function: ""), cause: nil)
        for _ in 0..<500 {
            if Bool.random(using: &random) || expected.isEmpty {
                let sink = Sink(after: node, isStarting: false) { (_: Changes<Int>) in }
                list.append(sink)
                expected.append(sink)
            } else {
                let place = Int.random(in: 0..<expected.count, using: &random)
                list.remove(expected[place])
                list.remove(expected[place])
                expected.remove(at: place)
            }
            var found: [Sink] = []
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
