import EntityTables
import Foundation
import StatePatterns
import Testing

@testable import StateEncoding

/// Equal to every other one.
private struct Blind: Codable, Hashable, Identifiable, Sendable {
    var id = 1
    var flag = false
    var text: String
    var parts: [Blind] = []
    var choice = Choice.none

    enum Choice: Codable, Sendable {
        case none
        case one(String)
        case two(name: String, [Int])
    }

    static func == (left: Blind, right: Blind) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}

private final class Reference: Sendable {}

private struct Wrapped: Equatable {
    let reference = Reference()
    var number: Int
    static func == (left: Wrapped, right: Wrapped) -> Bool { left.number == right.number }
}

struct ContentComparisonTests {
    /// A text that is in a buffer of its own.
    private static func text(_ text: String) -> String { String("\(text), and some more words".reversed()) }

    private static func make(_ word: String = "a", number: Int = 1) -> [(name: String, value: Any)] {
        let blind = Blind(text: text(word), choice: .two(name: text("b"), [number]))
        return [
            ("text", text(word)), ("struct", blind), ("array", [blind]), ("optional", Blind?.some(blind) as Any),
            ("optional of an optional", Optional(blind as Blind?) as Any), ("slice", [blind, blind][1...]),
            ("set", Set([blind])), ("dictionary", [1: blind, 2: Blind(text: "x")]), ("tuple", (blind, 2)),
            ("table", EntityTable([blind])), ("nested", Blind(text: "x", parts: [Blind(text: "y", parts: [blind])])),
            ("case", Blind.Choice.one(text(word))), ("cases", Blind.Choice.two(name: text(word), [1])),
            ("state", LoadingState.completed(content: blind)), ("data", Data(text(word).utf8)),
            (
                "group",
                {
                    var index = GroupIndex<String, Blind>(); index.insert(1, into: text(word)); return index
                }()
            ),
        ]
    }

    private func same(_ left: Any, _ right: Any) -> Bool {
        func compare<Value>(_ left: Value) -> Bool {
            (right as? Value).map { ContentComparison.same(left, $0) } ?? false
        }
        return _openExistential(left, do: compare)
    }

    @Test("the same content in other buffers is the same, another content is not, whatever '==' says")
    func content() {
        for (left, right) in zip(Self.make(), Self.make()) { #expect(same(left.value, right.value), "\(left.name)") }
        for (left, right) in zip(Self.make(), Self.make("z")) {
            #expect(!same(left.value, right.value), "\(left.name)")
        }
        for (left, right) in zip(Self.make(), Self.make(number: 2)).dropFirst().prefix(4) {
            #expect(!same(left.value, right.value), "\(left.name)")
        }
        #expect(!same(Blind(text: "a"), Blind(flag: true, text: "a")))
        #expect(!same(Blind.Choice.none, Blind.Choice.one("")))
        #expect(!same("e\u{301}", "\u{e9}"))
    }

    @Test("numbers are compared by their bytes, as the journal writes them, and texts too")
    func bytes() {
        #expect(!same(0.0, -0.0) && same(Double.nan, Double.nan) && !same(Float(0), -0))
        #expect(!same([0.0], [-0.0]) && !same(0.0...1, -0.0...1) && same(["a": 1.5], ["a": 1.5]))
        #expect(!same("e\u{301}" as Character, "\u{e9}" as Character))
        #expect(!same("e\u{301}".dropFirst(0), "\u{e9}".dropFirst(0)))
        #expect(!same(["e\u{301}": 1], ["\u{e9}": 1]))
    }

    @Test("another reference may hold anything, whatever the '==' around it says")
    func references() {
        #expect(!same(Wrapped(number: 1), Wrapped(number: 1)) && !same(Wrapped(number: 1), Wrapped(number: 2)))
        let (reference, wrapped) = (Reference(), Wrapped(number: 1))
        #expect(same(wrapped, wrapped) && same([wrapped], [wrapped]) && !same([wrapped], [Wrapped(number: 1)]))
        #expect(same(reference, reference) && !same(reference, Reference()))
        #expect(same([reference], [reference]) && !same([reference], [Reference()]))
    }

    @Test("a weak or unowned reference is not read")
    func weakReferences() {
        struct Holder {
            weak var weakly: Reference?
            unowned var unownedly: Reference
            var number = 1
        }
        let (one, other) = (Reference(), Reference())
        let holder = Holder(weakly: one, unownedly: one)
        #expect(!same(holder, Holder(weakly: other, unownedly: one)))
        #expect(!same(holder, Holder(weakly: nil, unownedly: other)))
        withExtendedLifetime((one, other)) {}
    }
}

@Suite("Dictionaries read by their buckets")
struct BucketViewTests {
    #if os(Linux) && _pointerBitWidth(_64)
    @Test("every entry is found where the view says", arguments: [1, 3, 40, 1_000])
    func entries(count: Int) throws {
        let table = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key number \($0)", $0) })
        let view = try #require(BucketView(table))
        var found: [String: Int] = [:]
        for bucket in 0..<view.count where view.occupied(word: bucket / 64) >> UInt64(bucket % 64) & 1 == 1 {
            let key = view.key(bucket, stride: MemoryLayout<String>.stride).load(as: String.self)
            found[key] = view.value(bucket, stride: MemoryLayout<Int>.stride).load(as: Int.self)
        }
        #expect(found == table)
        var copy = table
        copy["key number 0"] = -1
        #expect(try #require(BucketView(copy)).isLaidOut(like: view))
    }
    #endif

    @Test("a table that grew, shrank or was hashed anew has the same differences")
    func rehashed() throws {
        let small = Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, "\($0)") })
        let probe = try EncodingProbe(small)
        var large = small
        for key in 10..<500 { large[key] = "new" }
        try probe.advance(to: large)
        large[3] = "other"
        try probe.advance(to: large.filter { $0.key % 2 == 1 })
        #expect(try probe.advance(to: Dictionary(uniqueKeysWithValues: large.filter { $0.key % 2 == 1 })) == "[]")
        try probe.advance(to: [:])
        try probe.advance(to: small)
    }
}
