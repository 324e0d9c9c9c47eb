import StateStore
import TestSupport
import Testing

private struct User: Encodable, Equatable, Sendable {
    var name = ""
    var visits = 0
}

private struct AppState: Encodable, Equatable, Sendable {
    var user = User()
    var items: [String] = []
    var seats = 2
}

private struct SoldOut: Error, Equatable {}

/// The code of the page `CommittingChanges`.
struct CommitExamples {
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
