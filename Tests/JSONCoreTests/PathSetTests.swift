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
        #expect(Array(text.utf8).withBytes { set.relation(ofPointerText: $0) } == expected)
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
            var patched = PatchedValue(taking: &pruned)
            let applied = try operation.apply(to: &patched, pruning: set.pruningNode, order: .ascending)
            pruned = patched.take()
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
        Array(path.text.utf8).withBytes { text in
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

@Suite("Which changes touch a path")
struct PathTouchTests {
    private func matcher(_ path: String) throws -> PathMatcher { PathMatcher([try PathSteps(parsing: path)]) }

    private func operation(_ text: String) throws -> JSONPatch.Operation {
        try JSONPatch(json: .array([try JSONParser.parse(text)])).operations[0]
    }

    @Test(
        "a change at, above or below it, whatever stands there",
        arguments: [
            ("/cart/total", "/total", true), ("/cart/total", "", true), ("/cart/total", "/total/net", true),
            ("/cart/total", "/totals", false), ("/session/total", "/total", false), ("", "/total", true),
            ("/*/total", "/total", true), ("/*/*", "/total", true), ("/cart/*/price", "/items", true),
            ("/cart/*/price", "/total/price", true), ("/cart/*/price", "/total/tax", false),
            ("/**/price", "/items/0/price", true), ("/**/price", "/items/0/price/net", true),
            ("/**/price", "/items/0/name", false), ("/cart/**", "/a/b", true), ("/cart/**", "", true),
            ("/session/**", "/a/b", false), ("/cart/x/**", "", true), ("/*/*/*/**", "", true),
            ("/*/*/*/**", "/x", true),
            ("/cart/x/**/price", "", true), ("/cart/x/**/price", "/x", false), ("/cart/x/**/price", "/y", false),
            ("/**/*/price", "/items", false),
        ])
    func places(_ path: String, _ change: String, _ expected: Bool) throws {
        let operation = JSONPatch.Operation.replace(try JSONPointer(parsing: change), .null, old: .null)
        #expect(try matcher(path).touch(by: operation, below: "cart") == (expected ? .touched : .untouched))
    }

    @Test("where a '**' begins the values tell whether something below matches")
    func values() throws {
        let item = JSONValue.object(["items": .array([.object(["price": .null])])])
        func touch(_ path: String, _ value: JSONValue, old: JSONValue?) throws -> PathMatcher.Touch {
            try matcher(path).touch(by: .replace(JSONPointer(), value, old: old), below: "cart")
        }
        #expect(try touch("/**/price", item, old: nil) == .touched)
        #expect(try touch("/**/price", .null, old: item) == .touched)
        #expect(try touch("/**/price", .null, old: .null) == .untouched)
        #expect(try touch("/**/price", .null, old: nil) == .unknown)
        #expect(try touch("/**/*/price", item, old: nil) == .touched)
    }

    @Test(
        "what the state tells: an element's place writes its array, a name in digits is but a name",
        arguments: [
            (#"{"op":"add","path":"/items/3","value":1}"#, #"{"items":[0,1,2]}"#, true),
            (#"{"op":"add","path":"/items/3","value":1}"#, #"{"items":{}}"#, false),
            (#"{"op":"add","path":"/items/-","value":1}"#, #"{"items":[0,1,2]}"#, true),
            (#"{"op":"add","path":"/items/-","value":1}"#, #"{"items":{}}"#, false),
            (#"{"op":"remove","path":"/items/1"}"#, #"{"items":[0,1]}"#, true),
            (#"{"op":"remove","path":"/items/1"}"#, #"{"items":{"1":0}}"#, false),
            (#"{"op":"move","from":"/items/1","path":"/b"}"#, #"{"items":[0,1]}"#, true),
            (#"{"op":"move","from":"/items/1","path":"/b"}"#, #"{"items":{"1":0}}"#, false),
            (#"{"op":"move","from":"/b","path":"/items/1"}"#, #"{"items":[0],"b":1}"#, true),
            (#"{"op":"copy","from":"/b","path":"/items/1"}"#, #"{"items":[0],"b":1}"#, true),
            (#"{"op":"copy","from":"/items/1","path":"/b"}"#, #"{"items":[0,1]}"#, false),
            (#"{"op":"copy","from":"/items/0","path":"/b"}"#, #"{"items":[0,1]}"#, false),
            (#"{"op":"replace","path":"/items/1","value":1}"#, #"{"items":[0,1]}"#, false),
            (#"{"op":"test","path":"/items/0","value":0}"#, #"{"items":[0,1]}"#, false),
            (#"{"op":"add","path":"/3","value":1}"#, #"{"items":[0]}"#, false),
        ])
    func elements(_ change: String, _ state: String, _ expected: Bool) throws {
        let (path, operation) = (try matcher("/cart/items/0"), try operation(change))
        let told = path.touch(by: operation, below: "cart")
        #expect(told == .unknown || told == (expected ? .touched : .untouched))
        let before = try JSONParser.parse(state)
        var state = before
        #expect(path.isTouched(by: JSONPatch([operation]), of: "cart", in: &state) == expected)
        #expect(state == before)
    }

    @Test("what is moved below a '**' is known by the state")
    func moved() throws {
        let state = try JSONParser.parse(#"{"a":{"price":1},"b":{"name":1}}"#)
        func isTouched(_ from: String) throws -> Bool {
            let patch = JSONPatch([.move(from: try JSONPointer(parsing: from), to: JSONPointer(["c"]))])
            var state = state
            return try matcher("/**/price").isTouched(by: patch, of: "cart", in: &state) ?? true
        }
        #expect(try isTouched("/a"))
        #expect(try !isTouched("/b"))
    }

    @Test(
        "an element that comes or goes brings those after it to other indices, of which a '**' may lead to one",
        arguments: [
            (#"{"op":"add","path":"/a/1","value":0}"#, "[1,[true]]", true),
            (#"{"op":"copy","from":"/n","path":"/a/0"}"#, "[1,[true]]", true),
            (#"{"op":"add","path":"/a/-","value":0}"#, "[1,[true]]", true),
            (#"{"op":"add","path":"/a/0","value":0}"#, "[1]", false),
            (#"{"op":"remove","path":"/a/0"}"#, "[1,2,3]", true), (#"{"op":"remove","path":"/a/0"}"#, "[1,2]", false),
        ])
    func shifted(operation: String, array: String, isTouched: Bool) throws {
        var state = try JSONParser.parse("{\"n\":1,\"a\":\(array)}")
        let patch = try JSONPatch(json: JSONParser.parse("[\(operation)]"))
        #expect(try matcher("/cart/*/**/2").isTouched(by: patch, of: "cart", in: &state) == isTouched)
    }

    @Test("what an operation tells by itself is so in its state", arguments: seeds(0..<200))
    func agrees(seed: UInt64) throws {
        var made = ForeignJournal(seed: seed)
        made.run(commits: 12)
        for (position, state) in made.states.sorted(by: { $0.key < $1.key }) {
            guard case .object(let stores) = state, let state = stores["s"] else { continue }
            let path = PathMatcher([made.random.pattern(in: .object(stores))])
            let operation = made.operation(on: state)
            var edited = state
            let isTouched = path.isTouched(by: JSONPatch([operation]), of: "s", in: &edited) ?? true
            #expect(edited == state, "seed \(seed), position \(position), \(path), \(operation)")
            switch path.touch(by: operation, below: "s") {
            case .touched: #expect(isTouched, "seed \(seed), position \(position), \(path), \(operation)")
            case .untouched:
                var after = state
                guard (try? JSONPatch([operation]).apply(to: &after)) != nil else { continue }
                #expect(!isTouched, "seed \(seed), position \(position), \(path), \(operation)")
            case .unknown: break
            }
        }
    }
}
