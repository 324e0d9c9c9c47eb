import Foundation
import Interchange
import JSONCore
import QueryLanguage
import TestSupport

/// The trace of ten Raft nodes that etcd's authors keep: what a program without this library wrote.
struct RaftTrace {
    static let file = "data/etcd-raft-trace.ndjson.gz"
    /// The stores' names are letters, as a symptom names them.
    static let nodes = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"].map { "node\($0)" }

    /// A line of it.
    struct Event {
        let text: String
        /// Its line in the whole trace.
        let line: Int
        /// The store of its node.
        let node: String
        let name: String
        /// `state`, `role` and `log` as they stand in the text.
        let term: Int
        let vote: String
        let commit: Int
        let role: String
        let log: Int
    }

    let events: [Event]

    /// Unpacks and reads it; nil where it is not there, or the program that unpacks it.
    static func read(in folder: TemporaryFolder) throws -> RaftTrace? {
        guard SharedFolder.has(file) else { return nil }
        let path = folder.write([], to: "trace.ndjson")
        let unpacker = Process()
        unpacker.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        unpacker.arguments = ["gzip", "-dc", SharedFolder.root.appendingPathComponent(file).path]
        unpacker.standardOutput = FileHandle(forWritingAtPath: path)
        try unpacker.run()
        unpacker.waitUntilExit()
        guard unpacker.terminationStatus == 0 else { return nil }
        let lines = TemporaryFolder.lines(path)
        return RaftTrace(events: try lines.enumerated().compactMap { try event($0.element, line: $0.offset + 1) })
    }

    private static func event(_ text: String, line: Int) throws -> Event? {
        let value = try JSONParser.parse(Array(text.utf8))
        guard let event = value.members["event"]?.members, let state = event["state"]?.members,
            let node = event["nid"]?.string.flatMap({ Int($0) }), nodes.indices.contains(node - 1)
        else { return nil }
        return Event(
            text: text, line: line, node: nodes[node - 1], name: event["name"]?.string ?? "",
            term: state["term"]?.number?.integerValue ?? 0, vote: state["vote"]?.string ?? "",
            commit: state["commit"]?.number?.integerValue ?? 0, role: event["role"]?.string ?? "",
            log: event["log"]?.number?.integerValue ?? 0)
    }

    /// What a line means, as `import jsonl` is told.
    static func mapping() throws -> LineMapping {
        let names = nodes.enumerated().map { "\"\($0.offset + 1)\": \"\($0.element)\"" }.joined(separator: ", ")
        var mapping = LineMapping()
        mapping.store = .init("--store", try Query("{\(names)}[.event.nid]"))
        mapping.state = .init(
            "--state", try Query(".event.state + {role: .event.role, log: .event.log, event: .event.name}"))
        mapping.name = .init("--name", try Query(".event.name"))
        mapping.time = .init("--time", try Query(".ts"))
        mapping.at = .init("--at", try Query(".at"))
        return mapping
    }

    /// What is true all along the trace: the rules of Raft that can be seen in the nodes' states, and which events may change
    /// what.
    static var invariants: [String] {
        let all = nodes.map { ".\($0)" }.joined(separator: ", ")
        let leaders = "[\(all)] | map(select(.role == \"StateLeader\")"
        let ofAll = [
            "\(leaders) | .term) | length == (unique | length)",
            "(\(leaders) | .commit) | max) as $most | $most == null or ([\(all)] | all((.commit // 0) <= $most))",
            "(\(leaders) | .log) | max) as $most | $most == null or ([\(all)] | all((.log // 0) <= $most))",
        ]
        return ofAll
            + nodes.flatMap { node in
                let (now, old) = (".\(node)", "$old.\(node)")
                return [
                    "(\(now).term // 0) >= (\(old).term // 0)", "(\(now).commit // 0) >= (\(old).commit // 0)",
                    "(\(now).log // 0) >= (\(old).log // 0)", "(\(now).commit // 0) <= (\(now).log // 0)",
                    "\(now).term != \(old).term or (\(old).vote // \"0\") == \"0\" or \(now).vote == \(old).vote",
                    "\(old) == null or \(now).commit == \(old).commit or "
                        + "(\(now).event | IN(\"Commit\", \"SendAppendEntriesResponse\", \"ApplyConfChange\"))",
                    "\(old) == null or \(now).log == \(old).log or "
                        + "(\(now).event | IN(\"SendAppendEntriesResponse\", \"ApplyConfChange\"))",
                    "\(old) == null or \(now).role == \(old).role or (\(now).event | startswith(\"Become\"))",
                ]
            }
    }
}

extension JSONValue {
    /// The members of an object; none of anything else.
    fileprivate var members: JSONObject {
        guard case .object(let members) = self else { return JSONObject() }
        return members
    }
}
