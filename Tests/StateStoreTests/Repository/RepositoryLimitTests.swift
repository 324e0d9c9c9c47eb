import Observation
import TestSupport
import Testing

@testable import StatePatterns
@testable import StoreCore

struct RepositoryLimitTests {
    private let cache = FakeCache()

    private func make(keeping: Int?) -> Repository<Int, Int> {
        let cache = cache
        return Repository(
            "numbers", recorder: nil, keeping: keeping,
            source: RepositorySource(
                fetch: { $0 * 10 }, readCache: { cache.read($0) }, writeCache: { cache.write($0, $1) },
                clearCache: { cache.clear($0) }, isValid: { _, _, held in held.count <= 100 }))
    }

    @Test("of keys that nobody observes the last ones are kept, and the cache still has the others")
    func oldestFirst() async throws {
        let repository = make(keeping: 3)
        for key in 1...5 { _ = try await repository.value(for: key) }
        #expect(Set(repository.part.value.keys) == [3, 4, 5])
        _ = try await repository.value(for: 3)
        _ = try await repository.value(for: 6)
        #expect(Set(repository.part.value.keys) == [3, 5, 6], "3 was asked for again")
        cache[1] = 11
        #expect(try await repository.value(for: 1) == 11, "the cache is read again")
    }

    @Test("a key that is observed stays, and may go when it is not observed any more")
    func observed() async throws {
        let repository = make(keeping: 1)
        let seen = Log<LoadingState<Int>>()
        let first = repository.observe(1) { seen.add($0) }
        let second = repository.observe(1) { _ in }
        _ = try await repository.value(for: 1)
        for key in 2...9 { _ = try await repository.value(for: key) }
        first.cancel()
        for key in 2...9 { _ = try await repository.value(for: key) }
        #expect(Set(repository.part.value.keys) == [1, 9] && !seen.entries.contains(.failed(error: .removed)))
        second.cancel()
        for key in 2...3 { _ = try await repository.value(for: key) }
        #expect(Set(repository.part.value.keys) == [3])
    }

    @Test(
        "however keys are asked for, written, observed and removed, no more are kept than were to be",
        arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let repository = make(keeping: 8)
        var observed: [(key: Int, subscription: Subscription)] = []
        for step in 0..<400 {
            let key = Int.random(in: 0..<60, using: &generator)
            switch Int.random(in: 0..<9, using: &generator) {
            case 0...2: _ = try await repository.value(for: key)
            case 3: try await repository.update(key) { $0 += 1 }
            case 4: await repository.set(step, for: key)
            case 5 where observed.count < 5: observed.append((key, repository.observe(key) { _ in }))
            case 6 where !observed.isEmpty:
                observed.remove(at: Int.random(in: 0..<observed.count, using: &generator)).subscription.cancel()
            case 7: await repository.remove(key)
            default: _ = try await repository.refresh(key).value
            }
            for (key, _) in observed where repository.state(of: key)?.content != nil {
                _ = try await repository.value(for: key)
            }
            let others = Set(repository.part.value.keys).subtracting(observed.map(\.key))
            // An update or a cancelled observer leaves one more, which the next transition sees to.
            #expect(others.count <= 9 + 5, "seed \(seed), step \(step)")
        }
        observed.forEach { $0.subscription.cancel() }
        _ = try await repository.refresh(0).value
        #expect(repository.part.value.count <= 8)
    }

    @Test("a key that a derived value has as an input stays, and may go when the value is gone")
    func derivedInput() async throws {
        let repository = make(keeping: 1)
        let shown = Log<Int?>()
        do {
            let number = Derived("number", repository.input(1)) { $0?.content }
            let next = Derived("next", number) { $0.map { $0 + 1 } }
            let subscription = next.subscribe { shown.add($0.current) }
            for key in 1...9 { _ = try await repository.value(for: key) }
            #expect(shown.entries == [nil, 11] && Set(repository.part.value.keys) == [1, 9])
            subscription.cancel()
        }
        for key in 2...3 { _ = try await repository.value(for: key) }
        #expect(Set(repository.part.value.keys) == [3])
    }

    @Test("a key that a view has read stays until the view is notified, and until it has read it again")
    func view() async throws {
        let repository = make(keeping: 1)
        let notified = Ticks()
        _ = try await repository.value(for: 1)
        for round in 1...3 {
            withObservationTracking {
                #expect(repository.state(of: 1)?.content == (round == 1 ? 10 : round - 1))
            } onChange: {
                _ = notified.next()
            }
            for key in 2...9 { _ = try await repository.value(for: key) }
            #expect(Set(repository.part.value.keys) == [1, 9] && notified.value == round - 1)
            await repository.set(round, for: 1)
            #expect(notified.value == round)
            for key in 2...9 { _ = try await repository.value(for: key) }
        }
        withObservationTracking {
            _ = repository.state(of: 77)
        } onChange: {
        }
        for key in 2...9 { await repository.set(key, for: key) }
        #expect(Set(repository.part.value.keys).count <= 2, "as many again as are kept, of those that views let go")
    }

    @Test("without a limit all are kept")
    func unlimited() async throws {
        let repository = make(keeping: nil)
        for key in 0..<200 { _ = try await repository.value(for: key) }
        #expect(repository.part.value.count == 200)
    }
}
