import Interchange
import JSONCore
import Testing

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
        let run = try Imported(text, as: WAL2JSONReader(keys: keys))
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
        let run = try Imported(text, as: DebeziumReader())
        #expect(try run.last("t") == ["2": ["k": 2, "v": 1], "3": ["id": 3]])
        #expect(fault(of: "{\"k\":1}\n" + event("c", #"{"k":1}"#), as: DebeziumReader()) != nil)
        #expect(fault(of: event("c", #"{"id":1}"#) + "\n{\"k\":1}", as: DebeziumReader()) != nil)
    }
}
