import CommandLine
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

// The protocol's types as far as they are written, each declared once; the members and their order are the schema's.

struct DapSource: Equatable {
    let name: String
    let path: String
    /// Nil for a file that is there.
    var reference: Int?

    var json: JSONValue {
        .members([
            "name": .string(name), "path": .string(path), "sourceReference": reference.map(JSONValue.number),
            "presentationHint": reference == nil ? nil : "deemphasize",
            "origin": reference == nil ? nil : "made of the journal",
        ])
    }
}

struct DapStackFrame {
    let id: Int
    let name: String
    var source: DapSource?
    var line = 0
    var column = 0
    var isSubtle = false
    var canRestart = true

    var json: JSONValue {
        .members([
            "id": .number(id), "name": .string(name), "source": source?.json, "line": .number(line),
            "column": .number(column), "canRestart": .bool(canRestart),
            "presentationHint": isSubtle ? "subtle" : "normal",
        ])
    }
}

struct DapScope {
    let name: String
    let reference: Int
    var isLocals = false
    var isExpensive = false
    var named: Int?

    var json: JSONValue {
        .members([
            "name": .string(name), "presentationHint": isLocals ? "locals" : nil,
            "variablesReference": .number(reference), "namedVariables": named.map(JSONValue.number),
            "expensive": .bool(isExpensive),
        ])
    }
}

struct DapValue {
    var text: String
    var type: String?
    var reference = 0
    var named: Int?
    var indexed: Int?
    var location: Int?
}

struct DapVariable {
    let name: String
    let value: DapValue
    var evaluateName: String?
    var isChanged = false

    var json: JSONValue {
        .members([
            "name": .string(name), "value": .string(value.text), "type": value.type.map(JSONValue.string),
            "presentationHint": .members([
                "kind": "data", "attributes": isChanged ? ["readOnly", "changed"] : ["readOnly"],
            ]),
            "evaluateName": evaluateName.map(JSONValue.string), "variablesReference": .number(value.reference),
            "namedVariables": value.named.map(JSONValue.number),
            "indexedVariables": value.indexed.map(JSONValue.number),
            "valueLocationReference": value.location.map(JSONValue.number),
        ])
    }
}

struct DapBreakpoint: Equatable {
    let id: Int
    var isVerified = true
    var message: String?
    var source: DapSource?
    var line: Int?
    /// Whether it may become one that counts; false where it never will.
    var isPending = false

    var json: JSONValue {
        .members([
            "id": .number(id), "verified": .bool(isVerified), "message": message.map(JSONValue.string),
            "source": source?.json, "line": line.map(JSONValue.number),
            "reason": isVerified ? nil : isPending ? "pending" : "failed",
        ])
    }
}

struct DapStopped {
    var reason: String
    var text: String?
    var thread: Int
    var hits: [Int] = []

    var json: JSONValue {
        .members([
            "reason": .string(reason), "description": text.map(JSONValue.string),
            "threadId": .number(thread), "text": text.map(JSONValue.string), "allThreadsStopped": true,
            "hitBreakpointIds": hits.isEmpty ? nil : .array(hits.map(JSONValue.number)),
        ])
    }
}

enum DapFilter: String, CaseIterable {
    case violation, mark, abort

    var json: JSONValue {
        let (label, description, condition): (String, String, String?) =
            switch self {
            case .violation:
                (
                    "Violated invariants", "an invariant of the launch, or the query, no longer holds",
                    "a query that has to hold"
                )
            case .mark:
                (
                    "Marks of level error", "the app, or a test, says that something is wrong",
                    "a query on $text and $level"
                )
            case .abort: ("Aborted commits", "a commit's closure threw", nil)
            }
        return .members([
            "filter": .string(rawValue), "label": .string(label), "description": .string(description),
            "default": .bool(self == .violation), "supportsCondition": .bool(condition != nil),
            "conditionDescription": condition.map(JSONValue.string),
        ])
    }
}

/// What the adapter offers: exactly that, and nothing else.
enum DapCapabilities {
    private static let offered = [
        "ConfigurationDoneRequest", "FunctionBreakpoints", "ConditionalBreakpoints", "HitConditionalBreakpoints",
        "EvaluateForHovers", "StepBack", "RestartFrame", "GotoTargetsRequest", "CompletionsRequest",
        "LoadedSourcesRequest", "LogPoints", "TerminateRequest", "DataBreakpoints", "CancelRequest",
        "BreakpointLocationsRequest", "ClipboardContext", "SteppingGranularity", "ExceptionFilterOptions",
        "DelayedStackTraceLoading",
    ]

    static var json: JSONValue {
        var object = JSONObject()
        for name in offered { object["supports" + name] = true }
        object["completionTriggerCharacters"] = [".", "/", " "]
        object["exceptionBreakpointFilters"] = .array(DapFilter.allCases.map(\.json))
        return .object(object)
    }
}

/// A commit on a stack: where it stands in the run, and its line.
struct DapFrame {
    let position: CommitNumber
    /// Whether it is where the session stands, also inside a commit.
    let isCurrent: Bool
    /// Nil at the start, and where the commit was lost.
    let record: OwnedRecord?
}

enum DapContainer {
    case changed(DapFrame)
    case derived(DapFrame)
    case commit(DapFrame)
    case value(DapPlace, page: Range<Int>? = nil)
}

struct DapPlace {
    let value: JSONValue
    /// The path is in the whole state; nil for what is not part of it.
    var path: JSONPointer?
    /// Nil for what no query gives.
    var query: String?
    var frame: DapFrame?
    /// Whether no array lies above it, so that nothing moves it but what writes it.
    var isFixed = true

    static func query(below query: String, _ name: String, isElement: Bool) -> String {
        if isElement { return query + "[\(name)]" }
        let member = JQPath.text(of: JSONPointer([name]), in: .object(JSONObject()))
        return query == "." ? member : query + member
    }
}

/// What the numbers mean that the editor was given since the last motion; none of them is given twice.
struct DapReferences {
    private var last = 0
    private var frames: [Int: DapFrame] = [:]
    private var containers: [Int: DapContainer] = [:]
    private var locations: [Int: DapPlace] = [:]
    private var targets: [Int: CommitNumber] = [:]

    mutating func clear() {
        frames = [:]
        containers = [:]
        locations = [:]
        targets = [:]
    }

    mutating func add(_ frame: DapFrame) -> Int { Self.add(frame, to: &frames, after: &last) }

    mutating func add(_ container: DapContainer) -> Int { Self.add(container, to: &containers, after: &last) }

    mutating func add(location place: DapPlace) -> Int { Self.add(place, to: &locations, after: &last) }

    mutating func add(target commit: CommitNumber) -> Int { Self.add(commit, to: &targets, after: &last) }

    private static func add<Value>(_ value: Value, to table: inout [Int: Value], after last: inout Int) -> Int {
        last += 1
        table[last] = value
        return last
    }

    func frame(_ id: Int) throws(DapError) -> DapFrame { try known(frames[id], "frame \(id)") }

    func container(_ id: Int) throws(DapError) -> DapContainer { try known(containers[id], "reference \(id)") }

    func location(_ id: Int) throws(DapError) -> DapPlace { try known(locations[id], "location \(id)") }

    func target(_ id: Int) throws(DapError) -> CommitNumber { try known(targets[id], "target \(id)") }

    private func known<Value>(_ value: Value?, _ name: String) throws(DapError) -> Value {
        guard let value else { throw DapError("\(name) is not of this stop: the run has moved since") }
        return value
    }
}
