import Foundation
import JSONCore
import TestSupport
import Testing

/// The editor's protocol, by the built program.
struct DapProcessTests {
    private let folder = TemporaryFolder()

    private static func frame(_ text: String) -> String { "Content-Length: \(text.utf8.count)\r\n\r\n\(text)" }

    /// The input of a session: requests with their arguments.
    private static func input(_ requests: [(String, String)]) -> String {
        requests.enumerated().map { index, request in
            frame(#"{"seq":\#(index + 1),"type":"request","command":"\#(request.0)","arguments":\#(request.1)}"#)
        }.joined()
    }

    private static let launch = [
        ("initialize", #"{"adapterID":"test"}"#),
        (
            "launch",
            #"{"journal":"\#(BuiltProducts.sample("checkout.jsonl"))","sourceRoot":"\#(BuiltProducts.samples.path)"}"#
        ),
        ("configurationDone", "{}"),
    ]

    /// The texts of the frames that a program wrote.
    private static func texts(_ output: Data) -> [String] {
        var (rest, texts) = (Array(output)[...], [String]())
        while let end = rest.indices.dropLast(3).first(where: { rest[$0...].starts(with: [13, 10, 13, 10]) }) {
            let head = String(decoding: rest[..<end], as: UTF8.self)
            let length = Int(head.split(separator: " ").last ?? "") ?? 0
            texts.append(String(decoding: rest[(end + 4)...].prefix(length), as: UTF8.self))
            rest = rest[(end + 4)...].dropFirst(length)
        }
        return texts
    }

    private func run(_ input: String, _ arguments: [String] = [], in folder: TemporaryFolder) async throws -> ProgramRun
    {
        try await ProgramRun.of(BuiltProducts.stateInspect, ["dap"] + arguments, in: folder, input: Data(input.utf8))
    }

    @Test("a session on standard input goes back to the cause and ends with status 0")
    func session() async throws {
        let requests =
            Self.launch + [
                ("evaluate", #"{"expression":"last /cart/total","context":"repl"}"#),
                ("stackTrace", #"{"threadId":1}"#), ("disconnect", "{}"), ("threads", "{}"),
            ]
        let run = try await run(Self.input(requests), ["--log", folder.path("dap.log")], in: folder)
        #expect(run.status == 0, "\(run)")
        let texts = Self.texts(run.output)
        #expect(texts.contains { $0.contains("applyDiscount(_:)  118") })
        #expect(texts.last?.contains(#""event":"terminated""#) == true)
        #expect(run.errors.isEmpty)
        let log = try String(contentsOfFile: folder.path("dap.log"), encoding: .utf8).split(separator: "\n")
        #expect(log.count { $0.hasPrefix("-> ") } == texts.count)
        #expect(log.first?.hasPrefix(#"<- {"seq":1,"#) == true)
    }

    @Test("the end of the input ends it with status 0, also within a session")
    func end() async throws {
        for requests in [[], Self.launch, Self.launch + [("reverseContinue", #"{"threadId":1}"#)]] {
            let run = try await run(Self.input(requests), in: folder)
            #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
            if requests.count == 4 { #expect(Self.texts(run.output).last?.contains("the start of the run") == true) }
        }
    }

    @Test("what is not a request is answered where it has a number, and reported where it has none")
    func badMessages() async throws {
        let bad = [#"{"seq":77,"type":"request"}"#, "{", #"{"type":"request","command":"next"}"#].map(Self.frame)
            .joined()
        let run = try await run(bad + Self.input(Self.launch), in: folder)
        #expect(run.status == 0, "\(run)")
        let texts = Self.texts(run.output)
        #expect(texts.first?.contains(#""request_seq":77,"success":false"#) == true)
        #expect(texts.last?.contains(#""event":"stopped""#) == true)
        #expect(run.errors.contains("a message is not JSON") && run.errors.contains("no number 'seq'"))
    }

    @Test(
        "a frame that cannot be read is reported and ends with status 3",
        arguments: [
            "Content-Length: x\r\n\r\n", "Content-Length: 99999999999\r\n\r\n{}", "Content-Length: 40\r\n\r\n{}",
            "hello\n", #"{"seq":1,"type":"request","command":"next"}"# + "\n",
        ])
    func badFrames(frame: String) async throws {
        let run = try await run(Self.input(Self.launch) + frame, in: folder)
        #expect(run.status == 3, "\(run)")
        #expect(run.errors.contains("state-inspect: error: "), "\(run)")
        #expect(run.errors.split(separator: "\n").count == 1, "\(run)")
        let alone = try await self.run(frame, in: folder)
        #expect(alone.status == 3 && alone.errors == run.errors && alone.output.isEmpty, "\(alone)")
    }

    // MARK: The schema

    private static let schema = SharedFolder.root.appendingPathComponent(
        "suites/debug-adapter-protocol/debugAdapterProtocol.json"
    ).path
    private static let hasSchema =
        SharedFolder.has("suites/debug-adapter-protocol/debugAdapterProtocol.json")
        && ProgramRun.isThere("python3", "-c", "import jsonschema")

    @Test(
        "each message of random sessions is valid by the protocol's schema",
        .enabled(if: hasSchema, "the protocol's schema, or python3 with jsonschema, is missing"),
        arguments: seeds(0..<6))
    func valid(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let maker = JournalMaker(seed: seed, commits: 80)
        let random1 = folder.write(maker.bytes, to: "run.jsonl")
        let journal = seed % 2 == 0 ? BuiltProducts.sample("checkout.jsonl") : random1
        var requests = [
            ("initialize", #"{"adapterID":"test","supportsProgressReporting":true,"supportsInvalidatedEvent":true}"#),
            ("launch", #"{"journal":"\#(journal)","extra":1}"#), ("configurationDone", "{}"), ("threads", "{}"),
        ]
        for _ in 0..<150 { requests.append(Self.request(using: &random)) }
        requests.append(("disconnect", "{}"))
        let run = try await run(Self.input(requests), in: folder)
        #expect(run.status == 0, "seed \(seed): \(run.errors)")
        let texts = Self.texts(run.output)
        #expect(texts.count > 150)
        let file = folder.write("[" + texts.joined(separator: ",") + "]", to: "messages.json")
        let validation = try await ProgramRun.of(
            "python3", [SharedFolder.testScript("protocol.py"), Self.schema, file], in: folder)
        #expect(validation.status == 0 && validation.text.hasPrefix("valid"), "seed \(seed): \(validation)")
    }

    /// Any request, with numbers that are mostly of something.
    private static func request(using random: inout SeededGenerator) -> (String, String) {
        let id = Int.random(in: 1..<60, using: &random)
        let thread = Int.random(in: 0..<5, using: &random)
        let expression =
            [
                "last /cart/total", ".", "$old", "skip 5", "unskip", "why", "break apply*", "/cart", "rs 3", "delete",
                "print",
            ]
            .randomElement(using: &random) ?? "."
        let source = #""source":{"path":"/x/shop/Cart.swift"}"#
        let all = [
            ("next", #"{"threadId":\#(thread)}"#), ("stepBack", #"{"threadId":\#(thread)}"#),
            ("stepIn", #"{"threadId":1}"#), ("stepOut", #"{"threadId":1}"#),
            ("stepBack", #"{"threadId":1,"granularity":"instruction"}"#), ("continue", #"{"threadId":1}"#),
            ("reverseContinue", #"{"threadId":1}"#), ("pause", #"{"threadId":1}"#), ("threads", "{}"),
            ("stackTrace", #"{"threadId":\#(thread),"levels":2}"#), ("stackTrace", #"{"threadId":1}"#),
            ("scopes", #"{"frameId":\#(id)}"#), ("variables", #"{"variablesReference":\#(id)}"#),
            ("variables", #"{"variablesReference":\#(id),"start":1,"count":2}"#),
            ("locations", #"{"locationReference":\#(id)}"#), ("restartFrame", #"{"frameId":\#(id)}"#),
            ("evaluate", #"{"expression":"\#(expression)","context":"repl"}"#),
            ("evaluate", #"{"expression":"\#(expression)","context":"watch"}"#),
            ("completions", #"{"text":"last /c","column":8}"#), ("loadedSources", "{}"),
            ("source", #"{"sourceReference":1}"#), ("setBreakpoints", "{\(source),\"breakpoints\":[{\"line\":\(id)}]}"),
            ("setFunctionBreakpoints", #"{"breakpoints":[{"name":"apply*","hitCondition":"2"},{"name":"none"}]}"#),
            ("dataBreakpointInfo", #"{"name":"cart.total"}"#),
            ("dataBreakpointInfo", #"{"name":"x","asAddress":true}"#),
            ("setDataBreakpoints", #"{"breakpoints":[{"dataId":"path:/cart/total"},{"dataId":"x"}]}"#),
            ("setExceptionBreakpoints", #"{"filters":["violation","mark","abort"]}"#),
            ("setExceptionBreakpoints", #"{"filters":[],"filterOptions":[{"filterId":"mark","condition":"["}]}"#),
            ("breakpointLocations", "{\(source),\"line\":1,\"endLine\":99}"),
            ("gotoTargets", "{\(source),\"line\":37}"),
            ("goto", #"{"threadId":1,"targetId":\#(id)}"#), ("cancel", #"{"requestId":\#(id)}"#), ("nothing", "{}"),
            ("stackTrace", #"{"threadId":"x"}"#), ("launch", "{}"),
        ]
        return all.randomElement(using: &random) ?? all[0]
    }

    // MARK: An editor

    @Test(
        "Neovim starts the adapter and goes back to the cause",
        .enabled(if: ProgramRun.isThere("nvim", "--version"), "nvim is missing"))
    func neovim() async throws {
        let script = SharedFolder.testScript("neovim.lua")
        let run = try await ProgramRun.of(
            "nvim", ["--headless", "-u", "NONE", "-n", "-c", "luafile \(script)"], in: folder,
            environment: [
                "ADAPTER": BuiltProducts.stateInspect, "JOURNAL": BuiltProducts.sample("checkout.jsonl"),
                "SAMPLES": BuiltProducts.samples.path,
            ])
        #expect(run.status == 0, "\(run)")
        #expect((run.text + run.errors).contains("at applyDiscount(_:)  118 line 37"), "\(run)")
        #expect((run.text + run.errors).contains("total -6"), "\(run)")
    }

    @Test(
        "the plug-in for Neovim shows beside a line what its last commit wrote, and marks one that may have moved",
        .enabled(if: ProgramRun.isThere("nvim", "--version"), "nvim is missing"))
    func plugin() async throws {
        let samples = BuiltProducts.samples.path
        // The run is newer than its source, and the copy of the source that was changed after it is newer than the run.
        try FileManager.default.copyItem(atPath: samples + "/checkout.jsonl", toPath: folder.path("run.jsonl"))
        try FileManager.default.setAttributes([.modificationDate: Date.now], ofItemAtPath: folder.path("run.jsonl"))
        let source = try String(contentsOfFile: samples + "/shop/Cart.swift", encoding: .utf8)
        let changed = folder.write("// new\n// lines\n" + source, to: "shop/Cart.swift")
        try FileManager.default.setAttributes([.modificationDate: Date.now + 60], ofItemAtPath: changed)
        let script = folder.write(
            Array(
                """
                vim.opt.runtimepath:append("\(samples)/editors/nvim")
                vim.env.PATH = "\(BuiltProducts.folder.path):" .. vim.env.PATH
                local plugin = require("state_inspect")
                plugin.setup({ journal = "\(folder.path("run.jsonl"))" })
                for _, file in ipairs({ "\(samples)/shop/Cart.swift", "\(changed)" }) do
                  vim.cmd("edit " .. file)
                  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, plugin.space, 0, -1, { details = true })) do
                    io.stderr:write((mark[2] + 1) .. mark[4].virt_text[1][1] .. "\\n")
                  end
                end
                vim.cmd("qall!")
                """.utf8), to: "plugin.lua")
        let run = try await ProgramRun.of(
            "nvim", ["--headless", "-u", "NONE", "-n", "-c", "luafile \(script)"], in: folder)
        #expect(run.status == 0, "\(run)")
        let lines = run.errors.split(separator: "\n").filter { $0.contains("  118: ") }
        let declared =
            source.split(separator: "\n", omittingEmptySubsequences: false)
            .firstIndex { $0.contains("func applyDiscount") } ?? 0
        try #require(lines.count == 2, "\(run)")
        #expect(lines[0].hasPrefix("37  118: ") && !lines[0].contains("built"), "\(run)")
        #expect(
            lines[1].hasPrefix("\(declared + 3)  118: ") && lines[1].contains("line 37 when it was built"), "\(run)")
    }
}
