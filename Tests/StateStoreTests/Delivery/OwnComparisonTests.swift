import StateStore
import TestSupport
import Testing

/// Equal by its id alone, as the entities of many apps are.
private struct Document: Codable, Equatable, Identifiable, Sendable {
    var id = 1
    var badge = 0
    var title = ""
    var lines: [Line] = []
    var byName: [String: Line] = [:]
    var table = EntityTable<Line>()

    var isMarked: Bool { badge > 0 }

    static func == (left: Document, right: Document) -> Bool { left.id == right.id }
}

private struct Line: Codable, Hashable, Identifiable, Sendable {
    var id = 1
    var text = ""

    static func == (left: Line, right: Line) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// Equal within a tolerance, so that many small steps are none each.
private struct Position: Codable, Equatable, Sendable {
    var x = 0
    static func == (left: Position, right: Position) -> Bool { abs(left.x - right.x) < 10 }
}

private struct Map: Codable, Equatable, Sendable {
    var position = Position()
    var zoom = 1
}

/// Each listener compares with what it saw last, by its own comparison.
struct OwnComparisonTests {
    private let seen = Log<String>()

    private func track(_ name: String, _ read: @escaping @Sendable () -> some Sendable) {
        let seen = seen
        onChange(of: read()) { seen.add(name) }
    }

    @Test("a view, a selection, a loop and a derived value see a property that the state's '==' leaves out")
    func leftOut() async {
        let store = Store(Document(), recorder: nil)
        let seen = seen
        var links: [Subscription] = []
        store.subscribe(\.badge, initially: false) { seen.add("selection \($0)") }.store(in: &links)
        store.subscribe(\.title, by: { $0.count == $1.count }, initially: false) { seen.add("own \($0)") }
            .store(in: &links)
        store.derived(\.badge, named: "badge") { $0 }.subscribe(initially: false) { seen.add("derived \($0.current)") }
            .store(in: &links)
        store.subscribe(initially: false) { seen.add("whole \($0.badge)") }.store(in: &links)
        var values = store.values(\.badge, initially: false).makeAsyncIterator()
        track("property") { store.badge }
        track("path") { store[\.title] }
        track("scope") { store.scope(\.badge).state }
        track("binding") { store.binding(\.badge).wrappedValue }
        track("computed") { store.isMarked }
        track("state") { store.state }
        track("another scope") { store.scope(\.lines).state }
        track("another binding") { store.binding(\.byName).wrappedValue }
        store.commit { $0.badge = 1 }
        #expect(Set(seen.entries) == ["selection 1", "derived 1", "property", "scope", "binding", "computed"])
        #expect(seen.entries.count == 6)
        #expect(await values.next() == 1)
        store.commit { $0.title = "ab" }
        #expect(Set(seen.entries.dropFirst(6)) == ["own ab", "path"])
        store.commit { $0.title = "cd" }
        #expect(seen.entries.count == 8)
        store.commit { $0.id = 2 }
        #expect(
            Set(seen.entries.dropFirst(8)) == ["whole 1", "state"], "the store's comparison is for the whole state")
    }

    @Test("what a whole subscriber is given next has what it saw last as its previous, whatever was equal to that")
    func previous() {
        let store = Store(Document(), recorder: nil)
        let seen = seen
        let link = store.subscribe(initially: false) { changes in
            changes.ifChanged(\.badge) { seen.add("\(changes.previous?.badge ?? -1) \($0)") }
        }
        for badge in 1...3 { store.commit { $0.badge = badge } }
        #expect(seen.entries.isEmpty)
        let late = store.subscribe { seen.add("late \($0.previous?.badge ?? -1) \($0.badge)") }
        store.commit { $0.id = 2 }
        #expect(seen.entries == ["late -1 3", "0 3", "late 3 3"])
        link.cancel()
        late.cancel()
    }

    @Test("rows and entities of a store are tracked by all that they hold, whatever their '==' says")
    func rows() throws {
        let first = Document(lines: [Line()], byName: ["a": Line()], table: [Line()])
        let store = Store(first, recorder: nil)
        let row = try #require(store.scope(\.lines, id: 1))
        let value = try #require(store.scope(unwrapping: \.byName["a"]))
        let entity = try #require(store.scope(unwrapping: \.table[1]))
        track("row") { row.state.text }
        track("value") { value.scope(\.text).state }
        track("entity") { entity.state.text }
        track("element") { store[\.lines[0].text] }
        track("table") { store.table }
        let seen = seen
        let selection = store.subscribe(\.table, initially: false) { seen.add("selected \($0[1]?.text ?? "")") }
        let nested = store.derived(\.table, named: "text") { $0[1]?.text ?? "" }
        let link = nested.subscribe(initially: false) { seen.add("derived \($0.current)") }
        store.commit { $0.lines[0].text = "x" }
        #expect(Set(seen.entries).isSuperset(of: ["row", "element"]))
        store.commit { $0.byName["a"]?.text = "y" }
        #expect(seen.entries.contains("value"))
        store.commit { $0.table[1]?.text = "z" }
        #expect(Set(seen.entries).isSuperset(of: ["entity", "table", "selected z", "derived z"]))
        selection.cancel()
        link.cancel()
    }

    @Test("a tolerance adds up for views, whichever version each was made of")
    func toleranceOfViews() {
        let store = Store(0, recorder: nil, comparing: { abs($0 - $1) < 10 })
        track("first") { store.state }
        for _ in 0..<9 { store.commit { $0 += 1 } }
        track("second") { store.state }
        #expect(seen.entries.isEmpty)
        for _ in 0..<9 { store.commit { $0 -= 1 } }
        store.commit { $0 -= 1 }
        #expect(Set(seen.entries) == ["first", "second"], "the second one shows 9")
        let map = Store(Map(), recorder: nil)
        track("position") { map.position }
        for _ in 0..<9 { map.commit { $0.position.x += 1 } }
        #expect(seen.entries.count == 2)
        map.commit { $0.position.x += 1 }
        #expect(seen.entries.last == "position")
    }

    @Test("a tolerance of a type's own '==' adds up for selections, derived values and undo")
    func toleranceOfParts() {
        let map = Store(Map(), recorder: nil)
        let seen = seen
        let history = UndoHistory(map, of: \.position)
        let selection = map.subscribe(\.position, initially: false) { seen.add("selection \($0.x)") }
        let link = map.derived(\.position, named: "x") { $0.x }.subscribe(initially: false) {
            seen.add("derived \($0.current)")
        }
        for _ in 0..<25 { map.commit { $0.position.x += 1 } }
        #expect(seen.entries == ["selection 10", "derived 10", "selection 20", "derived 20"])
        history.undo()
        #expect(map.position.x == 10)
        history.undo()
        #expect(map.position.x == 0 && !history.undo())
        selection.cancel()
        link.cancel()
    }

    @Test("small steps add up to one that is undone, also where none of them was delivered yet")
    func undeliveredSteps() {
        let map = Store(Map(), recorder: nil)
        let history = UndoHistory(map, of: \.position)
        let link = map.subscribe(\.zoom, initially: false) { _ in
            for _ in 0..<12 { map.commit { $0.position.x += 1 } }
            #expect(history.undo() && map.position.x == 0)
        }
        map.commit { $0.zoom = 2 }
        #expect(map.zoom == 2)
        link.cancel()
    }

    private struct Mail: ObservedModel, Codable {
        var id = 1
        var text = ""
        static func == (left: Mail, right: Mail) -> Bool { left.id == right.id }
    }

    private struct Folder: ObservedModel, Codable {
        var id = 1
        var mail = Mail()
        var nestedModels: [any ObservedModel] { [mail] }
        func replacing(_ model: any ObservedModel) -> Folder {
            guard let mail = model as? Mail else { return self }
            return Folder(id: id, mail: mail)
        }
    }

    @Test("an origin's answer and an update of a model are news, whatever their '==' leaves out")
    func origins() async {
        let mails = Repository<Int, Mail>(
            "mails", recorder: nil, source: RepositorySource(fetch: { _ in Mail(text: "fetched") }))
        let seen = seen
        let link = mails.observe(1) { seen.add($0.content?.text ?? "-") }
        // An answer that comes later would take the place of what is set.
        await seen.wait { $0.contains("fetched") }
        let text = Derived(mails.input(1), named: "text") { $0?.content?.text ?? "-" }
        await mails.set(Mail(text: "set"), for: 1)
        #expect(text.value == "set")
        track("key") { mails.state(of: 1)?.content?.text }
        await mails.set(Mail(text: "set again"), for: 1)
        #expect(seen.entries.suffix(3).sorted() == ["key", "set", "set again"] && text.value == "set again")
        link.cancel()

        let models = ModelObserver(recorder: nil)
        let folder = models.add(Folder()) { seen.add("folder \($0.mail.text)") }
        let heading = Derived(models.input(Mail.self, 1), named: "heading") { $0?.text ?? "-" }
        #expect(heading.value == "")
        track("model") { models.model(Mail.self, 1)?.text }
        models.update(Mail(text: "new"))
        #expect(seen.entries.suffix(2).sorted() == ["folder new", "model"] && heading.value == "new")
        models.update(Mail(text: "new"))
        #expect(seen.entries.count { $0 == "folder new" } == 1)
        folder.cancel()
    }

    @Test("an equal commit notifies nobody, however often the state was read meanwhile")
    func equal() {
        let store = Store(Map(), recorder: nil)
        for number in 0..<10 {
            track("\(number)") { (store.state, store.zoom) }
            store.commit { $0.zoom = 1 }
        }
        #expect(seen.entries.isEmpty)
        store.commit { $0.zoom = 2 }
        #expect(Set(seen.entries).count == 10)
    }

    @Test(
        "of random steps each listener is given those that its comparison takes for a change of what it saw",
        arguments: seeds(1..<6))
    func law(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let store = Store(Map(), recorder: nil, comparing: { $0 == $1 })
        let (whole, part) = (Log<Int>(), Log<Int>())
        let links = [
            store.subscribe { whole.add($0.position.x) }, store.subscribe(\.position) { part.add($0.x) },
        ]
        var expected = [0]
        for _ in 0..<300 {
            let step = Int.random(in: -6...6, using: &random)
            store.commit { $0.position.x += step }
            if let last = expected.last, abs(store.position.x - last) >= 10 { expected.append(store.position.x) }
        }
        #expect(whole.entries == expected)
        #expect(part.entries == expected)
        links.forEach { $0.cancel() }
    }
}
