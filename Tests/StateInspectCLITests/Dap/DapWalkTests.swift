import JSONCore
import Testing

@testable import StateInspectCLI

/// From the bad end of the sample to commit 118, which made the total negative, with what each client has.
@Suite("The way back in each editor")
struct DapWalkTests {
    /// A client that sends only what it knows.
    private struct Editor {
        let client: DapClient
        let known: Set<String>

        /// What every client sends.
        private static let common: Set = [
            "initialize", "launch", "configurationDone", "threads", "stackTrace", "scopes", "variables", "continue",
            "next", "stepIn", "stepOut", "pause", "setBreakpoints", "disconnect",
        ]

        init(knowing more: Set<String>, launch: JSONObject = [:]) {
            client = .onSample(launch)
            known = Editor.common.union(more)
        }

        @discardableResult
        func send(_ command: String, _ arguments: JSONObject) -> JSONObject {
            #expect(known.contains(command), "the editor does not know '\(command)'")
            return client.body(command, arguments)
        }

        /// The thread of a store.
        func thread(_ name: String) -> JSONValue {
            let threads = send("threads", [:])["threads"]?.array ?? []
            return threads.compactMap(\.object).first { $0["name"]?.string == name }?["id"] ?? .null
        }

        /// Sets a breakpoint at the line that applies a discount.
        func setBreakpoint() {
            let path = DapClient.samples + "/shop/Cart.swift"
            let answer = send(
                "setBreakpoints",
                ["source": ["path": .string(path)], "breakpoints": [["line": 37, "condition": ".cart.total < 0"]]])
            #expect(answer["breakpoints"]?.array?.first?.object?["verified"] == true)
        }

        func check() {
            #expect(client.names().first == "applyDiscount(_:)  118")
            #expect(client.evaluate(".cart.total < 0") == "true")
            #expect(client.events("stopped").last?["allThreadsStopped"] == true)
        }
    }

    @Test("VS Code: a data breakpoint from a variable, and Reverse")
    func visualStudioCode() throws {
        let editor = Editor(knowing: [
            "dataBreakpointInfo", "setDataBreakpoints", "reverseContinue", "stepBack", "goto",
        ])
        let frame = try #require(editor.client.frames().first?["id"])
        let scopes = editor.send("scopes", ["frameId": frame])["scopes"]?.array?.compactMap(\.object) ?? []
        let state = try #require(scopes.first { $0["name"] == "State" }?["variablesReference"])
        let cart = try #require(editor.client.children(state).first { $0["name"] == "cart" }?["variablesReference"])
        let info = editor.send("dataBreakpointInfo", ["variablesReference": cart, "name": "total"])
        let id = try #require(info["dataId"])
        editor.send("setDataBreakpoints", ["breakpoints": [["dataId": id, "condition": ".cart.total < 0"]]])
        editor.send("reverseContinue", ["threadId": 1])
        editor.check()
        #expect(editor.client.events("stopped").last?["reason"] == "data breakpoint")
        #expect(editor.client.events("stopped").last?["text"] == "/cart/total: 12 → -6")
    }

    @Test("Zed: a step back on the thread of the store")
    func zed() {
        let editor = Editor(knowing: ["stepBack", "evaluate"])
        editor.send("stepBack", ["threadId": editor.thread("cart")])
        editor.check()
    }

    @Test("dape: the frame of the store's thread, restarted")
    func dape() throws {
        let editor = Editor(knowing: ["restartFrame", "evaluate"])
        let frames = editor.send("stackTrace", ["threadId": editor.thread("cart")])["stackFrames"]?.array ?? []
        editor.send("restartFrame", ["frameId": try #require(frames.first?.object?["id"])])
        editor.check()
    }

    @Test("vimspector: the commits of the line that applies discounts")
    func vimspector() throws {
        let editor = Editor(knowing: ["goto", "gotoTargets", "dataBreakpointInfo", "setDataBreakpoints", "evaluate"])
        let source: JSONValue = ["path": .string(DapClient.samples + "/shop/Cart.swift")]
        let targets = editor.send("gotoTargets", ["source": source, "line": 37])["targets"]?.array ?? []
        let last = try #require(targets.compactMap(\.object).first { $0["label"]?.string?.contains("118") == true })
        editor.send("goto", ["threadId": 1, "targetId": try #require(last["id"])])
        editor.check()
    }

    /// What an editor knows besides, how it launches, and what it sends once a conditional breakpoint is set.
    private static let ways: [String: (knows: Set<String>, launch: JSONObject, sends: [(String, JSONObject)])] = [
        "Neovim, Sublime": (["reverseContinue", "evaluate"], [:], [("reverseContinue", ["threadId": 1])]),
        "Helix": ([], ["direction": "reverse"], [("continue", ["threadId": 1])]),
        "LSP4IJ": (
            ["evaluate"], [:],
            [("evaluate", ["expression": "exec-direction reverse"]), ("continue", ["threadId": 1])]
        ),
    ]

    @Test("others: a conditional breakpoint, and what goes back to it", arguments: ways.keys.sorted())
    func others(_ name: String) throws {
        let way = try #require(Self.ways[name])
        let editor = Editor(knowing: way.knows, launch: way.launch)
        editor.setBreakpoint()
        for (command, arguments) in way.sends { editor.send(command, arguments) }
        editor.check()
    }

    @Test("from there the frame below leads to the cause, and a step into it back again")
    func cause() throws {
        let client = DapClient.onSample(["stopOnEntry": 118])
        let frames = client.frames()
        #expect(frames.compactMap { $0["name"]?.string } == ["applyDiscount(_:)  118", "refresh(_:token:)  117"])
        client.body("restartFrame", ["frameId": try #require(frames.last?["id"])])
        #expect(client.commit == 117)
        client.body("stepIn", ["threadId": 1])
        #expect(client.commit == 118)
    }
}
