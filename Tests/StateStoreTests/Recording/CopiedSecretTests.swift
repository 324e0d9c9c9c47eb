import JSONCore
import JournalFormat
import Platform
import StateStore
import TestSupport
import Testing

@testable import StateEncoding
@testable import StoreCore

/// A value with secrets, and with places of every kind beside them.
struct Safebox: Codable, Equatable, Sendable {
    struct Part: Codable, Equatable, Hashable, Sendable {
        var name = "part"
        var number = 1
    }
    struct Row: Codable, Equatable, Sendable, Identifiable {
        var id: Int
        var text = "row"
        var number = 1
    }
    struct Inner: Codable, Equatable, Sendable {
        var key: String? = "S3CR3T-key"
        var note = "open"
    }
    enum Payment: Codable, Equatable, Sendable {
        case none
        case card(text: String, number: Int)
    }

    var token = "S3CR3T-token"
    var pin = 471_100_000
    var inner = Inner()

    var text = "open"
    var maybe: String?
    var number = 1
    var real = 0.5
    var list: [String] = []
    var numbers: [Int] = []
    var parts: [Part] = []
    var set: Set<String> = []
    var partSet: Set<Part> = []
    var byKey: [String: Int] = [:]
    var byName: [String: String] = [:]
    var byNumber: [Int: Part] = [:]
    var table = EntityTable<Row>()
    var part = Part()
    var payment = Payment.none
    var deep: [[String: [Part]]] = []
    var count = 0

    static let redactions: [Redaction] = [
        .keyPath(\Safebox.token), .keyPath(\Safebox.pin), .keyPath(\Safebox.inner.key),
    ]

    /// Other secrets than before.
    mutating func rotate(_ number: Int) {
        token = "S3CR3T-token-\(number)/~\"\u{e9}"
        pin = 471_100_000 + number
        inner.key = "S3CR3T-key-\(number)"
    }
}

/// What is done to a value, by a name.
struct SafeboxEdit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (inout Safebox) -> Void

    init(_ name: String, _ run: @escaping @Sendable (inout Safebox) -> Void) {
        testDescription = name
        self.run = run
    }

    /// The places to which a secret is copied.
    static let copies = [
        SafeboxEdit("a text") { $0.text = $0.token },
        SafeboxEdit("inside of a text") { $0.text = "GET /me Bearer \($0.token)." },
        SafeboxEdit("an optional text") { $0.maybe = $0.token }, SafeboxEdit("a number") { $0.number = $0.pin },
        SafeboxEdit("an element of a list") { $0.list = ["a", $0.token] },
        SafeboxEdit("element 130 of a list") { $0.list = (0..<129).map { "line \($0)" } + ["token \($0.token)"] },
        SafeboxEdit("a number in a list of 300") { $0.numbers = Array(0..<300) + [$0.pin] },
        SafeboxEdit("a list of values") { $0.parts = [Part(), Part(name: $0.token)] },
        SafeboxEdit("an element of a set") { $0.set = ["a", "b", $0.token] },
        SafeboxEdit("a set of values") { $0.partSet = [Part(), Part(name: "x", number: $0.pin)] },
        SafeboxEdit("a key") { $0.byKey = ["a": 1, $0.token: 2] },
        SafeboxEdit("a dictionary's value") { $0.byName = ["a": "b", "c": "<\($0.token)>"] },
        SafeboxEdit("a number in a dictionary") { $0.byNumber = [1: Part(), 2: Part(number: $0.pin)] },
        SafeboxEdit("one of 200 entries") { box in
            box.byName = Dictionary(uniqueKeysWithValues: (0..<200).map { ("k\($0)", "v\($0)") })
            box.byName["k7"] = box.token
        },
        SafeboxEdit("a table's text") { $0.table.upsert(Row(id: 7, text: "is \($0.token)")) },
        SafeboxEdit("a number in a table of 200") { box in
            for id in 0..<200 { box.table.upsert(Row(id: id)) }
            box.table[77]?.number = box.pin
        },
        SafeboxEdit("a member of a value") { $0.part.name = $0.token },
        SafeboxEdit("a number of a value") { $0.part.number = $0.pin },
        SafeboxEdit("the payload of a case") { $0.payment = .card(text: "-", number: $0.pin) },
        SafeboxEdit("a text in the payload of a case") { $0.payment = .card(text: $0.token, number: 1) },
        SafeboxEdit("deep in collections") { $0.deep = [[:], ["a": [Part(), Part(name: $0.token)]]] },
        SafeboxEdit("beside a nested secret") { $0.inner.note = "uses \($0.inner.key ?? "none")" },
        SafeboxEdit("around a nested secret") { $0.text = $0.inner.key ?? "none" },
        SafeboxEdit("beside another secret") { $0.inner.note = $0.token },
    ]

    private typealias Part = Safebox.Part
    private typealias Row = Safebox.Row
}

/// When a secret is copied, and what becomes of it.
struct SafeboxStory: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The commits; a copy is one of them.
    let commits: @Sendable (SafeboxEdit) -> [SafeboxEdit]

    static let all = [
        SafeboxStory(testDescription: "copied, and replaced later") { copy in
            [
                copy, SafeboxEdit("") { $0.rotate(1) }, SafeboxEdit("") { $0.count += 1 },
                SafeboxEdit("") { $0.rotate(2) },
            ]
        },
        SafeboxStory(testDescription: "copied as it is replaced") { copy in
            [
                SafeboxEdit("") { $0.count += 1 },
                SafeboxEdit("") {
                    copy.run(&$0)
                    $0.rotate(1)
                },
                SafeboxEdit("") { $0.rotate(2) },
            ]
        },
        SafeboxStory(testDescription: "copied, removed, and what is beside it changed") { copy in
            [
                copy, SafeboxEdit("") { $0.inner.key = nil },
                SafeboxEdit("") { box in
                    box.rotate(3)
                    box.list.insert("first", at: 0)
                    box.part.number += 1
                    box.byName["new"] = "entry"
                },
                SafeboxEdit("") { $0 = Safebox(count: $0.count) },
            ]
        },
        SafeboxStory(testDescription: "copied by each of many commits") { copy in
            (0..<6).flatMap { number in
                [
                    SafeboxEdit("") {
                        $0.rotate(number)
                        copy.run(&$0)
                    },
                    SafeboxEdit("") {
                        copy.run(&$0)
                        $0.rotate(100 + number)
                        $0.count += 1
                    },
                ]
            }
        },
    ]
}

/// Where the value with the secrets is.
struct SafeboxWorld: Codable, Equatable, Sendable {
    struct Named: Codable, Equatable, Sendable, Identifiable {
        var id: Int
        var box = Safebox()
    }
    enum Phase: Codable, Equatable, Sendable {
        case first(Safebox)
        case second(Safebox, count: Int)
    }
    var box: Safebox?
    var list: [Safebox] = []
    var named: [Named] = []
    var shelf: [String: Safebox] = [:]
    var table = EntityTable<Named>()
    var phase: Phase?
    var other = 0
}

/// A copy of a secret beside it never comes out.
struct CopiedSecretTests {
    private func record(
        _ name: String, redact: [Redaction] = Safebox.redactions, verifies: Bool = true, readsLayouts: Bool = true,
        _ run: (Recorder) throws -> Void
    ) throws -> TemporaryJournal {
        let (journal, problems) = (TemporaryJournal(), Log<String>())
        var options = Recorder.Options.reproducible
        (options.verifiesEncoding, options.readsLayouts) = (verifies, readsLayouts)
        let recorder = try Recorder(journal.path, redact: redact, options: options) { problem in
            if case .unmatched = problem { return }
            problems.add("\(problem)")
        }
        try run(recorder)
        recorder.close()
        #expect(problems.entries == [], "\(name)")
        return journal
    }

    private static func hasSecret(_ text: some StringProtocol) -> Bool {
        text.contains("S3CR3T") || String(text).contains(#/[:,\[ "<]471100\d\d\d/#)
    }

    private func expectHidden(_ journal: TemporaryJournal, _ name: String) throws {
        for (line, text) in journal.text.split(separator: "\n").enumerated()
        where CopiedSecretTests.hasSecret(text) {
            Issue.record("\(name), line \(line + 1): \(text.prefix(600))")
        }
        try journal.verify()
        _ = try journal.replayed()
    }

    @Test("wherever and whenever a secret is copied", arguments: SafeboxEdit.copies, SafeboxStory.all)
    func everyCopy(copy: SafeboxEdit, story: SafeboxStory) throws {
        let name = "\(copy.testDescription), \(story.testDescription)"
        let journal = try record(name) { recorder in
            let store = Store(Safebox(), name: "box", recorder: recorder)
            for edit in story.commits(copy) { store.commit { edit.run(&$0) } }
        }
        try expectHidden(journal, name)
    }

    private static let places: [(String, @Sendable (inout SafeboxWorld, (inout Safebox) -> Void) -> Void)] = [
        ("an optional", { $1(&$0.box!) }), ("a list", { $1(&$0.list[1]) }),
        ("all of a list", { for place in $0.list.indices { $1(&$0.list[place]) } }),
        ("a list, from whose front one is removed", fromFront), ("a list of values with identities, moved", moved),
        ("a dictionary", { $1(&$0.shelf["a"]!) }), ("a dictionary, under another key", underAnotherKey),
        ("a table", { $1(&$0.table[1]!.box) }), ("another case of an enum", inAnotherCase),
    ]

    @Sendable private static func moved(in world: inout SafeboxWorld, edit: (inout Safebox) -> Void) {
        edit(&world.named[1].box)
        world.named.swapAt(0, world.named.count - 1)
    }

    @Sendable private static func fromFront(of world: inout SafeboxWorld, edit: (inout Safebox) -> Void) {
        edit(&world.list[world.list.count - 1])
        if world.list.count > 2 { world.list.removeFirst() }
    }

    @Sendable private static func underAnotherKey(of world: inout SafeboxWorld, edit: (inout Safebox) -> Void) {
        var box = world.shelf.removeValue(forKey: world.shelf.keys.min()!)!
        edit(&box)
        world.shelf["k\(world.other)"] = box
    }

    @Sendable private static func inAnotherCase(of world: inout SafeboxWorld, edit: (inout Safebox) -> Void) {
        guard case .first(var box) = world.phase else {
            guard case .second(var box, _) = world.phase else { return }
            edit(&box)
            return world.phase = .first(box)
        }
        edit(&box)
        world.phase = .second(box, count: 1)
    }

    @Test(
        "wherever the value with the secrets is", arguments: sampled(places.map(\.0)),
        ["a text", "a number", "element 130 of a list", "a dictionary's value", "beside a nested secret"])
    func everyPlace(place: String, copy: String) throws {
        let change = try #require(Self.places.first { $0.0 == place }).1
        let edit = try #require(SafeboxEdit.copies.first { $0.testDescription == copy })
        for story in SafeboxStory.all {
            let name = "\(place), \(copy), \(story.testDescription)"
            let journal = try record(name) { recorder in
                var world = SafeboxWorld(box: Safebox(), phase: .first(Safebox()))
                world.list = [Safebox(), Safebox(), Safebox()]
                world.named = (0..<4).map { SafeboxWorld.Named(id: $0) }
                world.shelf = ["a": Safebox(), "b": Safebox()]
                for id in 0..<4 { world.table.upsert(SafeboxWorld.Named(id: id)) }
                let store = Store(world, name: "world", recorder: recorder)
                for edit in story.commits(edit) {
                    store.commit { world in
                        change(&world, edit.run)
                        world.other += 1
                    }
                }
            }
            try expectHidden(journal, name)
        }
    }

    @Test("nor does one that a type names which says itself what is secret, also of two stores of one recorder")
    func otherWays() throws {
        let journal = try record("two stores") { recorder in
            let stores = ["one", "two"].map { Store(Safebox(), name: $0, recorder: recorder) }
            stores[0].commit { $0.text = $0.token }
            stores[1].commit { $0.text = $0.token }
            for store in stores {
                store.commit { $0.rotate(1) }
                store.commit { $0.number = $0.pin }
                store.commit { $0.rotate(2) }
            }
            recorder.detach(stores[0])
            stores[1].commit { $0.text += "!" }
        }
        try expectHidden(journal, "two stores")
    }

    @Test("a nested secret that is not encoded any more does not open what is beside it")
    func missing() throws {
        struct Auth: Encodable, Equatable, Sendable {
            var key: String? = "S3CR3T-4711"
            var note = "uses S3CR3T-4711"
            enum CodingKeys: String, CodingKey { case key, note }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                if let key { try container.encode(key, forKey: .key) }
                try container.encode(note, forKey: .note)
            }
        }
        struct App: Encodable, Equatable, Sendable {
            var auth = Auth()
            var count = 0
        }
        for isFirst in [true, false] {
            let journal = try record("missing", redact: [.keyPath(\App.auth.key)]) { recorder in
                let store = Store(App(), name: "app", recorder: recorder)
                if !isFirst { store.commit { $0.count = 1 } }
                store.commit { $0.auth.key = nil }
                store.commit { $0.auth.note += "!" }
                store.commit { $0.auth.note = "nothing" }
            }
            try expectHidden(journal, "missing")
        }
    }

    @Test("a number, a short text and a whole value are known again by equality", arguments: ["q7", "x", "é"])
    func shortSecrets(short: String) throws {
        struct Card: Codable, Equatable, Sendable {
            struct Check: Codable, Equatable, Sendable {
                var pin = 42
                var tries = 0
            }
            var pin = 42
            var short = ""
            var digits = [1, 2, 3]
            var last = 0
            var texts: [String] = []
            var copy: [Int] = []
            var check = Check()
            var open = "open"
        }
        let journal = try record(
            "short", redact: [.keyPath(\Card.pin), .keyPath(\Card.short), .keyPath(\Card.digits)]
        ) { recorder in
            let store = Store(Card(short: short), name: "card", recorder: recorder)
            store.commit { card in
                card.last = card.pin
                card.texts = ["a", card.short]
                card.copy = card.digits
                (card.pin, card.short, card.digits) = (97, "new", [4, 5, 6])
                card.check.tries += 1
            }
            store.commit { $0.open = "still" }
        }
        let state = try #require(try journal.replayed().last?["card"])
        for name in ["pin", "short", "digits", "last", "texts", "copy", "check"] {
            #expect(state.member(name)?.member("$redacted") != nil, "\(name)")
        }
        #expect(state.member("open") == .string("still"))
        try journal.verify()
    }

    @Test("a secret beside a property that changes is neither written nor searched again")
    func staysQuiet() throws {
        let journal = try record("quiet", verifies: false) { recorder in
            let store = Store(Safebox(), name: "box", recorder: recorder)
            for _ in 0..<5 { store.commit { $0.count += 1 } }
            store.commit { $0.text = "the token is \($0.token)" }
            store.commit { $0.text = "hidden for good" }
            store.commit { $0.list = ["open again"] }
        }
        let patches = TemporaryFolder.lines(journal.path).filter { $0.contains(#""kind":"commit""#) }
        for patch in patches.prefix(5) { #expect(patch.contains(#""path":"/count""#) && !patch.contains("/token")) }
        #expect(patches[5].contains("$redacted") && patches[6].contains("$redacted"))
        #expect(patches[7].contains("open again") && !journal.text.contains("for good"))
        try expectHidden(journal, "quiet")
    }

    // MARK: At random

    private struct Play {
        var generator: SeededGenerator
        private var number = 10
        /// Secrets that a state has or had.
        private var known = ["S3CR3T-token"]

        init(seed: Int) { generator = SeededGenerator(seed: UInt64(seed)) }

        mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

        mutating func payload() -> [String: String] {
            let known = known[below(known.count)]
            return ["x": [known, "it was \(known).", "\(known)\(known)", "clear"][below(4)]]
        }

        mutating func change(_ box: inout Safebox) {
            number += 1
            known.append(box.token)
            switch below(8) {
            case 0: box.rotate(number)
            case 1: box.inner.key = nil
            case 2: box.pin = 471_100_000 + number
            case 3, 4: SafeboxEdit.copies[below(SafeboxEdit.copies.count)].run(&box)
            case 5:
                SafeboxEdit.copies[below(SafeboxEdit.copies.count)].run(&box)
                box.rotate(number)
            case 6: (box.text, box.number) = ("open \(below(3))", below(3))
            default: box.count += 1
            }
        }

        mutating func change(_ world: inout SafeboxWorld) {
            switch below(12) {
            case 0: world.box = world.box == nil ? Safebox() : nil
            case 1: if world.box != nil { change(&world.box!) }
            case 2, 3: if !world.list.isEmpty { change(&world.list[below(world.list.count)]) }
            case 4: world.list.insert(Safebox(), at: below(world.list.count + 1))
            case 5: if !world.list.isEmpty { world.list.remove(at: below(world.list.count)) }
            case 6: world.list.shuffle(using: &generator)
            case 7: world.named.append(SafeboxWorld.Named(id: number * 100))
            case 8:
                if !world.named.isEmpty { change(&world.named[below(world.named.count)].box) }
                world.named.shuffle(using: &generator)
            case 9:
                // Of a new value no secret was in a state before.
                let name = "k\(below(3))"
                if world.shelf[name] == nil { world.shelf[name] = Safebox() } else { change(&world.shelf[name]!) }
            case 10:
                let id = below(4)
                var named = world.table[id] ?? SafeboxWorld.Named(id: id)
                if world.table[id] != nil { change(&named.box) }
                world.table[id] = named
            default:
                world.shelf["k\(below(3))"] = nil
                world.table[below(4)] = nil
            }
            world.other += 1
        }
    }

    @Test("whatever is copied, replaced, moved, removed and added, at random", arguments: seeds(1..<25, atLeast: 24))
    func random(seed: Int) throws {
        var play = Play(seed: seed)
        let journal = try record("seed \(seed)", verifies: seed % 2 == 0, readsLayouts: seed % 5 != 0) { recorder in
            let store = Store(SafeboxWorld(), name: "world", recorder: recorder)
            let derived = store.derived(\.box, named: "text") { $0?.text ?? "-" }.subscribe { _ in }
            for _ in 0..<160 {
                // Of what a state has before the commit.
                let action = CommitAction(type: "Set", payload: play.payload())
                store.commit(action) { play.change(&$0) }
            }
            recorder.mark("said", play.payload())
            derived.cancel()
        }
        #expect(journal.text.contains(#""real":0.5"#) && journal.text.contains(#""x":"clear""#))
        try expectHidden(journal, "seed \(seed)")
    }

    @Test("in every segment of a flight recorder, too", arguments: seeds(1..<4))
    func segments(seed: Int) throws {
        var play = Play(seed: seed)
        let folder = TemporaryFolder()
        let recorder = try Recorder(folder.path("run.jsonl"), redact: Safebox.redactions, limit: 128 << 10)
        let store = Store(SafeboxWorld(), name: "world", recorder: recorder)
        for _ in 0..<400 { store.commit { play.change(&$0) } }
        recorder.close()
        let files = try FileSystem.names(in: folder.path).filter { $0.hasSuffix(".jsonl") }
        #expect(files.count > 1)
        for file in files {
            for line in TemporaryFolder.lines(folder.path(file)) {
                #expect(!CopiedSecretTests.hasSecret(line), "seed \(seed), \(file)")
            }
        }
    }

    @Test(
        "a search finds what a plain one finds, whatever it is told to look for in which order",
        arguments: seeds(1..<21))
    func search(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        func text(_ length: ClosedRange<Int>) -> String {
            String((0..<Int.random(in: length, using: &generator)).map { _ in "abc".randomElement(using: &generator)! })
        }
        var search = SecretSearch()
        var texts: [String] = []
        for _ in 0..<300 {
            if texts.count < 12, Int.random(in: 0..<8, using: &generator) == 0 {
                let new = text(1...90)
                search.insertParts(ofSecret: Array(JSONValue.string(new).text().utf8))
                if new.count >= 4 { texts.append(new) }
            }
            var whole = text(0...40)
            if let known = texts.randomElement(using: &generator), Bool.random(using: &generator) {
                whole += known + text(0...9)
            }
            // Of a long text its end is looked for.
            let isFound = whole.count >= 4 && texts.contains { whole.contains($0.suffix(64)) }
            #expect(search.matches(text: whole) == isFound, "seed \(seed)")
        }
    }
}
