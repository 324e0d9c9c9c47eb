import StateStore
import Testing

private struct Document: Encodable, Equatable, Sendable {
    var title = ""
    var lines: [String] = []
}

private struct AppState: Encodable, Equatable, Sendable {
    var document = Document()
    var isSaved = true
}

/// The code of the page `UndoAndRedo`.
struct UndoExamples {
    @Test("steps and groups are taken back")
    func undo() {
        let store = Store(AppState(), name: "app")
        func rename(_ title: String) { store.commit { $0.document.title = title } }
        let history = UndoHistory(store, of: \.document, limit: 200)
        rename("Draft")
        history.undo()
        history.redo()
        #expect(store.document.title == "Draft")
        history.group("paste") {
            store.commit { $0.document.title += "!" }
            store.commit { $0.document.lines.append("pasted") }
        }
        let label = history.undoName.map { "Undo \($0)" } ?? "Undo"
        #expect(label == "Undo paste")
        history.undo()
        #expect(store.document == Document(title: "Draft"))
        #expect(history.undoName == "rename(_:)")
    }
}
