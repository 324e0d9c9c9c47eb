import StateStore
import Testing

private struct Shop: Codable, Equatable, Sendable {
    var cart = Cart()
    var session = Session()
}

private struct CartModule: StoreModule {
    typealias State = Cart
    var price: @Sendable (String) async throws -> Int = { _ in 3 }

    func add(_ context: Context, _ name: String) {
        context.commit { cart in cart.items.append(Cart.Item(id: cart.items.count, name: name)) }
    }

    func charge(_ context: Context, _ amount: Int) -> Int {
        context.commit { cart in
            cart.count += amount
            return cart.count
        }
    }

    func buy(_ context: Context, _ name: String) async throws -> Int {
        add(context, name)
        let price = try await price(name)
        await context.dispatch { await note($0) }
        return charge(context, price)
    }

    func note(_ context: Context) async { context.commit(name: "noted") { $0.user.name = "Bea" } }
}

struct ModuleTests {
    @Test("functions of a module are commits of their names, and an action's commits are a chain of causes")
    func chain() async throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path)
        let store = Store(Shop(), recorder: recorder)
        let cart = store.module(CartModule(), at: \.cart)
        cart.dispatch { $0.add($1, "apple") }
        #expect(try await cart.dispatch { try await $0.buy($1, "pear") } == 3)
        cart.dispatch { $0.add($1, "plum") }
        recorder.close()
        #expect(cart.state.items.map(\.name) == ["apple", "pear", "plum"])
        #expect(store.state.cart == cart.state)
        #expect(try journal.names() == ["add(_:_:)", "add(_:_:)", "noted", "charge(_:_:)", "add(_:_:)"])
        #expect(try journal.causes() == [nil, nil, 2, 2, nil])
    }

    @Test("an action that a sink dispatches begins its chain with the commit that the sink hears")
    func nearestCause() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path)
        let (store, session) = (Store(Cart(), recorder: recorder), Store(Session(), recorder: recorder))
        let cart = store.module(CartModule())
        let link = session.subscribe(initially: false) { _ in
            cart.dispatch { module, context in
                module.add(context, "apple")
                _ = module.charge(context, 1)
            }
        }
        session.commit { $0.visits = 1 }
        link.cancel()
        recorder.close()
        #expect(try journal.causes() == [nil, 1, 2])
    }

    @Test("an action of one module may run commits of other stores, which it is the cause of")
    func otherStores() async throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path)
        let (store, session) = (Store(Cart(), recorder: recorder), Store(Session(), recorder: recorder))
        let context = store.context
        context.commit { $0.count = 1 }
        await context.dispatch { _ async in session.commit { $0.visits = 1 } }
        recorder.close()
        #expect(try journal.causes() == [nil, 1])
        #expect(context.state.count == 1)
    }

    @Test(
        "an action that throws says so to its caller, what it committed before stands, a mutation that throws changes nothing"
    )
    func failures() async throws {
        let store = Store(Cart(), recorder: nil)
        let cart = store.module(CartModule(price: { _ in throw Offline() }))
        await #expect(throws: Offline.self) { try await cart.dispatch { try await $0.buy($1, "pear") } }
        #expect(store.state.items.count == 1)
        #expect(throws: Offline.self) {
            try store.context.commit { (cart) throws(Offline) in
                cart.count = 9
                throw Offline()
            }
        }
        #expect(store.state.count == 0)
    }

    @Test("actions of many tasks lose nothing")
    func threads() async {
        let store = Store(Cart(), recorder: nil)
        let cart = store.module(CartModule())
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { _ = try? await cart.dispatch { try await $0.buy($1, "x") } } }
        }
        #expect(store.state.count == 150)
        #expect(store.state.items.map(\.id) == Array(0..<50))
    }
}
