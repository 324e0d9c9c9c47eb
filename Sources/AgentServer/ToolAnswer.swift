import CommandLine
import JSONCore

/// What a call of a tool came to.
struct ToolAnswer: Sendable, Equatable {
    /// What people would read: the answer, then what was said about it.
    var texts: [String]

    /// The answers as lines of JSON.
    var lines: [[UInt8]] = []

    /// Where the answers go on; nil where these are all.
    var cursor: String?

    /// Whether the call failed.
    var isError = false

    /// A failure, with the call that can be made instead.
    static func failure(_ message: String, insteadCall instead: String? = nil) -> ToolAnswer {
        ToolAnswer(texts: [message + (instead.map { "\n" + $0 } ?? "")], isError: true)
    }

    /// The call of a tool in words: `call TOOL {arguments}`.
    static func call(_ tool: String, _ arguments: JSONObject) -> String {
        "call \(tool) " + JSONValue.object(arguments).text()
    }

    /// The result as the protocol has it: the lines stand in it as they are.
    func json(_ revision: ProtocolRevision) -> [UInt8] {
        let content = texts.filter { !$0.isEmpty }.map { JSONValue.members(["type": "text", "text": .string($0)]) }
        var bytes = Array(#"{"content":"#.utf8) + Array(JSONValue.array(content).text().utf8)
        bytes += #","structuredContent":{"answers":["#.utf8
        for (index, line) in lines.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += line
        }
        bytes += "]".utf8
        if let cursor { bytes += #","cursor":"#.utf8 + Array(JSONValue.string(cursor).text().utf8) }
        bytes += "}".utf8
        if isError { bytes += #","isError":true"#.utf8 }
        if !revision.hasSession { bytes += #","resultType":"complete""#.utf8 }
        return bytes + [UInt8(ascii: "}")]
    }
}
