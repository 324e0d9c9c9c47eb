import StateStore
import Synchronization
import Testing

/// Errors, cancellations and nested updates.
struct RepositoryWaitingTests {
    private let origin = FakeOrigin()

    private func make() -> Repository<Int, Int> { Repository("numbers", recorder: nil, source: .of(origin)) }

    @Test(
        "a caller that is cancelled gets no value, at once; the fetch goes on for the others")
    func cancellation() async throws {
        let repository = make()
        let other = repository.validate(1)
        let call = await origin.next()
        let callers = [
            Task { try await repository.value(for: 1) }, Task { try await repository.refresh(1).value },
        ]
        for caller in callers {
            caller.cancel()
            await #expect(throws: CancellationError.self) { try await caller.value }
        }
        #expect(origin.cancellations.value == 0)
        call.answer(.success(5))
        #expect(try await other.value == 5)
        #expect(origin.calls == 1)
        // A value that is there is handed over, cancelled or not.
        let late = Task {
            // A loop over what never comes ends where its task is cancelled.
            for await _ in AsyncStream<Void>(Void.self, { _ in }) {}
            return try await repository.value(for: 1)
        }
        late.cancel()
        #expect(try await late.value == 5)
    }

    @Test("an update inside an update of the same key traps with both places, and does not wait for itself")
    func nestedUpdate() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let repository = Repository<Int, Int>("n", recorder: nil, source: RepositorySource(fetch: { $0 }))
            try await repository.update(1) { _ in
                try await repository.update(2) { _ in _ = try await repository.update(1) { $0 += 1 } }
            }
        }
        #expect(result.errors.contains("is inside an update of the same key at"))
        #expect(result.errors.split(separator: "at StateStoreTests/RepositoryWaitingTests.swift:").count == 3)
    }

    @Test("an update of another key, of another repository, or in a task that is not waited for may begin in an update")
    func otherUpdates() async throws {
        let (first, second) = (make(), make())
        for repository in [first, second] { for key in 1...2 { await repository.set(0, for: key) } }
        let later = Mutex<Task<Int, any Error>?>(nil)
        try await first.update(1) { value in
            value += 1
            try await first.update(2) { $0 += 1 }
            try await second.update(1) { $0 += 1 }
            later.withLock { $0 = Task { try await first.update(1) { $0 += 10 } } }
        }
        #expect(try await later.withLock(\.self)?.value == 11)
        #expect(first.state(of: 2) == .completed(content: 1) && second.state(of: 1) == .completed(content: 1))
    }
}

/// An origin whose answers a test gives, one call at a time.
final class FakeOrigin: Sendable {
    /// A fetch that waits for its answer.
    struct Call: Sendable {
        let key: Int
        let answer: @Sendable (Result<Int, any Error>) -> Void
    }

    private let stream = AsyncStream.makeStream(of: Call.self)
    private let count = Ticks()
    let cancellations = Ticks()

    /// How often it was asked.
    var calls: Int { count.value }

    func fetch(_ key: Int) async throws -> Int {
        _ = count.next()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                stream.continuation.yield(Call(key: key, answer: { continuation.resume(with: $0) }))
            }
        } onCancel: {
            _ = cancellations.next()
        }
    }

    /// The next call, as soon as it is made.
    func next() async -> Call {
        for await call in stream.stream { return call }
        preconditionFailure("the stream of calls ended")
    }

    /// Answers the next call, as soon as it is made, or none where the task is cancelled before.
    func answerNext(_ result: Result<Int, any Error>) async {
        for await call in stream.stream { return call.answer(result) }
    }
}

extension RepositorySource<Int, Int> {
    /// A source of an origin and a cache that a test sees.
    static func of(
        _ origin: FakeOrigin, _ cache: FakeCache? = nil,
        isValid: (@Sendable (Int, Int, RepositoryHolding) async -> Bool)? = nil,
        clock: some Clock<Duration> = ContinuousClock()
    ) -> RepositorySource {
        guard let cache else {
            return RepositorySource(fetch: { try await origin.fetch($0) }, isValid: isValid, clock: clock)
        }
        return RepositorySource(
            fetch: { try await origin.fetch($0) }, readCache: { cache.read($0) }, writeCache: { cache.write($0, $1) },
            clearCache: { cache.clear($0) }, isValid: isValid, clock: clock)
    }
}

/// A cache in memory.
final class FakeCache: Sendable {
    let values = Mutex<[Int: Int]>([:])
    let reads = Ticks()
    let writes = Log<Int>()
    /// The keys that were cleared; nil for all.
    let cleared = Log<Int?>()

    subscript(key: Int) -> Int? {
        get { values.withLock { $0[key] } }
        set { values.withLock { $0[key] = newValue } }
    }

    func read(_ key: Int) -> Int? {
        _ = reads.next()
        return self[key]
    }

    func clear(_ key: Int?) {
        cleared.add(key)
        values.withLock { values in if let key { values[key] = nil } else { values = [:] } }
    }

    func write(_ key: Int, _ value: Int) {
        writes.add(value)
        values.withLock { $0[key] = value }
    }
}
