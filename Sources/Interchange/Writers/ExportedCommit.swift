public import JSONCore
public import JournalFormat

/// A commit that is exported, with the state after it.
public struct ExportedCommit: Sendable {
    /// Its record.
    public let record: JSONObject
    /// Its number.
    public let seq: CommitNumber
    /// The whole state after it, or that of the one store that is exported.
    public let state: JSONValue
    /// The state before it, where the format asks for it.
    public let before: JSONValue?
    /// Whether its patch is all that lies between the commit exported before it, or the start, and ``state``.
    public let isDirect: Bool

    /// A commit with the state after it.
    public init(
        record: JSONObject, seq: CommitNumber, state: JSONValue, before: JSONValue? = nil, isDirect: Bool = false
    ) {
        self.record = record
        self.seq = seq
        self.state = state
        self.before = before
        self.isDirect = isDirect
    }

    /// Its name as queries and filters have it: a commit without a name has that of its function.
    var title: JSONValue? {
        if let name = record["name"], name != .null { return name }
        return record["at"]?.object?["function"]
    }

    /// Its patch; nil for one that cannot be read.
    public var patch: JSONPatch? { record["patch"].flatMap { try? JSONPatch(json: $0) } }

    /// The store.
    public var store: String { record["store"]?.string ?? "" }
    var microseconds: Int { record["time"]?.string.flatMap { Timestamp($0) }?.microseconds ?? 0 }

    var name: String {
        record["name"]?.string ?? record["action"]?.object?["type"]?.string
            ?? record["at"]?.object?["function"]?.string ?? ""
    }

    var frame: String? {
        guard let at = record["at"]?.object, let file = at["file"]?.string else { return nil }
        let line = at["line"]?.number?.integerValue ?? 0
        return "\(at["function"]?.string ?? "") (\(file):\(line):\(at["column"]?.number?.integerValue ?? 1))"
    }
}

/// Makes a document of commits, piece by piece.
public protocol ExportWriter {
    /// Adds a commit.
    mutating func add(_ commit: ExportedCommit)
    /// Ends the document.
    mutating func finish()
    /// Takes out what was composed.
    mutating func take() -> [UInt8]
}

extension ExportWriter {
    /// Nothing ends a document whose lines stand alone.
    public mutating func finish() {}
}

extension JSONWriter {
    mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Takes out what was written, and keeps the room for more.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }
}

/// A format that journals are written in for other tools.
public enum ExportFormat: String, CaseIterable, Sendable {
    case jsonPatch = "json-patch"
    case reduxDevtools = "redux-devtools"
    case chromeTrace = "chrome-trace"
    case changes, csv, itf
    case swiftTest = "swift-test"
}
