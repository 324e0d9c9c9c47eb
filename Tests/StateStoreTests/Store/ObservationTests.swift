import Foundation
import Observation
import Testing

@testable import StoreCore

struct ObservationTests {
    @Test("a commit that leaves an equal state is not told, nor is one that throws")
    func equalValue() {
        struct Full: Error {}
        let store = Store(Cart(), recorder: nil)
        let seen = Log<Int>()
        onChange(of: store.state) { seen.add(store.state.count) }
        store.commit { $0.count = 0 }
        #expect(throws: Full.self) { try store.commit { _ in throw Full() } }
        #expect(seen.entries.isEmpty)
        store.commit { $0.count = 5 }
        #expect(seen.entries == [5])
    }

    @Test("a property that is read by path or name is told of its own changes, once the new state can be read")
    func properties() {
        let store = Store(Cart(), recorder: nil)
        let seen = Log<String>()
        @Sendable func track() {
            onChange(of: seen.add("count \(store[\.count])")) { track() }
        }
        track()
        onChange(of: store.items) { seen.add("items \(store[\.items].count)") }
        store.commit { $0.user.id = 7 }
        #expect(seen.entries == ["count 0"])
        store.commit { $0.items = [Cart.Item(id: 1, name: "tea")] }
        #expect(seen.entries == ["count 0", "items 1"])
        store.commit { $0.count = 3 }
        store.commit { $0.count = 3 }
        store.commit { $0.count = 4 }
        #expect(seen.entries == ["count 0", "items 1", "count 3", "count 4"])
    }

    @Test("what is not a stored property that can be compared is told of every change")
    func incomparable() {
        struct Opaque: Encodable, Sendable { var value = 0 }
        struct Rows: Encodable, Sendable, Equatable {
            var title = ""
            var rows = [0, 0]
            var opaque: Opaque { Opaque() }
            var first: Int { rows[0] }
        }
        let store = Store(Rows(), recorder: nil)
        let seen = Log<String>()
        func track<Value>(_ name: String, _ path: any KeyPath<Rows, Value> & Sendable) {
            onChange(of: store[path]) { seen.add(name) }
        }
        track("title", \.title)
        track("rows", \.rows)
        track("element", \.rows[1])
        track("opaque", \.opaque)
        track("computed", \.first)
        store.commit { $0.title = "x" }
        #expect(Set(seen.entries) == ["title", "element", "opaque", "computed"])
        store.commit { $0.rows = [] }
        #expect(seen.entries.filter { $0 == "rows" } == ["rows"] && seen.entries.count == 5)
    }

    @Test("a tracked read of what may not be there traps in no later commit, whichever way it was read")
    func partialPaths() {
        struct Person: Codable, Equatable, Sendable { var name = "Ann" }
        struct Rows: Codable, Equatable, Sendable {
            var items = ["a", "b"]
            var user: Person? = Person()
            var byID = [1: "one"]
        }
        let store = Store(Rows(), recorder: nil)
        let told = Log<String>()
        func track(_ name: String, _ read: () -> Void) {
            onChange(of: read()) { told.add(name) }
        }
        let scope = store.scope(\.items[1]), binding = store.binding(\.items[1])
        track("element") { _ = store[\.items[1]] }
        track("unwrapped") { _ = store[\.user!.name] }
        track("chained") { _ = store[\.user?.name] }
        track("entry") { _ = store[\.byID[1]!] }
        track("scope") { _ = scope.state }
        track("binding") { _ = binding.wrappedValue }
        store.commit { $0 = Rows(items: [], user: nil, byID: [:]) }
        #expect(Set(told.entries) == ["element", "unwrapped", "chained", "entry", "scope", "binding"])
        store.commit { $0 = Rows() }
        store.commit { $0.items.append("c") }
        track("grown") { _ = store[\.items[2]] }
        store.commit { $0.items.removeLast() }
        #expect(told.entries.last == "grown" && told.entries.count == 7)
    }

    @Test("a change that comes before the tracking closure has ended does not silence the changes after it")
    func changeWhileTracking() {
        let store = Store(Cart(), recorder: nil)
        let told = Ticks()
        withObservationTracking {
            _ = store[\.count]
            // As another thread may do: the framework registers the read at the end of the closure.
            store.commit { $0.count = 1 }
        } onChange: {
            _ = told.next()
        }
        store.commit { $0.items = [] }
        #expect(told.value == 0)
        store.commit { $0.count = 2 }
        #expect(told.value == 1)
    }

    @Test("a derived value tells of both of its stores, and not while it stays equal; unheld it goes, though observed")
    func derivedOverTwo() {
        let (cart, session) = (Store(Cart(), recorder: nil), Store(Session(), recorder: nil))
        weak var gone: Derived<String>?
        let seen = Log<String>()
        do {
            let title = Derived(cart[\.count], session[\.visits], named: "title") { "\($0 / 2) of \($1)" }
            gone = title
            func track() {
                withObservationTracking {
                    _ = title.value
                } onChange: { [weak title] in
                    seen.add(title?.value ?? "")
                }
            }
            track()
            cart.commit { $0.count = 1 }
            cart.commit { $0.count = 2 }
            track()
            session.commit { $0.visits = 2 }
            track()
        }
        #expect(seen.entries == ["1 of 0", "1 of 2"])
        #expect(gone == nil)
        #expect(!cart.published.withLock(\.hasListeners) && !session.published.withLock(\.hasListeners))
        cart.commit { $0.count = 5 }
        #expect(seen.entries.count == 2)
    }

    @Test("an atom tells its observers")
    func atom() {
        let query = Atom("", name: "query", recorder: nil)
        let seen = Log<String>()
        onChange(of: query.value) { seen.add(query.value) }
        query.set("")
        #expect(seen.entries.isEmpty)
        query.set("tea")
        #expect(seen.entries == ["tea"])
    }

    @Test("what an observer commits names the commit that it was told of as its cause")
    func cause() throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let (store, log) = (Store(Cart(), recorder: recorder), Store(Session(), recorder: recorder))
        let badge = store.derived(\.items, named: "badge") { $0.count }
        onChange(of: store[\.count]) { log.commit { $0.visits += 1 } }
        onChange(of: badge.value) { log.commit { $0.visits += 1 } }
        store.commit { $0.count = 1 }
        store.commit { $0.items = [Cart.Item(id: 1, name: "tea")] }
        recorder.close()
        let commits = try journal.records("commit")
        #expect(commits.map { $0.integer("cause") } == [nil, 1, nil, 3])
    }

    @Test("tracking outlives its store")
    func deadStore() {
        weak var gone: Store<Cart>?
        do {
            let store = Store(Cart(), recorder: nil)
            gone = store
            onChange(of: store.state) {}
        }
        #expect(gone == nil)
    }

    @Test("a state, a property and a derived value are tracked while other threads commit, and the last one is told")
    func threads() async {
        let store = Store(Cart(), recorder: nil)
        let badge = store.derived(\.count, named: "badge") { $0 / 2 }
        let (last, lastBadge) = (Log<Int>(), Log<Int>())
        @Sendable func trackProperty() { onChange(of: last.add(store[\.count])) { trackProperty() } }
        @Sendable func trackBadge() { onChange(of: lastBadge.add(badge.value)) { trackBadge() } }
        let told = Ticks()
        @Sendable func track() {
            withObservationTracking {
                _ = store.state
            } onChange: {
                _ = told.next()
                track()
            }
        }
        track()
        trackProperty()
        trackBadge()
        await concurrently(4) { _ in for _ in 0..<200 { store.commit { $0.count += 1 } } }
        await store.waitUntilDelivered()
        #expect(told.value == 800, "each delivery tells whoever began to track in the one before")
        #expect(last.entries.last == 800 && lastBadge.entries.last == 400)
    }

    @Test("whether a read is tracked is known from the framework's tables, and an untracked one costs no delivery")
    func trackedReads() {
        #expect(
            ObservationPoint.detectsTracking, "without it every read makes a store deliver, which is right but slower"
        )
        let store = Store(Cart(), recorder: nil)
        #expect(store.state.count == 0 && store[\.count] == 0 && store.scope(\.user).state.id == 1)
        #expect(!store.observation.registerAccess())
        #expect(!store.delivery.line.withLock(\.isObserved) && !store.published.withLock(\.hasListeners))
        onChange(of: store.state) {}
        #expect(store.delivery.line.withLock(\.isObserved))
    }

    @Test("of many threads that begin to track at once, each is told of what follows", arguments: 1...20)
    func beginningAtOnce(round: Int) async {
        let store = Store(Cart(), recorder: nil)
        let (tracking, told) = (Ticks(), Ticks())
        // It goes on until the others are there, so it has a thread of its own: tasks have as few as there are cores.
        async let committed: Void = withCheckedContinuation { ended in
            Thread.detachNewThread {
                while tracking.value < 2 { store.commit { $0.items = [] } }
                store.commit { $0.count += 1 }
                ended.resume()
            }
        }
        await concurrently(2) { _ in
            onChange(of: store.state) { _ = told.next() }
            _ = tracking.next()
        }
        await committed
        #expect(told.value == 2)
    }
}
