import Interchange
import JSONCore

/// The queries of formats that are logs of JSON with known members: each stands for its option where that was not typed.
enum BuiltInQueries {
    static func applied(to typed: TypedArguments, _ format: ImportFormat) -> TypedArguments {
        var whole = typed
        let saysStates = [Option.state, .set, .patch, .merge].contains(where: typed.has)
        for (option, query) in queries(of: format) where !typed.has(option) {
            guard !saysStates || option != .patch && option != .merge else { continue }
            whole.add(option, query)
        }
        return whole
    }

    static func initial(of format: ImportFormat) -> JSONValue {
        format == .messages ? ["messages": [], "tools": [:]] : [:]
    }

    private static func queries(of format: ImportFormat) -> [(Option, String)] {
        switch format {
        case .otlp:
            [
                (.each, records), (.store, #".resource["service.name"] // "log" | tostring"#), (.merge, ".attributes"),
                (.name, ".name"), (.time, ".time"), (.at, place), (.trace, ".trace"), (.span, ".span"),
            ]
        case .messages:
            [
                (.each, messages), (.store, ".store"), (.patch, messageTools + messagePatch),
                (.name, messageTools + messageName), (.action, messageTools + messageAction), (.time, ".message.time"),
                (.id, ".message | " + messageTools + "first(calls.id) // empty"), (.cause, messageTools + messageCause),
            ]
        default: []
        }
    }

    /// Each log record with the values of its attributes bare, and what holds for all records of its scope.
    private static let records = """
        def value: def members: [.[]? | {key, value: (.value // {} | value)}] | from_entries;
            if has("stringValue") then .stringValue
            elif has("intValue") then .intValue | tonumber
            elif has("doubleValue") then .doubleValue
            elif has("boolValue") then .boolValue
            elif has("arrayValue") then [.arrayValue.values[]? | value]
            elif has("kvlistValue") then .kvlistValue.values | members
            else .bytesValue end;
        def members: {kvlistValue: {values: .}} | value;
        .resourceLogs[]? | (.resource.attributes | members) as $resource
        | (.scopeLogs // .instrumentationLibraryLogs)[]? | .scope.name as $scope | .logRecords[]?
        | (.body | if . == null then null else value end) as $body
        | {time: ([.timeUnixNano, .observedTimeUnixNano] | map(select(. != null and . != "0" and . != 0)) | first),
           severity: .severityText, name: (.eventName // ($body | strings) // .severityText), body: $body,
           attributes: (.attributes | members), resource: $resource, scope: $scope, trace: .traceId, span: .spanId}
        """

    /// The place in the source, by the names of the conventions as they are and as they were.
    private static let place = #"""
        .attributes | (.["code.file.path"] // .["code.filepath"]) as $file | select($file)
        | {file: $file, line: (.["code.line.number"] // .["code.lineno"] // 0),
           function: (.["code.function.name"] // .["code.function"] // "")}
        """#

    /// Each message of each run with the run's name; at a run's end what else the run says.
    private static let messages = """
        def runs: if type == "array" then (if any(.[]; has("role")) then {messages: .} else .[] | runs end)
            elif has("role") then {messages: [.], session: (.session_id // .conversation_id // .thread_id // .run_id)}
            else . end;
        [runs] | length as $count | to_entries[] | .key as $index | .value
        | (.messages // .traj // .trajectory) as $all
        | ((.session // .task_id // .run_id // .session_id // .conversation_id // .id)
           | if . != null then "run-\\(.)" elif $count > 1 then "run-\\($index + 1)" else "run" end) as $store
        | ($all[]? | {store: $store, message: (.time = (.time // .timestamp // .created_at))}),
          (del(.messages, .traj, .trajectory, .session) | select(length > 0) | {store: $store, result: .})
        """

    /// What tools a message calls, and what a tool answered, in the two forms that are in use.
    private static let messageTools = """
        def parsed: . as $text | try fromjson catch $text;
        def calls: (.tool_calls // [] | .[] | {id, name: .function.name, arguments: (.function.arguments | parsed)}),
            (.content | arrays | .[] | objects | select(.type == "tool_use") | {id, name, arguments: .input});
        def answers: if .role == "tool" then {id: .tool_call_id, name, content}
            else .content | arrays | .[] | objects | select(.type == "tool_result") | {id: .tool_use_id, content} end;
        def caller: .id as $id | first($old.messages[]? | select(any(calls; .id == $id)));
        def tool: .id as $id | .name // first(caller | calls | select(.id == $id) | .name) // "tool";
        def segment: gsub("~"; "~0") | gsub("/"; "~1");
        def text: if type == "array" then [.[] | .text? // empty] | join("\\n") else . end;
        """

    private static let messagePatch = """
        if has("result") then [{op: "add", path: "/result", value: .result}]
        else .message | [{op: "add", path: "/messages/-", value: (if .time == null then del(.time) else . end)},
            (answers | {op: "add", path: "/tools/\\(tool | segment)", value: (.content | text | parsed)})] end
        """

    private static let messageName = """
        if has("result") then "result"
        else .message | ([calls | "call \\(.name)"][0] // [answers | "answer \\(tool)"][0] // .role) end
        """

    private static let messageAction = """
        .message // {} | first(calls | {type: .name, payload: .arguments}) // empty
        """

    private static let messageCause = """
        .message // {} | first(answers | caller | calls.id) // empty
        """
}
