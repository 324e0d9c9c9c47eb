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

    @Test("a scope of a scope reads and writes the inner part")
    func nested() {
        let store = Store(Cart(), recorder: nil)
        let name = store.scope(\.user).scope(\.name)
        name.commit { $0 += "a" }
        #expect(name.state == "Anna")
        #expect(store.state.user.name == "Anna")
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
