import Dispatch
import StateStore
import Testing

/// A release build drops the words of `precondition`, so here it shows that those of the library are there.
struct MisuseTests {
    struct Note: Codable, Equatable, Identifiable, Sendable {
        var id = 1
        var text = ""
    }

    private func expect(_ words: String, in result: ExitTest.Result?) {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(words), "\(text)")
    }

    @Test("a limit that keeps nothing ends the program with words that name the call")
    func limits() async {
        expect(
            "'.newest(0)' would keep nothing",
            in: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let store = Store(Note(), recorder: nil)
                _ = store.subscribe(on: .queue(DispatchQueue(label: "notes")), buffering: .newest(0)) { _ in }
            })
        expect(
            "'UndoHistory(limit: 0)' cannot keep fewer steps than one",
            in: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = UndoHistory(Store(Note(), recorder: nil), of: \.text, limit: 0)
            })
        expect(
            "'ModelObserver(keeping: -1)' cannot keep fewer models than none",
            in: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = ModelObserver(recorder: nil, keeping: -1)
            })
        expect(
            "'Repository(keeping: -1)' cannot keep fewer keys than none",
            in: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = Repository<Int, Int>("n", recorder: nil, keeping: -1, source: RepositorySource(fetch: { $0 }))
            })
    }

    @Test("an edit of an entity's identity ends the program with words that name what to call")
    func identities() async {
        for result in [
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                var notes: EntityTable = [Note()]
                notes[1]?.id = 5
            },
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                var notes: EntityTable = [Note()]
                notes.update(1) { $0.id = 5 }
            },
        ] { expect("call 'rename(1, to: 5)'", in: result) }
        var notes: EntityTable = [Note()]
        notes.rename(1, to: 5)
        #expect(notes[5]?.id == 5 && notes.count == 1)
    }

    @Test("middleware that dispatches without an end ends the program with words")
    func middleware() async {
        expect(
            "is inside so many others that no stack is left",
            in: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let endless = Middleware<Note, Int> { store, next in
                    { action in
                        next(action)
                        store.dispatch(action + 1)
                    }
                }
                let store = ReducerStore(
                    Store(Note(), recorder: nil), reducer: Reducer { note, action in note.id = action },
                    middleware: [endless])
                store.dispatch(1)
            })
    }
}
