import Foundation
import JSONCore
import Platform
import TestSupport
import Testing

@testable import AgentServer
@testable import CommandLine

/// The whole server, from lines to lines.
@Suite("The server of tools")
struct AgentServerTests {
    /// A folder with journals, and what is outside of it.
    private final class Runs {
        let root = TemporaryFolder()
        var folder: String { root.path("runs") }

        init() throws {
            let text = ShopJournal.lines.map { $0 + "\n" }.joined()
            for name in ["runs/shop.jsonl", "runs/deep/other.jsonl", "secret.jsonl"] { root.write(text, to: name) }
            root.write("not a journal\n", to: "runs/broken.jsonl")
            try root.link("runs/out.jsonl", to: root.path("secret.jsonl"))
            try root.link("runs/in.jsonl", to: folder + "/deep/other.jsonl")
        }

        /// Runs the server on lines, and returns its messages.
        func serve(_ lines: [String], endsLine: Bool = true) throws -> [JSONValue] {
            let input = root.write(lines.joined(separator: "\n") + (endsLine ? "\n" : ""), to: UUID().uuidString)
            let descriptor = open(input, O_RDONLY)
            defer { close(descriptor) }
            let run = ProgramRun(["mcp", folder], input: descriptor)
            #expect(run.status == 0 && run.messages.isEmpty, "\(run)")
            return try run.output.split(separator: "\n").map { try JSONParser.parse(String($0)) }
        }

        /// The result of one call.
        func call(_ tool: String, _ arguments: JSONValue) throws -> JSONObject {
            let call: JSONValue = ["name": .string(tool), "arguments": arguments]
            let messages = try serve([AgentServerTests.initialize, AgentServerTests.request(2, "tools/call", call)])
            return try #require(messages.first { $0.object?["id"] == 2 }?.object?["result"]?.object)
        }
    }

    private let runs: Runs

    init() throws { runs = try Runs() }

    private static let initialize = request(
        1, "initialize",
        ["protocolVersion": "2025-11-25", "capabilities": [:], "clientInfo": ["name": "test", "version": "1"]])

    private static func request(_ id: Int, _ method: String, _ params: JSONValue? = nil) -> String {
        var object = JSONObject()
        object["jsonrpc"] = "2.0"
        object["id"] = .number(JSONNumber(id))
        object["method"] = .string(method)
        if let params { object["params"] = params }
        return JSONValue.object(object).text()
    }

    private static let meta: JSONValue = [
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": [:],
    ]

    private static func texts(_ result: JSONObject) -> String {
        guard case .array(let content)? = result["content"] else { return "" }
        return content.compactMap { $0.object?["text"]?.string }.joined(separator: "\n")
    }

    private static func answers(_ result: JSONObject) -> [JSONValue] {
        result["structuredContent"]?.object?["answers"]?.array ?? []
    }

    // MARK: Transcripts

    @Test("a session of 2025-11-25 is as its schema has it", .enabled(if: JSONSchema.isThere))
    func session() throws {
        let schema = try #require(JSONSchema("2025-11-25"))
        let journal = JSONValue.string(runs.folder + "/shop.jsonl")
        let messages = try runs.serve([
            Self.initialize, #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, Self.request(2, "ping"),
            Self.request(3, "tools/list"),
            Self.request(
                4, "tools/call", ["name": "bisect", "arguments": ["journal": journal, "bad": ".cart.total < 0"]]),
            Self.request(5, "tools/call", ["name": "bisct"]), Self.request(6, "resources/list"), "{", "[]",
            Self.request(7, "tools/call", ["name": "info"]),
        ])
        func message(_ id: Int) -> JSONObject {
            messages.first { $0.object?["id"] == .number(JSONNumber(id)) }?.object ?? JSONObject()
        }
        for value in messages { #expect(schema.fault(of: value, "JSONRPCMessage") == nil, "\(value.text())") }
        for (id, type) in [
            (1, "InitializeResult"), (2, "EmptyResult"), (3, "ListToolsResult"), (4, "CallToolResult"),
            (7, "CallToolResult"),
        ] {
            let result = try #require(message(id)["result"])
            let fault = schema.fault(of: result, type)
            #expect(fault == nil, "\(type): \(fault ?? "") \(result.text().prefix(300))")
        }
        #expect(message(1)["result"]?.object?["protocolVersion"] == "2025-11-25")
        #expect(Self.texts(try #require(message(4)["result"]?.object)).contains("first bad commit  3 of 6"))
        #expect(message(5)["error"]?.object?["code"] == -32602)
        #expect(message(5)["error"]?.object?["message"]?.string?.contains("call 'bisect'") == true)
        #expect(message(6)["error"]?.object?["code"] == -32601)
        let refusals = messages.filter { $0.object?["id"] == nil }.compactMap { $0.object?["error"]?.object?["code"] }
        #expect(refusals == [-32700, -32600])
    }

    @Test("an exchange of 2026-07-28 is as its schema has it, and needs no session", .enabled(if: JSONSchema.isThere))
    func stateless() throws {
        let schema = try #require(JSONSchema("2026-07-28"))
        let journal = JSONValue.string(runs.folder + "/shop.jsonl")
        var old = Self.meta.object ?? JSONObject()
        old["io.modelcontextprotocol/protocolVersion"] = "1999-01-01"
        let messages = try runs.serve([
            Self.request(1, "server/discover", ["_meta": Self.meta]),
            Self.request(2, "tools/list", ["_meta": Self.meta]),
            Self.request(
                3, "tools/call", ["_meta": Self.meta, "name": "state", "arguments": ["journal": journal, "at": 3]]),
            Self.request(4, "tools/list", ["_meta": .object(old)]), Self.request(5, "tools/list"), "nonsense",
        ])
        func message(_ id: Int) -> JSONObject {
            messages.first { $0.object?["id"] == .number(JSONNumber(id)) }?.object ?? JSONObject()
        }
        for value in messages { #expect(schema.fault(of: value, "JSONRPCMessage") == nil, "\(value.text())") }
        for (id, type) in [(1, "DiscoverResult"), (2, "ListToolsResult"), (3, "CallToolResult")] {
            let result = try #require(message(id)["result"])
            let fault = schema.fault(of: result, type)
            #expect(fault == nil && result.object?["resultType"] == "complete", "\(type): \(fault ?? "")")
        }
        #expect(schema.fault(of: .object(message(4)), "UnsupportedProtocolVersionError") == nil, "\(message(4))")
        #expect(message(5)["error"]?.object?["code"] == -32602)
        #expect(messages.contains { $0.object?["id"] == nil && $0.object?["error"]?.object?["code"] == -32700 })
    }

    @Test("the list of tools is short, in its order, and read-only")
    func list() throws {
        let messages = try runs.serve([Self.initialize, Self.request(2, "tools/list")])
        let list = try #require(messages.last?.object?["result"]?.object)
        #expect(JSONValue.object(list).text().utf8.count <= 9_000, "\(JSONValue.object(list).text().utf8.count)")
        guard case .array(let tools)? = list["tools"] else { return }
        #expect(
            tools.compactMap { $0.object?["name"]?.string }
                == ["info", "find", "state", "diff", "bisect", "origin", "why", "check"])
        for tool in tools { #expect(tool.object?["annotations"]?.object?["readOnlyHint"] == true) }
    }

    // MARK: Tools

    /// Each tool with the command that it is.
    static let pairs: [(tool: String, arguments: JSONValue, command: [String])] = [
        ("info", ["journal": "J"], ["info", "J"]),
        (
            "find", ["journal": "J", "from": 1, "to": "4", "store": "cart"],
            ["log", "J", "--range", "1..4", "--store", "cart"]
        ),
        ("find", ["journal": "J", "reverse": true, "max-count": 2], ["log", "J", "--reverse", "-n", "2"]),
        ("state", ["journal": "J"], ["state", "J"]),
        (
            "state", ["journal": "J", "at": "end-1", "select": ".cart"],
            ["state", "J", "--at", "end-1", "--select", ".cart"]
        ),
        ("diff", ["journal": "J", "from": 1, "to": 3], ["diff", "J", "1", "3"]),
        ("diff", ["journal": "J", "other": "J"], ["diff", "J", "J"]),
        ("bisect", ["journal": "J", "bad": ".cart.total < 0"], ["bisect", "J", "--bad", ".cart.total < 0"]),
        ("origin", ["journal": "J", "path": "/cart/total"], ["origin", "J", "/cart/total"]),
        ("why", ["journal": "J", "at": 3], ["why", "J", "3"]),
        (
            "check", ["journals": ["J"], "invariants": ["a=.cart.total >= 0", "b=.cart"]],
            ["check", "J", "--invariant", "a=.cart.total >= 0", "--invariant", "b=.cart"]
        ),
    ]

    @Test(
        "a tool's answers are the command's lines with their citations, and its text the command's",
        arguments: 0..<pairs.count)
    func commands(_ index: Int) throws {
        let (tool, arguments, command) = Self.pairs[index]
        let journal = runs.folder + "/shop.jsonl"
        func named(_ value: JSONValue) -> JSONValue {
            switch value {
            case .string("J"): .string(journal)
            case .array(let elements): .array(elements.map(named))
            case .object(let object): .object(object.reduce(into: JSONObject()) { $0[$1.key] = named($1.value) })
            default: value
            }
        }
        let typed = command.map { $0 == "J" ? journal : $0 } + ["--cite"]
        let call: JSONValue = ["name": .string(tool), "arguments": named(arguments)]
        let input = runs.root.write(Self.initialize + "\n" + Self.request(2, "tools/call", call) + "\n", to: "input")
        let descriptor = open(input, O_RDONLY)
        defer { close(descriptor) }
        let output = ProgramRun(["mcp", runs.folder], input: descriptor).output
        let lines = ProgramRun(typed).output.split(separator: "\n").joined(separator: ",")
        #expect(output.contains(#""structuredContent":{"answers":["# + lines + "]}"), "\(output)")
        let human = ProgramRun(typed, environment: AnswerFitTests.agents)
        let result = try runs.call(tool, named(arguments))
        #expect(
            Self.texts(result).hasPrefix(human.output.trimmingCharacters(in: .newlines)),
            "\(Self.texts(result))\n\(human)")
        #expect(result["isError"] == nil)
    }

    @Test("without a journal 'info' lists those below the folders, and none that a link leads out to")
    func journals() throws {
        let result = try runs.call("info", [:])
        let cites = Self.answers(result).compactMap { $0.object?["cite"]?.string }
        #expect(
            cites.map { $0.split(separator: " ")[1] }
                == ["deep/other.jsonl", "in.jsonl", "shop.jsonl"].map { "\(runs.folder)/\($0)" })
        #expect(Self.texts(result).contains("broken.jsonl"))
        #expect(!JSONValue.object(result).text().contains("secret"))
    }

    @Test("a derived value is asked about by 'why'")
    func why() throws {
        let journal = JSONValue.string(runs.folder + "/shop.jsonl")
        let result = try runs.call("why", ["journal": journal, "at": 5, "why": "t", "define": ["t=.cart.total"]])
        #expect(Self.answers(result).first?.object?["cite"]?.string?.hasSuffix("shop.jsonl run-1 5") == true)
        #expect(result["isError"] == nil, "\(JSONValue.object(result).text())")
    }

    @Test("what leads out of the folders is refused, with nothing of what is there")
    func confined() throws {
        let root = runs.root.path
        let names = [
            root + "/secret.jsonl", runs.folder + "/../secret.jsonl", runs.folder + "/out.jsonl", "/etc/passwd", "-",
            "",
            runs.folder, runs.folder + "/", runs.folder + "/deep/../../secret.jsonl", runs.folder + "/./shop.jsonl",
            runs.folder + "//shop.jsonl", "secret.jsonl", "secret", "../secret.jsonl", "deep/../shop.jsonl",
            "/shop.jsonl", runs.folder + "/deep", runs.folder + "/shop.jsonl\u{0}",
        ]
        for name in names {
            let result = try runs.call("info", ["journal": .string(name)])
            #expect(
                result["isError"] == true && Self.answers(result).isEmpty, "\(name): \(JSONValue.object(result).text())"
            )
            #expect(!Self.texts(result).contains("commits"), "\(name)")
        }
        #expect(try runs.call("info", ["journal": .string(runs.folder + "/in.jsonl")])["isError"] == nil)
    }

    // MARK: First guesses

    @Test(
        "an id that is a whole number is answered in an integer's text, whatever its spelling; another one is refused")
    func ids() throws {
        let ids = ["1e2", "2.0", "-0", "120e-1", "12345678901234567890", "3e20", "\"1e2\"", "1.5", "1e-2", "1e999999"]
        let messages = try runs.serve(ids.map { #"{"jsonrpc":"2.0","id":\#($0),"method":"ping"}"# })
        let answers = messages.map { message in
            let object = message.object ?? JSONObject()
            return object["id"]?.text() ?? object["error"]?.object?["code"]?.text() ?? ""
        }
        #expect(
            answers == [
                "100", "2", "0", "12", "12345678901234567890", "300000000000000000000", "\"1e2\"", "-32600", "-32600",
                "-32600",
            ])
    }

    @Test("an id is one whatever its spelling: a call that runs is refused and cancelled by any")
    func sameID() throws {
        var server = ProtocolServer()
        _ = server.take(Array(Self.initialize.utf8))
        func line(_ id: String) -> [UInt8] {
            Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"info"}}"#.utf8)
        }
        guard case .call(let call)? = server.take(line("1e2")).first else {
            Issue.record("not a call")
            return
        }
        guard case .send? = server.take(line("100")).first else {
            Issue.record("not refused")
            return
        }
        let cancel = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":100.0}}"#
        #expect(server.take(Array(cancel.utf8)) == [.cancel(call.id)])
    }

    @Test("each argument has one type in its schema, and any other is refused with its name")
    func types() throws {
        let wrong: [String: [JSONValue]] = [
            "string": [true, [1], ["a": 1]], "integer": ["x", true, -1, 1.5, [1]], "boolean": ["yes", 1, []],
            "array": [1, true, [1], ["a", .null]],
        ]
        var schemas = 0
        for tool in ToolDefinition.all {
            let properties = tool.json.object?["inputSchema"]?.object?["properties"]?.object ?? JSONObject()
            for (name, schema) in properties {
                let type = try #require(schema.object?["type"]?.string, "\(tool.name) \(name)")
                for value in wrong[type] ?? [] {
                    var arguments: JSONObject = [
                        "journal": "shop", "at": "1", "path": "/cart", "invariants": ["a=.cart"],
                    ]
                    if tool.name == "check" { arguments["journals"] = ["shop"] }
                    arguments = arguments.reduce(into: JSONObject()) { known, member in
                        if properties[member.key] != nil { known[member.key] = member.value }
                    }
                    arguments[name] = value
                    let result = try runs.call(tool.name, .object(arguments))
                    #expect(
                        result["isError"] == true && Self.texts(result).contains("'\(name)' is '"),
                        "\(tool.name) \(name) \(value.text()): \(Self.texts(result))")
                }
                schemas += 1
            }
        }
        #expect(schemas > 30)
    }

    @Test("null for an argument that may be left out is its absence")
    func nulls() throws {
        let given: [String: JSONObject] = [
            "info": [:], "find": ["journal": "shop"], "state": ["journal": "shop"], "diff": ["journal": "shop"],
            "bisect": ["journal": "shop", "bad": ".cart.total < 0"],
            "origin": ["journal": "shop", "path": "/cart/total"],
            "why": ["journal": "shop", "at": "3"], "check": ["journals": ["shop"], "invariants": ["a=.cart"]],
        ]
        for tool in ToolDefinition.all {
            let plain = try #require(given[tool.name])
            var arguments = plain
            for argument in tool.arguments where arguments[argument.name] == nil { arguments[argument.name] = .null }
            #expect(
                try runs.call(tool.name, .object(arguments)) == runs.call(tool.name, .object(plain)), "\(tool.name)")
        }
        let needed = try runs.call("find", ["journal": .null])
        #expect(Self.texts(needed).contains("'find' needs 'journal'"))
        let messages = try runs.serve([
            Self.initialize, Self.request(2, "tools/list", .null), Self.request(3, "tools/list", ["cursor": .null]),
            Self.request(4, "tools/call", ["name": "info", "arguments": .null, "_meta": .null]),
        ])
        #expect(messages.allSatisfy { $0.object?["error"] == nil }, "\(messages)")
    }

    @Test("a journal is named by what only it is called below the folders; else the journals are listed that it can be")
    func baseNames() throws {
        func cite(_ name: String) throws -> String {
            let result = try runs.call("info", ["journal": .string(name)])
            let cite = Self.answers(result).first?.object?["cite"]?.string?.split(separator: " ")
            return cite.map { String($0[1]) } ?? Self.texts(result)
        }
        for name in ["shop.jsonl", "shop", "runs/shop.jsonl", runs.folder + "/shop.jsonl", runs.folder + "/shop"] {
            #expect(try cite(name) == runs.folder + "/shop.jsonl", "\(name)")
        }
        #expect(try cite("deep/other.jsonl") == runs.folder + "/deep/other.jsonl")
        #expect(try cite("other") == runs.folder + "/deep/other.jsonl")
        #expect(try cite("hop.jsonl").contains("there is no journal 'hop.jsonl'"))
        try FileManager.default.copyItem(atPath: runs.folder + "/shop.jsonl", toPath: runs.folder + "/deep/shop.jsonl")
        let names = ["\(runs.folder)/deep/shop.jsonl", "\(runs.folder)/shop.jsonl"]
        #expect(try cite("shop.jsonl") == "'shop.jsonl' can be '\(names[0])', '\(names[1])'\ncall info {}")
        #expect(try cite("deep/shop.jsonl") == names[0])
        let info = try runs.call("info", ["journal": "other"])
        #expect(Self.answers(info).first?.object?["journal"] == .string(runs.folder + "/deep/other.jsonl"))
    }

    @Test("an argument may have the name that the command has for it")
    func commandsNames() throws {
        let pairs: [(tool: String, guess: JSONValue, plain: JSONValue)] = [
            ("diff", ["left": "shop", "right": "other"], ["journal": "shop", "other": "other"]),
            ("diff", ["journal": "shop", "range": "1..3"], ["journal": "shop", "from": "1", "to": "3"]),
            ("find", ["journal": "shop", "range": "1..3"], ["journal": "shop", "from": "1", "to": "3"]),
            ("find", ["journal": "shop", "n": 2], ["journal": "shop", "max-count": 2]),
            ("find", ["journal": "shop", "maxCount": 2], ["journal": "shop", "max-count": 2]),
            ("find", ["journal": "shop", "path": "/cart"], ["journal": "shop", "path": ["/cart"]]),
            (
                "origin", ["journal": "shop", "path": "/cart/total", "max_hops": 2],
                ["journal": "shop", "path": "/cart/total", "max-hops": 2]
            ),
            ("why", ["journal": "shop", "pos": 3], ["journal": "shop", "at": "3"]),
            ("check", ["journal": "shop", "invariant": "a=.cart"], ["journals": ["shop"], "invariants": ["a=.cart"]]),
        ]
        for (tool, guess, plain) in pairs {
            let result = try runs.call(tool, guess)
            #expect(try result["isError"] == nil && result == runs.call(tool, plain), "\(guess.text()): \(result)")
        }
        let twice = try runs.call("check", ["journals": ["shop"], "invariant": "a=.cart", "invariants": ["b=.cart"]])
        #expect(Self.texts(twice).contains("has no argument 'invariant'"))
        let both = try runs.call("diff", ["journal": "shop", "range": "1..3", "from": "1"])
        #expect(Self.texts(both) == "'range' stands without 'from' and 'to'")
    }

    @Test("a folder that is not there is one that cannot be read, a file in its place a wrong argument")
    func folders() throws {
        let missing = ProgramRun(["mcp", runs.folder, runs.folder + "/none"])
        #expect(
            missing.status == 3 && missing.messages.contains("there is no folder '\(runs.folder)/none'"), "\(missing)")
        let below = ProgramRun(["mcp", runs.folder + "/shop.jsonl/deep"])
        #expect(below.status == 3 && below.messages.contains("not a directory"), "\(below)")
        #expect(ProgramRun(["mcp", runs.folder + "/shop.jsonl"]).status == 2)
    }

    @Test("an error ends in the call that can be made instead")
    func instead() throws {
        let journal = runs.folder + "/shop.jsonl"
        func last(_ tool: String, _ arguments: JSONValue) throws -> String {
            let result = try runs.call(tool, arguments)
            #expect(result["isError"] == true, "\(JSONValue.object(result).text())")
            return Self.texts(result).split(separator: "\n").last.map(String.init) ?? ""
        }
        let state = ["journal": JSONValue.string(journal), "select": ".cart"] as JSONValue
        #expect(try last("state", ["journal": .string(journal), "selct": ".cart"]) == "call state \(state.text())")
        let near = ["journal": .string(journal)] as JSONValue
        #expect(try last("info", ["journal": .string(runs.folder + "/shp.jsonl")]) == "call info \(near.text())")
        #expect(try last("state", ["journal": .string(journal), "at": 900]) == "call info \(near.text())")
        #expect(try last("origin", ["journal": .string(journal), "path": "/cart/tota"]) == "call state \(near.text())")
        #expect(try last("find", [:]) == "call info {}")
        #expect(
            try last("state", ["journal": .string(journal), "at": [1]]).contains("should be a string or a whole number")
        )
        #expect(try last("find", ["journal": .string(journal), "cursor": "x"]).contains("'cursor' is 'x'"))
        #expect(try last("bisect", ["journal": .string(journal), "bad": ".a ("]).contains("help:"))
    }

    @Test("of a damaged journal what stands before the damage is answered, and the call that goes on after it is named")
    func damaged() throws {
        var lines = ShopJournal.lines
        lines.insert("nonsense", at: 6)
        let path = runs.root.write(lines.map { $0 + "\n" }.joined(), to: "runs/damaged.jsonl")
        let result = try runs.call("find", ["journal": .string(path)])
        let recovering = ["journal": .string(path), "recover": true] as JSONValue
        #expect(result["isError"] == true && Self.answers(result).count == 1, "\(JSONValue.object(result).text())")
        #expect(Self.texts(result).hasSuffix("call find \(recovering.text())"), "\(Self.texts(result))")
        #expect(try runs.call("find", recovering)["isError"] == nil)
    }

    @Test("a long answer goes on where its cursor says, line by line")
    func cursors() throws {
        let journal = runs.root.write(LargeJournal.manyCommits.text, to: "runs/many.jsonl")
        let all = ProgramRun(["log", journal, "--range", "..250", "--cite"]).output.split(separator: "\n").map(
            String.init)
        var (found, cursor, pages) = ([String](), JSONValue?.none, 0)
        repeat {
            var arguments: JSONObject = ["journal": .string(journal), "to": 250]
            if let cursor { arguments["cursor"] = cursor }
            let result = try runs.call("find", .object(arguments))
            #expect(Self.texts(result).utf8.count <= AnswerFit.usualLimit)
            if pages == 0 {
                let last = Self.texts(result).split(separator: "\n").dropLast().last ?? ""
                #expect(last.contains(" more: call find {") && last.contains(#""from":"#), "\(last)")
            }
            found += Self.answers(result).map { $0.text() }
            cursor = result["structuredContent"]?.object?["cursor"]
            pages += 1
        } while cursor != nil && pages < 10
        #expect(found == all && pages == 3)
    }

    @Test("a huge value is cut, and its size stands in its place")
    func huge() throws {
        let huge = runs.root.write(LargeJournal.hugeValues.text, to: "runs/huge.jsonl")
        let result = try runs.call("state", ["journal": .string(huge)])
        let text = JSONValue.object(result).text()
        #expect(text.utf8.count < 100_000 && text.contains("bytes)"), "\(text.utf8.count)")
        #expect(Self.answers(result).first?.object?["cite"]?.string?.hasPrefix("cite: ") == true)
    }

    // MARK: Any input

    @Test("several calls at once are all answered, and the end of the input waits for them")
    func atOnce() throws {
        let call: JSONValue = ["name": "find", "arguments": ["journal": .string(runs.folder + "/shop.jsonl")]]
        let messages = try runs.serve(
            [Self.initialize] + (2..<40).map { Self.request($0, "tools/call", call) }, endsLine: false)
        #expect(Set(messages.compactMap { $0.object?["id"]?.text() }) == Set((1..<40).map(String.init)))
    }

    @Test("a line that breaks off at the end of the input is answered as one that is not JSON")
    func brokenOff() throws {
        let messages = try runs.serve([Self.initialize, #"{"jsonrpc":"2.0","id":2,"meth"#], endsLine: false)
        #expect(messages.count == 2 && messages[1].object?["error"]?.object?["code"] == -32700)
    }

    @Test(
        "no exchange makes a message that the schema has not", .enabled(if: JSONSchema.isThere),
        arguments: seeds(1..<121))
    func anyExchange(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (old, new) = (try #require(JSONSchema("2025-11-25")), try #require(JSONSchema("2026-07-28")))
        var server = ProtocolServer()
        let folders = try JournalFolders([SharedFolder.packageRoot.appendingPathComponent("samples").path])
        var calls: [ToolCall] = []
        for _ in 0..<40 {
            var effects: [ProtocolServer.Instruction] = []
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where !calls.isEmpty:
                let call = calls.remove(at: Int.random(in: 0..<calls.count, using: &random))
                let answer = ToolAnswer(
                    texts: ["text \u{2028}\u{0}"], lines: [Array(#"{"kind":"x"}"#.utf8)], cursor: "1")
                effects = server.finish(call.id, answer)
            case 1 where !calls.isEmpty:
                let id = calls.randomElement(using: &random)!.id
                effects = server.progress(of: id, bytes: Int.random(in: 0..<9, using: &random), total: 5)
            default: effects = server.take(Self.line(&random))
            }
            for effect in effects {
                switch effect {
                case .call(let call):
                    calls.append(call)
                    _ = try? ToolCommandLine(call, folders)
                case .cancel(let id): calls.removeAll { $0.id == id }
                case .send(let bytes):
                    #expect(!bytes.contains(UInt8(ascii: "\n")), "seed \(seed)")
                    let message = try JSONParser.parse(bytes)
                    // Only results of 2026-07-28 have a type.
                    let isOld =
                        message.object?["result"].map { $0.object?["resultType"] == nil } ?? Bool.random(using: &random)
                    let fault = (isOld ? old : new).fault(of: message, "JSONRPCMessage")
                    #expect(fault == nil, "seed \(seed): \(fault ?? "") \(String(decoding: bytes, as: UTF8.self))")
                }
            }
        }
    }

    /// A line that a client could write, whole or not.
    private static func line(_ random: inout SeededGenerator) -> [UInt8] {
        func any(_ depth: Int, _ random: inout SeededGenerator) -> JSONValue {
            let words = [
                "info", "find", "bisct", "journal", "at", "2026-07-28", "2025-11-25", "tools/call", "", "..", "\u{0}",
                "é",
            ]
            switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
            case 0: return .null
            case 1: return .bool(Bool.random(using: &random))
            case 2: return .number(JSONNumber(Int.random(in: -2...9, using: &random)))
            case 3, 4: return .string(words.randomElement(using: &random)!)
            case 5: return .array((0..<2).map { _ in any(depth - 1, &random) })
            default:
                var object = JSONObject()
                for _ in 0..<3 {
                    let names =
                        words + [
                            "name", "arguments", "_meta", "io.modelcontextprotocol/protocolVersion", "progressToken",
                        ]
                    object[names.randomElement(using: &random)!] = any(depth - 1, &random)
                }
                return .object(object)
            }
        }
        let methods = [
            "initialize", "ping", "tools/list", "tools/call", "server/discover", "notifications/cancelled", "tools/lst",
            "",
        ]
        var message = JSONObject()
        message["jsonrpc"] = Int.random(in: 0..<9, using: &random) == 0 ? any(1, &random) : "2.0"
        if Int.random(in: 0..<4, using: &random) > 0 { message["id"] = any(0, &random) }
        message["method"] = .string(methods.randomElement(using: &random)!)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: message["params"] = any(3, &random)
        case 1:
            message["params"] = [
                "name": "info", "arguments": any(2, &random), "_meta": ["progressToken": any(0, &random)],
            ]
        case 2: message["params"] = ["_meta": meta, "name": "find", "requestId": any(0, &random)]
        default: break
        }
        var bytes = Array(JSONValue.object(message).text().utf8)
        if Int.random(in: 0..<8, using: &random) == 0 {
            bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
        }
        return bytes
    }

    @Test("a call that is cancelled is not answered, and progress only grows")
    func cancelled() throws {
        var server = ProtocolServer()
        _ = server.take(Array(Self.initialize.utf8))
        let params: JSONValue = ["name": "info", "_meta": ["progressToken": "p"]]
        guard case .call(let call)? = server.take(Array(Self.request(2, "tools/call", params).utf8)).first else {
            Issue.record("not a call")
            return
        }
        #expect(server.progress(of: call.id, bytes: 10, total: 20).count == 1)
        #expect(server.progress(of: call.id, bytes: 10, total: 20).isEmpty)
        let cancel = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#
        #expect(server.take(Array(cancel.utf8)) == [.cancel(call.id)])
        #expect(server.progress(of: call.id, bytes: 11, total: 20).isEmpty)
        #expect(server.finish(call.id, ToolAnswer(texts: ["late"])).isEmpty && server.isIdle)
    }

    @Test("a tool whose call was cancelled reads no journal, whichever tool it is")
    func stopped() throws {
        let folders = try JournalFolders([runs.folder])
        let journal: JSONValue = .string(try #require(folders.journals.first { $0.hasSuffix("runs/shop.jsonl") }))
        let arguments: [String: [String: JSONValue]] = [
            "find": [:], "state": [:], "diff": ["from": 0, "to": 1], "bisect": ["bad": ".cart"],
            "origin": ["path": "/cart"], "why": ["at": 1], "info": [:], "check": ["invariants": ["a=.cart"]],
        ]
        #expect(Set(ToolDefinition.all.map(\.name)) == Set(arguments.keys))
        for tool in ToolDefinition.all {
            var object = JSONObject()
            for (name, value) in arguments[tool.name] ?? [:] { object[name] = value }
            object[tool.name == "check" ? "journals" : "journal"] = tool.name == "check" ? .array([journal]) : journal
            let call = ToolCall(id: try #require(RequestID(1)), tool: tool, arguments: object)
            #expect(!ToolRun(call, folders, Environment([:])).answer().lines.isEmpty, "\(tool.name)")
            let stop = StopRequest()
            stop.make()
            let answer = ToolRun(call, folders, Environment([:]), until: stop).answer()
            #expect(answer.lines.isEmpty && answer.texts.joined().contains("was stopped"), "\(tool.name): \(answer)")
        }
    }

    @Test("a line that is too long is refused, and the next one is read")
    func overlong() {
        var lines = MessageLines()
        let piece = [UInt8](repeating: 0x20, count: 1 << 20)
        var ended: [MessageLines.Line] = []
        for _ in 0..<20 { ended += lines.take(piece) }
        ended += lines.take(Array("\n{}\n{".utf8))
        #expect(ended == [.overlong, .whole(Array("{}".utf8))] && lines.finish() == .whole([0x7B]))
    }
}
