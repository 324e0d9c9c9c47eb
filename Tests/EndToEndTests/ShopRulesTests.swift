import Foundation
import JSONCore
import TestSupport
import Testing

@Suite("Rules of a shop, asked of runs of its agent")
struct ShopRulesTests {
    private static let rules = BuiltProducts.sample("agents/shop-rules.jq")
    private static let names = [
        "one_thing_at_a_time", "user_is_found_first", "status_is_right", "refund_goes_back", "items_change_once",
    ]

    /// The commits at which rules are first broken in a run; those that hold are left out.
    private func violations(_ run: String, in folder: TemporaryFolder) async throws -> [String: Int] {
        let check = try await ProgramRun.inspect(
            "check", "runs.jsonl", "--invariants", Self.rules, "--arg", "run", run, "--json", in: folder)
        var found: [String: Int] = [:]
        for line in check.lines {
            let answer = try JSONParser.parse(Array(line.utf8))
            let name = answer.objectValue?["invariant"]?.text ?? ""
            #expect(
                Self.names.contains(name) && ["holds", "violation"].contains(answer.objectValue?["kind"]?.text),
                "\(check)")
            found[name] = answer.objectValue?["first"]?.objectValue?["seq"]?.integer
        }
        #expect(check.status == (found.isEmpty ? 0 : 1) && check.lines.count == Self.names.count, "\(check)")
        return found
    }

    private static let gzip = ProgramRun.isThere("gzip", "--version")

    @Test(
        "of six runs that failed two broke a rule, and none of six that went well",
        .enabled(if: SharedFolder.has("data/agent-runs-tau-retail.json.gz") && gzip, "the runs or gzip are not there"))
    func recorded() async throws {
        let folder = TemporaryFolder()
        let runs = SharedFolder.root.appendingPathComponent("data/agent-runs-tau-retail.json.gz").path
        let imported = try await ProgramRun.inspect("import", "messages", runs, "-o", "runs.jsonl", in: folder)
        #expect(imported.status == 0, "\(imported)")
        for number in [0, 1, 5, 6, 7, 8, 2, 3, 4, 12] {
            #expect(try await violations("run-\(number)", in: folder) == [:], "run \(number)")
        }
        // Words beside a call, and an order that is not delivered exchanged.
        #expect(
            try await violations("run-20", in: folder) == ["one_thing_at_a_time": 355, "status_is_right": 383])
        #expect(try await violations("run-21", in: folder) == ["one_thing_at_a_time": 416])
    }

    /// A message with calls, each a tool with its arguments.
    private func calling(_ calls: (tool: String, arguments: String)..., words: String = "") -> String {
        let calls = calls.map { call in
            let arguments = JSONValue.string(call.arguments).text()
            return #"{"id":"c","type":"function","function":{"name":"\#(call.tool)","arguments":\#(arguments)}}"#
        }
        return #"{"role":"assistant","content":"\#(words)","tool_calls":[\#(calls.joined(separator: ","))]}"#
    }

    private func answer(_ tool: String, _ text: String) -> String {
        #"{"role":"tool","tool_call_id":"c","name":"\#(tool)","content":\#(JSONValue.string(text).text())}"#
    }

    private func order(_ status: String) -> String {
        #"{"order_id":"W1","status":"\#(status)","payment_history":[{"payment_method_id":"card_1"}]}"#
    }

    @Test(
        "each rule is broken by a run that breaks it, at the call that does, and by no other", arguments: names + [""])
    func made(rule: String) async throws {
        func breaks(_ name: String) -> Bool { rule == name }
        let id = #"{"order_id":"W1"}"#
        let exchange = calling(("exchange_delivered_order_items", id))
        var messages = [#"{"role":"user","content":"hello"}"#]
        if !breaks("user_is_found_first") {
            messages += [calling(("find_user_id_by_email", "{}")), answer("find_user_id_by_email", "ann_1")]
        }
        messages += [
            calling(("get_order_details", id), words: breaks("one_thing_at_a_time") ? "I look" : ""),
            answer("get_order_details", order(breaks("status_is_right") ? "pending" : "delivered")),
            calling(
                (
                    "return_delivered_order_items",
                    #"{"order_id":"W1","payment_method_id":"\#(breaks("refund_goes_back") ? "card_2" : "card_1")"}"#
                )), answer("return_delivered_order_items", order("delivered")),
        ]
        if !breaks("status_is_right") {
            messages += [exchange, answer("exchange_delivered_order_items", order("delivered"))]
        }
        if breaks("items_change_once") { messages += [exchange] }
        let folder = TemporaryFolder()
        folder.write("[" + messages.joined(separator: ",") + "]", to: "run.json")
        let imported = try await ProgramRun.inspect("import", "messages", "run.json", "-o", "runs.jsonl", in: folder)
        #expect(imported.status == 0, "\(imported)")
        let places = [
            "one_thing_at_a_time": 4, "user_is_found_first": 2, "status_is_right": 6, "refund_goes_back": 6,
            "items_change_once": 10,
        ]
        #expect(try await violations("run", in: folder) == places.filter { $0.key == rule })
    }
}

/// The definition files beside the samples: they say of the shop what the shop itself says.
struct DefinitionsTests {
    @Test("what 'shop.jq' derives is what the app recorded", arguments: ["checkout.jsonl", "checkout-flipping.jsonl"])
    func recordedValues(journal: String) async throws {
        let run = try await ProgramRun.inspect(
            "derived", BuiltProducts.sample(journal), "--all", "--definitions", BuiltProducts.sample("shop.jq"),
            in: TemporaryFolder())
        #expect(run.status == 0, "\(run)")
        var compared: Set<String> = []
        for line in run.lines {
            let firing = try #require(try JSONParser.parse(line).objectValue, "\(line)")
            guard let recorded = firing["recorded"]?.objectValue?["value"] else { continue }
            #expect(recorded == firing["value"], "\(line)")
            compared.insert(firing["name"]?.text ?? "")
        }
        let names = [
            "badge", "canCheckOut", "detailHeart", "greeting", "listHearts", "neighbours", "results", "total", "unread",
        ]
        #expect(compared.sorted() == names)
    }

    @Test(
        "the invariants hold in a good run, and 'applyDiscount' breaks one in a bad run",
        arguments: [
            ("checkout-good.jsonl", nil), ("checkout.jsonl", 118), ("checkout-flipping.jsonl", 118),
        ] as [(String, Int?)])
    func invariants(journal: String, firstBad: Int?) async throws {
        let file = try String(contentsOfFile: BuiltProducts.sample("invariants.jq"), encoding: .utf8)
        let names = file.matches(of: /(?m)^def (\w+):/).map { String($0.1) }
        #expect(names.count > 2)
        let run = try await ProgramRun.inspect(
            "bisect", BuiltProducts.sample(journal), "--good", file + names.joined(separator: " and "),
            in: TemporaryFolder())
        #expect(run.status == (firstBad == nil ? 1 : 0), "\(run)")
        let answer = try #require(try JSONParser.parse(run.text).objectValue, "\(run)")
        #expect(answer["firstBad"]?.objectValue?["seq"]?.integer == firstBad)
    }
}
