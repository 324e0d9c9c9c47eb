import StateStore
import Testing

struct ChangesSequenceTests {
    @Test("every version comes once, in order, with its true previous, the state as it is first")
    func unbounded() async {
        let store = Store(Cart(), recorder: nil)
        store.commit { $0.count = 1 }
        let sequence = store.changes()
        for count in 2...5 { store.commit { $0.count = count } }
        var seen: [String] = []
        for await changes in sequence {
            seen.append("\(changes.previous?.version ?? -1)>\(changes.version)")
            if changes.version == 5 { break }
        }
        #expect(seen == ["-1>1", "1>2", "2>3", "3>4", "4>5"])
    }

    @Test("without the state as it is, the first element is the first commit, with its previous")
    func notInitially() async {
        let store = Store(Cart(), recorder: nil)
        let sequence = store.changes(initially: false)
        var iterator = sequence.makeAsyncIterator()
        store.commit { $0.count = 1 }
        let changes = await iterator.next()
        #expect(changes?.version == 1)
        #expect(changes?.previous?.version == 0)
    }

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
        while seen.entries.isEmpty { await Task.yield() }
        task.cancel()
        await task.value
        store.commit { $0.count = 1 }
        #expect(seen.entries == [0])
        #expect(isDone.entries == [true])
        var iterator = sequence.makeAsyncIterator()
        let next = await iterator.next()
        #expect(next == nil)
    }

    @Test("a sequence ends with its store, behind what waits")
    func deadStore() async {
        var store: Store<Cart>? = Store(Cart(), recorder: nil)
        guard let sequence = store?.changes() else { return }
        store?.commit { $0.count = 1 }
        store = nil
        var seen: [Int] = []
        for await changes in sequence { seen.append(changes.version) }
        #expect(seen == [0, 1])
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
            #expect(await count(Atom("page", 1, recorder: nil), isByValue).value == 1)
        }
        var ends = 0
        for await _ in Store(1, recorder: nil).values() { ends += 1 }
        for await _ in Store(1, recorder: nil).values(select: { $0 + 0 }) { ends += 1 }
        for await _ in Atom("page", 1, recorder: nil).values() { ends += 1 }
        for await _ in Atom("page", 1, recorder: nil).changes() { ends += 1 }
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
