import Foundation
import JournalFormat
import StateStore
import StateStoreTesting
import TestSupport
import Testing

// The page's code, in the file that the page calls it.
#sourceLocation(file:"TodoList.swift",line:3)
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
        summary = store.derived(\.openCount, named: "summary") { open in open == 0 ? "all done" : "\(open) to do" }
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
#sourceLocation()

/// The code of the page `GettingStarted`, and what it shows of its journal.
struct GettingStartedExamples {
    private static let page = SharedFolder.packageRoot.appendingPathComponent(
        "Sources/StateStore/StateStore.docc/GettingStarted.md")

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

    @Test("each command of the page prints what stands below it")
    func examples() async throws {
        let shell = try ExampleShell()
        try record(to: shell.folder.path("todo.jsonl"))
        func answer(_ example: ConsoleExamples.Example) async throws -> String {
            try await shell.run(example.command).printed.replacingOccurrences(of: "EndToEndTests/", with: "Todo/")
        }
        let document = ConsoleExamples(try String(contentsOf: Self.page, encoding: .utf8))
        #expect(document.all.count == 2)
        if ProcessInfo.processInfo.environment["RECORD_EXAMPLES"] != nil {
            let text = try await document.document(answer: answer)
            try text.write(to: Self.page, atomically: true, encoding: .utf8)
            Issue.record("GettingStarted.md was recorded anew; run the tests again without RECORD_EXAMPLES")
            return
        }
        for example in document.all {
            let printed = try await answer(example)
            #expect(printed == example.printed, "$ \(example.command)\n\(printed)")
        }
    }

    private func record(to path: String) throws {
        var options = Recorder.Options()
        options.id = "todo"
        let seconds = Locked(0)
        options.clock = {
            let second = seconds.modify { seconds in
                seconds += 1
                return seconds
            }
            return Timestamp(microseconds: 1_772_366_400_000_000 + second * 1_000_000)
        }
        let recorder = try Recorder(path, options: options)
        let list = TodoList(recorder: recorder)
        let subscription = list.summary.subscribe { changes in print(changes.current) }
        list.add("write")
        list.add("read")
        list.finish(1)
        list.finish(1)
        subscription.cancel()
        recorder.close()
    }
}
