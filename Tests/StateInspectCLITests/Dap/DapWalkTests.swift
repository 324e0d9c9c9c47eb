import Foundation
import JSONCore
import Platform
import TestSupport
import Testing

@testable import CommandLine
@testable import Debugger

/// From the bad end of the sample to commit 118, which made the total negative, with what each client has.
@Suite("The way back in each editor")
struct DapWalkTests {
    init() { _ = tool }

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
            ["evaluate"], [:], [("evaluate", ["expression": "exec-direction reverse"]), ("continue", ["threadId": 1])]
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

/// A client of an adapter on the same thread: requests in, what came of them out.
final class DapClient {
    /// All that was sent either way, as it stands in the protocol.
    private(set) var sent: [JSONValue] = []
    private(set) var received: [JSONValue] = []
    /// Requests that come while something takes long.
    var queue: [DapRequest] = []
    /// Asked each time the adapter looks whether a request has come.
    var onPoll: () -> Void = {}
    private var seq = 0
    /// The number of the request that began a scan.
    var lastContinue = 0
    /// The number of the next request.
    var nextNumber: Int { seq + 1 }
    private(set) lazy var adapter = DapAdapter(
        DapAdapter.Link(
            send: { [unowned self] in received.append($0) },
            next: { [unowned self] in
                onPoll()
                return queue.isEmpty ? nil : queue.removeFirst()
            }))

    /// A request with the next number.
    func request(_ command: String, _ arguments: JSONObject = [:]) -> DapRequest {
        seq += 1
        sent.append([
            "seq": .number(seq), "type": "request", "command": .string(command), "arguments": .object(arguments),
        ])
        return DapRequest(seq: seq, command, arguments)
    }

    /// Sends a request, and returns its answer.
    @discardableResult
    func send(_ command: String, _ arguments: JSONObject = [:]) -> JSONObject {
        let request = request(command, arguments)
        adapter.receive(request)
        let answer = received.last { $0.object?["request_seq"]?.number?.integerValue == request.seq }
        return answer?.object ?? [:]
    }

    /// The body of an answer that has to be a success.
    @discardableResult
    func body(
        _ command: String, _ arguments: JSONObject = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) -> JSONObject {
        let answer = send(command, arguments)
        #expect(answer["success"] == true, "\(command): \(answer)", sourceLocation: sourceLocation)
        return answer["body"]?.object ?? [:]
    }

    /// The text of the error with which a request has to be refused.
    func error(
        _ command: String, _ arguments: JSONObject = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) -> String {
        let answer = send(command, arguments)
        #expect(answer["success"] == false, "\(command): \(answer)", sourceLocation: sourceLocation)
        return answer["body"]?.object?["error"]?.object?["format"]?.string ?? ""
    }

    /// The bodies of the events of a name, in order.
    func events(_ name: String) -> [JSONObject] {
        received.compactMap(\.object).filter { $0["event"]?.string == name }.map { $0["body"]?.object ?? [:] }
    }

    /// Opens a journal, and stops.
    func launch(_ launch: JSONObject, _ request: String = "launch", initialize: JSONObject = ["adapterID": "test"]) {
        body("initialize", initialize)
        body(request, launch)
        #expect(events("initialized").count == 1)
        body("configurationDone")
    }

    /// The frames of a thread.
    func frames(thread: Int = 1) -> [JSONObject] {
        body("stackTrace", ["threadId": .number(thread)])["stackFrames"]?.array?.compactMap(\.object) ?? []
    }

    /// The names of a thread's frames.
    func names(thread: Int = 1) -> [String] { frames(thread: thread).compactMap { $0["name"]?.string } }

    /// The number of the commit where the run stands.
    var commit: Int? { names().first?.split(separator: " ").compactMap { Int($0.prefix { $0 != "," }) }.last }

    /// The variables of a scope of the first frame.
    func variables(_ scope: String, thread: Int = 1) -> [JSONObject] {
        guard let frame = frames(thread: thread).first?["id"] else { return [] }
        let scopes = body("scopes", ["frameId": frame])["scopes"]?.array?.compactMap(\.object) ?? []
        guard let reference = scopes.first(where: { $0["name"]?.string == scope })?["variablesReference"] else {
            return []
        }
        return children(reference)
    }

    func children(_ reference: JSONValue, _ more: JSONObject = [:]) -> [JSONObject] {
        var arguments = more
        arguments["variablesReference"] = reference
        return body("variables", arguments)["variables"]?.array?.compactMap(\.object) ?? []
    }

    /// What an expression gives.
    func evaluate(_ text: String, _ context: String = "watch") -> String? {
        body("evaluate", ["expression": .string(text), "context": .string(context)])["result"]?.string
    }

    static let sample = SharedFolder.packageRoot.appendingPathComponent("samples/checkout.jsonl").path
    static let samples = SharedFolder.packageRoot.appendingPathComponent("samples").path

    /// A client of the sample, at its end.
    static func onSample(_ more: JSONObject = [:], initialize: JSONObject = ["adapterID": "test"]) -> DapClient {
        let client = DapClient()
        var launch: JSONObject = ["journal": .string(sample), "sourceRoot": .string(samples)]
        for (name, value) in more { launch[name] = value }
        client.launch(launch, initialize: initialize)
        return client
    }
}
