import JSONCore
import TestSupport
import Testing

@Suite("Path sets")
struct PathSetTests {
    static func set(_ paths: String...) throws -> PathSet {
        var set = PathSet.nothing
        for path in paths {
            set.insert(try JSONPointer(parsing: path).segments.map { $0 == "*" ? .each : .key($0) })
        }
        return set
    }

    @Test("a pruned value keeps the kinds above the set and the length of arrays")
    func pruning() throws {
        let state: JSONValue = [
            "cart": ["items": [["name": "tea", "price": 1], ["name": "jam", "price": 2]], "total": 3],
            "list": [1, [2], ["a": 3]], "user": ["name": "Ada"],
        ]
        let set = try PathSetTests.set("/cart/items/*/name", "/list/x")
        #expect(
            state.pruned(to: set)
                == ["cart": ["items": [["name": "tea"], ["name": "jam"]]], "list": [.null, .null, .null]])
        #expect(state.pruned(to: .everything) == state)
        #expect(state.pruned(to: .nothing) == [:])
    }

    @Test("a named index stands for every element, because shifts move others there")
    func namedIndex() throws {
        let set = try PathSetTests.set("/items/1")
        let state: JSONValue = ["items": [1, 2, 3], "other": 1]
        #expect(state.pruned(to: set) == ["items": [1, 2, 3]])
    }

    @Test(
        "a place is outside, inside or above the set",
        arguments: [
            ("/cart", PathSet.Relation.above), ("/cart/items", .inside), ("/cart/items/0/name", .inside),
            ("/cart/total", .outside), ("", .above), ("/feed/7/likes", .inside), ("/feed/7", .above),
            ("/feed/7/text", .outside), ("/us~1er", .inside), ("/us~1er/x", .inside), ("/us", .outside),
        ])
    func relation(text: String, expected: PathSet.Relation) throws {
        let set = try PathSetTests.set("/cart/items", "/feed/*/likes", "/us~1er")
        #expect(set.relation(ofPointer: try JSONPointer(parsing: text)) == expected)
        #expect(Array(text.utf8).withUnsafeBytes { set.relation(ofPointerText: $0) } == expected)
    }

    @Test("many members are found, and only they")
    func manyMembers() {
        var set = PathSet.nothing
        for index in stride(from: 0, to: 200, by: 2) { set.insert([.key("key\(index)")]) }
        for index in 0..<200 {
            #expect((set.root?.node(forKey: "key\(index)") != nil) == index.isMultiple(of: 2))
        }
        #expect(set.root?.node(forKey: "") == nil)
    }

    @Test("the same paths in another order make the same set, printed in ascending order")
    func canonicalForm() throws {
        let set = try PathSetTests.set("/b/*/c", "/a", "/b/x", "/~01")
        #expect(try set == PathSetTests.set("/~01", "/b/x", "/a", "/b/*/c", "/b/x/c"))
        #expect(set.patterns == ["/a", "/b/*/c", "/b/x", "/~01"])
        var star = PathSet.nothing
        star.insert([.key("*")])
        #expect(star.patterns == ["/~2"])
        #expect(PathSet.everything.patterns == [""])
        #expect(PathSet.nothing.patterns == [])
    }

    @Test("a path beyond the limit is cut to what reads more")
    func deepPath() {
        var set = PathSet.nothing
        set.insert(Array(repeating: PathSet.Segment.each, count: 100_000))
        #expect(set.relation(of: Array(repeating: "a", count: PathSet.depthLimit)) == .inside)
        var node = PathSet.Node.shallow
        for _ in 0..<100_000 { node = PathSet.Node(members: [(key: "a", node: node)]) }
        #expect(node.union(.shallow).node(forKey: "a") != nil)
    }

    @Test("deep sets are united in no time, whatever they name")
    func deepUnion() {
        let segments: [PathSet.Segment] = [.key("a"), .key("0"), .key("1"), .each]
        for first in segments {
            for second in segments {
                var (a, b) = (PathSet.nothing, PathSet.nothing)
                a.insert(Array(repeating: first, count: PathSet.depthLimit - 1) + [.key("x")])
                b.insert(Array(repeating: second, count: PathSet.depthLimit - 1) + [.key("y")])
                let union = a.union(b)
                #expect(union == b.union(a), "\(first), \(second)")
                #expect(union.union(a) == union, "\(first), \(second)")
            }
        }
    }

    @Test("a union reads what either reads", arguments: seeds(0..<300))
    func union(seed: UInt64) {
        var random = RandomJSON(seed: seed)
        let state = random.state()
        let (a, b) = (random.pathSet(hitting: state), random.pathSet(hitting: state))
        let union = a.union(b)
        #expect(union == b.union(a))
        #expect(state.pruned(to: union).pruned(to: a) == state.pruned(to: a))
        #expect(state.pruned(to: union).pruned(to: b) == state.pruned(to: b))
        #expect(union.union(a) == union)
    }

    @Test("a patch of a pruned state gives the pruned result", arguments: seeds(0..<3_000))
    func prunedPatch(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        var state = random.state()
        let set = random.pathSet(hitting: state)
        var pruned = state.pruned(to: set)
        for _ in 0..<8 {
            let operation = random.journalOperation(on: state)
            let touched = set.isTouched(by: operation, in: state)
            #expect(set.isTouched(by: operation, in: pruned) == touched, "\(operation)")
            #expect(set.mayBeTouched(by: operation) || !touched, "\(operation)")
            let (before, earlier) = (pruned, state)
            try JSONPatch([operation]).apply(to: &state, order: .ascending)
            let applied = try JSONPatch([operation]).apply(to: &pruned, pruning: set.pruningNode, order: .ascending)
            #expect(pruned == state.pruned(to: set), "\(operation) with \(set.patterns)")
            #expect(applied == touched || set.isEmpty, "\(operation) with \(set.patterns)")
            #expect(touched || set.isEmpty || pruned == before, "\(operation) with \(set.patterns)")
            let isSame = state.equals(earlier, reading: set.pruningNode)
            #expect(isSame == (pruned == before), "\(operation) with \(set.patterns)")
            if case .object(let members) = state { #expect(members.isAscending) }
        }
    }

    @Test("the text of a path is judged as the operation is", arguments: seeds(0..<500))
    func textAgreesWithOperation(seed: UInt64) {
        var random = RandomJSON(seed: seed)
        let state = random.state()
        let set = random.pathSet(hitting: state)
        let path = JSONPointer(random.path(in: state) + (random.chance(50) ? [random.key()] : []))
        Array(path.text.utf8).withUnsafeBytes { text in
            #expect(set.mayBeTouched(at: text, inserting: true) == set.mayBeTouched(by: .add(path, 1)))
            #expect(set.mayBeTouched(at: text, inserting: false) == set.mayBeTouched(by: .replace(path, 1, old: nil)))
        }
    }

    @Test("what a pruned state cannot tell is refused, not guessed")
    func refusals() throws {
        let set = try PathSetTests.set("/a")
        for operation: JSONPatch.Operation in [
            .copy(from: JSONPointer(["b"]), to: JSONPointer(["a"])), .test(JSONPointer(["b"]), 1),
            .move(from: JSONPointer(["b"]), to: JSONPointer(["a"])),
            .move(from: JSONPointer(["b", "c"]), to: JSONPointer(["a"])),
        ] {
            var state: JSONValue = ["a": 1]
            #expect(throws: PatchError(operation: 0, path: operation.path, reason: .notPrunable)) {
                try JSONPatch([operation]).apply(to: &state, pruning: set.pruningNode)
            }
        }
    }
}
