import JSONCore
import JournalFormat
import StateStore
import Testing

struct CauseTests {
    @Test("a task and an async let in a delivery go on with its cause, a detached task has none")
    func tasks() async throws {
        let stores = try LinkedStores()
        let tasks = Log<Task<Void, Never>>()
        let link = stores.cart.subscribe(initially: false) { _ in
            let session = stores.session
            tasks.add(Task { session.commit(name: "task") { $0.visits += 1 } })
            tasks.add(Task.detached { session.commit(name: "detached") { $0.visits += 1 } })
            tasks.add(
                Task {
                    await Task.yield()
                    async let inner: Void = session.commit(name: "async let") { $0.visits += 1 }
                    await inner
                })
        }
        stores.cart.commit { $0.count = 1 }
        for task in tasks.entries { await task.value }
        link.cancel()
        let causes = try stores.causes()
        #expect(causes["task"] == [1])
        #expect(causes["async let"] == [1])
        #expect(causes["detached"] == [nil])
    }

    @Test("the nearest commit is the cause, also of what a task commits")
    func nearest() async throws {
        let stores = try LinkedStores()
        let tasks = Log<Task<Void, Never>>()
        let links = [
            stores.cart.subscribe(initially: false) { changes in
                guard changes.count == 1 else { return }
                tasks.add(Task { stores.session.commit(name: "second") { $0.visits = 1 } })
            },
            stores.session.subscribe(initially: false) { _ in stores.cart.commit(name: "third") { $0.count = 2 } },
        ]
        stores.cart.commit(name: "first") { $0.count = 1 }
        for task in tasks.entries { await task.value }
        links.forEach { $0.cancel() }
        #expect(try stores.causes() == ["first": [nil], "second": [1], "third": [2]])
    }

    @Test("what the subscriber of a derived value commits is caused by the commit that made it fire")
    func derived() throws {
        let stores = try LinkedStores()
        let total = stores.cart.derived(\.items, named: "total") { $0.count }
        let visits = stores.session.derived(\.visits, named: "visits") { $0 * 2 }
        let links = [
            total.subscribe(initially: false) { total in
                stores.session.commit(name: "linked") { $0.visits = total.current }
            },
            visits.subscribe(initially: false) { visits in
                stores.cart.commit(name: "back") { $0.count = visits.current }
            },
        ]
        stores.cart.commit(name: "fill") { $0.items = [Cart.Item(id: 1, name: "apple")] }
        links.forEach { $0.cancel() }
        #expect(try stores.causes() == ["fill": [nil], "linked": [1], "back": [2]])
        let outcomes = try stores.journal.records("outcome").map {
            "\($0.integer("commit") ?? 0) \($0["derived"]?.text() ?? "")"
        }
        #expect(outcomes.count == 2)
        #expect(outcomes.first?.hasPrefix("1 ") == true && outcomes.last?.hasPrefix("2 ") == true)
    }

    @Test("changes that were handed on are a cause where the code says so")
    func causing() async throws {
        let stores = try LinkedStores()
        let kept = Log<Changes<Cart>>()
        let link = stores.cart.subscribe { kept.add($0) }
        stores.cart.commit(name: "first") { $0.count = 1 }
        link.cancel()
        stores.session.commit(name: "outside") { $0.visits = 1 }
        kept.entries[1].causing { stores.session.commit(name: "inside") { $0.visits = 2 } }
        await kept.entries[1].causing { () async in
            await Task.yield()
            stores.session.commit(name: "later") { $0.visits = 3 }
        }
        kept.entries[0].causing { stores.session.commit(name: "initial") { $0.visits = 4 } }
        #expect(
            try stores.causes()
                == ["first": [nil], "outside": [nil], "inside": [1], "later": [1], "initial": [nil]])
    }

    @Test("changes tell the commit that caused theirs")
    func changesCause() throws {
        let stores = try LinkedStores()
        let seen = Log<String>()
        let links = [
            stores.cart.subscribe(initially: false) { _ in stores.session.commit { $0.visits += 1 } },
            stores.session.subscribe(initially: false) { changes in
                seen.add("\(changes.cause?.store ?? "-") \(changes.cause?.version ?? -1)")
                seen.add("\(changes.cause?.number?.rawValue ?? -1) \(changes.cause?.location.line ?? -1)")
            },
        ]
        let line = #line + 1
        stores.cart.commit { $0.count = 1 }
        #expect(seen.entries == ["cart 1", "1 \(line)"])
        links.forEach { $0.cancel() }
        stores.recorder.close()
    }
}

/// Two recorded stores.
private final class LinkedStores: Sendable {
    let journal = TemporaryJournal()
    let recorder: Recorder
    let cart: Store<Cart>
    let session: Store<Session>

    init() throws {
        recorder = try Recorder(journal.path, options: .reproducible)
        cart = Store(Cart(), recorder: recorder)
        session = Store(Session(), recorder: recorder)
    }

    /// Closes the journal, and tells the causes of its commits by their names.
    func causes() throws -> [String: [Int?]] {
        recorder.close()
        let commits = try journal.records("commit").map { (try $0.text("name"), $0.integer("cause")) }
        return Dictionary(grouping: commits, by: \.0).mapValues { $0.map(\.1) }
    }
}

/// A state may be any Sendable value, and code that is generic over it makes the same store.
struct AnyStateTests {
    private final class Image: Sendable {}

    /// Without a form in JSON, and without `==`.
    private struct Screen: Sendable {
        var image = Image()
        var title = ""
        var onClose: @Sendable () -> Void = {}
    }

    /// Equal by its number alone, and with a class in it, so that bytes say nothing.
    private struct Numbered: Equatable, Sendable {
        var number = 0
        var image = Image()
        static func == (left: Numbered, right: Numbered) -> Bool { left.number == right.number }
    }

    private struct Plain: Sendable { var number = 0 }

    private func makeStore<State: Sendable>(_ state: State) -> Store<State> { Store(state, recorder: nil) }

    private func versions<State: Sendable>(_ store: Store<State>, _ body: () -> Void) -> [Int] {
        let seen = Log<Int>()
        let link = store.subscribe(initially: false) { seen.add($0.version) }
        body()
        link.cancel()
        return seen.entries
    }

    @Test("a store that generic code made compares by '==', and by bytes, as one that concrete code made")
    func generic() {
        for store in [makeStore(Numbered()), Store(Numbered(), recorder: nil)] {
            let seen = versions(store) {
                store.commit { $0.image = Image() }
                store.commit { $0.number = 1 }
            }
            #expect(seen == [2])
        }
        for store in [makeStore(Plain()), Store(Plain(), recorder: nil)] {
            let seen = versions(store) {
                store.commit { $0.number = 0 }
                store.commit { $0.number = 1 }
            }
            #expect(seen == [2])
        }
    }

    @Test("a state without JSON and '==' is read, changed, observed and derived from; each commit counts")
    func anyState() {
        let store = Store(Screen(), recorder: nil)
        let titles = store.derived(\.title, named: "title") { $0.uppercased() }
        let scope = store.scope(\.title)
        let seen = versions(store) {
            store.commit { _ in }
            scope.commit { $0 = "a" }
        }
        #expect(seen == [1, 2])
        #expect(titles.value == "A" && store.title == "a" && scope.state == "a")
        let history = UndoHistory(store, of: \.title, limit: 5)
        store.commit { $0.title = "b" }
        history.undo()
        #expect(store.title == "a")
        let reduced = ReducerStore(
            store, reducer: Reducer<Screen, String> { screen, title in screen.title = title })
        reduced.dispatch("c")
        #expect(store.title == "c")
    }

    @Test("a comparison of the caller's decides what counts, of a store and of an atom")
    func comparing() {
        let store = Store(Plain(), recorder: nil, comparing: { $0.number / 10 == $1.number / 10 })
        let seen = versions(store) { for number in [5, 10, 19, 20] { store.commit { $0.number = number } } }
        #expect(seen == [2, 4])
        let atom = Atom("a", name: "word", recorder: nil, comparing: { $0.lowercased() == $1.lowercased() })
        let words = versions(atom.store) {
            atom.set("A")
            atom.set("b")
        }
        #expect(words == [2])
    }

    @Test("generic code records a state that is Encodable")
    func recorded() throws {
        let journal = TemporaryJournal()
        func make<State: Sendable>(_ state: State, _ recorder: Recorder) -> Store<State> {
            Store(state, recorder: recorder)
        }
        let recorder = try Recorder(journal.path)
        let store = make(Session(), recorder)
        store.commit { $0.visits = 1 }
        recorder.close()
        #expect(store.isRecorded)
        #expect(try journal.records("commit").count == 1)
    }
}
