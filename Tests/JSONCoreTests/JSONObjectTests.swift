import Foundation
import JSONCore
import TestSupport
import Testing

@Suite("Objects")
struct JSONObjectTests {
    /// What an object promises, kept in the plainest way.
    struct Model {
        var members: [(key: String, value: JSONValue)] = []

        func index(of key: String) -> Int? { members.firstIndex { UTF8Order.equal($0.key, key) } }
        var isAscending: Bool { zip(members, members.dropFirst()).allSatisfy { UTF8Order.isLess($0.key, $1.key) } }

        mutating func set(_ value: JSONValue, _ key: String) {
            if let index = index(of: key) { members[index].value = value } else { members.append((key, value)) }
        }

        mutating func insertAscending(_ value: JSONValue, _ key: String) {
            guard index(of: key) == nil, isAscending else { return set(value, key) }
            let place = members.firstIndex { UTF8Order.isLess(key, $0.key) } ?? members.count
            members.insert((key, value), at: place)
        }

        mutating func remove(_ key: String) -> JSONValue? {
            index(of: key).map { members.remove(at: $0).value }
        }
    }

    static func expect(_ object: JSONObject, is model: Model, _ seed: UInt64) {
        #expect(object.count == model.members.count, "seed \(seed)")
        let same = zip(object, model.members).allSatisfy { UTF8Order.equal($0.key, $1.key) && $0.value == $1.value }
        #expect(same, "seed \(seed): \(object.keys) instead of \(model.members.map(\.key))")
        #expect(object.isAscending == model.isAscending, "seed \(seed)")
        #expect(object.isEmpty == model.members.isEmpty)
        var values: [JSONValue] = []
        let half = model.members.count / 2
        var keys: [String] = []
        let isDone = object.forEachPlace { (key, value) throws(Never) -> Bool in
            keys.append(key.value)
            values.append(value.value)
            return values.count < half
        }
        let visited = model.members.prefix(max(half, 1))
        #expect(
            isDone == (visited.count < max(half, 1)) && keys == visited.map(\.key) && values == visited.map(\.value))
    }

    /// Which operations a run does: a state grows by ``JSONObject/insertAscending(_:forKey:)``, a query's object by setting.
    enum Growth: CaseIterable {
        case ascending
        case written
        case mixed
    }

    @Test(
        "an object does what a plain list of members does, in every representation and after every copy",
        arguments: [4, 16, 17, 64, 1_000], Growth.allCases)
    func model(size: Int, growth: Growth) {
        for seed in 0..<UInt64(size > 500 ? 2 : 20) {
            var random = RandomJSON(seed: seed)
            var object = JSONObject()
            var model = Model()
            var copies: [(JSONObject, Model)] = []
            for step in 0..<(size > 500 ? 3_000 : size * 8) {
                let key = "key\(random.below(size * 5 / 4 + 1))"
                let value = JSONValue.number(JSONNumber(step))
                switch random.below(10) {
                case 0..<6 where growth == .ascending || (growth == .mixed && random.chance(70)):
                    object.insertAscending(value, forKey: key)
                    model.insertAscending(value, key)
                case 0..<3:
                    object[key] = value
                    model.set(value, key)
                case 3..<6:
                    var whole = JSONValue.object(object)
                    object = [:]
                    let isSet = whole.setMember(key, to: value)
                    #expect(isSet)
                    object = whole.object ?? [:]
                    model.set(value, key)
                case 6, 7: #expect(object.removeValue(forKey: key) == model.remove(key))
                case 8:
                    let changed: Void? = object.modify(key) { $0 = value }
                    #expect((changed != nil) == (model.index(of: key) != nil))
                    if model.index(of: key) != nil { model.set(value, key) }
                default:
                    if random.chance(20), copies.count < 10 { copies.append((object, model)) }
                    #expect(object[key] == model.index(of: key).map { model.members[$0].value })
                }
            }
            JSONObjectTests.expect(object, is: model, seed)
            for (copy, model) in copies { JSONObjectTests.expect(copy, is: model, seed) }
        }
    }

    @Test("members are equal in whatever order and representation", arguments: [3, 16, 17, 100])
    func equality(size: Int) {
        var generator = SeededGenerator(seed: UInt64(size))
        let members = (0..<size).map { (key: "k\($0)", value: JSONValue.number(JSONNumber($0))) }
        let written = JSONObject(members.shuffled(using: &generator))
        let ascending = written.ascending()
        #expect(written == ascending && ascending == written)
        #expect(written.hashValue == ascending.hashValue)
        #expect(ascending.isAscending)
        #expect(ascending.keys == members.map(\.key).sorted())
        var other = ascending
        other["k1"] = nil
        #expect(other != ascending && written != other)
        other["k1"] = "another"
        #expect(other != ascending && written != other)
        other["k1"] = 1
        #expect(other == ascending && written == other)
    }

    @Test("keys are told apart by their bytes", arguments: [0, 20])
    func byteKeys(others: Int) {
        var object = JSONObject((0..<others).map { (key: "x\($0)", value: JSONValue.null) })
        object["\u{E9}"] = 1
        object["e\u{301}"] = 2
        #expect(object.count == others + 2)
        #expect(object["\u{E9}"] == 1)
        #expect(object["e\u{301}"] == 2)
        let ordered = object.ascending()
        #expect(ordered["\u{E9}"] == 1 && ordered["e\u{301}"] == 2)
        #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
    }

    @Test("of a repeated key the last value stays, at the first one's place")
    func repeatedKey() {
        let object = JSONObject([(key: "a", value: 1), (key: "b", value: 2), (key: "a", value: 3)])
        #expect(object.keys == ["a", "b"])
        #expect(object["a"] == 3)
    }

    @Test("an error in an edit leaves the members whole", arguments: [3, 40], [true, false])
    func throwingEdit(size: Int, ascending: Bool) {
        struct Refusal: Error {}
        var object = JSONObject((0..<size).reversed().map { (key: "k\($0)", value: JSONValue.null) })
        if ascending { object = object.ascending() }
        let before = object
        #expect(throws: Refusal.self) { try object.modify("k1") { _ throws(Refusal) in throw Refusal() } }
        #expect(object == before && object.keys == before.keys)
    }

    @Test("ascending order is that of UTF-8, at all levels")
    func utf8Order() {
        let value: JSONValue = ["\u{10000}": 1, "\u{FFFF}": 2, "b": [["z": 1, "a": 2]], "": 0]
        #expect(value.ascending().text() == "{\"\":0,\"b\":[{\"a\":2,\"z\":1}],\"\u{FFFF}\":2,\"\u{10000}\":1}")
    }
}

/// The quick ways to members, beside the plain ones.
@Suite struct MemberLookupTests {
    /// Keys that stand in their words and keys that do not, prefixes of one another, with NUL and beyond ASCII.
    private static let keys = [
        "", "\0", "a", "a\0", "a\0b", "ab", "abcdefg", "abcdefgh", "abcdefgi", "abcdefghijklmno", "abcdefghijklmnop",
        "abcdefghijklmnopq", "é", "e\u{301}", "😀", "\u{7F}", "z",
    ]

    @Test("texts are ordered by their bytes, wherever they are held")
    func order() {
        for a in Self.keys {
            for b in Self.keys {
                // A text that was longer is held apart even where it would fit in its words.
                var apart = b + String(repeating: "x", count: 40)
                apart.removeLast(40)
                let expected = Array(a.utf8).lexicographicallyPrecedes(Array(b.utf8))
                for other in [b, apart] {
                    #expect(UTF8Order.isLess(a, other) == expected, "\(a.debugDescription) \(b.debugDescription)")
                    #expect(UTF8Order.equal(a, other) == (Array(a.utf8) == Array(b.utf8)))
                    #expect((UTF8Order.compare(a, other) == 0) == (Array(a.utf8) == Array(b.utf8)))
                }
            }
        }
    }

    @Test("a chain of members leads where the single steps lead, or says nothing", arguments: seeds(0..<20))
    func chains(_ seed: Int) {
        var random = RandomJSON(seed: UInt64(seed))
        for _ in 0..<50 {
            let value = random.state()
            for keys in [["a"], ["a", "b"], ["items"], ["user", "name"], ["none"], ["a", "b", "c"]] {
                guard let found = value.value(alongMembers: keys) else { continue }
                var expected: JSONValue? = value
                for key in keys { expected = expected?.member(key) }
                #expect(found == expected, "seed \(seed): \(keys) of \(value.text())")
            }
        }
    }

    @Test("a member is found in objects of every size, null where there is none, nil in what has no members")
    func members() {
        for count in [0, 1, 16, 17, 200] {
            for isAscending in [true, false] {
                let numbers = isAscending ? Array(100..<100 + count) : (100..<100 + count).reversed()
                let object = JSONObject(numbers.map { (key: "key \($0)", value: JSONValue.number(JSONNumber($0))) })
                for number in numbers {
                    #expect(JSONValue.object(object).member("key \(number)") == .number(JSONNumber(number)))
                }
                #expect(JSONValue.object(object).member("other") == .null)
                #expect(JSONValue.object(["o": .object(object)]).value(alongMembers: ["o", "other"]) == nil)
            }
        }
        #expect(JSONValue.null.member("a") == .null)
        #expect(JSONValue.array([]).member("a") == nil)
        #expect(JSONValue.string("a").member("a") == nil)
    }

    @Test("an object with holes is walked in its order")
    func holes() {
        var object = JSONObject((0..<40).reversed().map { (key: "k\($0)", value: JSONValue.number(JSONNumber($0))) })
        for index in stride(from: 0, to: 40, by: 3) { object.removeValue(forKey: "k\(index)") }
        let expected = (0..<40).reversed().filter { $0 % 3 != 0 }.map { "k\($0)" }
        #expect(object.map(\.key) == expected)
        var walked: [String] = []
        object.forEachMember { key, _ in walked.append(key) }
        #expect(walked == expected)
    }

    @Test("a text is written with its escapes at every place", arguments: 0..<20)
    func escapes(_ length: Int) throws {
        for special in ["\"", "\\", "\n", "\u{1}", "\u{7F}", "é", "😀", ""] {
            let text = String(repeating: "a", count: length) + special + String(repeating: "b", count: 19 - length)
            let written = JSONValue.string(text).text()
            #expect(try JSONParser.parse(written) == .string(text))
            #expect(written.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        }
        for number in [0, 9, 10, -1, -10, Int.max, Int.min] {
            var bytes: [UInt8] = []
            JSONWriter.append(number, to: &bytes)
            #expect(String(decoding: bytes, as: UTF8.self) == String(number))
        }
    }
}
