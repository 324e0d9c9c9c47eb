import Foundation
import JSONCore
import Platform
import TestSupport
import Testing

@testable import StateInspectCLI

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
