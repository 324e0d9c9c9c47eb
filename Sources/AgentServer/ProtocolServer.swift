import CommandLine
import Diagnostics
import JSONCore

/// A state machine: no input, no output, no clock.
///
/// It speaks the revisions with a session, which begin with 'initialize', and the one without, in which each request
/// carries its revision; a client may mix them.
struct ProtocolServer {
    enum Instruction: Equatable {
        case send([UInt8])
        case call(ToolCall)
        /// What a call still does has no reader.
        case cancel(RequestID)
    }

    private struct Running {
        let revision: ProtocolRevision
        let progressToken: JSONValue?
        var progress = 0
    }

    /// It is nil before 'initialize'.
    private var session: ProtocolRevision?
    private var running: [RequestID: Running] = [:]

    /// A line of the client that is longer is not read.
    static let lineLimit = 16 << 20

    mutating func take(_ line: [UInt8]) -> [Instruction] {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return [] }
        let message: JSONValue
        do throws(JSONError) { message = try JSONParser.parse(line) } catch {
            return [refuse(.parse, nil, error.diagnostic.message)]
        }
        guard let object = message.object, object["jsonrpc"]?.string == "2.0" else {
            return [refuse(.request, nil, "a message is an object with 'jsonrpc' \"2.0\"")]
        }
        // What answers a request of the server's has nothing to answer: it makes none.
        guard let method = object["method"]?.string else {
            if object["result"] != nil || object["error"] != nil { return [] }
            return [refuse(.request, object["id"].flatMap(RequestID.init), "a request has a 'method'")]
        }
        guard let idValue = object["id"] else { return notice(method, object["params"]) }
        guard let id = RequestID(idValue) else {
            return [refuse(.request, nil, "an 'id' is a string or a whole number")]
        }
        guard let params = object.optional("params", or: .object(JSONObject())).object else {
            return [refuse(.params, id, "'params' is an object")]
        }
        guard running[id] == nil else { return [refuse(.request, id, "the 'id' is one of a call that still runs")] }
        return answer(method, id, params)
    }

    mutating func takeOverlong() -> [Instruction] {
        [refuse(.parse, nil, "a line is longer than \(Self.lineLimit) bytes")]
    }

    private mutating func notice(_ method: String, _ params: JSONValue?) -> [Instruction] {
        guard method == "notifications/cancelled", let id = params?.object?["requestId"].flatMap(RequestID.init),
            running.removeValue(forKey: id) != nil
        else { return [] }
        return [.cancel(id)]
    }

    // MARK: Requests

    private mutating func answer(_ method: String, _ id: RequestID, _ params: JSONObject) -> [Instruction] {
        let revision: ProtocolRevision
        switch revisionOf(method, params) {
        case .success(let known): revision = known
        case .failure(let refusal): return [refuse(refusal.code, id, refusal.message, refusal.data)]
        }
        switch method {
        case "initialize": return [initialize(id, params)]
        case "ping": return [succeed(id, .empty, revision)]
        case "server/discover": return [succeed(id, Self.discovery, .stateless)]
        case "tools/list":
            guard params.optional("cursor") == .null else {
                return [refuse(.params, id, "the list of tools has one page")]
            }
            return [succeed(id, Self.list(revision), revision)]
        case "tools/call": return [call(id, params, revision)]
        default:
            let near = SimilarNames.nearest(to: method, in: Self.methods).first
            let help = near.map { ", call '\($0)'" } ?? ""
            return [refuse(.method, id, "there is no method '\(Self.shown(method))'\(help)")]
        }
    }

    private static let methods = ["initialize", "ping", "server/discover", "tools/list", "tools/call"]

    private struct Refusal: Error {
        let code: ErrorCode
        let message: String
        var data: JSONValue?
    }

    private func revisionOf(_ method: String, _ params: JSONObject) -> Result<ProtocolRevision, Refusal> {
        let meta = params["_meta"]?.object
        guard let text = meta?["io.modelcontextprotocol/protocolVersion"]?.string else {
            if method == "server/discover" { return .success(.stateless) }
            if method == "initialize" || method == "ping" { return .success(session ?? .newestSession) }
            guard let session else {
                return .failure(
                    Refusal(
                        code: .params, message: "call 'initialize' first, or name the protocol's version in '_meta'"))
            }
            return .success(session)
        }
        guard let revision = ProtocolRevision(rawValue: text) else {
            let supported = ProtocolRevision.allCases.map { JSONValue.string($0.rawValue) }
            return .failure(
                Refusal(
                    code: .version, message: "the protocol's version '\(Self.shown(text))' is not supported",
                    data: ["requested": .string(text), "supported": .array(supported)]))
        }
        guard revision.hasSession || meta?["io.modelcontextprotocol/clientCapabilities"]?.object != nil else {
            return .failure(
                Refusal(code: .params, message: "'_meta' needs 'io.modelcontextprotocol/clientCapabilities'"))
        }
        return .success(revision)
    }

    private mutating func initialize(_ id: RequestID, _ params: JSONObject) -> Instruction {
        let asked = params["protocolVersion"]?.string.flatMap(ProtocolRevision.init(rawValue:))
        let revision = asked.flatMap { $0.hasSession ? $0 : nil } ?? .newestSession
        session = revision
        return succeed(
            id,
            [
                "protocolVersion": .string(revision.rawValue), "capabilities": Self.capabilities,
                "serverInfo": Self.serverInfo, "instructions": .string(Self.instructions),
            ], revision)
    }

    private mutating func call(_ id: RequestID, _ params: JSONObject, _ revision: ProtocolRevision) -> Instruction {
        guard let name = params["name"]?.string else { return refuse(.params, id, "'name' is the name of a tool") }
        guard let tool = ToolDefinition.named(name) else {
            let near = SimilarNames.nearest(to: name, in: ToolDefinition.all.map(\.name)).first
            let names = ToolDefinition.all.map { "'\($0.name)'" }.joined(separator: ", ")
            return refuse(
                .params, id,
                "there is no tool '\(Self.shown(name))', " + (near.map { "call '\($0)'" } ?? "there are \(names)"))
        }
        guard let arguments = params.optional("arguments", or: .object(JSONObject())).object else {
            return refuse(.params, id, "'arguments' is an object")
        }
        let token = params["_meta"]?.object?["progressToken"].flatMap { RequestID($0) }?.value
        running[id] = Running(revision: revision, progressToken: token)
        return .call(ToolCall(id: id, tool: tool, arguments: arguments))
    }

    // MARK: Calls that run

    mutating func progress(of id: RequestID, bytes: Int, total: Int?) -> [Instruction] {
        guard let token = running[id]?.progressToken, let last = running[id]?.progress, bytes > last else { return [] }
        running[id]?.progress = bytes
        return [
            .send(
                Self.message([
                    "method": "notifications/progress",
                    "params": .members([
                        "progressToken": token, "progress": .number(bytes),
                        // Several passes may read more than there is.
                        "total": total.flatMap { $0 >= bytes ? JSONValue.number($0) : nil },
                    ]),
                ]))
        ]
    }

    /// Nothing is sent for a call that was cancelled.
    mutating func finish(_ id: RequestID, _ answer: ToolAnswer) -> [Instruction] {
        guard let call = running.removeValue(forKey: id) else { return [] }
        // The lines of the answer stand in the message as they are.
        var message = Self.message(["id": id.value])
        message.removeLast()
        message += #","result":"#.utf8
        message += answer.json(call.revision)
        message.append(UInt8(ascii: "}"))
        return [.send(message)]
    }

    var isIdle: Bool { running.isEmpty }

    // MARK: What the server is

    private static let capabilities: JSONValue = ["tools": .object(JSONObject())]

    private static let serverInfo: JSONValue = [
        "name": "state-inspect", "title": "state-inspect", "version": .string(Program.version),
    ]

    private static let instructions =
        "Journals hold every commit of a run's state. Begin with 'info'; 'bisect' and 'check' find the commit that made a "
        + "state bad, 'origin' and 'why' where it comes from. Queries are jq. An answer's 'cite' is what it rests on."

    /// How long a client may keep the lists: they change with the program only.
    private static let lifetime: JSONValue = 3_600_000

    private static let discovery: JSONValue = [
        "supportedVersions": .array(ProtocolRevision.allCases.map { .string($0.rawValue) }),
        "capabilities": capabilities, "instructions": .string(instructions),
        "ttlMs": lifetime, "cacheScope": "public",
        "_meta": ["io.modelcontextprotocol/serverInfo": serverInfo],
    ]

    private static func list(_ revision: ProtocolRevision) -> JSONValue {
        .members([
            "tools": .array(ToolDefinition.all.map(\.json)), "ttlMs": revision.hasSession ? nil : lifetime,
            "cacheScope": revision.hasSession ? nil : "public",
        ])
    }

    // MARK: Messages

    private enum ErrorCode: Int {
        case parse = -32700
        case request = -32600
        case method = -32601
        case params = -32602
        case version = -32022
    }

    private func refuse(
        _ code: ErrorCode, _ id: RequestID?, _ message: String, _ data: JSONValue? = nil
    ) -> Instruction {
        let error = JSONValue.members(["code": .number(code.rawValue), "message": .string(message), "data": data])
        return .send(Self.message(id.map { ["id": $0.value, "error": error] } ?? ["error": error]))
    }

    private func succeed(_ id: RequestID, _ result: JSONValue, _ revision: ProtocolRevision) -> Instruction {
        var result = result.object ?? JSONObject()
        if !revision.hasSession { result["resultType"] = "complete" }
        return .send(Self.message(["id": id.value, "result": .object(result)]))
    }

    private static func message(_ members: KeyValuePairs<String, JSONValue>) -> [UInt8] {
        var object = JSONObject()
        object["jsonrpc"] = "2.0"
        for (name, value) in members { object[name] = value }
        return Array(JSONValue.object(object).text().utf8)
    }

    static func shown(_ text: String) -> String {
        DisplayWidth.clipped(ControlCharacters.escaped(text), to: 60)
    }
}

/// A string or a whole number.
struct RequestID: Hashable, Sendable {
    /// The id as answers have it: of a number the plain digits, as a client that reads integers looks for them.
    let value: JSONValue

    init?(_ value: JSONValue) {
        switch value {
        case .string: self.value = value
        case .number(let number):
            guard let digits = number.plainText, !digits.utf8.contains(UInt8(ascii: ".")) else { return nil }
            self.value = .number(JSONNumber(literal: digits))
        default: return nil
        }
    }
}

struct ToolCall: Equatable, Sendable {
    let id: RequestID
    let tool: ToolDefinition
    let arguments: JSONObject

    init(id: RequestID, tool: ToolDefinition, arguments: JSONObject) {
        (self.id, self.tool, self.arguments) = (id, tool, tool.named(arguments))
    }

    static func == (left: ToolCall, right: ToolCall) -> Bool {
        left.id == right.id && left.tool.name == right.tool.name && left.arguments == right.arguments
    }
}

extension JSONObject {
    /// A member that may be left out; clients write null for one that they leave out.
    func optional(_ name: String, or other: JSONValue = .null) -> JSONValue {
        guard let value = self[name], value != .null else { return other }
        return value
    }
}

extension JSONValue {
    fileprivate static let empty = JSONValue.object(JSONObject())
}

enum ProtocolRevision: String, CaseIterable, Sendable {
    /// Without a session: each request says what it speaks, each result what it is.
    case stateless = "2026-07-28"
    case november2025 = "2025-11-25"
    case june2025 = "2025-06-18"
    case march2025 = "2025-03-26"
    case november2024 = "2024-11-05"

    static let newestSession = november2025

    var hasSession: Bool { self != .stateless }
}

struct MessageLines {
    /// A line, or that one was too long.
    enum Line: Equatable {
        case whole([UInt8])
        case overlong
    }

    private var line: [UInt8] = []
    private var isOverlong = false

    mutating func take(_ bytes: [UInt8]) -> [Line] {
        var ended: [Line] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            add(rest[..<end])
            ended.append(isOverlong ? .overlong : .whole(line))
            (line, isOverlong) = ([], false)
            rest = rest[(end + 1)...]
        }
        add(rest)
        return ended
    }

    mutating func finish() -> Line? { isOverlong ? .overlong : line.isEmpty ? nil : .whole(line) }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        if isOverlong { return }
        guard line.count + bytes.count <= ProtocolServer.lineLimit else {
            (line, isOverlong) = ([], true)
            return
        }
        line += bytes
    }
}
