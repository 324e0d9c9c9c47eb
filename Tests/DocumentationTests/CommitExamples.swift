import StateStore
import TestSupport
import Testing

private struct User: Encodable, Equatable, Sendable {
    var name = ""
    var visits = 0
}

private struct Guest: Encodable, Equatable, Identifiable, Sendable {
    var id: Int
    var name = ""
    var visits = 0
}

private struct AppState: Encodable, Equatable, Sendable {
    var name = "guests"
    var user = User()
    var owner: User?
    var guests: [Guest] = []
    var items: [String] = []
    var seats = 2
}

private struct SoldOut: Error, Equatable {}

/// The code of the page `CommittingChanges`.
struct CommitExamples {
    @Test("what holds in every version is kept so inside each commit")
    func adjusting() {
        struct GuestList: Encodable, Equatable, Sendable {
            var guests: [String] = []
            var count = 0
        }
        let list = Store(GuestList(), name: "list", adjust: { list, _ in list.count = list.guests.count })
        list.commit { $0.guests.append("Ann") }
        #expect(list.count == 1)
    }

    @Test("a commit changes the state, returns and throws")
    func committing() throws {
        let store = Store(AppState(), name: "app")
        store.commit { $0.user.visits += 1 }

        let left = try store.commit { state throws(SoldOut) -> Int in
            guard state.seats > 0 else { throw SoldOut() }
            state.seats -= 1
            return state.seats
        }
        #expect(left == 1)
        #expect(store.state.seats == 1)
        #expect(store.version == 2)
    }

    @Test("a scope commits to a part")
    func scope() {
        let store = Store(AppState(), name: "app")
        let user = store.scope(\.user)
        user.commit { $0.name = "Ann" }
        print(user.state.name)
        #expect(store.state.user.name == "Ann")
    }

    @Test("a child that may be missing, and a row, are scopes while they are there")
    func children() {
        let store = Store(AppState(owner: User(), guests: [Guest(id: 5), Guest(id: 7)]), name: "app")
        if let owner = store.scope(unwrapping: \.owner) { owner.commit { $0.visits += 1 } }
        for guest in store.scopes(\.guests) { guest.commit { $0.visits += 1 } }
        store.scope(\.guests, id: 7)?.commit { $0.name = "Cid" }
        #expect(store.owner?.visits == 1)
        #expect(store.guests == [Guest(id: 5, visits: 1), Guest(id: 7, name: "Cid", visits: 1)])
        guard let guest = store.scopes(\.guests).first else { return }
        store.commit { $0.guests = [] }
        let typed = "Eve"
        if guest.commit({ $0.name = typed }) == nil { print("'\(typed)' was not saved: the guest is gone") }
    }

    @Test("a property is read by its name, one with the name of a member of stores by its path")
    func names() {
        let store = Store(AppState(user: User(name: "Ann")), name: "app")
        #expect(store.user.name == "Ann")
        #expect(store[\.name] == "guests")
        #expect(store.name == "app")
    }

    @Test("what a store has for itself hides no property of a state")
    func hiddenNames() {
        struct Names: Encodable, Equatable, Sendable {
            var delivery = 1
            var published = 2
            var tracking = 3
            var info = 4
            var untrackedState = 5
        }
        let store = Store(Names(), recorder: nil)
        #expect([store.delivery, store.published, store.tracking, store.info] == [1, 2, 3, 4])
    }

    @Test("a binding is set by who knows no store")
    func binding() {
        func rename(_ name: StoreBinding<String>) { name.wrappedValue = "Bea" }

        let store = Store(AppState(), name: "app")
        let user = store.binding(\.user)
        rename(user.name)
        user.visits.modify { $0 += 1 }
        #expect(store.state.user == User(name: "Bea", visits: 1))
    }

    @Test("an atomic variable is changed in one step")
    func atomic() async {
        let hits = Locked(0)
        await withTaskGroup { group in
            for _ in 0..<10 { group.addTask { hits.modify { $0 += 1 } } }
        }
        #expect(hits.wrappedValue == 10)
    }

    @Test("the registry tells the live stores")
    func registry() {
        let store = Store(AppState(), name: "documented")
        store.commit { $0.seats = 3 }
        for entry in StoreRegistry.live { print(entry.name, entry.type, entry.version) }
        #expect(StoreRegistry.live.contains { $0.name == "documented" && $0.version == 1 })
    }
}
