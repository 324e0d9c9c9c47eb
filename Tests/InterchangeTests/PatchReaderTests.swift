import Diagnostics
import Interchange
import JSONCore
import JournalFormat
import TestSupport
import Testing

@Suite("Patches of other tools")
struct PatchReaderTests {
    @Test("a patch a line, a state before them, and objects with a time and a name")
    func patches() throws {
        let run = try Imported(
            """
            {"a":1}
            [{"op":"replace","path":"/a","value":2},{"op":"add","path":"/b","value":[]}]
            {"patch":[{"op":"add","path":"/b/-","value":3}],"time":"2023-11-14T22:13:20Z","name":"push","extra":true}
            """, as: PatchReader(.rfc6902))
        #expect(try run.states.last == ["state": ["a": 2, "b": [3]]])
        let commit = try #require(try run.records(.commit).last)
        #expect(commit["name"] == "push" && commit["time"] == "2023-11-14T22:13:20.000000Z")
        #expect(try commit["patch"] == json(#"[{"op":"add","path":"/b/0","value":3}]"#))
    }

    @Test("without a first state it is an empty object, or what is given")
    func initial() throws {
        let text = #"[{"op":"add","path":"/n","value":1}]"#
        #expect(try Imported(text, as: PatchReader(.rfc6902)).states == [["state": [:]], ["state": ["n": 1]]])
        let run = try Imported(text, as: PatchReader(.rfc6902, initial: ["m": 0]))
        #expect(try run.states.last == ["state": ["m": 0, "n": 1]])
    }

    @Test("a patch that does not apply is told with its operation and what stood there, and can be left out")
    func doesNotApply() throws {
        let text = """
            {"a":{"x":1}}
            [{"op":"replace","path":"/a/x","value":2},{"op":"remove","path":"/a/y"}]
            [{"op":"replace","path":"/a/x","value":3}]
            """
        let error = try #require(fault(of: text, as: PatchReader(.rfc6902)))
        #expect(error.line == 2)
        guard case .patch(let problem, "state", let nearest, let found) = error.fault else {
            Issue.record("\(error)")
            return
        }
        #expect(problem.operation == 1 && nearest.text == "/a" && found == ["x": 2])
        let run = try Imported(text, as: PatchReader(.rfc6902), skipsBad: true)
        #expect(try run.states == [["state": ["a": ["x": 1]]], ["state": ["a": ["x": 3]]]])
        #expect(try run.records(.mark).count == 1)
    }

    @Test(
        "what is no patch is refused with its line",
        arguments: [
            #"[{"op":"frob","path":"/a"}]"#, #"[{"op":"add","value":1}]"#, #"[{"op":"add","path":"a","value":1}]"#,
            #"[3]"#, #"{"patch":7}"#, "7", #"{"time":[],"patch":[]}"#, #"[{"op":"add","path":"/a","value":1}"#,
        ])
    func refused(text: String) throws {
        let error = try #require(fault(of: "{}\n" + text, as: PatchReader(.rfc6902)))
        #expect(error.line == 2)
    }

    @Test("immer: array paths, a cut of 'length', and inverse patches that lead back")
    func immer() throws {
        let run = try Imported(
            """
            {"list":[1,2,3],"user":{"name":"a"}}
            [{"op":"replace","path":["user","name"],"value":"b"}]
            [[{"op":"replace","path":["list","length"],"value":1}],[{"op":"add","path":["list",1],"value":2},{"op":"add","path":["list",2],"value":3}]]
            {"patches":[{"op":"add","path":["list",1],"value":9}],"inversePatches":[{"op":"replace","path":["list","length"],"value":1}]}
            """, as: PatchReader(.immer))
        let states = try run.states.compactMap { $0.object?["state"] }
        #expect(
            states == [
                ["list": [1, 2, 3], "user": ["name": "a"]], ["list": [1, 2, 3], "user": ["name": "b"]],
                ["list": [1], "user": ["name": "b"]], ["list": [1, 9], "user": ["name": "b"]],
            ])
        let wrong =
            #"{"n":1}"# + "\n"
            + #"[[{"op":"replace","path":["n"],"value":2}],[{"op":"replace","path":["n"],"value":3}]]"#
        #expect(fault(of: wrong, as: PatchReader(.immer))?.fault == .notInverse)
        #expect(
            fault(of: #"{"n":1}"# + "\n" + #"[{"op":"replace","path":"/n","value":2}]"#, as: PatchReader(.immer)) != nil
        )
    }

    @Test("mobx-state-tree: relative paths, and 'oldValue' has to be what stood there")
    func mobxStateTree() throws {
        let run = try Imported(
            """
            {"todos":[{"title":"a","done":false}]}
            {"op":"replace","path":"/todos/0/title","value":"b","oldValue":"a"}
            [{"op":"replace","path":"todos/0/done","value":true,"oldValue":false},{"op":"add","path":"./todos/1","value":{}}]
            {"op":"remove","path":"todos/0/../1","oldValue":{}}
            """, as: PatchReader(.mobxStateTree))
        #expect(try run.states.last == ["state": ["todos": [["done": true, "title": "b"]]]])
        let other = #"{"n":1}"# + "\n" + #"{"op":"replace","path":"/n","value":3,"oldValue":2}"#
        #expect(
            fault(of: other, as: PatchReader(.mobxStateTree))?.fault == .otherOld(JSONPointer(["n"]), said: 2, found: 1)
        )
        let above = #"{"n":1}"# + "\n" + #"{"op":"replace","path":"../n","value":3}"#
        #expect(fault(of: above, as: PatchReader(.mobxStateTree)) != nil)
    }

    @Test("any patches give the states that applying them gives, and each can be undone", arguments: seeds(0..<30))
    func anyPatches(seed: UInt64) throws {
        var values = RandomJSON(seed: seed)
        var state = values.state()
        var lines = [JSONValue.object(["patch": JSONPatch([.add(JSONPointer(), state)]).json]).text()]
        var states = [state]
        for _ in 0..<30 {
            var operations: [JSONPatch.Operation] = []
            var next = state
            for _ in 0...values.below(3) {
                var operation = values.journalOperation(on: next)
                // Any writer's forms: a copy, a move elsewhere, an addition over a member.
                let from = JSONPointer(values.path(in: next))
                if values.chance(20), let part = from.value(in: next), part.isScalar {
                    operation = .copy(from: from, to: operation.path)
                }
                guard (try? JSONPatch([operation]).apply(to: &next, order: .ascending)) != nil else { continue }
                operations.append(operation)
            }
            // What failed half-way may have changed it; so all is applied anew.
            next = state
            guard (try? JSONPatch(operations).apply(to: &next, order: .ascending)) != nil else { continue }
            state = next
            states.append(state)
            lines.append(JSONPatch(operations).json.text())
        }
        let run = try Imported(lines.joined(separator: "\n"), as: PatchReader(.rfc6902))
        #expect(try run.states.compactMap { $0.object?["state"] } == states, "seed \(seed)")
        for commit in try run.records(.commit) {
            let patch = try JSONPatch(json: try #require(commit["patch"]))
            #expect((try? patch.inverted()) != nil, "seed \(seed) \(patch)")
        }
    }

    @Test("copies of something large are refused before they fill memory or disk")
    func manyCopies() throws {
        let large = JSONValue.object(["a": .string(String(repeating: "x", count: 1 << 20))]).text()
        let copies = (0..<100).map { #"{"op":"copy","from":"/a","path":"/b\#($0)"}"# }.joined(separator: ",")
        let error = try #require(fault(of: large + "\n[\(copies)]", as: PatchReader(.rfc6902)))
        guard case .patch(let problem, _, _, _) = error.fault, case .copiesTooLarge = problem.reason else {
            Issue.record("\(error.diagnostic.message)")
            return
        }
        #expect(problem.operation == 64 || problem.operation == 63)
    }
}
