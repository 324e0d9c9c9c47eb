import JournalFormat
import StateStoreTesting
import Synchronization
import Testing

@testable import StateStore
@testable import StoreCore

private let secret = "S3CR3T-dumped"

private struct Person: Codable, Equatable, Sendable, Identifiable, ObservedModel {
    var id = 1
    var token = secret
    var changeTime: Int? { nil }
}

private struct DumpedState: Encodable, Equatable, Sendable {
    var person = Person()
    var people: EntityTable<Person> = []
    var count = 0
}

private enum Act: Codable, Equatable, Sendable { case otp(String) }

/// What `dump` prints of a value, and what its description prints.
private func dumped<Value>(_ value: Value) -> String {
    var text = "\(value) \(String(reflecting: value))"
    dump(value, to: &text)
    return text
}

/// Every type of the library that holds states or actions shows none of them to `dump`, `print` and a debugger's summary.
@Suite("A dump of what holds a state")
struct DumpTests {
    private let recorder: Recorder
    private let journal = TemporaryJournal()
    private let store: Store<DumpedState>

    init() throws {
        recorder = try Recorder(journal.path, options: .reproducible)
        store = Store(DumpedState(), name: "s", recorder: recorder)
    }

    private func expectNothing(in text: String, _ what: String) {
        #expect(!text.contains(secret), "\(what): \(text.prefix(600))")
    }

    @Test("shows none of a store, its changes, its parts and what is made of them")
    func stores() {
        let last = Mutex<Changes<DumpedState>?>(nil)
        let link = store.subscribe { changes in last.withLock { $0 = changes } }
        let derived = store.derived(\.person, named: "d") { $0 }
        let place = CommitLocation(file: "A/B.swift", line: 1, column: 1, function: "f()")
        let commit = store.commit(at: place) { $0.count = 1 }
        let chain = CommitChain()
        chain.append(commit.reference)
        let values: [(String, Any)] = [
            ("Store", store), ("Derived", derived), ("Changes", last.withLock { $0 } as Any), ("Commit", commit),
            ("CommitReference", commit.reference), ("CommitChain", chain), ("Subscription", link),
            ("Recorder", recorder), ("DerivedInput", store.input(\.person)), ("StoreBinding", store.binding(\.person)),
            ("Scope", store.scope(\.person)), ("Scope of a scope", store.scope(\.person).scope(\.token)),
            ("Atom", Atom(Person(), name: "a")), ("Locked", Locked(Person())),
            ("CommitAction", CommitAction(of: Act.otp(secret))), ("DeliveryContext", DeliveryContext.mainActor),
        ]
        for (name, value) in values { expectNothing(in: dumped(value), name) }
        link.cancel()
    }

    @Test("shows none of a sequence, of its iterator, and of what waits in it")
    func sequences() async {
        let changes = store.changes()
        let values = store.values(buffering: .unbounded)
        store.commit { $0.person.id = 2 }
        var (next, nextValue) = (changes.makeAsyncIterator(), values.makeAsyncIterator())
        _ = await (next.next(), nextValue.next())
        store.commit { $0.person.id = 3 }
        for (name, text) in [
            ("ChangesSequence", dumped(changes)), ("ValuesSequence", dumped(values)),
            ("ChangesSequence.AsyncIterator", dumped(next)), ("ValuesSequence.AsyncIterator", dumped(nextValue)),
        ] { expectNothing(in: text, name) }
    }

    @Test("shows none of a subscriber of a part")
    func parts() {
        let (subscriber, _) = store.addSubscriber(
            of: { $0.person }, or: Person(), at: { _ in ["person"] }, register: { _ in 0 }, { _ in })
        expectNothing(in: dumped(subscriber), "PartSubscriber")
        subscriber.subscription {}.cancel()
    }

    @Test("shows none of a reducer store, its middleware and dispatchers, and a store under test")
    func reducers() {
        let seen = Mutex<[String]>([])
        let middleware = Middleware<DumpedState, Act> { dispatcher, next in
            seen.withLock { $0 += [dumped(dispatcher), dumped(next)] }
            return { action in
                seen.withLock { $0 += [dumped(dispatcher), dumped(next)] }
                next(action)
            }
        }
        let reducer = Reducer<DumpedState, Act> { world, _ in world.count += 1 }
        let reduced = ReducerStore(store, reducer: reducer, middleware: [middleware])
        reduced.dispatch(.otp(secret))
        let tested = TestStore(DumpedState(), recorder: nil, reducer: reducer, exhaustivity: .off)
        tested.store.dispatch(.otp(secret))
        #expect(seen.withLock(\.count) == 4)
        let texts = seen.withLock { $0 } + [dumped(middleware), dumped(reducer), dumped(reduced), dumped(tested)]
        for (text, index) in zip(texts, texts.indices) { expectNothing(in: text, "\(index)") }
    }

    @Test("shows none of a model observer, a repository and a request to it")
    func repositories() async throws {
        let models = ModelObserver(recorder: recorder)
        let link = models.add(Person()) { _ in }
        let repository = Repository<Int, Person>("r", recorder: recorder, source: RepositorySource { _ in Person() })
        let request = repository.validate(1)
        _ = try await request.value
        for (name, text) in [
            ("ModelObserver", dumped(models)), ("Subscription", dumped(link)), ("Repository", dumped(repository)),
            ("RepositoryRequest", dumped(request)),
            ("RepositorySource", dumped(RepositorySource { (_: Int) in Person() })),
        ] { expectNothing(in: text, name) }
    }

    @Test("shows none of what a batch did to a table")
    func batches() {
        let batch = store.batch(\.people) { $0.upsert(Person(id: 7)) }
        let changes = store.state.people.changes(since: [])
        #expect(batch.updatedIDs == [7] && changes.updatedIDs == [7])
        expectNothing(in: dumped(batch), "EntityTableBatch")
        expectNothing(in: dumped(changes), "EntityChanges")
        let library = Store(LibraryState(), name: "library", recorder: nil)
        let books = library.batch(\.library) { $0.books.upsert(Book(20, by: 1, genre: secret)) }
        #expect(books.updatedIDs(\.books) == [20])
        expectNothing(in: dumped(books), "EntityBatch")
    }
}
