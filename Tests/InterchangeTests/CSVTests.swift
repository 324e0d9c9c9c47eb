import Foundation
import Interchange
import JSONCore
import JournalFormat
import QueryLanguage
import TestSupport
import Testing

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
                ["state": json(#"{"column3":"x","column5":true,"id":1,"name":"a \"b\";\r\nc","total":2.5}"#)],
                ["state": json(#"{"column3":false,"column5":[1,{"a":2}],"id":"02","total":"7"}"#)],
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
            "\r\n", "'", "=1",
            "nul", "NaN", "é", "{", "[", "\"x\"", "01", "+1",
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
