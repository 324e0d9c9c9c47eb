import Synchronization

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

/// A cache in memory.
final class FakeCache: Sendable {
    let values = Mutex<[Int: Int]>([:])
    let reads = Ticks()
    let writes = Log<Int>()

    subscript(key: Int) -> Int? {
        get { values.withLock { $0[key] } }
        set { values.withLock { $0[key] = newValue } }
    }

    func read(_ key: Int) -> Int? {
        _ = reads.next()
        return self[key]
    }

    func clear(_ key: Int?) {
        values.withLock { values in
            if let key { values[key] = nil } else { values = [:] }
        }
    }

    func write(_ key: Int, _ value: Int) {
        writes.add(value)
        values.withLock { $0[key] = value }
    }
}
