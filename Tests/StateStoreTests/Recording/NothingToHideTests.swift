import JSONCore
import StateStore
import TestSupport
import Testing

/// Values with much beside a secret that does not repeat it.
private struct Plenty: Codable, Equatable, Sendable {
    struct Row: Codable, Equatable, Sendable, Identifiable {
        var id: Int
        var text: String
        var number: Int

        init(_ number: Int) { (id, text, self.number) = (number, "row \(number)", number) }
    }
    struct Loose: Codable, Equatable, Hashable, Sendable {
        var text: String
        var number: Int

        init(_ number: Int) { (text, self.number) = ("loose \(number)", number) }
    }
    struct Owner: Codable, Equatable, Sendable {
        var token: String
        var note: String
        var number: Int
        var lines: [String] = ["a", "b"]

        init(_ number: Int) { (token, note, self.number) = ("t0ken-\(number)-", "owner \(number)", number) }
    }

    var token = "S3CR3T-token"
    var pin = 471_100_000
    var flag = true
    var maybe: String?
    var texts: [String] = []
    var numbers: [Int] = []
    var rows: [Row] = []
    var loose: [Loose] = []
    var owners: [Owner] = []
    var byName: [String: String] = [:]
    var byNumber: [Int: Loose] = [:]
    var set: Set<String> = []
    var table = EntityTable<Row>()
    var long = ""
    var count = 0
}

/// What a secret does not hide where nothing repeats it.
struct NothingToHideTests {
    /// A kind of collection: how it is filled, and how its element at a place gets another value.
    private struct Kind: Sendable {
        let name: String
        let set: @Sendable (inout Plenty, _ place: Int, _ number: Int) -> Void
        let remove: @Sendable (inout Plenty, _ place: Int) -> Void
    }

    private static func put<Element>(_ element: Element, _ list: inout [Element], _ place: Int) {
        if place < list.count { list[place] = element } else { list.append(element) }
    }

    private static let kinds = [
        Kind(name: "texts") {
            put("text \($2)", &$0.texts, $1)
        } remove: {
            $0.texts.remove(at: $1)
        },
        Kind(name: "numbers") {
            put($2, &$0.numbers, $1)
        } remove: {
            $0.numbers.remove(at: $1)
        },
        Kind(name: "values with identities") {
            put(Plenty.Row($2), &$0.rows, $1)
        } remove: {
            $0.rows.remove(at: $1)
        },
        Kind(name: "values without") {
            put(Plenty.Loose($2), &$0.loose, $1)
        } remove: {
            $0.loose.remove(at: $1)
        },
        Kind(name: "values with secrets of their own") {
            put(Plenty.Owner($2), &$0.owners, $1)
        } remove: {
            $0.owners.remove(at: $1)
        },
        Kind(name: "a dictionary of texts") {
            $0.byName["k\($1)"] = "v\($2)"
        } remove: {
            $0.byName["k\($1)"] = nil
        },
        Kind(name: "a dictionary of values") {
            $0.byNumber[$1] = Plenty.Loose($2)
        } remove: {
            $0.byNumber[$1] = nil
        },
        Kind(name: "a set") {
            $0.set.insert("\($1) of \($2)")
        } remove: { plenty, _ in
            plenty.set.remove(plenty.set.min()!)
        },
        Kind(name: "a table") {
            var row = Plenty.Row($1)
            row.number = $2
            $0.table.upsert(row)
        } remove: {
            $0.table[$1] = nil
        },
        Kind(name: "a long text") {
            $0.long += "line \($1) is \($2), "
        } remove: { plenty, _ in
            plenty.long.removeLast(40)
        },
    ]

    private static let sizes = [129, 1_000, 10_000]

    private static let changes: [(String, @Sendable (inout Plenty, Kind, _ size: Int) -> Void)] = [
        ("one is added", { $1.set(&$0, $2, 7_000_001) }),
        ("one is changed", { $1.set(&$0, $2 / 2, 7_000_002) }),
        ("one is removed", { $1.remove(&$0, $2 / 3) }),
        (
            "the secret is replaced",
            { plenty, _, _ in
                plenty.token = "S3CR3T-other"
                plenty.pin = 471_100_001
                for place in plenty.owners.indices { plenty.owners[place].token += "!" }
            }
        ),
        (
            "both",
            { plenty, kind, size in
                kind.set(&plenty, size / 2, 7_000_003)
                plenty.token = "S3CR3T-third"
                plenty.flag.toggle()
                plenty.maybe = plenty.maybe == nil ? "" : nil
            }
        ),
    ]

    @Test(
        "nothing but the secret is hidden in and beside a collection of many", arguments: kinds.map(\.name),
        changes.map(\.0))
    func onlySecrets(kindName: String, changeName: String) throws {
        let kind = try #require(Self.kinds.first { $0.name == kindName })
        let change = try #require(Self.changes.first { $0.0 == changeName }).1
        let number =
            Self.kinds.map(\.name).firstIndex(of: kindName)! + Self.changes.map(\.0).firstIndex(of: changeName)!
        let size = kindName == "values with secrets of their own" ? 129 : Self.sizes[number % 3]
        let (journal, problems) = (TemporaryJournal(), Log<String>())
        let recorder = try Recorder(
            journal.path,
            redact: [.keyPath(\Plenty.token), .keyPath(\Plenty.pin), .keyPath(\Plenty.Owner.token).ifPresent],
            options: .reproducible
        ) { problems.add("\($0)") }
        var initial = Plenty()
        for place in 0..<size { kind.set(&initial, place, place) }
        let store = Store(initial, name: "plenty", recorder: recorder)
        store.commit { $0.count = 1 }
        store.commit { change(&$0, kind, size) }
        store.commit { $0.count = 2 }
        store.commit { change(&$0, kind, size) }
        let owners = store.state.owners.count
        recorder.close()
        #expect(problems.entries == [])
        try journal.verify()
        for state in try journal.replayed().map({ JSONValue.object($0) }) {
            var hidden: [String: Int] = [:]
            Self.count(&hidden, in: state, name: "")
            #expect(Set(hidden.keys).isSubset(of: ["token", "pin"]) && hidden["pin"] == 1, "\(hidden)")
        }
        let last = try #require(try journal.replayed().last)
        #expect(JSONValue.object(last).text().components(of: "$redacted") == 2 + owners)
        #expect(!journal.text.contains("S3CR3T") && !journal.text.contains("t0ken-"))
    }

    private static func count(_ hidden: inout [String: Int], in value: JSONValue, name: String) {
        switch value {
        case .object(let members):
            if members["$redacted"] != nil { hidden[name, default: 0] += 1 }
            for (name, member) in members { count(&hidden, in: member, name: name) }
        case .array(let elements): for element in elements { count(&hidden, in: element, name: name) }
        case .null, .bool, .number, .string: break
        }
    }

    @Test("a mebibyte of text that changes beside a secret is searched, and stays in clear")
    func longText() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(
            journal.path, redact: [.keyPath(\Plenty.token), .keyPath(\Plenty.pin)], options: .reproducible)
        let store = Store(Plenty(), name: "plenty", recorder: recorder)
        let text = String(repeating: "nothing to hide. ", count: 1 << 16)
        store.commit { $0.long = text }
        store.commit { plenty in
            plenty.token = "S3CR3T-other"
            plenty.long += "!"
        }
        recorder.close()
        #expect(journal.text.contains("nothing to hide. !\""))
        #expect(try journal.replayed().last?["plenty"]?.member("long") == .string(text + "!"))
    }
}
