import JSONCore
import JournalFormat
import JournalReading
import StateReplay
import Synchronization
import Testing

@testable import StatePatterns
@testable import StoreCore

private typealias Number = LoadingState<Int>

struct RepositoryTests {
    private let origin = FakeOrigin()
    private let cache = FakeCache()

    private func make(
        _ recorder: Recorder? = nil, isValid: (@Sendable (Int, Int, RepositoryHolding) async -> Bool)? = nil,
        hasCache: Bool = true
    ) -> Repository<Int, Int> {
        Repository("numbers", recorder: recorder, source: .of(origin, hasCache ? cache : nil, isValid: isValid))
    }

    @Test("a valid cache is delivered first and without a fetch, and from then on at once")
    func validCache() async throws {
        cache.values.withLock { $0[1] = 10 }
        let repository = make(isValid: { _, value, _ in value == 10 })
        var states = repository.states(of: 1, buffering: .unbounded).makeAsyncIterator()
        #expect(await states.next() == .completed(content: 10))
        let seen = Log<LoadingState<Int>>()
        let subscription = repository.observe(1) { seen.add($0) }
        #expect(seen.entries == [.completed(content: 10)])
        #expect(try await repository.value(for: 1) == 10)
        #expect(origin.calls == 0)
        #expect(cache.reads.value == 1)
        subscription.cancel()
    }

    @Test("what is not valid is shown while it is fetched, then kept in the cache")
    func staleCache() async throws {
        cache.values.withLock { $0[1] = 10 }
        let repository = make(isValid: { _, value, _ in value > 10 })
        var states = repository.states(of: 1, buffering: .unbounded).makeAsyncIterator()
        #expect(await states.next() == .loading(content: 10))
        await origin.next().answer(.success(11))
        #expect(await states.next() == .completed(content: 11))
        #expect(try await repository.value(for: 1) == 11)
        #expect(cache[1] == 11)
        #expect(origin.calls == 1)
    }

    @Test("the first updates of a key run one after another too", arguments: [false, true])
    func firstUpdates(isLoaded: Bool) async throws {
        for _ in 0..<20 {
            let repository = Repository<Int, Int>(
                "numbers", recorder: nil, source: RepositorySource(fetch: { _ in 0 }))
            if isLoaded { await repository.set(0, for: 1) }
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await repository.update(1) { value in
                            let old = value
                            await Task.yield()
                            value = old + 1
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(repository.state(of: 1) == .completed(content: 20))
            #expect(repository.table.withLock(\.count) == 0, "nothing is left to remember of the key")
        }
    }

    @Test("errors of the cache come to the source's handler, recorded or not", arguments: [false, true])
    func cacheErrors(isRecorded: Bool) async throws {
        let (journal, told) = (TemporaryJournal(), Log<String>())
        let recorder = isRecorded ? try Recorder(journal.path, redact: [.path("/n/1/x").ifPresent]) : nil
        let repository = Repository<Int, Int>(
            "n", recorder: recorder,
            source: RepositorySource(
                fetch: { $0 }, readCache: { _ in throw Offline() }, writeCache: { _, _ in throw Offline() },
                clearCache: { _ in }, onError: { told.add("\($0)") }))
        #expect(try await repository.value(for: 1) == 1)
        recorder?.close()
        #expect(
            told.entries == [
                "reading '1' from the cache failed: Offline()", "writing '1' to the cache failed: Offline()",
            ])
        let marks = isRecorded ? try journal.records("mark").map { try $0.text("text") } : []
        #expect(
            marks
                == (isRecorded
                    ? [
                        "reading a value from the cache failed: Offline",
                        "writing a value to the cache failed: Offline",
                    ] : []))
    }

    @Test("the first delivery is the state at the subscription, however fast the origin is")
    func firstDelivery() async throws {
        for key in 0..<500 {
            let repository = Repository<Int, Int>("n", recorder: nil, source: RepositorySource(fetch: { $0 }))
            let seen = Log<LoadingState<Int>>()
            let subscription = repository.observe(key) { seen.add($0) }
            #expect(seen.entries.first == .loading(content: nil))
            _ = try await repository.value(for: key)
            subscription.cancel()
        }
    }

    @Test("a refresh fetches what is valid too, also one that comes while validity is looked at")
    func refresh() async throws {
        let gate = Gate<Bool>()
        let repository = make(isValid: { _, _, _ in (try? await gate.pass()) ?? false }, hasCache: false)
        async let first = repository.refresh(1).value
        await origin.next().answer(.success(1))
        #expect(try await first == 1)
        let validation = repository.validate(1)
        await gate.arrival()
        let refresh = repository.refresh(1)
        gate.open(.success(true))
        await origin.next().answer(.success(2))
        #expect(try await validation.value == 2)
        #expect(try await refresh.value == 2)
        #expect(repository.state(of: 1) == .completed(content: 2))
    }

    @Test("a fetch that an update overtakes is dropped and cancelled, and who waits for it gets the update's value")
    func overtakenFetch() async throws {
        let repository = make()
        await repository.set(1, for: 1)
        let request = repository.refresh(1)
        let call = await origin.next()
        try await repository.update(1) { $0 = 9 }
        #expect(repository.state(of: 1) == .completed(content: 9))
        #expect(try await request.value == 9)
        #expect(origin.cancellations.value == 1)
        // The next request is a new one, although the old call has not returned.
        let next = repository.refresh(1)
        let second = await origin.next()
        call.answer(.success(2))
        second.answer(.success(10))
        #expect(try await next.value == 10)
        #expect(cache.writes.entries == [1, 9, 10])
    }

    @Test("a buffer that would keep nothing traps with words, where a sequence of states is made")
    func emptyBuffer() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let repository = Repository<Int, Int>("n", recorder: nil, source: RepositorySource(fetch: { $0 }))
            _ = repository.states(of: 1, buffering: .newest(0))
        }
        #expect(result.errors.contains("'.newest(0)' would keep nothing"))
    }

    @Test("transitions are commits with the line that asked, and a request's end has its beginning as cause")
    func journal() async throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        cache.values.withLock { $0[1] = 1 }
        let repository = make(recorder, isValid: { _, value, _ in value > 1 })
        let line = #line + 1
        let subscription = repository.observe(1) { _ in }
        await origin.next().answer(.success(2))
        #expect(try await repository.validate(1).value == 2)
        let failed = repository.refresh(1)
        await origin.next().answer(.failure(Offline()))
        await #expect(throws: Offline.self) { try await failed.value }
        try await repository.update(1) { $0 = 3 }
        subscription.cancel()
        recorder.close()
        #expect(try journal.names() == ["fetch", "fetched", "refresh", "failed", "update"])
        #expect(try journal.lines() == [line, line, line + 3, line + 3, line + 6])
        #expect(try journal.causes() == [nil, 1, nil, 3, nil])
        let states = try journal.replayed().map { $0["numbers"]?.member("1")?.text() }
        #expect(
            states == [
                #"{"loading":{"content":1}}"#, #"{"completed":{"content":2}}"#, #"{"loading":{"content":2}}"#,
                #"{"failed":{"error":{"type":"Offline","description":"Offline()"},"content":2}}"#,
                #"{"completed":{"content":3}}"#,
            ])
    }

    @Test("a repository may hold its states in a part of the app's store")
    func ownHolder() async throws {
        struct App: Codable, Equatable, Sendable {
            var title = "x"
            var numbers: LoadingStates<Int, Int> = [:]
        }
        let (journal, recorder) = try TemporaryJournal.recording()
        let store = Store(App(), recorder: recorder)
        let repository = Repository(in: store, at: \.numbers, source: RepositorySource(fetch: { $0 + 1 }))
        let seen = Log<LoadingState<Int>>()
        let subscription = repository.observe(4) { seen.add($0) }
        #expect(try await repository.value(for: 4) == 5)
        store.commit { $0.title = "y" }
        recorder.close()
        #expect(store.state.numbers == [4: .completed(content: 5)])
        #expect(seen.entries == [.loading(content: nil), .completed(content: 5)])
        let patches = try journal.records("commit").compactMap { $0["patch"]?.text() }
        #expect(patches.first == #"[{"op":"add","path":"/numbers/4","value":{"loading":{"content":null}}}]"#)
        #expect(try JournalReader(journal.path).state(at: .end, of: "app", as: App.self) == store.state)
        subscription.cancel()
    }

    @Test("a fetch goes on when its last observer cancels, and its value is there for the next one")
    func lastObserver() async throws {
        let repository = make(hasCache: false)
        repository.observe(1) { _ in }.cancel()
        let request = repository.validate(1)
        await origin.next().answer(.success(4))
        #expect(try await request.value == 4)
        #expect(origin.cancellations.value == 0)
        let seen = Log<LoadingState<Int>>()
        repository.observe(1) { seen.add($0) }.cancel()
        #expect(seen.entries == [.completed(content: 4)])
    }

    @Test("a repository goes away with its last reference, its fetches are cancelled, and who waits is told")
    func end() async throws {
        let request: RepositoryRequest<Int>
        let call: FakeOrigin.Call
        let subscription: Subscription
        let seen = Log<LoadingState<Int>>()
        weak var gone: Repository<Int, Int>?
        do {
            let repository = make(hasCache: false)
            gone = repository
            subscription = repository.observe(1) { seen.add($0) }
            request = repository.refresh(1)
            call = await origin.next()
        }
        #expect(gone == nil)
        await #expect(throws: CancellationError.self) { try await request.value }
        #expect(origin.cancellations.value == 1)
        call.answer(.success(1))
        #expect(seen.entries == [.loading(content: nil)])
        subscription.cancel()
    }

    @Test("a sequence of states ends its observation when nobody reads it any more")
    func sequenceEnds() async throws {
        let deliveries = Ticks()
        let repository = Repository<Int, Watched>(
            "watched", recorder: nil, source: RepositorySource(fetch: { Watched(key: $0, ticks: deliveries) }))
        do {
            var states = repository.states(of: 1, buffering: .unbounded).makeAsyncIterator()
            #expect(await states.next() == .loading(content: nil))
            #expect(await states.next()?.content?.key == 1)
        }
        let before = deliveries.value
        await repository.set(Watched(key: 2, ticks: deliveries), for: 1)
        await repository.set(Watched(key: 3, ticks: deliveries), for: 1)
        #expect(deliveries.value == before)
    }
}

/// A value that counts how often it is compared: by an observer of its key.
private struct Watched: Encodable, Equatable, Sendable {
    var key: Int
    let ticks: Ticks

    static func == (left: Watched, right: Watched) -> Bool {
        _ = left.ticks.next()
        return left.key == right.key
    }

    func encode(to encoder: any Encoder) throws { try key.encode(to: encoder) }
}
