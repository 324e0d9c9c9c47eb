import Foundation
import StateStore
import StateStoreTesting
import Synchronization
import TestSupport
import Testing

@testable import StoreCore

private struct Shelf: Codable, Equatable {
    var items: [String] = []
    var discount = 0
    var total = 0
    var user: String?
}

/// What a view model is: an object of the main actor that shows what a store has.
@MainActor private final class Screen {
    var lines: [String] = []
    let shelf = Store(Shelf(), recorder: nil)
    var subscriptions: Set<Subscription> = []

    /// Closures that are written here are the main actor's.
    func show() {
        shelf.subscribe { self.lines.append("whole \($0.items.count)") }.store(in: &subscriptions)
        shelf.subscribe(\.discount) { [weak self] in self?.lines.append("discount \($0)") }.store(in: &subscriptions)
    }
}

private actor Counter {
    private(set) var counts: [Int] = []
    private var subscription: Subscription?

    func follow(_ shelf: Store<Shelf>) {
        subscription = shelf.subscribe(\.discount) { self.counts.append($0) }
    }
}

private final class Owner: Sendable {}

/// The calls of the library as a newcomer writes them.
@Suite("Words of the library")
struct WordsTests {
    private let shelf = Store(Shelf(), recorder: nil)

    @Test("one grammar makes derived values of one store and of several")
    func derived() {
        let session = Store(Shelf(), recorder: nil)
        let (query, page) = (Atom("", recorder: nil), Atom(1, recorder: nil))
        let badge = shelf.derived(\.items) { $0.count }
        let label = shelf.derived(\.items, \.discount) { items, discount in "\(items.count) at \(discount)" }
        let canBuy = Derived(badge, session[\.user]) { count, user in count > 0 && user != nil }
        let request = Derived(query, page) { "\($0)/\($1)" }
        let first = shelf.scope(\.items).derived { $0.first ?? "-" }
        shelf.commit { $0.items.append("apple") }
        session.commit { $0.user = "Ann" }
        page.update { $0 += 1 }
        #expect(badge.value == 1 && label.value == "1 at 0" && canBuy.value && request.value == "/2")
        #expect(first.value == "apple" && badge.derived { $0 * 2 }.value == 2)
        // A read of a property is a read wherever no input is wanted.
        let items = shelf[\.items]
        #expect(items == ["apple"] && shelf.items == items)
    }

    @Test("a derived value and an atom without a name are called by the place of their making, in the journal too")
    func names() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path)
        let recorded = Store(Shelf(), name: "shelf", recorder: recorder)
        let line = #line + 1
        let (badge, atom) = (recorded.derived(\.items) { $0.count }, Atom(1, recorder: recorder))
        #expect(badge.name == "WordsTests.swift:\(line)" && atom.name == badge.name)
        #expect(recorded.derived(\.items, named: "named") { $0.count }.name == "named")
        recorder.close()
    }

    @Test("a closure of the main actor is called there, at once where the commit is made there")
    @MainActor
    func mainActor() async {
        let screen = Screen()
        screen.show()
        #expect(screen.lines == ["whole 0", "discount 0"])
        screen.shelf.commit { $0.items.append("apple") }
        #expect(screen.lines == ["whole 0", "discount 0", "whole 1"])
        let shelf = screen.shelf
        await Task.detached { shelf.commit { $0.discount = 5 } }.value
        await shelf.waitUntilDelivered()
        #expect(screen.lines.suffix(2).sorted() == ["discount 5", "whole 1"])
    }

    @Test("a closure of another actor is called there, in order")
    func otherActor() async {
        let counter = Counter()
        await counter.follow(shelf)
        for discount in 1...20 { shelf.commit { $0.discount = discount } }
        await shelf.waitUntilDelivered()
        #expect(await counter.counts == Array(0...20))
    }

    @Test("a closure of an actor traps in a context that is not the actor's")
    func wrongContext() async {
        await #expect(processExitsWith: .failure) {
            _ = Store(0, recorder: nil).subscribe(on: .inline) { @MainActor _ in }
        }
    }

    @Test("the latest changes are there outside of a subscription, and in one they are those being delivered")
    func latest() {
        #expect(shelf.latest.previous == nil && shelf.latest.version == 0)
        var versions: [Int] = []
        shelf.commit { $0.discount = 1 }
        #expect(shelf.latest.hasChanges(\.discount) && !shelf.latest.hasChanges(\.items))
        let seen = Log<Int>()
        let link = shelf.subscribe(initially: false) { _ in seen.add(shelf.latest.version) }
        for _ in 0..<3 {
            shelf.commit { $0.discount += 1 }
            versions.append(shelf.latest.version)
        }
        #expect(versions == [2, 3, 4] && seen.entries == versions)
        #expect(shelf.latest.previous?.discount == 3)
        link.cancel()
    }

    @Test("a store that was asked for its latest changes is released with its last reference")
    func latestRelease() {
        weak var released: Store<Shelf>?
        do {
            let store = Store(Shelf(), recorder: nil)
            released = store
            _ = store.latest
            store.commit { $0.discount = 1 }
        }
        #expect(released == nil)
    }

    @Test("a store of actions is read, subscribed to and derived from as a store is")
    func reducerStore() {
        enum Action { case add(String), discount(Int) }
        let actions = ReducerStore(Shelf(), recorder: nil) { (shelf: inout Shelf, action: Action) in
            switch action {
            case .add(let item): shelf.items.append(item)
            case .discount(let discount): shelf.discount = discount
            }
        }
        let (whole, part) = (Log<Int>(), Log<Int>())
        let links = [
            actions.subscribe { whole.add($0.items.count) }, actions.subscribe(\.discount) { part.add($0) },
        ]
        let badge = actions.derived(\.items) { $0.count }
        actions.dispatch(.add("apple"))
        actions.dispatch(.discount(3))
        #expect(actions.items == ["apple"] && actions[\.discount] == 3 && badge.value == 1)
        #expect(whole.entries == [0, 1, 1] && part.entries == [0, 3])
        #expect(actions.latest.version == 2)
        withExtendedLifetime(links) {}
    }

    @Test("a scope is subscribed to as a store is, by what differs in it")
    func scope() async {
        let seen = Log<String>()
        let user = shelf.scope(\.user)
        let link = user.subscribe { seen.add("\($0.current ?? "-") after \($0.previous?.current ?? "-")") }
        var values = user.values().makeAsyncIterator()
        shelf.commit { $0.discount = 1 }
        user.commit { $0 = "Ann" }
        shelf.commit { $0.user = "Bob" }
        #expect(seen.entries == ["- after -", "Ann after -", "Bob after Ann"])
        #expect(await values.next() == "Bob")
        link.cancel()
    }

    @Test("what can be subscribed to is, in code that does not know what it is")
    func anySource() {
        func follow(_ source: some Subscribable<Int>, _ seen: Log<Int>) -> Subscription {
            source.subscribe { seen.add($0.current) }
        }
        let (seen, atom) = (Log<Int>(), Atom(1, recorder: nil))
        let links = [follow(atom, seen), follow(shelf.derived(\.discount) { $0 + 10 }, seen)]
        atom.set(2)
        shelf.commit { $0.discount = 1 }
        #expect(seen.entries == [1, 10, 2, 11])
        withExtendedLifetime(links) {}
    }

    @Test("a value is assigned to a property of another store, now and whenever it differs")
    func assign() {
        let screen = Store(Shelf(), recorder: nil)
        let badge = shelf.derived(\.items) { $0.count }
        let link = badge.assign(to: screen.binding(\.total))
        shelf.commit { $0.items = ["a", "b"] }
        #expect(screen.total == 2)
        link.cancel()
        shelf.commit { $0.items = [] }
        #expect(screen.total == 2)
    }

    @Test("a binding of a derived value sets what the value is made of")
    func derivedBinding() {
        let doubled = shelf.derived(\.discount) { $0 * 2 }
        let binding = doubled.binding(in: shelf) { state, value in state.discount = value / 2 }
        binding.wrappedValue = 10
        #expect(shelf.discount == 5 && binding.wrappedValue == 10)
        binding.modify { $0 += 2 }
        #expect(shelf.discount == 6)
    }

    @Test("what a commit makes is adjusted inside it, in the same version")
    func adjusted() throws {
        let seen = Log<String>()
        let store = Store(
            Shelf(), recorder: nil,
            adjust: { shelf, previous in
                shelf.total = shelf.items.count * 10
                if shelf.discount < previous.discount { shelf.discount = previous.discount }
            })
        let link = store.subscribe { seen.add("\($0.version): \($0.total) \($0.discount)") }
        store.commit { $0.items.append("apple") }
        store.commit { $0.discount = 3 }
        store.commit { ($0.discount, $0.items) = (1, ["a", "b"]) }
        struct Failure: Error {}
        #expect(throws: Failure.self) { try store.commit { _ in throw Failure() } }
        #expect(seen.entries == ["0: 0 0", "1: 10 0", "2: 10 3", "3: 20 3"])
        link.cancel()
    }

    @Test("a subscription ends with the object that it was stored with, and what it holds is released then")
    func storedWithObject() {
        let (seen, held) = (Log<Int>(), Owner())
        weak var released: Owner?
        do {
            let owner = Owner()
            do {
                let captured = Owner()
                released = captured
                shelf.subscribe(\.discount) { discount in
                    seen.add(discount)
                    withExtendedLifetime(captured) {}
                }.store(while: owner)
                shelf.subscribe { seen.add($0.discount * 100) }.store(while: held)
            }
            shelf.commit { $0.discount = 1 }
            #expect(released != nil)
        }
        shelf.commit { $0.discount = 2 }
        #expect(released == nil)
        #expect(seen.entries == [0, 0, 1, 100, 200])
        withExtendedLifetime(held) {}
    }

    @Test("subscriptions of objects that are gone do not pile up")
    func manyObjects() {
        let ended = Log<Int>()
        for number in 0..<1_000 { Subscription { ended.add(number) }.store(while: Owner()) }
        #expect(ended.entries.count > 800)
    }

    @Test("one property, the whole state and a path that is a value are derived from and subscribed to")
    func paths() {
        func follow(_ path: any KeyPath<Shelf, Int> & Sendable, _ seen: Log<Int>) -> Subscription {
            shelf.subscribe(path) { seen.add($0) }
        }
        let (count, whole) = (shelf.derived(\.items.count), shelf.derived { $0.items.count + $0.discount })
        let seen = Log<Int>()
        let link = follow(\.discount, seen)
        shelf.commit { ($0.items, $0.discount) = (["a"], 2) }
        #expect(count.value == 1 && whole.value == 3 && seen.entries == [0, 2])
        link.cancel()
    }

    @Test("a value is waited for, whether it is there or comes; nil if the task is cancelled before")
    func wait() async {
        #expect(await shelf.wait { $0.discount == 0 }?.discount == 0)
        async let waited = shelf.wait { $0.discount >= 3 }
        for discount in 1...5 { shelf.commit { $0.discount = discount } }
        #expect((await waited?.discount ?? 0) >= 3)
        let never = Task { [shelf] in await shelf.wait { $0.discount == 99 } }
        never.cancel()
        #expect(await never.value == nil)
    }

    @Test("what changed is bound where it is used")
    func changedValue() {
        let seen = Log<Int>()
        let link = shelf.subscribe { changes in
            if let discount = changes.ifChanged(\.discount) { seen.add(discount) }
        }
        shelf.commit { $0.total = 1 }
        shelf.commit { $0.discount = 7 }
        #expect(seen.entries == [0, 7])
        link.cancel()
    }

    @Test("a throttled subscriber receives the first value at once, and the newest at the end of each interval")
    func throttled() async {
        let (clock, seen) = (TestClock(), Log<Int>())
        let link = shelf.subscribe(\.discount, on: .throttled(.seconds(1), clock: clock)) { seen.add($0) }
        await shelf.waitUntilDelivered()
        for discount in 1...5 { shelf.commit { $0.discount = discount } }
        #expect(seen.entries == [0])
        clock.advance(by: .seconds(1))
        await shelf.waitUntilDelivered()
        #expect(seen.entries == [0, 5])
        link.cancel()
    }

    @Test("an atom is set to what it was made with, by a commit of that name")
    func reset() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(URL(fileURLWithPath: journal.path))
        let page = Atom(1, name: "page", recorder: recorder)
        page.set(7)
        page.reset()
        #expect(page.value == 1)
        recorder.close()
        #expect(try journal.names().last == "reset")
    }

    @Test("a history knows whether there is something to take back, and to make again")
    func undoable() {
        let history = UndoHistory(shelf)
        #expect(!history.canUndo && !history.canRedo)
        shelf.commit { $0.discount = 1 }
        #expect(history.canUndo && !history.canRedo)
        history.undo()
        #expect(!history.canUndo && history.canRedo)
    }

    @Test("a member of a dictionary is committed to, subscribed to and derived from by its key")
    func family() {
        let drafts = Store([Int: String](), recorder: nil)
        func draft(_ id: Int) -> Scope<[Int: String], String?> { drafts.scope(\.[id]) }
        let (seen, length) = (Log<String>(), Derived(draft(7)) { $0?.count ?? 0 })
        let link = draft(7).subscribe { seen.add($0.current ?? "") }
        draft(7).commit { $0 = "Dear" }
        draft(8).commit { $0 = "Hello" }
        #expect(seen.entries == ["", "Dear"] && length.value == 4 && drafts.state == [7: "Dear", 8: "Hello"])
        link.cancel()
    }
}
