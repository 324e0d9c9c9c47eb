import Dispatch
import JSONCore
import StateStore
import TestSupport
import Testing

@MainActor private final class Screen {
    var lines: [String] = []
    nonisolated init() {}
}

/// Each kind of subscription in each context, and as a sequence.
struct SubscribableTests {
    private let cart = Store(Cart(), recorder: nil)

    /// What every subscribable promises, whatever it is.
    private func check<Subject: Sendable & Equatable>(
        _ source: some Subscribable<Subject>, from first: Subject, to second: Subject,
        waiting store: Store<Subject>? = nil,
        by change: () -> Void
    ) async where Subject: Encodable {
        let (inline, queued, scheduled) = (Log<Subject>(), Log<Subject>(), Log<Subject>())
        let screen = Screen()
        let queue = DispatchQueue(label: "test")
        var subscriptions: Set<Subscription> = []
        source.subscribe(on: .inline, buffering: nil, initially: true) { inline.add($0.current) }.store(
            in: &subscriptions)
        source.subscribe(on: .queue(queue), buffering: nil, initially: true) { queued.add($0.current) }.store(
            in: &subscriptions)
        source.subscribe(on: .scheduled(by: { job in queue.async(execute: job) }), buffering: nil, initially: false) {
            changes in
            scheduled.add(changes.current)
        }.store(in: &subscriptions)
        source.subscribe(on: .mainActor) { @MainActor in screen.lines.append("\($0.current)") }.store(
            in: &subscriptions)
        var changes = source.changes().makeAsyncIterator()
        var values = source.values().makeAsyncIterator()
        #expect(await values.next() == first)
        change()
        #expect(inline.entries == [first, second])
        #expect(await changes.next()?.current == first)
        let last = await changes.next()
        #expect(last?.current == second && last?.previous?.current == first)
        #expect(await values.next() == second)
        await cart.waitUntilDelivered()
        await store?.waitUntilDelivered()
        #expect(queued.entries == [first, second])
        #expect(scheduled.entries == [second])
        #expect(await screen.lines == ["\(first)", "\(second)"])
        #expect(subscriptions.count == 4)
        subscriptions.removeAll()
        #expect(inline.entries.count == 2)
    }

    @Test("a store is subscribed to inline, on queues, on the main actor, and as sequences")
    func store() async {
        var second = Cart()
        second.count = 1
        await check(cart, from: Cart(), to: second) { cart.commit { $0.count = 1 } }
    }

    @Test("a derived value is subscribed to inline, on queues, on the main actor, and as sequences")
    func derived() async {
        let badge = cart.derived(\.items, named: "badge") { $0.count }
        await check(badge, from: 0, to: 1) { cart.commit { $0.items = [Cart.Item(id: 1, name: "tea")] } }
    }

    @Test("an atom is subscribed to inline, on queues, on the main actor, and as sequences")
    func atom() async {
        let query = Atom("", name: "query", recorder: nil)
        await check(query, from: "", to: "tea", waiting: query.store) { query.set("tea") }
    }

    @Test("a selection is handed on where it differs, in each context")
    func selection() async {
        let (inline, queued, late) = (Log<Int>(), Log<Int>(), Log<Int>())
        let screen = Screen()
        let queue = DispatchQueue(label: "test")
        var subscriptions: [Subscription] = []
        cart.subscribe(\.count) { inline.add($0) }.store(in: &subscriptions)
        cart.subscribe(\.count, on: .queue(queue)) { queued.add($0) }.store(in: &subscriptions)
        cart.subscribe(\.count, initially: false) { late.add($0) }.store(in: &subscriptions)
        cart.subscribe(\.count, on: .mainActor) { @MainActor in screen.lines.append("\($0)") }
            .store(in: &subscriptions)
        cart.subscribe(\.count, by: { $0 / 10 == $1 / 10 }, on: .mainActor) { @MainActor count in
            screen.lines.append("tens \(count)")
        }.store(in: &subscriptions)
        await cart.waitUntilDelivered()
        for count in [0, 1, 1, 12] { cart.commit { $0.count = count } }
        cart.commit { $0.items = [] }
        await cart.waitUntilDelivered()
        #expect(inline.entries == [0, 1, 12])
        #expect(queued.entries == [0, 1, 12])
        #expect(late.entries == [1, 12])
        #expect(await screen.lines.filter { !$0.hasPrefix("tens") } == ["0", "1", "12"])
        #expect(await screen.lines.filter { $0.hasPrefix("tens") } == ["tens 0", "tens 12"])
        subscriptions.removeAll()
        cart.commit { $0.count = 5 }
        #expect(inline.entries.count == 3)
    }

    @Test("a selection as a sequence keeps the newest value, and ends with its store")
    func selectedValues() async {
        var store: Store<Cart>? = Store(Cart(), recorder: nil)
        var values = store?.values(\.count).makeAsyncIterator()
        var all = store?.values(\.count, buffering: .unbounded).makeAsyncIterator()
        for count in [1, 1, 2, 3] { store?.commit { $0.count = count } }
        store = nil
        #expect(await values?.next() == 3)
        #expect(await values?.next() == nil)
        var seen: [Int] = []
        while let count = await all?.next() { seen.append(count) }
        #expect(seen == [0, 1, 2, 3])
    }

    @Test("a selection's subscriber may cancel it, and be cancelled before its turn")
    func cancelling() async {
        let heard = Log<Int>()
        let box = Log<Subscription>()
        let once = cart.subscribe(\.count, initially: false) { count in
            heard.add(count)
            box.entries.first?.cancel()
        }
        box.add(once)
        cart.commit { $0.count = 1 }
        cart.commit { $0.count = 2 }
        #expect(heard.entries == [1])
        let screen = Screen()
        await MainActor.run {
            let shown = cart.subscribe(\.count, on: .mainActor) { @MainActor in screen.lines.append("\($0)") }
            shown.cancel()
        }
        await cart.waitUntilDelivered()
        #expect(await screen.lines.isEmpty)
    }
}

struct ChangesSequenceTests {
    @Test("with the newest only, what comes has what came before as its previous")
    func newest() async throws {
        let store = Store(Cart(), recorder: nil)
        let sequence = store.changes(buffering: .newest(2))
        var iterator = sequence.makeAsyncIterator()
        for count in 1...5 { store.commit { $0.count = count } }
        var seen: [String] = []
        for _ in 0..<2 {
            let changes = try #require(await iterator.next())
            seen.append("\(changes.previous?.version ?? -1)>\(changes.version)")
        }
        store.commit { $0.items = [Cart.Item(id: 1, name: "apple")] }
        for count in 6...8 { store.commit { $0.count = count } }
        let changes = try #require(await iterator.next())
        seen.append("\(changes.previous?.version ?? -1)>\(changes.version)")
        #expect(seen == ["-1>4", "4>5", "5>8"])
        #expect(changes.hasChanges(\.items), "the version that brought them was left out")
        #expect(
            try changes.patch?.json == """
                [{"op":"replace","path":"/count","value":7,"old":5},\
                {"op":"add","path":"/items/0","value":{"id":1,"name":"apple"}}]
                """)
    }

    @Test("cancelling the task ends the sequence, and the subscription")
    func cancel() async {
        let store = Store(Cart(), recorder: nil)
        let sequence = store.changes()
        let (seen, isDone) = (Log<Int>(), Log<Bool>())
        let task = Task {
            for await changes in sequence { seen.add(changes.version) }
            isDone.add(true)
        }
        await seen.wait { !$0.isEmpty }
        task.cancel()
        await task.value
        store.commit { $0.count = 1 }
        #expect(seen.entries == [0])
        #expect(isDone.entries == [true])
        var iterator = sequence.makeAsyncIterator()
        let next = await iterator.next()
        #expect(next == nil)
    }

    private func count<Subject>(_ source: consuming some Subscribable<Subject>, _ isByValue: Bool) -> Task<Int, Never> {
        var count = 0
        if isByValue {
            let values = source.values()
            return Task {
                for await _ in values { count += 1 }
                return count
            }
        }
        let changes = source.changes()
        return Task {
            for await _ in changes { count += 1 }
            return count
        }
    }

    @Test("each loop over a store or an atom ends with it: over changes and values, in generic code too")
    func everyEnd() async {
        for isByValue in [true, false] {
            #expect(await count(Store(Cart(), recorder: nil), isByValue).value == 1)
            #expect(await count(Atom(1, name: "page", recorder: nil), isByValue).value == 1)
        }
        var ends = 0
        for await _ in Store(1, recorder: nil).values() { ends += 1 }
        for await _ in Store(1, recorder: nil).values({ $0 + 0 }) { ends += 1 }
        for await _ in Atom(1, name: "page", recorder: nil).values() { ends += 1 }
        for await _ in Atom(1, name: "page", recorder: nil).changes() { ends += 1 }
        #expect(ends == 4)
    }

    @Test("who waits is woken by the next commit, whatever thread makes it")
    func threads() async {
        let store = Store(Cart(), recorder: nil)
        let sequence = store.changes(initially: false)
        async let versions = Self.take(1000, of: sequence)
        await concurrently(4) { _ in for _ in 0..<250 { store.commit { $0.count += 1 } } }
        #expect(await versions == Array(1...1000))
    }

    private static func take(_ count: Int, of sequence: ChangesSequence<Cart>) async -> [Int] {
        var versions: [Int] = []
        for await changes in sequence {
            versions.append(changes.version)
            if versions.count == count { break }
        }
        return versions
    }
}
