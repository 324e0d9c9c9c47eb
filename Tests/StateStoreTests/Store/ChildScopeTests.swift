import JSONCore
import StateStore
import Testing

private struct Row: Codable, Equatable, Identifiable, Sendable {
    var id: Int
    var title = ""
    var tags: [String] = []
}

private struct Board: Codable, Equatable, Sendable {
    var user: Row?
    var rows: [Row] = []
    var table = EntityTable<Row>()
    var clicks = 0
}

struct ChildScopeTests {
    private static func store(_ rows: Int = 3, recorder: Recorder? = nil) -> Store<Board> {
        Store(
            Board(user: Row(id: 9, title: "Ann"), rows: (0..<rows).map { Row(id: $0, title: "r\($0)") }), name: "board",
            recorder: recorder)
    }

    @Test("an optional child is a scope while there is one, which reads and commits as every scope does")
    func optional() throws {
        let store = Self.store()
        let user = try #require(store.scope(unwrapping: \.user))
        let count = user.commit { user -> Int in
            user.title = "Bea"
            return user.title.count
        }
        #expect(count == 3)
        #expect(user.state.title == "Bea")
        user.scope(\.tags).commit { $0.append("new") }
        user.binding(\.title).wrappedValue += "!"
        #expect(store.state.user == Row(id: 9, title: "Bea!", tags: ["new"]))
        store.commit { $0.user = nil }
        #expect(store.scope(unwrapping: \.user) == nil)
    }

    @Test("a commit to a child that is gone runs nothing, returns nil, and is an abort with its place")
    func gone() throws {
        struct Refused: Error {}
        let (journal, recorder) = try TemporaryJournal.recording()
        let store = Self.store(recorder: recorder)
        let user = try #require(store.scope(unwrapping: \.user))
        let row = try #require(store.scope(\.rows, id: 1))
        store.commit { board in
            board.user = nil
            board.rows.remove(at: 1)
        }
        let (before, seen) = (store.state, Log<String>())
        let line = #line + 1
        let title = user.commit { user in
            seen.add("title")
            return user.title
        }
        #expect(title == nil && seen.entries.isEmpty)
        #expect(try row.commit { _ in throw Refused() } == nil, "it is not run, so it does not throw")
        row.scope(\.tags).commit(name: "tag") { $0.append("x") }
        row.binding(\.title).wrappedValue = "y"
        #expect(row.binding(\.title).modify { $0 += "z" } == nil)
        row.run { $0.commit { $0.title = "run" } }
        #expect(store.state == before && store.version == 1)
        #expect([user.state.title, row.state.title, row.scope(\.title).state] == ["Ann", "r1", "r1"])
        recorder.close()
        #expect(try journal.records("commit").count == 1)
        let aborts = try journal.records("abort")
        #expect(aborts.count == 6)
        #expect(aborts[0]["at"]?.member("line") == .number(JSONNumber(line)))
        #expect(try aborts[0].text("error").hasPrefix("what the scope is of is gone"))
        #expect(try aborts[2].text("name") == "tag")
        store.commit { $0.user = Row(id: 5, title: "Eve") }
        #expect(user.state.title == "Eve", "what the optional holds is the child, whoever it is")
        #expect(user.commit { $0.title } == "Eve")
    }

    @Test("a row's scope follows its row to other places, and writes nowhere else")
    func rows() throws {
        let store = Self.store(5)
        let rows = store.scopes(\.rows)
        #expect(rows.map(\.id) == [0, 1, 2, 3, 4])
        store.commit { $0.rows.reverse() }
        for row in rows { row.commit { $0.title += "/\($0.id)" } }
        store.commit { board in board.rows.insert(Row(id: 7), at: 0) }
        for row in rows { row.scope(\.tags).commit { $0.append("t") } }
        #expect(store.state.rows.dropFirst().map(\.title) == ["r4/4", "r3/3", "r2/2", "r1/1", "r0/0"])
        #expect(store.state.rows.map(\.tags) == [[], ["t"], ["t"], ["t"], ["t"], ["t"]])
        #expect(store.scope(\.rows, id: 8) == nil)
    }

    @Test("children within children, entities and values by key are scopes too")
    func nested() throws {
        let store = Self.store()
        store.commit { $0.table.upsert(Row(id: 4, title: "four")) }
        let entity = try #require(store.scope(unwrapping: \.table[4]))
        entity.commit { $0.title = "4" }
        let board = store.scope(\.self)
        try #require(board.scope(\.rows, id: 2)).scope(\.tags).commit { $0 = ["a"] }
        #expect(store.state.table[4]?.title == "4")
        #expect(store.state.rows[2].tags == ["a"])
        store.commit { $0.table.remove(4) }
        entity.commit { $0.title = "5" }
        #expect(store.state.table.isEmpty)
    }

    @Test("a tracked read of a child is told of changes of the property that it is in, and never traps once it is gone")
    func tracked() throws {
        let store = Self.store()
        let (user, row) = (
            try #require(store.scope(unwrapping: \.user)), try #require(store.scope(\.rows, id: 2))
        )
        let seen = Log<String>()
        @Sendable func track(_ name: String, _ read: @escaping @Sendable () -> String) {
            onChange(of: seen.add("\(name) \(read())")) { track(name, read) }
        }
        track("user") { user.state.title }
        track("row") { row.scope(\.title).state }
        store.commit { $0.clicks += 1 }
        #expect(seen.entries == ["user Ann", "row r2"])
        store.commit { $0.rows[2].title = "two" }
        store.commit { $0.user?.title = "Bea" }
        store.commit { $0.rows.removeAll() }
        store.commit { $0.user = nil }
        #expect(seen.entries == ["user Ann", "row r2", "row two", "user Bea", "row r2", "user Ann"])
    }
}
