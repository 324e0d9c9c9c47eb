import CommandLine
import JSONCore
import Platform

struct ToolAnswer: Sendable, Equatable {
    /// What people would read: the answer, then what was said about it.
    var texts: [String]

    var lines: [[UInt8]] = []

    var cursor: String?

    var isError = false

    static func failure(_ message: String, insteadCall instead: String? = nil) -> ToolAnswer {
        ToolAnswer(texts: [message + (instead.map { "\n" + $0 } ?? "")], isError: true)
    }

    /// The call of a tool in words: `call TOOL {arguments}`.
    static func call(_ tool: String, _ arguments: JSONObject) -> String {
        "call \(tool) " + JSONValue.object(arguments).text()
    }

    /// The lines stand in the result as they are.
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

/// It holds as many lines as fit a page; then it refuses more, so that the command ends.
final class AnswerPage: ByteSink {
    /// How many lines, and about how many bytes, a page has.
    static let lineCount = 100
    static let byteCount = 1 << 16

    private var skipped: Int
    private var kept = 0
    private var bytes: [UInt8] = []
    private let stop: StopRequest

    private(set) var lines: [[UInt8]] = []
    private(set) var hasMore = false

    init(after count: Int, until stop: StopRequest) {
        skipped = count
        self.stop = stop
    }

    func write(_ new: ByteView) throws(OutputError) {
        if stop.isMade { throw .closed }
        var rest = new[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            bytes += rest[..<end]
            rest = rest[(end + 1)...]
            try endLine()
        }
        bytes += rest
    }

    private func endLine() throws(OutputError) {
        defer { bytes = [] }
        guard skipped == 0 else {
            skipped -= 1
            return
        }
        let isFull = lines.count >= Self.lineCount || kept >= Self.byteCount
        if isFull {
            hasMore = true
            throw .closed
        }
        lines.append(CutAnswer.line(bytes))
        kept += lines.last?.count ?? 0
    }
}

/// An answer of which long values are cut: a client that reads by the token has no use for megabytes.
enum CutAnswer {
    /// An answer of so many bytes is not cut.
    static let limit = 1 << 15

    /// A string that is cut has so many bytes.
    private static let stringLimit = 400

    /// The line, or one in which what is too long has its size in its place.
    static func line(_ line: [UInt8]) -> [UInt8] {
        guard line.count > limit, let value = try? JSONParser.parse(line) else { return line }
        return Array(cut(value, to: limit / 2).text().utf8)
    }

    private static func cut(_ value: JSONValue, to budget: Int) -> JSONValue {
        let size = FittedValue.byteCount(of: value)
        guard size > max(budget, stringLimit) else { return value }
        switch value {
        case .null, .bool: return value
        case .number: return .string(cut(value.text()))
        case .string(let text): return .string(cut(text))
        case .array(let elements):
            var (kept, left) = ([JSONValue](), budget)
            while kept.count < elements.count, left > 0 {
                let element = cut(elements[kept.count], to: max(left / 4, budget / (elements.count + 1)))
                left -= FittedValue.byteCount(of: element) + 1
                kept.append(element)
            }
            if kept.count < elements.count { kept.append(.string("… \(elements.count - kept.count) more")) }
            return .array(kept)
        case .object(let object):
            var (kept, left) = (JSONObject(), budget)
            for (name, member) in object {
                guard left > 0 || kept.count < 16 && name.utf8.count < 32 else {
                    kept["…"] = .string("\(object.count - kept.count) more")
                    break
                }
                let member = cut(member, to: max(left / 4, budget / (object.count + 1)))
                left -= FittedValue.byteCount(of: member) + min(name.utf8.count, budget)
                kept[cut(name)] = member
            }
            return .object(kept)
        }
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > stringLimit else { return text }
        var front = ""
        for scalar in text.unicodeScalars {
            guard front.utf8.count < stringLimit / 2 else { break }
            front.unicodeScalars.append(scalar)
        }
        return front + "… (" + text.utf8.count.counted("byte") + ")"
    }
}

final class TextSink: ByteSink {
    private var bytes: [UInt8] = []
    private let limit: Int
    private let stop: StopRequest?

    init(limit: Int, until stop: StopRequest? = nil) {
        self.limit = limit
        self.stop = stop
    }

    var text: String {
        var text = String(decoding: bytes, as: UTF8.self)
        while text.utf8.last == UInt8(ascii: "\n") { text.removeLast() }
        return text
    }

    func write(_ new: ByteView) throws(OutputError) {
        if stop?.isMade == true { throw .closed }
        bytes += new.prefix(max(0, limit - bytes.count))
    }
}
