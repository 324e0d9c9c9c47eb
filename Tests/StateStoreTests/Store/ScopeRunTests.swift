import StateStore
import Testing

private struct Shop: Codable, Equatable, Sendable {
    var cart = Cart()
    var session = Session()
}

/// The mutations and actions of a part, whatever store it is in.
extension Scope where Part == Cart {
    fileprivate func add(_ name: String) {
        commit { cart in cart.items.append(Cart.Item(id: cart.items.count, name: name)) }
    }

    @discardableResult
    fileprivate func charge(_ amount: Int) -> Int? {
        commit { cart in
            cart.count += amount
            return cart.count
        }
    }

    fileprivate func buy(_ name: String, for price: (String) async throws -> Int = { _ in 3 }) async throws -> Int? {
        add(name)
        let price = try await price(name)
        await run { await $0.note() }
        return charge(price)
    }

    fileprivate func note() async { scope(\.user).commit(name: "noted") { $0.name = "Bea" } }
}

struct ScopeRunTests {
    @Test("the functions of a part are commits of their names, and those of a run a chain of causes")
    func chain() async throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let store = Store(Shop(), recorder: recorder)
        let cart = store.scope(\.cart)
        cart.add("apple")
        #expect(try await cart.run { try await $0.buy("pear") } == 3)
        cart.add("plum")
        recorder.close()
        #expect(cart.state.items.map(\.name) == ["apple", "pear", "plum"])
        #expect(store.state.cart == cart.state)
        #expect(try journal.names() == ["add(_:)", "add(_:)", "noted", "charge(_:)", "add(_:)"])
        #expect(try journal.causes() == [nil, nil, 2, 2, nil])
    }

    @Test("a run that a sink begins has the commit that the sink hears for its first cause")
    func nearestCause() throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let (store, session) = (Store(Cart(), recorder: recorder), Store(Session(), recorder: recorder))
        let link = session.subscribe(initially: false) { _ in
            store.scope(\.self).run { cart in
                cart.add("apple")
                cart.charge(1)
            }
        }
        session.commit { $0.visits = 1 }
        link.cancel()
        recorder.close()
        #expect(try journal.causes() == [nil, 1, 2])
    }

    @Test("a run inside another one is caused by what that committed last, and so are commits of other stores")
    func otherStores() async throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let (store, session) = (Store(Cart(), recorder: recorder), Store(Session(), recorder: recorder))
        await store.scope(\.self).run { cart in
            cart.commit { $0.count = 1 }
            await cart.run { _ async in session.commit { $0.visits = 1 } }
        }
        recorder.close()
        #expect(try journal.causes() == [nil, 1])
        #expect(store.state.count == 1)
    }

    @Test(
        "a run that throws says so to its caller, what it committed before stands, a commit that throws changes nothing"
    )
    func failures() async throws {
        let store = Store(Cart(), recorder: nil)
        let cart = store.scope(\.self)
        await #expect(throws: Offline.self) { try await cart.run { try await $0.buy("pear") { _ in throw Offline() } } }
        #expect(store.state.items.count == 1)
        #expect(throws: Offline.self) {
            try cart.run { cart throws(Offline) in
                try cart.commit { (cart) throws(Offline) in
                    cart.count = 9
                    throw Offline()
                }
            }
        }
        #expect(store.state.count == 0)
    }

    @Test("the runs of many tasks lose nothing")
    func threads() async {
        let store = Store(Cart(), recorder: nil)
        let cart = store.scope(\.self)
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { _ = try? await cart.run { try await $0.buy("x") } } }
        }
        #expect(store.state.count == 150)
        #expect(store.state.items.map(\.id) == Array(0..<50))
    }
}
