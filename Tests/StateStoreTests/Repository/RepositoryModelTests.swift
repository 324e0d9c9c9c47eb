import StateStore
import Synchronization
import TestSupport
import Testing

/// What a repository must do with one key, said as simply as possible.
private struct Model {
    var state: LoadingState<Int>?
    var content: Int?
    var isFetching = false
    var fetches = 0
    var seen: [LoadingState<Int>] = []

    mutating func become(_ new: LoadingState<Int>) {
        if state != new { seen.append(new) }
        state = new
        content = new.content ?? content
    }

    mutating func ask(isForced: Bool) {
        if isFetching { return }
        if !isForced, case .completed? = state { return }
        isFetching = true
        fetches += 1
        become(.loading(content: content))
    }

    mutating func answer(_ value: Int?) {
        isFetching = false
        become(value.map { .completed(content: $0) } ?? .failed(error: LoadingError(Offline()), content: content))
    }

    mutating func write(_ value: Int) {
        isFetching = false
        become(.completed(content: value))
    }
}

struct RepositoryModelTests {
    @Test(
        "any order of requests, answers and writes leaves what the model says", arguments: seeds(1..<41)
    )
    func sequences(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let origin = FakeOrigin()
        let seen = Log<LoadingState<Int>>()
        let repository = Repository<Int, Int>("numbers", recorder: nil, source: .of(origin))
        var model = Model()
        var request: RepositoryRequest<Int>?
        var call: FakeOrigin.Call?
        var dropped: [FakeOrigin.Call] = []
        model.ask(isForced: false)
        let subscription = repository.observe(1) { seen.add($0) }
        for step in 0..<60 {
            if model.isFetching && call == nil { call = await origin.next() }
            switch Int.random(in: 0..<8, using: &generator) {
            case 0:
                model.ask(isForced: true)
                request = repository.refresh(1)
            case 1:
                model.ask(isForced: false)
                request = repository.validate(1)
            case 2:
                model.ask(isForced: false)
                repository.observe(1) { _ in }.cancel()
            case 3 where model.content != nil:
                model.write(step)
                try await repository.update(1) { $0 = step }
            case 4:
                model.write(step)
                await repository.set(step, for: 1)
            case 5: dropped.popLast()?.answer(.success(-1))
            default:
                guard let open = call else { continue }
                let value = Bool.random(using: &generator) ? step : nil
                // Joins what is under way.
                let waiter = repository.refresh(1)
                open.answer(value.map { .success($0) } ?? .failure(Offline()))
                _ = try? await waiter.value
                model.answer(value)
                call = nil
            }
            if !model.isFetching, let open = call {
                dropped.append(open)
                call = nil
            }
            #expect(repository.state(of: 1) == model.state, "seed \(seed), step \(step)")
        }
        if model.isFetching && call == nil { call = await origin.next() }
        #expect(seen.entries == model.seen, "seed \(seed)")
        #expect(origin.calls == model.fetches, "seed \(seed)")
        for open in dropped + [call].compactMap(\.self) { open.answer(.failure(Offline())) }
        _ = try? await request?.value
        subscription.cancel()
    }

    @Test(
        "however tasks interleave, no observer sees an older value after a newer one",
        arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func interleavings(seed: UInt64) async throws {
        let server = Server(seed: seed)
        let repository = Repository<Int, Int>(
            "numbers", recorder: nil, source: RepositorySource(fetch: { try await server.read($0) }))
        let logs = [Log<LoadingState<Int>>(), Log<LoadingState<Int>>()]
        let subscriptions = logs.indices.map { key in repository.observe(key) { logs[key].add($0) } }
        await withTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    var generator = SeededGenerator(seed: seed &* 31 &+ UInt64(task))
                    for _ in 0..<60 {
                        let key = Int.random(in: 0..<2, using: &generator)
                        switch Int.random(in: 0..<4, using: &generator) {
                        case 0: _ = try? await repository.update(key) { $0 = await server.write(key) }
                        case 1: repository.refresh(key)
                        case 2: _ = try? await repository.refresh(key).value
                        default: _ = try? await repository.value(for: key)
                        }
                        if Bool.random(using: &generator) { await Task.yield() }
                    }
                }
            }
        }
        server.isReliable.store(true, ordering: .relaxed)
        for key in logs.indices {
            // What is under way may end with an error; the next one does not.
            _ = try? await repository.refresh(key).value
            let last = try await repository.refresh(key).value
            #expect(last == server.value(of: key), "seed \(seed)")
            #expect(repository.state(of: key) == .completed(content: last))
            await logs[key].wait { $0.last == .completed(content: last) }
            let contents = logs[key].entries.compactMap(\.content)
            #expect(contents == contents.sorted(), "seed \(seed): \(contents)")
        }
        subscriptions.forEach { $0.cancel() }
    }

    @Test(
        "a request that begins inside a commit goes on from what that leaves, and not from what there was",
        arguments: [false, true])
    func insideCommit(isRemoval: Bool) async throws {
        let opening = Log<Void>()
        let store = Store(Watched(), name: "app", recorder: nil)
        let source = RepositorySource<Int, Int>(
            fetch: { _ in 7 },
            isValid: { _, _, _ in
                await opening.wait { !$0.isEmpty }
                return true
            })
        let repository = Repository(in: store, at: \.numbers, source: source)
        await repository.set(3, for: 1)
        let requests = Log<RepositoryRequest<Int>>()
        await Watched.$hook.withValue(Watched.Hook { requests.add(repository.validate(1)) }) {
            if isRemoval { await repository.remove(1) } else { await repository.set(4, for: 1) }
        }
        opening.add(())
        #expect(try await requests.entries.first?.value == (isRemoval ? 7 : 4))
        #expect(repository.state(of: 1) == .completed(content: isRemoval ? 7 : 4))
    }

    @Test("without writes there is never more than one fetch of a key at a time", arguments: [7, 8, 9] as [UInt64])
    func singleFlight(seed: UInt64) async throws {
        let server = Server(seed: seed)
        let repository = Repository<Int, Int>(
            "numbers", recorder: nil, source: RepositorySource(fetch: { try await server.read($0) }))
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<50 { _ = try? await repository.refresh(0).value } }
            }
        }
        #expect(server.mostReaders == 1)
    }
}

/// A state in whose commits a test can act: behind the closure, before anybody sees what it left.
private struct Watched: Encodable, Sendable {
    /// Something to be done in one commit.
    final class Hook: Sendable {
        private let action: Mutex<(@Sendable () -> Void)?>
        init(_ action: @escaping @Sendable () -> Void) { self.action = Mutex(action) }
        func run() { action.withLock { $0.take() }?() }
    }

    @TaskLocal static var hook: Hook?

    private var states = LoadingStates<Int, Int>()
    var numbers: LoadingStates<Int, Int> {
        get { states }
        set {
            states = newValue
            Watched.hook?.run()
        }
    }
}

/// A server whose values count its writes; a read takes its value before it returns it, and fails at times.
private final class Server: Sendable {
    private struct State {
        var values = [0, 0]
        var generator: SeededGenerator
        var readers = 0
        var mostReaders = 0
    }

    private let state: Mutex<State>
    let isReliable = Synchronization.Atomic(false)

    init(seed: UInt64) { state = Mutex(State(generator: SeededGenerator(seed: seed))) }

    func value(of key: Int) -> Int { state.withLock { $0.values[key] } }
    var mostReaders: Int { state.withLock(\.mostReaders) }

    func read(_ key: Int) async throws -> Int {
        let (value, turns) = state.withLock { state in
            state.readers += 1
            state.mostReaders = max(state.mostReaders, state.readers)
            return (state.values[key], Int.random(in: 0..<6, using: &state.generator))
        }
        for _ in 0..<turns { await Task.yield() }
        state.withLock { $0.readers -= 1 }
        if turns == 5 && !isReliable.load(ordering: .relaxed) { throw Offline() }
        return value
    }

    func write(_ key: Int) async -> Int {
        let value = state.withLock { state in
            state.values[key] += 1
            return state.values[key]
        }
        await Task.yield()
        return value
    }
}
