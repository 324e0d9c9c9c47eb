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

@Suite("Edits of lists")
struct ListEditTests {
    /// The list that the steps make of the old one.
    static func apply<Element>(_ script: ListEdit.Script, to old: [Element], insertingFrom new: [Element]) -> [Element]
    {
        var list = old
        for step in script.steps {
            switch step {
            case .remove(let index): list.remove(at: index)
            case .move(let from, let to): list.insert(list.remove(at: from), at: to)
            case .insert(let index): list.insert(new[index], at: index)
            }
        }
        return list
    }

    @Test("a script makes the new list of the old one, but for its pairs", arguments: seeds(0..<2_000))
    func withoutIdentity(seed: UInt64) {
        var random = RandomJSON(seed: seed)
        let letters = 1 + random.below(6)
        let old = (0..<random.below(20)).map { _ in random.below(letters) }
        var new = old
        for _ in 0..<random.below(6) {
            if !new.isEmpty, random.chance(50) { new.remove(at: random.below(new.count)) }
            new.insert(random.below(letters), at: random.below(new.count + 1))
        }
        let hashed = ListEdit.script(old, new)
        let compared = ListEdit.script(oldCount: old.count, newCount: new.count) { old[$0] == new[$1] }
        #expect(hashed == compared)
        var result = ListEditTests.apply(hashed, to: old, insertingFrom: new)
        for pair in hashed.pairs {
            #expect(result[pair.new] == old[pair.old])
            result[pair.new] = new[pair.new]
        }
        #expect(result == new)
        #expect(old != new || hashed.isEmpty)
    }

    @Test("elements with an identity are matched by it", arguments: seeds(0..<2_000))
    func withIdentity(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let old = Array((0..<30).shuffled(using: &random.generator).prefix(random.below(20)))
        let new = Array(((0..<30).shuffled(using: &random.generator) as [Int]).prefix(random.below(20)))
        let script = try #require(ListEditTests.scriptByIdentity(old, new) { $0 })
        #expect(ListEditTests.apply(script, to: old, insertingFrom: new) == new)
        #expect(script.pairs.isEmpty)
        let removals = script.steps.count(where: \.isRemoval)
        #expect(removals == old.count { !new.contains($0) })
        let insertions = script.steps.count(where: \.isInsertion)
        #expect(insertions == new.count { !old.contains($0) })
        let kept = old.filter(new.contains)
        #expect(
            script.steps.count - removals - insertions == kept.count
                - ListEditTests.longestCommonSubsequence(kept, new.filter(old.contains)))
    }

    private struct Item: Equatable {
        var id: Int
        var value: Int
    }

    private static func scriptByIdentity<Element: Equatable>(
        _ old: [Element], _ new: [Element], id: (Element) -> Int
    ) -> ListEdit.Script? {
        ListEdit.script(
            oldCount: old.count, newCount: new.count, equal: { old[$0] == new[$1] }, oldID: { id(old[$0]) },
            newID: { id(new[$0]) })
    }

    private static func longestCommonSubsequence(_ a: [Int], _ b: [Int]) -> Int {
        var row = [Int](repeating: 0, count: b.count + 1)
        for x in a {
            var diagonal = 0
            for (index, y) in b.enumerated() {
                let above = row[index + 1]
                row[index + 1] = x == y ? diagonal + 1 : max(above, row[index])
                diagonal = above
            }
        }
        return row[b.count]
    }

    @Test("kept elements that differ inside are pairs at their new places")
    func identityPairs() throws {
        let old = [Item(id: 1, value: 1), Item(id: 2, value: 1), Item(id: 3, value: 1), Item(id: 4, value: 1)]
        let new = [Item(id: 4, value: 1), Item(id: 2, value: 2), Item(id: 9, value: 1), Item(id: 3, value: 1)]
        let script = try #require(ListEditTests.scriptByIdentity(old, new) { $0.id })
        #expect(script.steps == [.remove(at: 0), .move(from: 2, to: 0), .insert(at: 2)])
        #expect(script.pairs == [ListEdit.Pair(old: 1, new: 1)])
    }

    @Test("an identity that is missing or repeated gives no script")
    func noIdentity() {
        func script(_ old: [Int?], _ new: [Int?]) -> ListEdit.Script? {
            ListEdit.script(
                oldCount: old.count, newCount: new.count, equal: { _, _ in false }, oldID: { old[$0] },
                newID: { new[$0] })
        }
        #expect(script([1, 1], [2]) == nil)
        #expect(script([1], [2, 2]) == nil)
        #expect(script([1, nil], [2]) == nil)
        #expect(script([], []) != nil)
    }

    @Test("an insertion, a removal and a change far apart are one step each")
    func farApart() {
        let old = Array(0..<1_000)
        var new = old
        new[900] = -1
        new.remove(at: 500)
        new.insert(-2, at: 100)
        let script = ListEdit.script(old, new)
        #expect(script.steps == [.remove(at: 500), .insert(at: 100)])
        #expect(script.pairs == [ListEdit.Pair(old: 900, new: 900)])
    }

    @Test("beyond the limit the search gives up, and elements that are there once still match")
    func beyondTheLimit() {
        let old = Array(0..<4_000)
        let new = old.flatMap { $0.isMultiple(of: 3) ? [$0, -$0 - 1] : [$0] }
        let script = ListEdit.script(old, new)
        #expect(script.steps.count == new.count - old.count)
        #expect(script.pairs.isEmpty)
        #expect(ListEditTests.apply(script, to: old, insertingFrom: new) == new)
        let unlike = ListEdit.script(old, old.map { -$0 - 1 } + [7])
        #expect(unlike.pairs.count == 4_000)
        #expect(unlike.steps == [.insert(at: 4_000)])
        let shuffled = Array(old.reversed())
        #expect(ListEdit.script(old, shuffled).pairs.count >= 3_998)
    }
}

extension ListEdit.Step {
    fileprivate var isRemoval: Bool { if case .remove = self { true } else { false } }
    fileprivate var isInsertion: Bool { if case .insert = self { true } else { false } }
}
