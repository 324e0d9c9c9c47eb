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
            keys.append(key.pointee)
            values.append(value.pointee)
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
                case 6, 7:
                    #expect(object.removeValue(forKey: key) == model.remove(key))
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

    @Test("members that ascend again stay so when one is inserted")
    func ascendingAgain() {
        var object = JSONObject((10..<40).map { (key: "k\($0)", value: JSONValue.null) })
        object["a"] = 1
        object["a"] = nil
        #expect(object.isAscending)
        object.insertAscending(2, forKey: "k155")
        #expect(object.isAscending)
        object["a"] = 1
        object["a"] = nil
        var ordered = object.ascending()
        ordered.insertAscending(3, forKey: "k100")
        #expect(ordered.isAscending && ordered.keys.first == "k10")
    }

    @Test("a missing member is nil and not null", arguments: [0, 16, 17, 200], [true, false])
    func missingMember(size: Int, ascending: Bool) {
        let written = JSONObject((0..<size).reversed().map { (key: "k\($0)", value: JSONValue.null) })
        let object = ascending ? written.ascending() : written
        #expect(object["x"].map { _ in true } == nil)
        #expect(object["k0"].map { _ in true } == (size > 0 ? true : nil))
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
