import JSONCore
import TestSupport
import Testing

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
        let state = try JSONParser.parse(state)
        #expect(path.isTouched(by: JSONPatch([operation]), of: "cart", in: state) == expected)
    }

    @Test("what is moved below a '**' is known by the state")
    func moved() throws {
        let state = try JSONParser.parse(#"{"a":{"price":1},"b":{"name":1}}"#)
        func isTouched(_ from: String) throws -> Bool {
            let patch = JSONPatch([.move(from: try JSONPointer(parsing: from), to: JSONPointer(["c"]))])
            return try matcher("/**/price").isTouched(by: patch, of: "cart", in: state) ?? true
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
        let state = try JSONParser.parse("{\"n\":1,\"a\":\(array)}")
        let patch = try JSONPatch(json: JSONParser.parse("[\(operation)]"))
        #expect(try matcher("/cart/*/**/2").isTouched(by: patch, of: "cart", in: state) == isTouched)
    }

    @Test("what an operation tells by itself is so in its state", arguments: seeds(0..<200))
    func agrees(seed: UInt64) throws {
        var made = ForeignJournal(seed: seed)
        made.run(commits: 12)
        for (position, state) in made.states.sorted(by: { $0.key < $1.key }) {
            guard case .object(let stores) = state, let state = stores["s"] else { continue }
            let path = PathMatcher([made.random.pattern(in: .object(stores))])
            let operation = made.operation(on: state)
            let isTouched = path.isTouched(by: JSONPatch([operation]), of: "s", in: state) ?? true
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
