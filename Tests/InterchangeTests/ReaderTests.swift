import Diagnostics
import Interchange
import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@Suite("Exports of Redux DevTools")
struct ReduxReaderTests {
    private static let lifted = #"""
        {"actionsById":{"0":{"type":"PERFORM_ACTION","action":{"type":"@@INIT"},"timestamp":1700000000000},
        "1":{"type":"PERFORM_ACTION","action":{"type":"add","payload":2},"timestamp":1700000001000,"stack":"Error\n    at dispatch (http://host/node_modules/redux/x.js:1:2)\n    at onClick (http://host/src/App.js:10:5)"},
        "2":{"type":"PERFORM_ACTION","action":{"type":"noise"},"timestamp":1700000002000},
        "3":{"type":"PERFORM_ACTION","action":{"type":"crash"},"timestamp":1700000003000},
        "4":{"type":"PERFORM_ACTION","action":{"type":"add"},"timestamp":1700000004000}},
        "computedStates":[{"state":{"n":0}},{"state":{"n":2}},{"state":{"n":2}},{"state":{"n":2},"error":"Error: boom"},{"state":{"n":3}}],
        "stagedActionIds":[0,1,2,3,4],"skippedActionIds":[2],"currentStateIndex":4,"nextActionId":5}
        """#

    @Test("a lifted state: actions, skipped ones, errors, and places from stacks")
    func liftedState() throws {
        let run = try Imported(Self.lifted, as: ReduxReader())
        #expect(try run.states == [["state": ["n": 0]], ["state": ["n": 2]], ["state": ["n": 3]]])
        let commit = try run.records(.commit)[0]
        #expect(
            try commit["at"] == json(#"{"file":"http://host/src/App.js","line":10,"column":5,"function":"onClick"}"#))
        #expect(try commit["action"] == json(#"{"type":"add","payload":{"payload":2}}"#))
        #expect(try run.records(.mark).map { $0["text"] } == ["skipped: noise"])
        #expect(try run.records(.abort).map { $0["error"] } == ["Error: boom"])
    }

    @Test("an export with strings of JSON is the same run")
    func strings() throws {
        let text = JSONValue.object(["payload": .string(Self.lifted), "preloadedState": "{}"]).text()
        let run = try Imported(text, as: ReduxReader())
        #expect(try run.states.last == ["state": ["n": 3]])
    }

    @Test("an array of actions has commits that change nothing, and says so; states among them count")
    func actions() throws {
        let text = #"{"payload":"[{\"type\":\"a\"},{\"type\":\"b\",\"payload\":1}]","preloadedState":"{\"n\":1}"}"#
        let run = try Imported(text, as: ReduxReader())
        #expect(try run.states == [["state": ["n": 1]], ["state": ["n": 1]], ["state": ["n": 1]]])
        #expect(run.work.notes.count == 1)
        let withStates = try Imported(
            #"[{"type":"a","state":{"n":1}},{"type":"b","state":{"n":2}}]"#, as: ReduxReader())
        #expect(try withStates.last() == ["n": 2])
    }

    @Test("references of jsan are followed, one into itself stays, and dates are times")
    func jsan() throws {
        let text = #"""
            {"actionsById":{"0":{"action":{"type":"@@INIT"}}},"computedStates":[{"state":{"user":{"name":"a","self":{"$jsan":"$.computedStates[0].state.user"}},"again":{"$jsan":"$.computedStates[0].state.user.name"},"gone":{"$jsan":"u"},"since":{"$jsan":"d1700000000000"},"f":{"$jsan":"ffunction(){}"}}}],"stagedActionIds":[0]}
            """#
        let run = try Imported(text, as: ReduxReader())
        #expect(
            try run.last()
                == json(
                    #"""
                    {"again":"a","f":{"$jsan":"ffunction(){}"},"since":"2023-11-14T22:13:20.000000Z","user":{"name":"a","self":{"$jsan":"$.computedStates[0].state.user"}}}
                    """#))
    }
}

@Suite("Watch events, row changes, and traces")
struct ReaderTests {
    @Test("Kubernetes: a store for each kind, objects by namespace and name, over any lines")
    func kubernetes() throws {
        func event(_ type: String, _ name: String, _ more: String) -> String {
            """
            {
                "type": "\(type)",
                "object": {
                    "apiVersion": "v1", "kind": "Pod",
                    "metadata": {"namespace": "shop", "name": "\(name)", "creationTimestamp": "2026-11-21T12:00:00Z"},
                    "status": \(more)
                }
            }
            """
        }
        let text = [
            event(
                "ADDED", "a", #"{"conditions":[{"type":"Ready","status":"False"},{"type":"Begun","status":"True"}]}"#),
            event("ADDED", "b", "{}"),
            event(
                "MODIFIED", "a",
                #"{"conditions":[{"type":"Begun","status":"True"},{"type":"Ready","status":"True","lastTransitionTime":"2026-11-21T12:00:05Z"}]}"#
            ),
            #"{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"7"}}}"#,
            #"{"type":"ADDED","object":{"kind":"Node","metadata":{"name":"n1"}}}"#, event("DELETED", "b", "{}"),
            #"{"type":"ERROR","object":{"kind":"Status","message":"too old resource version"}}"#,
        ].joined(separator: "\n")
        let run = try Imported(text, as: defined("kubernetes"), identities: defined("kubernetes").identities)
        let state = try run.journal.state(at: run.journal.lastCommit).value
        #expect(JSONPointer(["Pod", "shop", "a", "status", "conditions", "1", "status"]).value(in: state) == "True")
        #expect(JSONPointer(["Pod", "shop", "b"]).value(in: state) == nil)
        #expect(JSONPointer(["Node", "n1", "kind"]).value(in: state) == "Node")
        #expect(
            try run.records(.commit).map { $0["name"] } == [
                "ADDED a", "ADDED b", "MODIFIED a", "ADDED n1", "DELETED b",
            ])
        #expect(try run.records(.mark).map { $0["level"] } == ["error"])
        let unknown = #"{"type":"DELETED","object":{"kind":"Pod","metadata":{"name":"x"}}}"#
        #expect(
            try Imported(unknown, as: defined("kubernetes")).work.notes == [
                "1 change of objects that the file had not said anything of"
            ])
        #expect(fault(of: unknown.replacing("DELETED", with: "RENAMED"), as: defined("kubernetes")) != nil)
    }

    @Test("Debezium: tables, keys, snapshots, updates, deletes, tombstones and transactions")
    func debezium() throws {
        func event(_ op: String, _ before: String, _ after: String, _ table: String = "orders", _ tx: Int = 7) -> String
        {
            """
            {"schema":{},"payload":{"before":\(before),"after":\(after),"op":"\(op)","ts_ms":1700000000500,"source":{"db":"shop","table":"\(table)","ts_ms":1700000000000,"txId":\(tx)},"unknown":1}}
            """
        }
        let text = [
            event("r", "null", #"{"id":1,"sum":5}"#), event("c", "null", #"{"id":2,"sum":7}"#),
            event("u", #"{"id":1,"sum":5}"#, #"{"id":1,"sum":6}"#),
            event("u", "null", #"{"id":9,"sum":1}"#), event("d", #"{"id":2,"sum":7}"#, "null"), "null",
            event("c", "null", #"{"id":"x","n":1}"#, "items", 8),
            event("u", #"{"id":"x","n":1}"#, #"{"id":"y","n":2}"#, "items", 8), event("t", "null", "null", "items", 9),
        ].joined(separator: "\n")
        let run = try Imported(text, as: defined("debezium"))
        #expect(
            try run.journal.state(at: run.journal.lastCommit).value
                == ["items": [:], "orders": ["1": ["id": 1, "sum": 6], "9": ["id": 9, "sum": 1]]])
        let commits = try run.records(.commit)
        #expect(commits.map { $0["cause"] } == [nil, 1, 1, 1, 1, nil, 6, 6, nil])
        #expect(try commits[2]["patch"] == json(#"[{"op":"replace","path":"/1/sum","value":6,"old":5}]"#))
        #expect(run.work.notes == ["1 change of rows that the file had not said anything of"])
        let keyed =
            #"{"key":{"a":1,"b":"x"},"value":{"op":"c","before":null,"after":{"a":1,"b":"x","v":3},"source":{"table":"t"}}}"#
        #expect(
            try Imported(keyed + "\n" + #"{"key":{"a":1,"b":"x"},"value":null}"#, as: defined("debezium")).last("t")
                == [
                    #"[1,"x"]"#: ["a": 1, "b": "x", "v": 3]
                ])
        let noKey = event("c", "null", #"{"no":1}"#)
        #expect(fault(of: noKey, as: defined("debezium"))?.fault == .definition("a row of 'shop.orders' has no 'id'"))
        #expect(
            try Imported(noKey, as: defined("debezium", keys: RowKeys(columns: ["no"]))).last("orders") == [
                "1": ["no": 1]
            ])
        #expect(fault(of: event("z", "null", "null"), as: defined("debezium")) != nil)
    }

    @Test("wal2json: both formats, keys, columns that an update leaves out, and transactions")
    func wal2json() throws {
        let first = #"""
            {"xid":5,"timestamp":"2026-11-21 12:00:00.5+00","change":[{"kind":"insert","schema":"public","table":"t","columnnames":["id","a","big"],"columntypes":[],"columnvalues":[1,"x","long"]},{"kind":"insert","schema":"public","table":"t","columnnames":["id","a","big"],"columnvalues":[2,"y","z"]}]}
            {"change":[{"kind":"update","schema":"public","table":"t","columnnames":["id","a"],"columnvalues":[1,"w"],"oldkeys":{"keynames":["id"],"keyvalues":[1]}},{"kind":"delete","schema":"public","table":"t","oldkeys":{"keynames":["id"],"keyvalues":[2]}}]}
            """#
        let run = try Imported(first, as: defined("wal2json"))
        #expect(try run.last("t") == ["1": ["a": "w", "big": "long", "id": 1]])
        #expect(try run.records(.commit).map { $0["cause"] } == [nil, 1, nil, 3])
        #expect(try run.records(.commit)[0]["time"] == "2026-11-21T12:00:00.500000Z")
        let second = #"""
            {"action":"B","xid":7}
            {"action":"I","schema":"public","table":"t","columns":[{"name":"k","type":"int","value":1},{"name":"v","value":null}],"pk":[{"name":"k"}]}
            {"action":"U","schema":"public","table":"t","columns":[{"name":"k","value":3},{"name":"v","value":4}],"identity":[{"name":"k","value":1}],"pk":[{"name":"k"}]}
            {"action":"C"}
            {"action":"M","content":"hello","prefix":"note"}
            """#
        let other = try Imported(second, as: defined("wal2json"))
        #expect(try other.last("t") == ["3": ["k": 3, "v": 4]])
        #expect(try other.records(.mark).map { $0["text"] } == ["note"])
        #expect(fault(of: #"{"action":"X","table":"t"}"#, as: defined("wal2json")) != nil)
        #expect(
            fault(
                of: #"{"change":[{"kind":"insert","table":"t","columnnames":["id"],"columnvalues":[]}]}"#,
                as: defined("wal2json")) != nil)
    }

    @Test("a text's edits: lines that change, places in scalars, and the end that the file names")
    func editingTrace() throws {
        let text = #"""
            {"startContent":"ab\nçd","endContent":"aX\nY\nd!","txns":[{"time":"2026-11-21T12:00:00Z","patches":[[1,1,"X\nY"]]},{"patches":[[5,1,""],[6,0,"!"]]}]}
            """#
        let run = try Imported(text, as: EditingTraceReader())
        #expect(try run.last("text") == ["lines": ["aX", "Y", "d!"]])
        #expect(try run.records(.commit).count == 2)
        #expect(
            fault(of: text.replacing("d!\"", with: "d\""), as: EditingTraceReader())?.fault
                == .otherEnd(expected: "endContent"))
        let past = #"{"startContent":"","endContent":"","txns":[{"patches":[[0,1,""]]}]}"#
        guard case .item("transaction 0", _)? = fault(of: past, as: EditingTraceReader())?.fault else {
            Issue.record("an edit past the end")
            return
        }
    }

    @Test("any edits of a text give the text", arguments: seeds(0..<20))
    func anyEdits(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var content: [Character] = Array("one\ntwo\n")
        let start = String(content)
        var transactions: [JSONValue] = []
        for _ in 0..<60 {
            let place = Int.random(in: 0...content.count, using: &generator)
            let cut = Int.random(in: 0...min(5, content.count - place), using: &generator)
            let put = ["", "x", "\n", "a\nb", "\n\n", "é"][Int.random(in: 0..<6, using: &generator)]
            content.replaceSubrange(place..<(place + cut), with: Array(put))
            transactions.append(["patches": [[.number(JSONNumber(place)), .number(JSONNumber(cut)), .string(put)]]])
        }
        let trace: JSONValue = [
            "startContent": .string(start), "endContent": .string(String(content)), "txns": .array(transactions),
        ]
        let run = try Imported(trace.text(), as: EditingTraceReader())
        let lines = try run.last("text")?.object?["lines"]?.array?.compactMap(\.string)
        #expect(lines?.joined(separator: "\n") == String(content), "seed \(seed)")
    }

    @Test("a graph of trrack: each branch is a store")
    func trrack() throws {
        let text = #"""
            {"nodes":{"r":{"children":["a"],"createdOn":1,"label":"Root","state":{"type":"checkpoint","val":{"n":0}}},
            "a":{"parent":"r","children":["b","c"],"createdOn":1700000000001,"label":"A","event":"up","state":{"type":"patch","val":[{"op":"replace","path":"/n","value":1}]}},
            "b":{"parent":"a","children":[],"createdOn":1700000000002,"label":"B","state":{"type":"patch","val":[{"op":"replace","path":"/n","value":2}]}},
            "c":{"parent":"a","children":[],"createdOn":1700000000003,"label":"C","state":{"type":"checkpoint","val":{"n":9}}}},"root":"r"}
            """#
        let flat = text.replacing("\n", with: "")
        let run = try Imported(flat + "\n" + flat, as: defined("trrack"))
        #expect(try run.states.first == json(#"{"branch1":{"n":0},"branch2":{"n":0}}"#))
        let last = #""branch1":{"n":2},"branch2":{"n":9}"#
        #expect(try run.states.last == json("{\(last),\(last.replacing("branch", with: "2.branch"))}"))
        #expect(try run.records(.commit).prefix(4).map { $0["name"] } == ["A", "A", "B", "C"])
        #expect(
            try Imported(flat.replacing(#""b","c""#, with: #""b""#), as: defined("trrack")).last("branch1") == ["n": 2])
        for (old, new) in [
            (#""parent":"r""#, #""parent":"b""#), (#""parent":"r""#, #""parent":"x""#),
            (#""nodes":{"#, #""nodes":{"q":7,"#),
        ] {
            #expect(fault(of: flat.replacing(old, with: new), as: defined("trrack"))?.diagnostic.code == "import.form")
        }
    }

    @Test("a model checker's trace: big integers, sets, maps, tuples, and a loop")
    func itf() throws {
        let text = #"""
            {"#meta":{},"vars":["x"],"loop":0,"states":[
            {"#meta":{"index":0},"x":{"#bigint":"123456789012345678901"},"s":{"#set":[2,1]},"m":{"#map":[["a",{"#tup":[1,"z"]}]]},"n":{"#map":[[1,true]]}},
            {"#meta":{"index":1},"x":1,"s":{"#set":[1,2]},"m":{"#map":[]},"n":{"#unserializable":"Nat"},"action_taken":"step"}]}
            """#
        let run = try Imported(text, as: defined("itf"))
        #expect(
            try run.states.compactMap { $0.object?["state"] } == [
                json(#"{"m":{"a":[1,"z"]},"n":[[1,true]],"s":[1,2],"x":123456789012345678901}"#),
                json(##"{"action_taken":"step","m":{},"n":{"#unserializable":"Nat"},"s":[1,2],"x":1}"##),
            ])
        #expect(try run.records(.commit)[0]["name"] == "step")
        #expect(try run.records(.mark).count == 1)
        #expect(fault(of: text.replacing("\"loop\":0", with: "\"loop\":5"), as: defined("itf")) != nil)
        #expect(fault(of: text.replacing("\"1234", with: "\"x1234"), as: defined("itf")) != nil)
    }

    @Test("snapshots are whole states, and what is no JSON has its line")
    func snapshots() throws {
        #expect(
            try Imported("{\"a\":1}\n{\"a\":2}", as: SnapshotReader()).states == [
                ["state": ["a": 1]], ["state": ["a": 2]],
            ])
        #expect(fault(of: "{\"a\":1}\n{", as: SnapshotReader())?.line == 2)
    }

    @Test("a journal is not imported, whatever the format")
    func journal() throws {
        let text =
            #"{"seq":0,"kind":"journal","version":1,"id":"x","time":"2026-11-21T12:00:00.000000Z","recorder":"x"}"#
        #expect(fault(of: text, as: SnapshotReader())?.fault == .otherFormat(.snapshots, looksLike: .journal))
    }

    @Test(
        "texts one after another are divided whatever the pieces, and one that is cut ends where the next begins",
        arguments: [1, 2, 3, 7, 64, .max])
    func division(piece: Int) throws {
        let text =
            "[{\"op\":\"add\",\"path\":\"/a\",\"value\":\"}\\\"\"}]\n{\"patch\":[\n  {\"op\":\"add\",\"path\":\"/b\",\"value\":1}\n]}\n{\"patch\":[{\"op\":\n{\"patch\":[{\"op\":\"add\",\"path\":\"/c\",\"value\":2}]}"
        let run = try Imported(text, as: PatchReader(.rfc6902), skipsBad: true, piece: piece)
        #expect(try run.last() == ["a": "}\"", "b": 1, "c": 2])
        #expect(run.work.run.problems.lineNumbers == "5")
    }

    @Test("objects that begin lines inside of an array are its elements", arguments: [1, 5, .max])
    func elements(piece: Int) throws {
        let text = "{\"vars\":[\"x\"],\"states\":[\n{\"x\":1},\n{\"x\":2}\n]}"
        #expect(try Imported(text, as: defined("itf"), piece: piece).last() == ["x": 2])
        #expect(fault(of: String(text.dropLast(4)), as: defined("itf"))?.line == 1)
    }
}

@Suite("Keys of rows")
struct RowKeyTests {
    private static func insert(_ table: String, _ column: String, _ value: Int) -> String {
        #"{"action":"I","schema":"public","table":"\#(table)","columns":[{"name":"\#(column)","value":\#(value)}]}"#
    }

    @Test("each table has its own key, by its name or its schema's too, and the others the one that is for all")
    func tables() throws {
        let text = [
            Self.insert("orders", "order_id", 7), Self.insert("users", "user_id", 3), Self.insert("tags", "tag", 1),
        ]
        .joined(separator: "\n")
        let keys = RowKeys(
            columns: ["tag"], ofTable: ["orders": ["order_id"], "public.users": ["user_id"], "none": ["x"]])
        let run = try Imported(text, as: defined("wal2json", keys: keys))
        #expect(
            try run.states.last == [
                "orders": ["7": ["order_id": 7]], "tags": ["1": ["tag": 1]], "users": ["3": ["user_id": 3]],
            ])
        #expect(run.work.notes == ["'--key' names the table 'none', of which there is no row"])
    }

    @Test(
        "Kafka's console prints a key, a tab and the event; a key of null is none, an event that is not whole is refused"
    )
    func console() throws {
        func event(_ op: String, _ after: String) -> String {
            #"{"before":null,"after":\#(after),"op":"\#(op)","source":{"table":"t"}}"#
        }
        let text = [
            "{\"k\":1}\t" + event("c", #"{"k":1,"v":1}"#), "{\"payload\":{\"k\":2}}\t" + event("c", #"{"k":2,"v":1}"#),
            "null\t" + event("c", #"{"id":3}"#), "{\"k\":1}\t" + event("d", "null"), "{\"k\":1}\tnull",
        ].joined(separator: "\n")
        let run = try Imported(text, as: defined("debezium"))
        #expect(try run.last("t") == ["2": ["k": 2, "v": 1], "3": ["id": 3]])
        #expect(fault(of: "{\"k\":1}\n" + event("c", #"{"k":1}"#), as: defined("debezium")) != nil)
        #expect(fault(of: event("c", #"{"id":1}"#) + "\n{\"k\":1}", as: defined("debezium")) != nil)
    }
}
