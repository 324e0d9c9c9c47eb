import JSONCore
import StateStore
import Testing

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
