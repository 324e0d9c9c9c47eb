import JSONCore
import StateStoreTesting
import Synchronization
import Testing

@testable import StatePatterns
@testable import StoreCore

struct RepositoryRemovalTests {
    private let origin = FakeOrigin()
    private let cache = FakeCache()

    private func make(
        _ recorder: Recorder? = nil, hasCache: Bool = false,
        isValid: (@Sendable (Int, Int, RepositoryHolding) async -> Bool)? = nil,
        clock: TestClock = TestClock()
    ) -> Repository<Int, Int> {
        Repository(
            "numbers", recorder: recorder, source: .of(origin, hasCache ? cache : nil, isValid: isValid, clock: clock))
    }

    @Test("a removed key is forgotten by store and cache, its observers are told, and hear what comes next")
    func remove() async throws {
        let repository = make(hasCache: true)
        await repository.set(10, for: 1)
        await repository.set(20, for: 2)
        let (first, second) = (Log<LoadingState<Int>>(), Log<LoadingState<Int>>())
        let subscriptions = [repository.observe(1) { first.add($0) }, repository.observe(2) { second.add($0) }]
        await repository.remove(1)
        #expect(first.entries == [.completed(content: 10), .failed(error: .removed)])
        #expect(second.entries == [.completed(content: 20)])
        #expect(repository.state(of: 1) == nil && cache[1] == nil && cache[2] == 20)
        #expect(cache.cleared.entries == [1])
        let request = repository.validate(1)
        await origin.next().answer(.success(11))
        #expect(try await request.value == 11)
        #expect(first.entries.suffix(2) == [.loading(content: nil), .completed(content: 11)])
        withExtendedLifetime(subscriptions) {}
    }

    @Test("all keys are removed at once, and the whole cache is emptied, behind what was written to it")
    func removeAll() async throws {
        let repository = make(hasCache: true)
        let seen = Log<LoadingState<Int>>()
        for key in 1...5 { await repository.set(key, for: key) }
        let subscription = repository.observe(3) { seen.add($0) }
        await repository.removeAll()
        #expect(seen.entries == [.completed(content: 3), .failed(error: .removed)])
        #expect(cache.values.withLock(\.isEmpty) && cache.cleared.entries == [nil])
        #expect(repository.part.value.isEmpty && repository.table.withLock(\.count) == 0)
        let request = repository.validate(3)
        await origin.next().answer(.success(33))
        #expect(try await request.value == 33, "the cache holds nothing that could be read")
        subscription.cancel()
    }

    @Test("who observes a key whose cache is being asked for the first time hears of its removal, too")
    func firstCacheRead() async throws {
        for removesAll in [false, true] {
            let (asked, gate) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
            let origin = origin
            let repository = Repository<Int, Int>(
                "numbers", recorder: nil,
                source: RepositorySource(
                    fetch: { try await origin.fetch($0) },
                    readCache: { _ in
                        asked.continuation.yield()
                        for await _ in gate.stream { break }
                        return 7
                    }, clearCache: { _ in }))
            let seen = Log<LoadingState<Int>>()
            let subscription = repository.observe(1) { seen.add($0) }
            let request = repository.validate(1)
            for await _ in asked.stream { break }
            #expect(seen.entries.isEmpty)
            if removesAll { await repository.removeAll() } else { await repository.remove(1) }
            #expect(seen.entries == [.loading(content: nil), .failed(error: .removed)])
            gate.continuation.yield()
            await #expect(throws: LoadingError.removed) { try await request.value }
            #expect(repository.state(of: 1) == nil && seen.entries.count == 2)
            subscription.cancel()
        }
    }

    /// Expects a value of a key to be fetched, without a wait for the origin where what comes back asks none.
    private func expectFetched(_ repository: Repository<Int, Int>, _ key: Int, _ value: Int) async throws {
        let answer = Task { [origin] in await origin.answerNext(.success(value)) }
        let found = try await repository.validate(key).value
        answer.cancel()
        try #require(found == value)
    }

    @Test("what was removed never comes back from a cache that could not be cleared, but what was written since does")
    func unclearedCache() async throws {
        struct Full: Error {}
        let (origin, cache) = (origin, cache)
        let isFull = Mutex(true)
        let repository = Repository<Int, Int>(
            "numbers", recorder: nil,
            source: RepositorySource(
                fetch: { try await origin.fetch($0) }, readCache: { cache.read($0) },
                writeCache: { cache.write($0, $1) },
                clearCache: { key in
                    if isFull.withLock(\.self) { throw Full() }
                    cache.clear(key)
                }, onError: { _ in }))
        cache[1] = 10
        cache[2] = 20
        await repository.remove(1)
        try await expectFetched(repository, 1, 11)
        #expect(try await repository.value(for: 2) == 20, "only that key was removed")
        let states = cache.reads.value
        await repository.removeAll()
        let seen = Log<LoadingState<Int>>()
        let subscription = repository.observe(2) { seen.add($0) }
        try await expectFetched(repository, 2, 22)
        try #require(seen.entries == [.loading(content: nil), .completed(content: 22)])
        try await expectFetched(repository, 1, 12)
        #expect(cache.reads.value == states, "nothing of it is read until all could be removed")
        isFull.withLock { $0 = false }
        await repository.removeAll()
        cache[3] = 30
        #expect(try await repository.value(for: 3) == 30)
        subscription.cancel()
    }

    @Test("a write to the cache that is running at a log-out ends before the cache is cleared")
    func writeUnderWay() async throws {
        let (cache, gate, begun) = (cache, AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        let repository = Repository<Int, Int>(
            "numbers", recorder: nil,
            source: RepositorySource(
                fetch: { $0 }, readCache: { cache.read($0) },
                writeCache: { key, value in
                    begun.continuation.yield()
                    for await _ in gate.stream { break }
                    cache.write(key, value)
                }, clearCache: { cache.clear($0) }))
        let written = Task { await repository.set(10, for: 1) }
        for await _ in begun.stream { break }
        let changed = Log<Void>()
        onChange(of: repository.state(of: 1)) { changed.add(()) }
        let removed = Task { await repository.removeAll() }
        await changed.wait { !$0.isEmpty }
        let next = Task { try await repository.value(for: 1) }
        gate.continuation.yield()
        gate.continuation.yield()
        await written.value
        await removed.value
        #expect(try await next.value == 1, "the next user's own")
    }

    @Test("a fetch that is under way is cancelled, and its value comes to nobody")
    func fetchUnderWay() async throws {
        let repository = make()
        let seen = Log<LoadingState<Int>>()
        let subscription = repository.observe(1) { seen.add($0) }
        let request = repository.validate(1)
        let call = await origin.next()
        await repository.removeAll()
        await #expect(throws: LoadingError.removed) { try await request.value }
        call.answer(.success(1))
        #expect(seen.entries == [.loading(content: nil), .failed(error: .removed)])
        #expect(origin.cancellations.value == 1)
        #expect(repository.state(of: 1) == nil)
        subscription.cancel()
    }

    @Test("an update that ends after its key was removed changes nothing, one that begins afterwards does")
    func updateUnderWay() async throws {
        let repository = make(hasCache: true)
        await repository.set(10, for: 1)
        let (started, gate) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        let update = Task {
            try await repository.update(1) { value in
                started.continuation.yield()
                for await _ in gate.stream { break }
                value += 1
            }
        }
        for await _ in started.stream { break }
        await repository.removeAll()
        gate.continuation.yield()
        await #expect(throws: LoadingError.removed) { try await update.value }
        #expect(repository.state(of: 1) == nil && cache[1] == nil)
        await repository.set(5, for: 1)
        #expect(try await repository.update(1) { $0 += 1 } == 6)
        #expect(repository.table.withLock(\.count) == 0)
    }

    @Test("validity is told how old a value is, and how many there are")
    func validity() async throws {
        let clock = TestClock()
        let holdings = Log<RepositoryHolding>()
        let repository = make(
            isValid: { _, _, held in
                holdings.add(held)
                return held.age.map { $0 < .seconds(60) } ?? false
            }, clock: clock)
        await repository.set(10, for: 1)
        await repository.set(20, for: 2)
        clock.advance(by: .seconds(59))
        #expect(try await repository.value(for: 1) == 10)
        clock.advance(by: .seconds(1))
        async let fresh = repository.value(for: 1)
        await origin.next().answer(.success(11))
        #expect(try await fresh == 11)
        #expect(holdings.entries.map(\.age) == [.seconds(59), .seconds(60)])
        #expect(holdings.entries.map(\.count) == [2, 2])
        #expect(try await repository.value(for: 1) == 11)
        #expect(holdings.entries.last?.age == .zero)
    }

    @Test("a value from the cache has no age but its own")
    func ageOfCached() async throws {
        cache[1] = 10
        let ages = Log<Duration?>()
        let repository = make(
            hasCache: true,
            isValid: { _, _, held in
                ages.add(held.age)
                return true
            })
        #expect(try await repository.value(for: 1) == 10)
        #expect(ages.entries == [nil])
    }

    @Test("a removal is a commit at its line, and an error of the cache a warning")
    func journal() async throws {
        struct ReadOnly: Error {}
        let (journal, recorder) = try TemporaryJournal.recording()
        let repository = Repository<Int, Int>(
            "numbers", recorder: recorder,
            source: RepositorySource(fetch: { $0 }, readCache: { _ in nil }, clearCache: { _ in throw ReadOnly() }))
        await repository.set(1, for: 1)
        await repository.remove(1)
        await repository.removeAll()
        recorder.close()
        #expect(
            try journal.records("commit").map { $0["name"] } == [
                .string("set"), .string("remove"), .string("removeAll"),
            ])
        let marks = try journal.records("mark")
        #expect(try marks.map { try $0.text("level") } == ["warning", "warning"])
        #expect(
            try marks.map { try $0.text("text") } == [
                "removing '1' from the cache failed: ReadOnly()", "clearing the cache failed: ReadOnly()",
            ])
    }

    @Test("a key is observed on a queue and on the main actor, too")
    func contexts() async throws {
        let repository = make()
        await repository.set(1, for: 1)
        let titles = Log<Int>()
        let shown = await MainActor.run {
            repository.observe(1, on: .mainActor) { @MainActor state in titles.add(state.content ?? -1) }
        }
        await repository.set(2, for: 1)
        await repository.remove(1)
        await titles.wait { $0.count == 3 }
        #expect(titles.entries == [1, 2, -1])
        shown.cancel()
    }
}
