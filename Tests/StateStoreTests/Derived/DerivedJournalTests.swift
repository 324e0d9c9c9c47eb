import Foundation
import JSONCore
import JournalFormat
import Synchronization
import TestSupport
import Testing

@testable import StoreCore

/// A state with a property that encodes under another name, and one that is computed.
private struct Profile: Codable, Equatable, Sendable {
    var name = "Ann"
    var age = 30
    var tags: [String: Int] = [:]
    var isAdult: Bool { age >= 18 }

    enum CodingKeys: String, CodingKey {
        case name
        case age = "years"
        case tags
    }
}

/// An element that counts how often one was encoded.
private struct Counted: Encodable, Equatable, Sendable {
    static let encodings = Ticks()
    let number: Int

    func encode(to encoder: any Encoder) throws {
        _ = Counted.encodings.next()
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

/// A state that has its token in another place of the JSON while somebody is signed in.
private struct Moving: Encodable, Equatable, Sendable {
    var token = "none"
    var isSignedIn = false

    private enum CodingKeys: CodingKey { case token, session, isSignedIn }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isSignedIn, forKey: .isSignedIn)
        guard isSignedIn else { return try container.encode(token, forKey: .token) }
        var session = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .session)
        try session.encode(token, forKey: .token)
    }
}

/// A state with a part that is not always there.
private struct Visit: Codable, Equatable, Sendable { var user: Cart.User? }

struct DerivedJournalTests {
    private let journal = TemporaryJournal()

    private func outcomes(_ journal: TemporaryJournal) throws -> [String] {
        try journal.records("outcome").map { "\($0.integer("commit") ?? 0) \($0["derived"]?.text() ?? "")" }
    }

    private func declarations(_ journal: TemporaryJournal) throws -> [String] {
        try journal.records("derived").map { record in
            let from = record["from"].map { " from \($0.text())" } ?? ""
            return "\(try record.text("name")) \(record["inputs"]?.text() ?? "")\(from)"
        }
    }

    @Test("a derived value over several stores is declared with its paths in all of them, and what it reads")
    func declared() throws {
        let recorder = try Recorder(journal.path, options: .reproducible)
        let cart = Store(Cart(), recorder: recorder)
        let session = Store(Session(), recorder: recorder)
        let query = Atom("", name: "a query", recorder: recorder)
        let badge = cart.derived(\.items, named: "badge") { $0.count }
        let canBuy = Derived(badge, session[\.token], cart[\.user.id], named: "canBuy") { $0 + $2 > 0 && $1 != "" }
        let all = Derived(canBuy, badge, query, named: "all") { "\($0) \($1) \($2)" }
        recorder.close()
        #expect(
            try declarations(journal) == [
                #"badge ["/cart/items"]"#, #"canBuy ["/cart/items","/session/token","/cart/user/id"] from ["badge"]"#,
                #"all ["/cart/items","/session/token","/cart/user/id","/a query"] from ["canBuy","badge"]"#,
            ])
        withExtendedLifetime(all) {}
    }

    @Test("inputs that no path leads to, and what reads them, are declared as unknown")
    func unknownInputs() throws {
        let recorder = try Recorder(journal.path, options: .reproducible)
        let profile = Store(Profile(), recorder: recorder)
        let plain = Store(Session(), recorder: nil)
        let adult = profile.derived(\.isAdult, named: "adult") { $0 }
        let age = profile.derived(\.age, named: "age") { $0 }
        let tag = profile.derived(\.tags["x"], named: "tag") { $0 ?? 0 }
        let next = adult.derived(named: "next") { !$0 }
        let mixed = Derived(profile[\.name], plain[\.token], named: "mixed") { $0 + $1 }
        let known = profile.derived(\.name, named: "known") { $0 }
        #expect(adult.value && !next.value)
        profile.commit { $0.age = 10 }
        recorder.close()
        #expect(
            try declarations(journal) == [
                "adult null", "age null", "tag null", #"next null from ["adult"]"#, "mixed null",
                #"known ["/profile/name"]"#,
            ])
        #expect(
            try outcomes(journal) == [
                #"1 [{"name":"adult","outcome":"fired","value":false},{"name":"next","outcome":"fired","value":true}]"#
            ])
        withExtendedLifetime((age, tag, mixed, known)) {}
    }

    @Test(
        "where a key path leads is looked up in the latest state, which may have got another shape",
        arguments: [false, true])
    func movedInput(isFirstHeld: Bool) throws {
        let recorder = try Recorder(journal.path, redact: ["/s/session/token"], options: .reproducible)
        let store = Store(Moving(), name: "s", recorder: recorder)
        var first: Derived<String>? = store.derived(\.token, named: "first") { $0 }
        #expect(first?.value == "none")
        if !isFirstHeld { first = nil }
        store.commit { $0.isSignedIn = true }
        let second = store.derived(\.token, named: "second") { $0 + "!" }
        #expect(second.value == "none!")
        store.commit { $0.token = "a secret" }
        recorder.close()
        #expect(try declarations(journal) == [#"first ["/s/token"]"#, "second null"])
        #expect(!String(decoding: journal.bytes, as: UTF8.self).contains("a secret!"))
        withExtendedLifetime((first, second)) {}
    }

    @Test(
        "what is derived of a property that moves to a redacted place is hashed from then on, in outcomes and patches",
        arguments: [Recorder.Durability.synchronous, .background])
    func movedWhileRead(durability: Recorder.Durability) throws {
        let patches = Log<String>()
        let recorder = try Recorder(
            journal.path, durability: durability, redact: ["/s/session/token"], options: .reproducible)
        let store = Store(Moving(), name: "s", recorder: recorder)
        // What says nothing that the text of the secret would be found in.
        let letters = store.derived(\.token, named: "letters") { $0.map(\.asciiValue).map { Int($0 ?? 0) } }
        let first = letters.derived(named: "first") { $0.first ?? 0 }
        let open = store.derived(\.isSignedIn, named: "open") { $0 }
        let links = [
            letters.subscribe(initially: false) { changes in patches.add((try? changes.patch?.json) ?? "-") },
            first.subscribe { _ in }, open.subscribe { _ in },
        ]
        store.commit { $0.token = "abc" }
        store.commit { $0.isSignedIn = true }
        store.commit { $0.token = "xyz" }
        store.commit { ($0.token, $0.isSignedIn) = ("zzz", false) }
        let later = store.derived(\.token, named: "later") { $0.count }
        #expect(later.value == 3)
        store.commit { $0.token = "four" }
        recorder.close()
        links.forEach { $0.cancel() }
        let told = try outcomes(journal)
        #expect(told.map { $0.contains("$redacted") } == [false, false, true, true, true])
        #expect(told[0].contains("[97,98,99]"))
        let text = String(decoding: journal.bytes, as: UTF8.self)
        for secret in ["120,121,122", "122,122,122", "\"value\":120", "\"value\":122"] {
            #expect(!text.contains(secret) && !patches.entries.joined().contains(secret))
        }
        #expect(text.contains(#"{"name":"open","outcome":"fired","value":true}"#))
        #expect(try declarations(journal).last == "later null")
        #expect(patches.entries.map { $0.contains("$redacted") } == [false, true, true, true])
    }

    @Test("an optional on the way is unknown while it is nil, and known again whenever it is there")
    func optionalInput() throws {
        let recorder = try Recorder(journal.path, options: .reproducible)
        let store = Store(Visit(), name: "s", recorder: recorder)
        let names = (0..<4).map { number in
            store.commit { $0.user = number % 2 == 1 ? Cart.User(id: number) : nil }
            let name = store.derived(\.user?.name, named: "name\(number)") { $0 ?? "" }
            #expect(name.value == (number % 2 == 1 ? "Ann" : ""))
            return name
        }
        recorder.close()
        #expect(
            try declarations(journal) == [
                "name0 null", #"name1 ["/s/user/name"]"#, "name2 null", #"name3 ["/s/user/name"]"#,
            ])
        withExtendedLifetime(names) {}
    }

    @Test("under a limit, those that went are in no segment that begins later, whatever they were called")
    func comeAndGoneUnderLimit() throws {
        let told = Log<String>()
        let recorder = try Recorder(journal.path, limit: 64 << 10, options: .reproducible) { told.add("\($0)") }
        let cart = Store(Cart(), recorder: recorder)
        for number in 1...3_000 {
            let badge = cart.derived(\.items, named: "badge of the row \(number)") { $0.count }
            #expect(badge.value == 0)
            cart.commit { $0.count = number }
        }
        recorder.close()
        #expect(told.entries.isEmpty)
        try journal.verify()
        #expect(journal.bytes.count < 32 << 10)
        for number in 1...400 { unlink("\(journal.path.dropLast(6)).\(number).jsonl") }
    }

    @Test("the hundredth of one name costs what the first did: names are given at once, and the lowest are used again")
    func names() {
        var pool = NamePool()
        let names = (0..<20_000).map { _ in pool.take("cart") }
        #expect(names.prefix(3) == ["cart", "cart_2", "cart_3"] && Set(names).count == 20_000)
        for name in ["cart_7", "cart_3", "cart"] { pool.giveBack(name, wanted: "cart") }
        #expect((0..<4).map { _ in pool.take("cart") } == ["cart", "cart_3", "cart_7", "cart_20001"])
        #expect(pool.take("cart_9") == "cart_9_2")
    }

    @Test(
        "a name is the lowest that no live one has, whatever order names are given back in", arguments: seeds(1..<9))
    func lowestNames(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (pool, live): (NamePool, [String]) = (NamePool(), [])
        let all = ["cart"] + (2...400).map { "cart_\($0)" }
        for _ in 0..<600 {
            if live.isEmpty || Int.random(in: 0..<5, using: &random) < (seed % 2 == 0 ? 2 : 3) {
                let name = pool.take("cart")
                #expect(name == all.first { !live.contains($0) })
                live.append(name)
            } else {
                pool.giveBack(live.remove(at: Int.random(in: 0..<live.count, using: &random)), wanted: "cart")
            }
        }
    }

    @Test("outcomes stand behind each commit of any of the stores, in the order of evaluation")
    func outcomesOverStores() throws {
        let recorder = try Recorder(journal.path, options: .reproducible)
        let cart = Store(Cart(), recorder: recorder)
        let session = Store(Session(), recorder: recorder)
        let parity = cart.derived(\.count, named: "parity") { $0 % 2 }
        let both = Derived(parity, session[\.visits], named: "both") { $0 + $1 }
        let silent = Derived(cart[\.count], session[\.token], named: "silent") { "\($0)\($1)" }
        let subscription = both.subscribe { _ in }
        cart.commit { $0.count = 1 }
        session.commit { $0.visits = 5 }
        cart.commit { $0.count = 3 }
        session.commit { $0.token = "t" }
        cart.commit { $0.items = [] }
        recorder.close()
        #expect(
            try outcomes(journal) == [
                #"1 [{"name":"parity","outcome":"fired","value":1},{"name":"both","outcome":"fired","value":1}]"#,
                #"2 [{"name":"both","outcome":"fired","value":6}]"#,
                #"3 [{"name":"parity","outcome":"same"},{"name":"both","outcome":"unchanged"}]"#,
            ])
        #expect(both.counters == DerivedCounters(untouched: 1, unchanged: 1, fired: 2))
        #expect(silent.counters == DerivedCounters(), "nobody asked")
        subscription.cancel()
    }

    @Test("a derived value over stores of two journals is declared in both, each with its own outcomes")
    func twoJournals() throws {
        let other = TemporaryJournal()
        let recorders = try (Recorder(journal.path, options: .reproducible), Recorder(other.path))
        let cart = Store(Cart(), recorder: recorders.0)
        let session = Store(Session(), recorder: recorders.1)
        let sum = Derived(cart[\.count], session[\.visits], named: "sum") { $0 + $1 }
        #expect(sum.value == 0)
        cart.commit { $0.count = 1 }
        session.commit { $0.visits = 1 }
        recorders.0.close()
        recorders.1.close()
        #expect(try declarations(journal) == ["sum null"])
        #expect(try declarations(other) == ["sum null"])
        #expect(try outcomes(journal) == [#"1 [{"name":"sum","outcome":"fired","value":1}]"#])
        #expect(try outcomes(other) == [#"1 [{"name":"sum","outcome":"fired","value":2}]"#])
    }

    @Test("a patch that touches an input without changing it counts as unchanged, of an unknown input as untouched")
    func touched() throws {
        let recorder = try Recorder(journal.path, options: .reproducible)
        let cart = Store(Cart(), recorder: recorder)
        let user = cart.derived(\.user, named: "user") { $0.id }
        let last = user.derived(named: "last") { $0 + 1 }
        #expect(last.value == 2)
        cart.commit { $0.user.name = "Bea" }
        cart.commit { $0.items = Array($0.items) }
        recorder.close()
        #expect(
            try outcomes(journal) == [
                #"1 [{"name":"user","outcome":"unchanged"},{"name":"last","outcome":"unchanged"}]"#
            ])
        #expect(user.counters == DerivedCounters(unchanged: 1))
    }

    @Test("a path with an escape is found in the patch as well")
    func escapedPaths() throws {
        struct Odd: Codable, Equatable, Sendable {
            struct Inner: Codable, Equatable, Sendable {
                var id = 1
                var text = ""
                static func == (left: Inner, right: Inner) -> Bool { left.id == right.id }
            }
            var inner = ["a\"b": Inner()]
        }
        let recorder = try Recorder(journal.path, options: .reproducible)
        let odd = Store(Odd(), recorder: recorder)
        let inner = odd.derived(\.inner, named: "inner") { $0.count }
        #expect(inner.value == 1)
        odd.commit { $0.inner["a\"b"]?.text = "x" }
        recorder.close()
        #expect(try outcomes(journal) == [#"1 [{"name":"inner","outcome":"unchanged"}]"#])
    }

    @Test("a value over 1 KiB is left out, and given up instead of encoded whole")
    func largeValues() throws {
        let recorder = try Recorder(journal.path, options: .reproducible)
        let cart = Store(Cart(), recorder: recorder)
        let list = cart.derived(\.count, named: "list") { count in (0..<count).map(Counted.init) }
        let text = cart.derived(\.count, named: "text") { String(repeating: "x", count: $0) }
        let data = cart.derived(\.count, named: "data") { Data(repeating: 1, count: $0) }
        let set = cart.derived(\.count, named: "set") { Set(0..<$0) }
        let table = cart.derived(\.count, named: "table") {
            Dictionary(uniqueKeysWithValues: (0..<$0).map { ($0, $0) })
        }
        #expect(list.value.isEmpty && text.value.isEmpty && data.value.isEmpty)
        #expect(set.value.isEmpty && table.value.isEmpty)
        cart.commit { $0.count = 2 }
        let small = Counted.encodings.value
        cart.commit { $0.count = 100_000 }
        let large = Counted.encodings.value - small
        recorder.close()
        #expect(large <= 1024)
        let fired = #""outcome":"fired""#
        #expect(
            try outcomes(journal) == [
                #"1 [{"name":"list",\#(fired),"value":[0,1]},{"name":"text",\#(fired),"value":"xx"},"#
                    + #"{"name":"data",\#(fired),"value":"AQE="},{"name":"set",\#(fired),"value":[0,1]},"#
                    + #"{"name":"table",\#(fired),"value":{"0":0,"1":1}}]"#,
                #"2 [{"name":"list",\#(fired)},{"name":"text",\#(fired)},{"name":"data",\#(fired)},"#
                    + #"{"name":"set",\#(fired)},{"name":"table",\#(fired)}]"#,
            ])
    }

    @Test("a value of exactly 1 KiB stands in the outcome, one byte more does not", arguments: [1022, 1023])
    func limit(length: Int) throws {
        let recorder = try Recorder(journal.path, options: .reproducible)
        let cart = Store(Cart(), recorder: recorder)
        let text = cart.derived(\.count, named: "text") { String(repeating: "x", count: $0) }
        #expect(text.value.isEmpty)
        cart.commit { $0.count = length }
        recorder.close()
        #expect(try outcomes(journal).map { $0.contains("value") } == [length == 1022])
    }
}
