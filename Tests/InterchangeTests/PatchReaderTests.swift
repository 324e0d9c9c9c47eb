import Diagnostics
import Foundation
import Interchange
import JSONCore
import JournalFormat
import QueryLanguage
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

@Suite("Tables of comma-separated values")
struct CSVTests {
    private static func reader(_ state: String = ".", store: String? = nil) throws -> JSONLinesReader {
        var mapping = LineMapping()
        mapping.state = .init("--state", try Query(state))
        mapping.store = try store.map { .init("--store", try Query($0)) }
        return JSONLinesReader(mapping, of: .csv)
    }

    @Test("a row is an object with the head's names; what JSON writes bare is a value, the rest is text")
    func values() throws {
        let text = """
            id;name;;total;id\r
            1;"a ""b"";\r
            c";x;2.5;true\r

            02;;false;"7";"[1,{""a"":2}]"\r
            """
        let run = try Imported(text, as: Self.reader())
        #expect(
            try run.states == [
                ["state": json(#"{"column3":"x","id":1,"id_2":true,"name":"a \"b\";\r\nc","total":2.5}"#)],
                ["state": json(#"{"column3":false,"id":"02","id_2":[1,{"a":2}],"total":"7"}"#)],
            ])
        #expect(try run.records(.commit).map { $0["at"]?.object?["line"] } == [5])
    }

    @Test("a row of other cells than the head is left out and counted; a head of JSON is refused")
    func otherRows() throws {
        let run = try Imported("a,b\n1,2\n3\n4,5,6\n7,8\n", as: Self.reader(), skipsBad: true)
        #expect(run.work.run.problems.count == 2)
        #expect(run.work.run.problems.lineNumbers == "3 to 4")
        #expect(try run.last() == ["a": 7, "b": 8])
        #expect(fault(of: "{\"a\":1,\"b\":2}\n", as: try Self.reader()) != nil)
        #expect(fault(of: "a,b\n", as: try Self.reader())?.fault == .empty)
    }

    @Test("a quote that is never closed is refused with the line that its row begins in, never taken for a cell")
    func unclosedQuote() throws {
        for text in ["a,b\n1,2\n3,\"open\n5,6\n", "a,b\n1,2\n3,\"open\"\"\n", "a,b\n1,2\n3,\""] {
            let error = fault(of: text, as: try Self.reader())
            #expect(error?.line == 3, "\(text)")
            let run = try Imported(text, as: Self.reader(), skipsBad: true)
            #expect(run.work.run.problems.count == 1)
            #expect(try run.last() == ["a": 1, "b": 2])
        }
        #expect(fault(of: "a,\"b\n1,2\n", as: try Self.reader())?.line == 1)
    }

    @Test("null, an empty text and what is absent are three cells, and are read back as three")
    func nothings() throws {
        var changes = CSVWriter(makesColumns: false)
        let patch = try json(
            #"[{"op":"replace","path":"/a","old":null,"value":""},{"op":"add","path":"/b","value":"null"}]"#)
        changes.add(ExportedCommit(record: ["store": "s", "patch": patch], seq: CommitNumber(1), state: .null))
        #expect(
            String(decoding: changes.take(), as: UTF8.self)
                == """
                seq,time,store,name,file,line,function,op,path,old,value
                1,,s,,,,,replace,/s/a,null,""
                1,,s,,,,,add,/s/b,,"null"

                """)
    }

    @Test("a row that was exported is read back as it was, whatever its values", arguments: 0..<60)
    func valuesReadBack(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let texts = [
            "", "null", "true", "false", "0", "-1", "1e3", " 1 ", " ", "a", "\"", "\"\"", ",", "a,b", ";", "\t", "\n",
            "\r\n", "'", "=1", "nul", "NaN", "é", "{", "[", "\"x\"", "01", "+1",
        ]
        func any(_ depth: Int) -> JSONValue {
            switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
            case 0: .null
            case 1: .bool(Bool.random(using: &random))
            case 2:
                .number(
                    JSONNumber(
                        literal: ["0", "-6", "1.50", "1e400", "12345678901234567890"].randomElement(using: &random)!))
            case 3, 4, 5: .string(texts.randomElement(using: &random)!)
            case 6: .array((0..<2).map { _ in any(depth - 1) })
            default: .object(["k": any(depth - 1)])
            }
        }
        let names = ["1", "a", "b", "null"]
        var rows: [JSONObject] = []
        var writer = CSVWriter(makesColumns: true, isRaw: true)
        for number in 0..<Int.random(in: 1...5, using: &random) {
            var row = JSONObject()
            // The first row names the columns.
            for name in names where number == 0 || Bool.random(using: &random) { row[name] = any(2) }
            rows.append(row)
            writer.add(ExportedCommit(record: ["store": "s"], seq: CommitNumber(number + 1), state: .object(row)))
        }
        let text = String(decoding: writer.take(), as: UTF8.self)
        let state = "del(.seq, .store)"
        let run = try Imported(text, as: Self.reader(state), piece: Int.random(in: 1...7, using: &random))
        #expect(
            try run.states.compactMap { $0.object?["state"] } == rows.map(JSONValue.object), "seed \(seed): \(text)")
    }

    @Test(
        "whatever texts a table has, and in whatever pieces it comes, it reads as what was written",
        arguments: seeds(0..<40))
    func roundTrip(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let parts = ["a", "\"", ",", ";", "\n", "\r\n", "é", "\u{1F600}", "1", " ", "'", "{", "\t"]
        let cells: [[String]] = (0..<Int.random(in: 1...6, using: &random)).map { _ in
            (0..<3).map { _ in
                (0..<Int.random(in: 0...5, using: &random)).map { _ in parts.randomElement(using: &random)! }.joined()
            }
        }
        func quoted(_ cell: String) -> String { "\"" + cell.replacing("\"", with: "\"\"") + "\"" }
        let text = "a,b,c\n" + cells.map { $0.map(quoted).joined(separator: ",") + "\n" }.joined()
        let run = try Imported(text, as: Self.reader(), piece: Int.random(in: 1...7, using: &random))
        let expected: [JSONValue] = cells.map {
            .object(["a": .string($0[0]), "b": .string($0[1]), "c": .string($0[2])])
        }
        #expect(try run.states.compactMap { $0.object?["state"] } == expected, "seed \(seed): \(text)")
    }
}
