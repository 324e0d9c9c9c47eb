import JSONCore
import StateStore
import Testing

struct ScopeTests {
    @Test("a scoped commit changes its part, returns and throws as a commit does, and is the store's commit")
    func commit() {
        struct Refused: Error, Equatable {}
        let store = Store(Cart(), recorder: nil)
        let user = store.scope(\.user)
        let length = user.commit { user -> Int in
            user.name = "Bea"
            return user.name.count
        }
        #expect(length == 3)
        #expect(user.state.name == "Bea")
        #expect(store.state.user.name == "Bea")
        do throws(Refused) {
            try user.commit { (user) throws(Refused) in
                user.id = 9
                throw Refused()
            }
            Issue.record("the commit did not throw")
        } catch {
            #expect(error == Refused())
        }
        #expect(user.state.id == 1)
        #expect(store.version == 1)
    }

    @Test("the journal has the whole state's path and the place of the scoped commit")
    func journal() throws {
        let (journal, recorder) = try TemporaryJournal.recording(.reproducible)
        let store = Store(Cart(), recorder: recorder)
        let line = #line + 1
        store.scope(\.user).scope(\.name).commit { $0 = "Bea" }
        store.scope(\.user).commit(name: "rename", fileID: "A/B.swift", line: 3, column: 5, function: "f()") {
            $0.name = "Cia"
        }
        recorder.close()
        let commits = try journal.records("commit")
        #expect(
            commits.first?["patch"]?.text() == #"[{"op":"replace","path":"/user/name","value":"Bea","old":"Ann"}]"#)
        #expect(commits.first?["at"]?.member("line") == .number(JSONNumber(line)))
        #expect(try commits.first?.text("name") == "journal()")
        #expect(try commits.last?.text("name") == "rename")
        #expect(commits.last?["at"]?.text() == #"{"file":"A/B.swift","line":3,"column":5,"function":"f()"}"#)
    }
}

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

struct StoreBindingTests {
    @Test("a binding reads what is there now, and each set is a commit")
    func getAndSet() {
        let store = Store(Cart(), recorder: nil)
        let count = store.binding(\.count)
        count.wrappedValue = 3
        #expect(store.state.count == 3)
        store.commit { $0.count = 4 }
        #expect(count.wrappedValue == 4)
        count.wrappedValue = 4
        #expect(store.version == 3, "a set of an equal value is a commit too")
    }

    @Test("a binding has bindings to its parts, and is its own projected value")
    func parts() {
        let store = Store(Cart(), recorder: nil)
        @StoreBinding var user: Cart.User
        _user = store.binding(\.user)
        $user.name.wrappedValue = "Bea"
        user.id = 7
        #expect(store.state.user.name == "Bea")
        #expect(store.state.user.id == 7)
        #expect(store.scope(\.user).binding(\.name).wrappedValue == "Bea")
    }

    @Test("nothing comes between reading and setting in a modification of a binding")
    func modify() async {
        let store = Store(Cart(), recorder: nil)
        let count = store.binding(\.count)
        await concurrently(4) { _ in for _ in 0..<200 { count.modify { $0 += 1 } } }
        #expect(count.wrappedValue == 800)
        #expect(count.modify { $0 * 2 } == 1600)
    }

    @Test("a set is recorded with the place and the function where the binding was made")
    func journal() throws {
        let (journal, recorder) = try TemporaryJournal.recording(.reproducible)
        let store = Store(Cart(), recorder: recorder)
        let line = #line + 1
        let user = store.binding(\.user)
        func elsewhere() { user.name.wrappedValue = "Bea" }
        elsewhere()
        store.binding(\.count, name: "stepper").wrappedValue = 2
        recorder.close()
        let commits = try journal.records("commit")
        #expect(commits.first?["at"]?.member("line") == .number(JSONNumber(line)))
        #expect(
            commits.first?["patch"]?.text() == #"[{"op":"replace","path":"/user/name","value":"Bea","old":"Ann"}]"#)
        #expect(try commits.map { try $0.text("name") } == ["journal()", "stepper"])
    }
}
