import Dispatch
import JSONCore
import StateStore
import TestSupport
import Testing

@testable import StoreCore

private struct Document: Codable, Equatable, Sendable {
    var text = ""
    var marks: [Int] = []
    var clicks = 0
}

struct UndoHistoryTests {
    private let store = Store(Document(), name: "document", recorder: nil)

    private func type(_ text: String) { store.commit { $0.text += text } }

    @Test("two histories of one store keep apart what is theirs")
    func twoParts() {
        let (texts, marks) = (UndoHistory(store, of: \.text), UndoHistory(store, of: \.marks))
        type("a")
        store.commit { $0.marks = [1] }
        type("b")
        #expect(marks.undo() && texts.undo() && !marks.undo())
        #expect(store.state == Document(text: "a"))
        #expect(marks.redo() && store.state == Document(text: "a", marks: [1]))
    }

    @Test("no more steps are kept than the limit, and the states beyond it end")
    func limit() {
        final class Token: Sendable, Encodable, Equatable {
            static func == (left: Token, right: Token) -> Bool { left === right }
            func encode(to encoder: any Encoder) throws {}
        }
        struct Held: Sendable, Encodable, Equatable { var token = Token() }
        let store = Store(Held(), recorder: nil)
        let history = UndoHistory(store, of: \.token, limit: 3)
        weak let old = store.token
        for _ in 0..<4 { store.commit { $0.token = Token() } }
        #expect(old == nil)
        #expect(history.undo() && history.undo() && history.undo() && !history.undo())
        weak let undone = store.token
        #expect(undone != nil)
        for _ in 0..<3 { history.redo() }
        weak let last = store.token
        for _ in 0..<3 { history.undo() }
        store.commit { $0.token = Token() }
        #expect(last == nil, "what was taken back goes with the next change")
        history.removeAll()
        #expect(undone == nil && !history.undo())
    }

    @Test("commits that leave the part as it is leave nothing behind, whatever the state's '==' takes for equal")
    func equalCommits() {
        final class Token: Sendable {}
        struct Note: Sendable, Equatable {
            var text = ""
            var token = Token()
            static func == (left: Note, right: Note) -> Bool { left.text == right.text }
        }
        let store = Store(Note(), recorder: nil)
        let history = UndoHistory(store, of: \.text, limit: 10)
        weak var first: Token?
        for number in 0..<100 {
            store.commit { $0.token = Token() }
            if number == 50 { first = store.token }
        }
        #expect(first == nil)
        #expect(!history.undo())
    }

    @Test("what a job on another actor or queue commits is no part of the group that scheduled it")
    func scheduledJobs() async {
        let history = UndoHistory(store, of: \.text)
        let queue = DispatchQueue(label: "test")
        let contexts: [DeliveryContext] = [
            .mainActor, .queue(queue), .scheduled(by: { job in Task { job() } }),
        ]
        for (number, context) in contexts.enumerated() {
            let link = store.subscribe(on: context, initially: false) { [store] changes in
                if changes.text.hasSuffix("\(number)") { store.commit(name: "normal") { $0.text += "!" } }
            }
            history.group("import") { type("\(number)") }
            await store.waitUntilDelivered()
            // It would commit after the undo, too.
            link.cancel()
            #expect(history.undoName == "normal")
            #expect(history.undo() && history.undoName == "import")
        }
    }

    @Test("the commits of a group are one step, in tasks and after a throw too; a group inside is a part of it")
    func groups() async throws {
        struct Stopped: Error {}
        let history = UndoHistory(store, of: \.self)
        type("0")
        history.group("insert word") {
            for text in ["a", "b"] { type(text) }
            history.group { type("c") }
        }
        #expect(history.undoName == "insert word")
        await history.group("later") {
            type("d")
            await Task { type("e") }.value
        }
        do throws(Stopped) {
            try history.group { () throws(Stopped) in
                type("f")
                throw Stopped()
            }
        } catch {}
        let seen = [history.undo(), history.undo(), history.undo()].map { _ in store.text }
        #expect(seen.last == "0")
        history.redo()
        #expect(store.text == "0abc")
        history.redo()
        #expect(store.text == "0abcde")
    }

    @Test("the journal names the commit that is taken back, and by a redo the undo; the cause stays the cause")
    func journal() throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let store = Store(Document(), name: "document", recorder: recorder)
        let other = Store(Document(), name: "other", recorder: recorder)
        let history = UndoHistory(store, of: \.text)
        let link = other.subscribe(initially: false) { _ in history.undo() }
        func applyDiscount(_ text: String) { store.commit { $0.text = text } }
        applyDiscount("a")
        store.commit(name: "clear") { $0.text = "" }
        history.group("both") {
            applyDiscount("b")
            applyDiscount("c")
        }
        history.undo()
        history.undo()
        history.redo()
        other.commit(name: "link") { $0.clicks = 1 }
        link.cancel()
        recorder.close()
        let commits = try journal.records("commit").map { commit in
            [try commit.text("name"), commit["undoes"]?.text() ?? "-", commit["cause"]?.text() ?? "-"]
                .joined(separator: " ")
        }
        #expect(
            commits == [
                "applyDiscount(_:) - -", "clear - -", "applyDiscount(_:) - -", "applyDiscount(_:) - -",
                "undo both 4 -", "undo clear 2 -", "redo clear 6 -", "link - -", "undo clear 7 8",
            ])
        #expect(store.text == "a")
    }

    @Test("a commit that a subscriber undoes at once is the one that it was notified of, whoever subscribed first")
    func inDelivery() {
        let seen = Log<String>()
        let histories = Log<UndoHistory<Document, String>>()
        let link = store.subscribe(initially: false) { changes in
            seen.add(changes.text)
            if changes.text == "bad" { histories.entries[0].undo() }
        }
        histories.add(UndoHistory(store, of: \.text))
        type("a")
        store.commit { $0.text = "bad" }
        type("b")
        #expect(seen.entries == ["a", "bad", "a", "ab"])
        #expect(histories.entries[0].undo() && store.text == "a")
        link.cancel()
    }

    @Test("a button that shows the names is notified when they change, also by removing all steps")
    func tracked() {
        let history = UndoHistory(store, of: \.text)
        let seen = Log<String>()
        @Sendable func render() {
            onChange(of: seen.add("\(history.undoName ?? "-") \(history.redoName ?? "-")")) { render() }
        }
        render()
        store.commit { $0.clicks = 1 }
        store.commit(name: "x") { $0.text = "x" }
        history.undo()
        history.redo()
        history.removeAll()
        #expect(seen.entries == ["- -", "x -", "- x", "x -", "- -"])
    }

    @Test("threads that commit, undo and redo lose no step: undone to the end, the state is the first one")
    func threads() async {
        let history = UndoHistory(store, of: \.marks, limit: 10_000)
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for round in 0..<200 {
                        store.commit { $0.marks.append(thread * 1_000 + round) }
                        if round % 5 == thread { history.undo() }
                        if round % 7 == thread { history.redo() }
                    }
                }
            }
        }
        let last = store.marks
        var count = 0
        while history.undo() { count += 1 }
        #expect(store.marks.isEmpty)
        #expect(count == last.count)
        for _ in 0..<count { history.redo() }
        #expect(store.marks == last)
    }

    @Test("against a plain list of states, random edits, undos and redos give the same")
    func model() {
        for seed in 0..<50 {
            var random = SeededGenerator(seed: UInt64(seed))
            let store = Store(Document(), recorder: nil)
            let history = UndoHistory(store, of: \.marks, limit: 8)
            var (past, present, future): ([[Int]], [Int], [[Int]]) = ([], [], [])
            for number in 0..<200 {
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    #expect(history.undo() == !past.isEmpty)
                    if let last = past.popLast() {
                        future.append(present)
                        present = last
                    }
                case 1:
                    #expect(history.redo() == !future.isEmpty)
                    if let next = future.popLast() {
                        past.append(present)
                        present = next
                    }
                case 2: store.commit { $0.clicks += 1 }
                default:
                    store.commit { $0.marks.append(number) }
                    past.append(present)
                    if past.count > 8 { past.removeFirst() }
                    future = []
                    present.append(number)
                }
                guard store.marks == present else {
                    Issue.record("seed \(seed), step \(number): \(store.marks) is not \(present)")
                    return
                }
            }
        }
    }

    @Test("subscribers that come and go take no step from a history, whose end lets the store rest")
    func subscribers() {
        do {
            let made = UndoHistory(store, of: \.text)
            for text in ["a", "b", "c"] {
                let subscription = store.subscribe { _ in }
                type(text)
                subscription.cancel()
                type(text)
            }
            var count = 0
            while made.undo() { count += 1 }
            #expect(count == 6 && store.text.isEmpty)
        }
        let isListening = store.published.withLock(\.hasListeners)
        #expect(!isListening)
    }

    @Test("a history that is gone keeps no states, and its store goes on")
    func end() {
        weak var store: Store<Document>?
        do {
            let made = Store(Document(), recorder: nil)
            store = made
            let history = UndoHistory(made, of: \.text)
            made.commit { $0.text = "a" }
            history.undo()
        }
        #expect(store == nil)
    }
}
