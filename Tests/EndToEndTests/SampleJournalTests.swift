import Foundation
import JSONCore
import TestSupport
import Testing

/// The journals beside the sample: they are what the sample writes, and what other programs read.
struct SampleJournalTests {
    static let names = ["checkout", "checkout-flipping", "checkout-good", "crashed"].map { $0 + ".jsonl" }

    @Test("the shop writes the journals that lie beside it, byte for byte")
    func regeneration() async throws {
        let folder = TemporaryFolder()
        let run = try await ProgramRun.of(BuiltProducts.shop, [folder.path], in: folder)
        #expect(run.status == 0, "\(run)")
        for name in Self.names {
            let made = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
            let kept = try Data(contentsOf: BuiltProducts.samples.appendingPathComponent(name))
            #expect(
                made == kept, "\(firstDifference(made, kept)) of \(name); 'swift run shop' records the samples anew")
        }
    }

    @Test("STATE_JOURNAL records the built shop where it names no recorder, and the command reads what it wrote")
    func environment() async throws {
        let (folder, journals) = (TemporaryFolder(), TemporaryFolder())
        let run = try await ProgramRun.of(
            BuiltProducts.shop, ["--play"], in: folder, environment: ["STATE_JOURNAL": journals.path])
        #expect(run.status == 0, "\(run)")
        let name = try #require(journals.names.first, "\(run)")
        #expect(journals.names.count == 1 && name.hasPrefix("shop-") && name.hasSuffix(".jsonl"))
        let info = try await ProgramRun.inspect("info", journals.path(name), in: folder)
        #expect(info.status == 0, "\(info)")
        for store in ["session", "catalogue", "cart", "feed"] { #expect(info.text.contains(store), "\(info)") }
        #expect(info.text.contains("412"), "\(info)")
        let verified = try await ProgramRun.inspect("verify", journals.path(name), in: folder)
        #expect(verified.status == 0, "\(verified)")
    }

    @Test(
        "the shop complains of what it does not know, and of a folder that is not there",
        arguments: [
            (["--help"], 2), (["a", "b"], 2), (["no/such/folder"], 1),
        ] as [([String], Int32)])
    func shopUsage(arguments: [String], status: Int32) async throws {
        let run = try await ProgramRun.of(BuiltProducts.shop, arguments, in: TemporaryFolder())
        #expect(run.status == status, "\(run)")
        #expect(!run.errors.isEmpty && run.output.isEmpty, "\(run)")
    }

    @Test("each journal is whole, but for the one whose run crashed", arguments: names)
    func verification(name: String) async throws {
        let folder = TemporaryFolder()
        let run = try await ProgramRun.inspect("verify", BuiltProducts.sample(name), in: folder)
        let isCrashed = name == "crashed.jsonl"
        #expect(run.status == (isCrashed ? 1 : 0), "\(run)")
        #expect(run.lines.count == 1, "\(run)")
    }

    @Test(
        "jq reads every whole line", .enabled("jq is not there") { ProgramRun.isThere("jq", "--version") },
        arguments: names)
    func jqReadsEveryLine(name: String) async throws {
        let folder = TemporaryFolder()
        let lines = try wholeLines(of: name)
        let run = try await ProgramRun.of(
            "jq", ["-c", ".kind"], in: folder, input: Data(lines.joined(separator: [10])))
        #expect(run.status == 0, "\(run)")
        #expect(run.lines.count == lines.count, "\(run)")
    }

    @Test(
        "an RFC 6902 library that is not ours goes forward to our states and back from 'old'",
        .enabled("python3 with jsonpatch is not there") { ProgramRun.isThere("python3", "-c", "import jsonpatch") },
        arguments: names)
    func foreignReplay(name: String) async throws {
        let folder = TemporaryFolder()
        let replay = try await ProgramRun.inspect("replay", "--json", BuiltProducts.sample(name), in: folder)
        #expect(replay.status == 0, "\(replay)")
        let states = folder.write(replay.output, to: "states.jsonl")
        let journal = try folder.write(Data(wholeLines(of: name).joined(separator: [10])), to: "journal.jsonl")
        let run = try await ProgramRun.of(
            "python3", [SharedFolder.testScript("replay.py"), journal, states], in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(run.text == "\(replay.lines.count) commits forward and back\n", "\(run)")
    }

    @Test("the token and the card's number are in no journal, a hash is in their place", arguments: names)
    func secrets(name: String) throws {
        let journal = try String(contentsOfFile: BuiltProducts.sample(name), encoding: .utf8)
        for secret in ["a100", "b200", "4000 0000 0000"] { #expect(!journal.contains(secret), "\(secret)") }
        #expect(journal.contains(#"{"op":"replace","path":"/token","value":{"$redacted":"#))
        #expect(journal.contains(#""card":{"$redacted":"#))
    }

    private func wholeLines(of name: String) throws -> [Data] {
        let data = try Data(contentsOf: BuiltProducts.samples.appendingPathComponent(name))
        let lines = data.split(separator: 10)
        return data.last == 10 ? lines : lines.dropLast()
    }

    private func firstDifference(_ left: Data, _ right: Data) -> String {
        let pairs = zip(left.split(separator: 10), right.split(separator: 10)).enumerated()
        guard let (index, pair) = pairs.first(where: { $1.0 != $1.1 }) else {
            return "\(left.count) bytes, should be \(right.count),"
        }
        return """
            line \(index + 1) is
            \(String(decoding: pair.0, as: UTF8.self))
            should be
            \(String(decoding: pair.1, as: UTF8.self))

            """
    }
}

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
