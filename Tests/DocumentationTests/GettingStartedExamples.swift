import StateStore
import StateStoreTesting
import TestSupport
import Testing

struct Todo: Codable, Equatable, Identifiable, Sendable {
    var id: Int
    var title: String
    var isDone = false
}

struct TodoState: Codable, Equatable, Sendable {
    var todos: [Todo] = []
    var openCount = 0
}

final class TodoList: Sendable {
    let store: Store<TodoState>
    let summary: Derived<String>

    init(recorder: Recorder? = .current) {
        store = Store(TodoState(), name: "todo", recorder: recorder)
        summary = store.derived("summary", \.openCount) { open in open == 0 ? "all done" : "\(open) to do" }
    }

    func add(_ title: String) {
        store.commit { state in
            state.todos.append(Todo(id: state.todos.count + 1, title: title))
            state.openCount += 1
        }
    }

    func finish(_ id: Int) {
        store.commit { state in
            guard let place = state.todos.firstIndex(where: { $0.id == id }) else { return }
            state.todos[place].isDone = true
            state.openCount -= 1
        }
    }
}

/// The code of the page `GettingStarted`.
struct GettingStartedExamples {
    @Test("todos are counted", .journaled)
    func counting() {
        let list = TodoList()
        list.add("write")
        list.add("read")
        list.finish(1)
        #expect(list.summary.value == "1 to do")
    }

    @Test("the last of all is done")
    func summary() {
        let list = TodoList(recorder: nil)
        let subscription = list.summary.subscribe { changes in print(changes.current) }
        list.add("write")
        list.finish(1)
        #expect(list.summary.value == "all done")
        subscription.cancel()
    }

    @Test("the bug of the page: a todo that is finished twice is counted twice")
    func bug() throws {
        let folder = TemporaryFolder()
        let recorder = try Recorder(folder.path("todo.jsonl"))
        let list = TodoList(recorder: recorder)
        list.add("write")
        list.add("read")
        list.finish(1)
        list.finish(1)
        recorder.close()
        #expect(list.store.state.openCount == 0)
    }
}
