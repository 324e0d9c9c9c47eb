import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import JSONCore

@Suite("JSON patches")
struct JSONPatchTests {
    static func patch(_ text: String) throws -> JSONPatch { try JSONPatch(json: try JSONParser.parse(text)) }

    @Test(
        "an operation that does not apply says which and why",
        arguments: [
            (#"{"op":"remove","path":"/x"}"#, PatchError.Reason.noSuchMember("x")),
            (#"{"op":"replace","path":"/x","value":1}"#, .noSuchMember("x")),
            (#"{"op":"add","path":"/x/y","value":1}"#, .noSuchMember("x")),
            (#"{"op":"add","path":"/list/3","value":1}"#, .indexPastEnd("3", count: 2)),
            (#"{"op":"remove","path":"/list/2"}"#, .indexPastEnd("2", count: 2)),
            (#"{"op":"remove","path":"/list/-"}"#, .notAnIndex("-")),
            (#"{"op":"replace","path":"/list/01","value":1}"#, .notAnIndex("01")),
            (
                #"{"op":"add","path":"/list/99999999999999999999","value":1}"#,
                .indexPastEnd("99999999999999999999", count: 2)
            ), (#"{"op":"add","path":"/text/a","value":1}"#, .noParts(segment: "a")),
            (#"{"op":"remove","path":""}"#, .removesRoot),
            (#"{"op":"move","from":"/object","path":"/object/a/b"}"#, .movesIntoItself),
            (#"{"op":"move","from":"","path":"/object/a"}"#, .movesIntoItself),
            (#"{"op":"move","from":"/list/0","path":"/list/2"}"#, .indexPastEnd("2", count: 2)),
            (#"{"op":"move","from":"/x","path":"/x"}"#, .noSuchMember("x")),
            (#"{"op":"copy","from":"/x","path":"/y"}"#, .noSuchMember("x")),
            (#"{"op":"test","path":"/text","value":"no"}"#, .testFailed),
        ])
    func refusals(operation: String, reason: PatchError.Reason) throws {
        var state: JSONValue = ["list": [1, 2], "object": ["a": ["b": 1]], "text": "yes"]
        let patch = try JSONPatchTests.patch("[{\"op\":\"add\",\"path\":\"/new\",\"value\":1},\(operation)]")
        #expect(throws: PatchError(operation: 1, path: patch.operations[1].path, reason: reason)) {
            try patch.apply(to: &state)
        }
        #expect(state["new"] == 1)
        #expect(state["list"] == [1, 2])
    }

    @Test(
        "what is no patch is refused with the operation's number",
        arguments: [
            (#"{}"#, nil, PatchError.Reason.notAnArray), (#"[1]"#, 0, .notAnObject),
            (#"[{"op":"remove","path":""},{"path":"/a"}]"#, 1, .missingMember("op")),
            (#"[{"op":1,"path":"/a"}]"#, 0, .notAString(member: "op")),
            (#"[{"op":"put","path":"/a"}]"#, 0, .unknownOperation("put")),
            (#"[{"op":"add","path":"/a"}]"#, 0, .missingMember("value")),
            (#"[{"op":"move","path":"/a"}]"#, 0, .missingMember("from")),
            (
                #"[{"op":"remove","path":"a"}]"#, 0,
                .badPointer(member: "path", JSONPointerError(text: "a", fact: .missingSlash, offset: 0))
            ),
        ] as [(String, Int?, PatchError.Reason)])
    func noPatch(text: String, operation: Int?, reason: PatchError.Reason) throws {
        let json = try JSONParser.parse(text)
        let error = #expect(throws: PatchError.self) { try JSONPatch(json: json) }
        #expect(error?.operation == operation)
        #expect(error?.reason == reason)
        #expect(error?.diagnostic.code == "patch.syntax")
    }

    @Test("a path beyond the limit is refused, read or built")
    func deepPath() throws {
        let segments = Array(repeating: "a", count: JSONPatch.pathDepthLimit + 1)
        let operation = JSONPatch.Operation.add(JSONPointer(segments), 1)
        let reason = PatchError.Reason.pathTooDeep(segments: segments.count)
        #expect(throws: PatchError(operation: 0, path: operation.path, reason: reason)) {
            try JSONPatch(json: JSONPatch([operation]).json)
        }
        var state: JSONValue = [:]
        #expect(throws: PatchError(operation: 0, path: operation.path, reason: reason)) {
            try JSONPatch([operation]).apply(to: &state)
        }
    }

    @Test("the deepest path that is allowed is edited")
    func deepestPath() throws {
        var state: JSONValue = 0
        for _ in 0..<JSONPatch.pathDepthLimit { state = ["a": state] }
        let path = JSONPointer(Array(repeating: "a", count: JSONPatch.pathDepthLimit))
        try JSONPatch([.replace(path, 1, old: 0)]).apply(to: &state)
        #expect(path.value(in: state) == 1)
    }

    @Test("copies of copies are stopped before they exhaust the memory")
    func copyBomb() throws {
        var state: JSONValue = ["a": ["a": 1]]
        let copy = JSONPatch([
            .copy(from: JSONPointer(["a"]), to: JSONPointer(["a", "b"])),
            .copy(from: JSONPointer(["a"]), to: JSONPointer(["a", "c"])),
        ])
        let error = #expect(throws: PatchError.self) { for _ in 0..<100 { try copy.apply(to: &state) } }
        #expect(error?.reason == .copyTooLarge)
    }

    @Test("a copy is measured by its bytes: one long text is too large too")
    func copiedBytes() throws {
        let text = JSONValue.string(String(repeating: "x", count: 1_000))
        for value: JSONValue in [text, [text], .object([String(repeating: "k", count: 1_000): 1])] {
            #expect(value.textSize(upTo: 1_100) != nil && value.textSize(upTo: 900) == nil)
        }
        var state: JSONValue = ["a": .string(String(repeating: "x", count: JSONPatch.copyLimit))]
        let error = #expect(throws: PatchError.self) {
            try JSONPatch([.copy(from: JSONPointer(["a"]), to: JSONPointer(["b"]))]).apply(to: &state)
        }
        #expect(error?.reason == .copyTooLarge)
        #expect(error?.diagnostic.notes.contains { $0.contains("bytes of JSON") } == true)
    }

    /// Operations on long arrays beside, in and below one another, most of them at the front.
    private static func shiftingOperation(_ random: inout SeededGenerator, _ number: Int) -> JSONPatch.Operation {
        let lists = ["/a", "/b", "/o/c", "/a/1/in", "/o/d/0", "/missing"]
        let list = lists.randomElement(using: &random)!
        func index() -> Int {
            Int.random(in: 0..<10, using: &random) < 8 ? Int.random(in: 0..<3, using: &random) : 1_030
        }
        func pointer(_ text: String) -> JSONPointer { (try? JSONPointer(parsing: text)) ?? JSONPointer() }
        let value = JSONValue.number(JSONNumber(number))
        switch Int.random(in: 0..<100, using: &random) {
        case ..<45: return .add(pointer("\(list)/\(index())"), value)
        case ..<60: return .remove(pointer("\(list)/\(index())"), old: nil)
        case ..<75: return .move(from: pointer("\(list)/\(index())"), to: pointer("\(list)/\(index())"))
        case ..<82: return .move(from: pointer("\(list)/0"), to: pointer("\(lists.randomElement(using: &random)!)/0"))
        case ..<87: return .copy(from: pointer("\(list)/0"), to: pointer("\(lists.randomElement(using: &random)!)/-"))
        case ..<92: return .replace(pointer("\(list)/\(index())"), value, old: nil)
        case ..<94: return .replace(pointer("/o/n"), value, old: nil)
        case ..<95: return .add(pointer("/o/m\(number)"), value)
        case ..<96: return .move(from: pointer("/a"), to: pointer("/b"))
        case ..<97: return .copy(from: pointer("/b"), to: pointer("/a"))
        case ..<98: return .add(pointer("/o/d/0"), .array((0..<1_100).map { .number(JSONNumber($0)) }))
        default: return .replace(pointer("/a/1"), ["in": .array((0..<1_100).map { .number(JSONNumber($0)) })], old: nil)
        }
    }

    @Test(
        "many operations on long arrays give what each alone gives, errors and the way back included",
        arguments: seeds(0..<12)
    )
    func longPatches(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func list(_ count: Int) -> JSONValue { .array((0..<count).map { .number(JSONNumber($0)) }) }
        let start: JSONValue = [
            "a": list(1_500), "b": list(1_100), "o": ["c": list(1_030), "d": [list(1_200)], "n": 1],
        ]
        let nodes: [PathSet.Node] = [
            .all, PathSet.Node(members: [(key: "a", node: .shallow), (key: "o", node: .all)]),
        ]
        for node in nodes {
            var (one, many) = (start.pruned(to: node), start.pruned(to: node))
            let begin = one
            var (undo, undoOfMany): ([JSONPatch.Operation], [JSONPatch.Operation]) = ([], [])
            var patched = PatchedValue(taking: &many, keepsUndo: true)
            for number in 0..<1_500 {
                let operation = Self.shiftingOperation(&random, number)
                func outcome(_ apply: () throws(PatchError.Reason) -> Bool) -> String {
                    do throws(PatchError.Reason) { return "\(try apply())" } catch { return "\(error)" }
                }
                let expected = outcome { () throws(PatchError.Reason) in
                    var alone = PatchedValue(taking: &one, keepsUndo: true)
                    defer { (one, undo) = (alone.take(), alone.wayBack.operations + undo) }
                    return try operation.apply(to: &alone, pruning: node, order: .ascending)
                }
                let found = outcome { () throws(PatchError.Reason) in
                    try operation.apply(to: &patched, pruning: node, order: .ascending)
                }
                try #require(found == expected, "seed \(seed), \(operation)")
                if number % 50 == 0 {
                    #expect(patched.value(at: operation.path) == operation.path.value(in: one))
                }
                if number % 400 == 399 {
                    (many, undoOfMany) = (patched.take(), patched.wayBack.operations + undoOfMany)
                    try #require(many == one)
                    patched = PatchedValue(taking: &many, keepsUndo: true)
                }
            }
            (many, undoOfMany) = (patched.take(), patched.wayBack.operations + undoOfMany)
            #expect(many == one && undo == undoOfMany)
            guard case .all = node else { continue }
            try JSONPatch(undo).apply(to: &many, order: .ascending)
            #expect(many == begin)
        }
    }

    @Test("an array has the elements that edits give it, in one block and in chunks", arguments: seeds(0..<12))
    func chunks(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var plain = (0..<1_600).map { JSONValue.number(JSONNumber($0)) }
        var state: JSONValue = ["a": .array(plain)]
        var former: [(state: JSONValue, plain: [JSONValue])] = []
        // It grows, and then goes back into one block.
        for number in 0..<4_000 {
            if number % 500 == 0 { former.append((state, plain)) }
            let (place, end) = (Int.random(in: 0..<plain.count, using: &random), plain.count)
            let pointer = JSONPointer(["a", String(place)])
            let added = JSONValue.number(JSONNumber(-number))
            var operation = JSONPatch.Operation.remove(pointer, old: nil)
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                operation = .replace(pointer, added, old: nil)
                plain[place] = added
            case 1:
                operation = .move(from: pointer, to: JSONPointer(["a", String(end - 1 - place)]))
                plain.insert(plain.remove(at: place), at: end - 1 - place)
            case 2...5 where number < 1_000:
                operation = .add(pointer, added)
                plain.insert(added, at: place)
            default: plain.remove(at: place)
            }
            try JSONPatch([operation]).apply(to: &state)
            if plain.isEmpty { break }
            if number % 100 == 0 { former.append((state, plain)) }
        }
        for (state, plain) in former + [(state, plain)] {
            guard case .array(let elements)? = state["a"] else { throw PatchError.Reason.notPrunable }
            let whole = JSONArray(plain)
            #expect(elements == whole && whole == elements && elements.hashValue == whole.hashValue)
            #expect(elements.array == plain && Array(elements) == plain && elements.count == plain.count)
            #expect(plain.indices.allSatisfy { elements[$0] == plain[$0] })
            #expect(state.text() == JSONValue(dictionaryLiteral: ("a", .array(plain))).text())
        }
        let chunked = former.count { if case .array(let all)? = $0.state["a"] { !all.chunks.isEmpty } else { false } }
        #expect(chunked > 0 && chunked < former.count)
    }

    @Test("a new member goes to the end, or to its place in ascending order")
    func memberOrder() throws {
        let patch = try JSONPatchTests.patch(#"[{"op":"add","path":"/b","value":2}]"#)
        var written: JSONValue = ["a": 1, "c": 3]
        var ascending = written
        try patch.apply(to: &written)
        try patch.apply(to: &ascending, order: .ascending)
        #expect(written.text() == #"{"a":1,"c":3,"b":2}"#)
        #expect(ascending.text() == #"{"a":1,"b":2,"c":3}"#)
    }

    @Test("the JSON form has the journal's order of members")
    func jsonForm() throws {
        let text =
            #"[{"op":"add","path":"/a","value":1},{"op":"remove","path":"/b","old":2},"#
            + #"{"op":"replace","path":"/c","value":3,"old":null},{"op":"move","path":"/d/1","from":"/d/0"},"#
            + #"{"op":"copy","path":"/e","from":"/a"},{"op":"test","path":"","value":{}},{"op":"remove","path":"/f"}]"#
        #expect(try JSONPatchTests.patch(text).json.text() == text)
    }

    @Test("an edit deep inside copies no buffer that nobody else holds")
    func inPlace() throws {
        var state: JSONValue = ["list": .array((0..<1_000).map { ["n": .number(JSONNumber($0))] })]
        func address() -> UnsafeRawPointer? { state["list"]?.array?.withUnsafeBytes { $0.baseAddress } }
        let before = address()
        try JSONPatchTests.patch(#"[{"op":"replace","path":"/list/500/n","value":0}]"#).apply(to: &state)
        #expect(address() == before)
        let copy = state
        try JSONPatchTests.patch(#"[{"op":"replace","path":"/list/500/n","value":7}]"#).apply(to: &state)
        #expect(address() != before)
        #expect(copy["list"]?.array?[500] == ["n": 0])
    }

    @Test("a patch and its inverse lead there and back", arguments: seeds(0..<1_000))
    func inversion(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let start = random.state()
        var state = start
        var patch = JSONPatch()
        for _ in 0..<6 {
            var operation = random.journalOperation(on: state)
            if case .add(let path, let value) = operation, let old = path.value(in: state),
                JSONPointer(path.segments.dropLast()).value(in: state)?.object != nil
            {
                operation = .replace(path, value, old: old)  // our writer adds only members that are not there
            }
            patch.operations.append(operation)
            try JSONPatch([operation]).apply(to: &state, order: .ascending)
        }
        var forward = start
        try patch.apply(to: &forward, order: .ascending)
        #expect(forward == state)
        try patch.inverted().apply(to: &forward, order: .ascending)
        #expect(forward == start)
        #expect(try patch.inverted().inverted() == patch)
        #expect(try JSONPatch(json: patch.json) == patch)
    }

    @Test("what an operation noted leads back, whatever it went over", arguments: seeds(0..<2_000))
    func undone(seed: UInt64) throws {
        var maker = JournalMaker(seed: seed, foreign: true)
        let start = maker.value(depth: 4)
        var value = start
        let patch = maker.foreignPatch(of: &value)
        var forward = start
        var patched = PatchedValue(taking: &forward, keepsUndo: true)
        _ = try patch.apply(to: &patched, pruning: .all, order: .ascending)
        forward = patched.take()
        #expect(forward == value, "seed \(seed)")
        try patched.wayBack.apply(to: &forward, order: .ascending)
        #expect(forward == start, "seed \(seed): \(patch.json.text())")
        patched = PatchedValue(taking: &forward, keepsUndo: true)
        _ = try patch.apply(to: &patched, pruning: .all, order: .ascending)
        patched.goBack()
        #expect(patched.take() == start && patched.wayBack.isEmpty)
    }

    @Test("without 'old' a patch is not inverted")
    func notInvertible() throws {
        let patch = try JSONPatchTests.patch(
            #"[{"op":"add","path":"/a","value":1},{"op":"remove","path":"/b"}]"#)
        #expect(throws: PatchError(operation: 1, path: JSONPointer(["b"]), reason: .notInvertible)) {
            try patch.inverted()
        }
    }

    @Test("an error is told with the operation and the path")
    func diagnostic() throws {
        var state: JSONValue = ["list": [1]]
        let patch = try JSONPatchTests.patch(#"[{"op":"remove","path":"/list/4"}]"#)
        let error = #expect(throws: PatchError.self) { try patch.apply(to: &state) }
        #expect(
            error?.diagnostic.message
                == "operation 0 at '/list/4' of the patch: index 4 is past the end, the array holds 1")
    }
}

extension JSONValue {
    /// A member of an object, for short tests.
    subscript(key: String) -> JSONValue? { object?[key] }
}

private let suitePath = "suites/json-patch-tests/tests.json"

/// The cases of the json-patch-tests project, read in place.
@Suite("The conformance suite of JSON Patch", .enabled(if: SharedFolder.has(suitePath)))
struct JSONPatchSuiteTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var number: Int
        var members: JSONObject

        var testDescription: String {
            let comment = members["comment"]?.string ?? members["error"]?.string
            return "case \(number): \(comment ?? members["patch"]?.text() ?? "")"
        }
    }

    /// The cases but for those that the suite itself disables.
    static let cases: [Case] = {
        guard SharedFolder.has(suitePath), let data = try? SharedFolder.data(suitePath),
            let suite = try? JSONParser.parse([UInt8](data)), case .array(let elements) = suite
        else { return [] }
        return elements.enumerated().compactMap { number, element in
            guard let members = element.object, members["disabled"] != true else { return nil }
            return Case(number: number, members: members)
        }
    }()

    @Test("the suite was read")
    func suiteIsThere() { #expect(JSONPatchSuiteTests.cases.count > 80) }

    @Test("each case ends as it says", arguments: cases)
    func conformance(of test: Case) throws {
        var document = try #require(test.members["doc"])
        let json = try #require(test.members["patch"])
        if test.members["error"] != nil {
            #expect(throws: PatchError.self) { try JSONPatch(json: json).apply(to: &document) }
        } else {
            try JSONPatch(json: json).apply(to: &document)
            #expect(document == test.members["expected"] ?? test.members["doc"])
        }
    }

    @Test("a patch that is read and written says the same", arguments: cases)
    func roundTrip(of test: Case) throws {
        guard let patch = try? JSONPatch(json: test.members["patch"] ?? []) else { return }
        #expect(try JSONPatch(json: patch.json) == patch)
    }
}
