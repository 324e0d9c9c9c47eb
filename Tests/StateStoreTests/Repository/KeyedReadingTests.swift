import JSONCore
import Observation
import StateStore
import TestSupport
import Testing

@testable import StatePatterns
@testable import StoreCore

private struct Person: ObservedModel, Codable {
    let id: Int
    var name: String
}

private struct Team: ObservedModel, Codable {
    let id: Int
    var lead: Person
    var nestedModels: [any ObservedModel] { [lead] }

    func replacing(_ model: any ObservedModel) -> Team {
        guard let person = model as? Person, person.id == lead.id else { return self }
        return Team(id: id, lead: person)
    }
}

/// Reads of repositories and models by their keys: under observation, and as inputs of derived values.
struct KeyedReadingTests {
    private struct Screen: Codable, Equatable, Sendable {
        var numbers = LoadingStates<Int, Int>()
        var title = ""
    }

    private static let source = RepositorySource<Int, Int>(fetch: { $0 * 10 })

    /// Calls a closure under observation, and again whenever what it read has changed.
    private static func track(_ body: @escaping @Sendable () -> Void) {
        onChange(of: body()) { track(body) }
    }

    @Test("of a list of 1,000 rows only the row whose key changed is read again, in a store of the app's, too")
    func rows() async throws {
        let store = Store(Screen(), recorder: nil)
        let repository = Repository(in: store, at: \.numbers, source: Self.source)
        let reads = Log<Int>()
        for key in 0..<1_000 {
            Self.track {
                _ = repository.state(of: key)
                reads.add(key)
            }
        }
        #expect(reads.entries == Array(0..<1_000))
        await repository.set(70, for: 7)
        store.commit { $0.title = "rows" }
        #expect(reads.entries.dropFirst(1_000) == [7])
        await repository.set(70, for: 7)
        await repository.remove(7)
        await repository.set(90, for: 9)
        await repository.remove(8)
        #expect(reads.entries.dropFirst(1_001) == [7, 9], "what stays as it was is nothing to its reader")
        #expect(try await repository.value(for: 3) == 30)
        #expect(reads.entries.dropFirst(1_003) == [3, 3], "loading, completed")
    }

    @Test("a derived value of a key, and of several, follows the repository, and runs for no other key")
    func derived() async throws {
        let repository = Repository<Int, Int>("numbers", recorder: nil, source: Self.source)
        let runs = Ticks()
        let sum = Derived(repository.input(1), repository.input(2), named: "sum") { left, right in
            _ = runs.next()
            return (left?.content ?? 0) + (right?.content ?? 0)
        }
        let seen = Log<Int>()
        let subscription = sum.subscribe { seen.add($0.current) }
        await repository.set(10, for: 1)
        await repository.set(50, for: 5)
        await repository.set(20, for: 2)
        await repository.remove(1)
        #expect(seen.entries == [0, 10, 30, 20])
        #expect(runs.value == 4)
        subscription.cancel()
    }

    @Test("a derived value of a key is declared in the repository's journal")
    func declared() async throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let repository = Repository<Int, Int>("numbers", recorder: recorder, source: Self.source)
        let double = Derived(repository.input(1), named: "double") { ($0?.content ?? 0) * 2 }
        #expect(double.value == 0)
        await repository.set(4, for: 1)
        #expect(double.value == 8)
        recorder.close()
        let derived = try #require(try journal.records("derived").first)
        #expect(derived["inputs"]?.text() == "null")
        #expect(try journal.records("outcome").first?["derived"]?.text().contains("fired") == true)
    }

    @Test("a model that is read is read again where it, or one within it, was updated, and no other")
    func models() {
        let models = ModelObserver(recorder: nil)
        let team = models.add(Team(id: 1, lead: Person(id: 1, name: "Ann"))) { _ in }
        let other = models.add(Person(id: 2, name: "Bob")) { _ in }
        let reads = Log<String>()
        Self.track { reads.add("team \(models.model(Team.self, 1)?.lead.name ?? "")") }
        Self.track { reads.add("other \(models.model(Person.self, 2)?.name ?? "")") }
        Self.track { reads.add("none \(models.model(Person.self, 3)?.name ?? "")") }
        models.update(Person(id: 1, name: "Anna"))
        models.update(Person(id: 3, name: "Cid"))
        models.update(Person(id: 3, name: "Cid"))
        #expect(reads.entries == ["team Ann", "other Bob", "none ", "team Anna", "none Cid"])
        withExtendedLifetime((team, other)) {}
    }

    @Test("a derived value of a model follows it, also through the one that holds it")
    func derivedModel() {
        let models = ModelObserver(recorder: nil)
        let lead = Derived(models.input(Team.self, 1), named: "lead") { $0?.lead.name ?? "nobody" }
        let seen = Log<String>()
        let subscription = lead.subscribe { seen.add($0.current) }
        let team = models.add(Team(id: 1, lead: Person(id: 1, name: "Ann"))) { _ in }
        models.update(Person(id: 1, name: "Anna"))
        models.update(Person(id: 2, name: "Bob"))
        #expect(seen.entries == ["nobody", "Ann", "Anna"])
        withExtendedLifetime((subscription, team)) {}
    }

    @Test("a repository and its store end although their keys were read under observation")
    func ends() async {
        weak var ended: Repository<Int, Int>?
        do {
            let repository = Repository<Int, Int>("ending", recorder: nil, source: Self.source)
            ended = repository
            onChange(of: repository.state(of: 1)) {}
            await repository.set(1, for: 1)
        }
        #expect(ended == nil)
        #expect(!StoreRegistry.live.contains { $0.name == "ending" })
    }
}

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
            let number = Derived(repository.input(1), named: "number") { $0?.content }
            let next = Derived(number, named: "next") { $0.map { $0 + 1 } }
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
        onChange(of: repository.state(of: 77)) {}
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
