import JSONCore
import TestSupport
import Testing

@Suite("Differences of values")
struct JSONDifferenceTests {
    /// Both ways of a difference: there, and back by its inverse.
    static func check(_ old: JSONValue, _ new: JSONValue) throws -> JSONPatch {
        let patch = JSONPatch.difference(from: old, to: new)
        var value = old
        try patch.apply(to: &value, order: .ascending)
        #expect(value == new)
        try patch.inverted().apply(to: &value, order: .ascending)
        #expect(value == old)
        return patch
    }

    @Test("a difference leads there, and its inverse back", arguments: seeds(0..<2_000))
    func unrelated(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let (old, new) = (random.value(), random.value())
        _ = try JSONDifferenceTests.check(old, new)
        #expect(JSONPatch.difference(from: old, to: old).isEmpty)
    }

    @Test("a few changes give a few operations, no place twice", arguments: seeds(0..<2_000))
    func related(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let old = random.state()
        var new = old
        for _ in 0..<3 {
            try JSONPatch([random.journalOperation(on: new)]).apply(to: &new, order: .ascending)
        }
        let patch = try JSONDifferenceTests.check(old, new)
        try JSONDifferenceTests.expectNoPlaceTwice(patch, from: old)
    }

    /// Applies a patch to a value whose every part is marked when it is written, and expects that no mark is met again.
    ///
    /// A written part becomes a value that occurs nowhere else: an operation at or below it would have to go through it.
    private static func expectNoPlaceTwice(_ patch: JSONPatch, from old: JSONValue) throws {
        let mark: JSONValue = "written"
        var state = old
        for operation in patch.operations {
            let path = operation.path
            switch operation {
            case .add: try JSONPatch([.add(path, mark)]).apply(to: &state)
            case .replace:
                #expect(path.value(in: state) != mark, "\(path) is written twice")
                try JSONPatch([.replace(path, mark, old: nil)]).apply(to: &state)
            case .remove, .move:
                #expect((operation.from ?? path).value(in: state) != mark, "\(path) is written twice")
                try JSONPatch([operation]).apply(to: &state)
            case .copy, .test: Issue.record("a difference has no \(operation)")
            }
        }
    }

    @Test("a member called '-' is removed and added, because libraries take the name for the end of an array")
    func memberCalledDash() throws {
        let patch = try JSONDifferenceTests.check(["-": 1, "a": ["-": [1]]], ["-": 2, "a": ["-": [1, 2]]])
        #expect(
            patch.json.text()
                == #"[{"op":"remove","path":"/-","old":1},{"op":"add","path":"/-","value":2},"#
                + #"{"op":"add","path":"/a/-/1","value":2}]"#)
    }

    @Test("one scalar that changed in a large value is one operation")
    func oneScalar() throws {
        func state(_ likes: Int) -> JSONValue {
            var users = JSONObject()
            for index in 0..<1_000 {
                users["user\(index)"] = [
                    "name": .string("n\(index)"), "posts": [["likes": index == 500 ? .number(JSONNumber(likes)) : 0]],
                ]
            }
            return JSONValue.object(["users": .object(users)]).ascending()
        }
        let patch = try JSONDifferenceTests.check(state(1), state(2))
        #expect(
            patch.json.text()
                == #"[{"op":"replace","path":"/users/user500/posts/0/likes","value":2,"old":1}]"#)
    }

    @Test(
        "differences are as deep as they go",
        arguments: [
            (
                #"{"a":1,"b":2}"#, #"{"b":3,"c":4}"#,
                #"[{"op":"remove","path":"/a","old":1},{"op":"replace","path":"/b","value":3,"old":2},"#
                    + #"{"op":"add","path":"/c","value":4}]"#
            ),
            (#"{"a":[1]}"#, #"{"a":{"0":1}}"#, #"[{"op":"replace","path":"/a","value":{"0":1},"old":[1]}]"#),
            ("1", "[]", #"[{"op":"replace","path":"","value":[],"old":1}]"#), ("1", "1.0", "[]"),
            (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, "[]"),
            ("[1,2,3]", "[1,9,3]", #"[{"op":"replace","path":"/1","value":9,"old":2}]"#),
            (
                "[1,2,3,4]", "[1,9]",
                #"[{"op":"remove","path":"/3","old":4},{"op":"remove","path":"/2","old":3},"#
                    + #"{"op":"replace","path":"/1","value":9,"old":2}]"#
            ), ("[1,2]", "[0,1,2]", #"[{"op":"add","path":"/0","value":0}]"#),
            (
                #"[{"id":1,"n":1},{"id":2,"n":1},{"id":3,"n":1}]"#, #"[{"id":3,"n":1},{"id":1,"n":2},{"id":2,"n":1}]"#,
                #"[{"op":"move","path":"/0","from":"/2"},{"op":"replace","path":"/1/n","value":2,"old":1}]"#
            ),
            (
                #"[{"id":1,"n":1},{"id":2}]"#, #"[{"id":7,"n":1},{"id":2}]"#,
                #"[{"op":"remove","path":"/0","old":{"id":1,"n":1}},{"op":"add","path":"/0","value":{"id":7,"n":1}}]"#
            ),
            (
                #"[{"id":1,"n":1},{"id":1,"n":2}]"#, #"[{"id":1,"n":1},{"id":1,"n":3}]"#,
                #"[{"op":"replace","path":"/1/n","value":3,"old":2}]"#
            ),
        ] as [(String, String, String)])
    func shape(old: String, new: String, expected: String) throws {
        let patch = try JSONDifferenceTests.check(try JSONParser.parse(old), try JSONParser.parse(new))
        #expect(patch.json.text() == expected)
    }

    @Test("two spellings of one letter are two members")
    func spellings() throws {
        let patch = try JSONDifferenceTests.check(["\u{E9}": 1], ["e\u{301}": 1])
        #expect(patch.operations.map(\.path) == [JSONPointer(["e\u{301}"]), JSONPointer(["\u{E9}"])])
    }

    @Test("a permutation of identified elements is moves alone", arguments: seeds(0..<100))
    func permutation(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let elements = (0..<20).map { JSONValue.object(["id": .number(JSONNumber($0)), "n": 0]) }
        let patch = try JSONDifferenceTests.check(.array(elements), .array(elements.shuffled(using: &generator)))
        #expect(patch.operations.allSatisfy { $0.from != nil })
        #expect(patch.operations.count < 20)
    }

    @Test("arrays of 100,000 elements are not compared each with each", arguments: [true, false])
    func largeArrays(identified: Bool) throws {
        var generator = SeededGenerator(seed: 5)
        func element(_ index: Int) -> JSONValue {
            identified ? ["id": .number(JSONNumber(index))] : .number(JSONNumber(index))
        }
        let elements = (0..<100_000).map(element)
        var inserted = elements
        inserted.insert(element(-1), at: 50_000)
        let patch = JSONPatch.difference(from: .array(elements), to: .array(inserted))
        #expect(patch.operations == [.add(JSONPointer(["50000"]), element(-1))])
        let shuffled = elements.shuffled(using: &generator)
        let moves = JSONPatch.difference(from: .array(elements), to: .array(shuffled))
        #expect(moves.operations.count > 90_000)
    }

    @Test("what lies deeper than a path may go is replaced whole")
    func deepValues() throws {
        func nested(_ core: JSONValue) -> JSONValue {
            var value = core
            for level in 0..<(JSONPatch.pathDepthLimit + 50) {
                value = level.isMultiple(of: 2) ? [value] : ["a": value]
            }
            return value
        }
        let patch = try JSONDifferenceTests.check(nested(1), nested(2))
        #expect(patch.operations.map(\.path.segments.count) == [JSONPatch.pathDepthLimit])
    }

    @Test("large objects that share their chunks are compared where they differ")
    func sharedChunks() throws {
        var members = JSONObject()
        for index in 0..<5_000 { members.insertAscending(["n": 0], forKey: "key\(index)") }
        var changed = members
        changed.removeValue(forKey: "key17")
        changed.insertAscending(1, forKey: "key17x")
        _ = changed.modify("key4000") { $0 = ["n": 1] }
        let patch = try JSONDifferenceTests.check(.object(members), .object(changed))
        #expect(patch.operations.map(\.path.text) == ["/key17", "/key17x", "/key4000/n"])
    }
}
