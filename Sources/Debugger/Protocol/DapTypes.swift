import CommandLine
package import JSONCore

// The protocol's types as far as they are written, each declared once; the members and their order are the schema's.

/// What can be written into a message.
protocol DapType {
    var json: JSONValue { get }
}

extension [any DapType] {
    package var json: JSONValue { .array(map(\.json)) }
}

/// A file of the app, or the text that stands for it.
struct DapSource: DapType, Equatable {
    let name: String
    let path: String
    /// Under which its text is asked for; nil for a file that is there.
    var reference: Int?

    var json: JSONValue {
        .members([
            "name": .string(name), "path": .string(path), "sourceReference": reference.map(JSONValue.number),
            "presentationHint": reference == nil ? nil : "deemphasize",
            "origin": reference == nil ? nil : "made of the journal",
        ])
    }
}

struct DapThread: DapType {
    let id: Int
    let name: String

    var json: JSONValue { .members(["id": .number(id), "name": .string(name)]) }
}

struct DapStackFrame: DapType {
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

struct DapScope: DapType {
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

/// A value, as a variable or as the answer to an expression.
struct DapValue {
    var text: String
    var type: String?
    var reference = 0
    var named: Int?
    var indexed: Int?
    var location: Int?
}

struct DapVariable: DapType {
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

struct DapBreakpoint: DapType, Equatable {
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

struct DapGotoTarget: DapType {
    let id: Int
    let label: String
    let line: Int

    var json: JSONValue { .members(["id": .number(id), "label": .string(label), "line": .number(line)]) }
}

struct DapStopped: DapType {
    var reason: String
    var description: String?
    var text: String?
    var thread: Int
    var hits: [Int] = []

    var json: JSONValue {
        .members([
            "reason": .string(reason), "description": description.map(JSONValue.string),
            "threadId": .number(thread), "text": text.map(JSONValue.string), "allThreadsStopped": true,
            "hitBreakpointIds": hits.isEmpty ? nil : .array(hits.map(JSONValue.number)),
        ])
    }
}

/// Whether an exception stops a run, as the editor offers it.
enum DapFilter: String, CaseIterable, DapType {
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
