import StateStore
import Testing

/// A state may be any Sendable value, and code that is generic over it makes the same store.
struct AnyStateTests {
    private final class Image: Sendable {}

    /// Without a form in JSON, and without `==`.
    private struct Screen: Sendable {
        var image = Image()
        var title = ""
        var onClose: @Sendable () -> Void = {}
    }

    /// Equal by its number alone, and with a class in it, so that bytes say nothing.
    private struct Numbered: Equatable, Sendable {
        var number = 0
        var image = Image()
        static func == (left: Numbered, right: Numbered) -> Bool { left.number == right.number }
    }

    private struct Plain: Sendable { var number = 0 }

    private func makeStore<State: Sendable>(_ state: State) -> Store<State> { Store(state, recorder: nil) }

    private func versions<State: Sendable>(_ store: Store<State>, _ body: () -> Void) -> [Int] {
        let seen = Log<Int>()
        let link = store.subscribe(initially: false) { seen.add($0.version) }
        body()
        link.cancel()
        return seen.entries
    }

    @Test("a store that generic code made compares by '==', and by bytes, as one that concrete code made")
    func generic() {
        for store in [makeStore(Numbered()), Store(Numbered(), recorder: nil)] {
            let seen = versions(store) {
                store.commit { $0.image = Image() }
                store.commit { $0.number = 1 }
            }
            #expect(seen == [2])
        }
        for store in [makeStore(Plain()), Store(Plain(), recorder: nil)] {
            let seen = versions(store) {
                store.commit { $0.number = 0 }
                store.commit { $0.number = 1 }
            }
            #expect(seen == [2])
        }
    }

    @Test("a state without JSON and '==' is read, changed, observed and derived from; each commit counts")
    func anyState() {
        let store = Store(Screen(), recorder: nil)
        let titles = store.derived("title", \.title) { $0.uppercased() }
        let scope = store.scope(\.title)
        let seen = versions(store) {
            store.commit { _ in }
            scope.commit { $0 = "a" }
        }
        #expect(seen == [1, 2])
        #expect(titles.value == "A" && store.title == "a" && scope.state == "a")
        let history = UndoHistory(store, of: \.title, limit: 5)
        store.commit { $0.title = "b" }
        history.undo()
        #expect(store.title == "a")
        let reduced = ReducerStore(
            store, reducer: Reducer<Screen, String> { screen, title in screen.title = title })
        reduced.dispatch("c")
        #expect(store.title == "c")
    }

    @Test("a comparison of the caller's decides what counts, of a store and of an atom")
    func comparing() {
        let store = Store(Plain(), recorder: nil, comparing: { $0.number / 10 == $1.number / 10 })
        let seen = versions(store) {
            for number in [5, 10, 19, 20] { store.commit { $0.number = number } }
        }
        #expect(seen == [2, 4])
        let atom = Atom("word", "a", recorder: nil, comparing: { $0.lowercased() == $1.lowercased() })
        let words = versions(atom.store) {
            atom.set("A")
            atom.set("b")
        }
        #expect(words == [2])
    }

    @Test("generic code records a state that is Encodable")
    func recorded() throws {
        let journal = TemporaryJournal()
        func make<State: Sendable>(_ state: State, _ recorder: Recorder) -> Store<State> {
            Store(state, recorder: recorder)
        }
        let recorder = try Recorder(journal.path)
        let store = make(Session(), recorder)
        store.commit { $0.visits = 1 }
        recorder.close()
        #expect(store.isRecorded)
        #expect(try journal.records("commit").count == 1)
    }
}
