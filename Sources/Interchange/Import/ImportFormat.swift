public import JSONCore

/// A format that journals are made of.
public enum ImportFormat: String, CaseIterable, Sendable {
    case jsonl, csv, otlp, messages, snapshots
    case reduxDevtools = "redux-devtools"
    case jsonPatch = "json-patch"
    case immer
    case mobxStateTree = "mobx-state-tree"
    case trrack
    case editingTrace = "editing-trace"
    case kubernetes, debezium, wal2json, itf

    /// What a file of the format is.
    public var form: String {
        switch self {
        case .jsonl: "JSON, one text a line"
        case .csv: "rows of comma-separated values below a head"
        case .otlp: "logs of OpenTelemetry in JSON, objects with 'resourceLogs'"
        case .messages: "messages of an agent's run, objects with 'role', alone or as 'messages'"
        case .snapshots: "one whole state a line"
        case .reduxDevtools: "an export of Redux DevTools, or its lifted state"
        case .jsonPatch: "one patch of RFC 6902 a line"
        case .immer: "one array of immer's patches a line"
        case .mobxStateTree: "one patch of 'onPatch', or an array of them, a line"
        case .trrack: "a graph of trrack's nodes"
        case .editingTrace: "an object with 'startContent', 'endContent' and 'txns'"
        case .kubernetes: "what 'kubectl get -w --output-watch-events -o json' prints"
        case .debezium: "one change event of Debezium a line"
        case .wal2json: "what wal2json writes, in format 1 or 2"
        case .itf: "a trace of a model checker, an object with 'states'"
        }
    }

    /// What a text looks like.
    public enum Likeness: Sendable, Equatable {
        /// A format that can be imported.
        case format(ImportFormat)
        /// A journal.
        case journal
        /// The events of a recorded page.
        case rrweb

        var name: String {
            switch self {
            case .format(let format): "'\(format.rawValue)'"
            case .journal: "a state journal already"
            case .rrweb: "events of rrweb, which hold a page and not a state"
            }
        }
    }

    static func check(_ first: JSONValue, against format: ImportFormat) throws(ImportFault) {
        let likeness = likeness(of: first)
        switch likeness {
        case nil, .format(format)?: return
        // Those are patches of RFC 6902 where they do not say what they replaced.
        case .format(.jsonPatch)? where format == .mobxStateTree: return
        case .journal?: throw .otherFormat(format, looksLike: likeness)
        default: break
        }
        // Any JSON may be a line of a log, or a state.
        if [.jsonl, .csv, .snapshots].contains(format) { return }
        throw .otherFormat(format, looksLike: likeness)
    }

    /// The format of a file, guessed from its first text; nil if the text does not show it.
    public static func likeness(of first: JSONValue) -> Likeness? {
        switch first {
        case .object(let members): likeness(of: members)
        case .array(let elements): elements.first.flatMap(likeness(ofFirst:)).map(Likeness.format)
        default: nil
        }
    }

    private static func likeness(of members: JSONObject) -> Likeness? {
        if members["seq"] != nil, members["kind"]?.string == "journal" { return .journal }
        if members["timestamp"] != nil, members["data"]?.object != nil, members["type"]?.number != nil { return .rrweb }
        return signatures.first { $0.holds(members) }.map { .format($0.format) }
    }

    private static func likeness(ofFirst element: JSONValue) -> ImportFormat? {
        switch element {
        case .array(let inner): return inner.first.flatMap(likeness(ofFirst:))
        case .object(let members):
            if members["op"]?.string != nil, let path = members["path"] {
                if path.array != nil { return .immer }
                if members["oldValue"] != nil { return .mobxStateTree }
                return path.string == nil ? nil : .jsonPatch
            }
            if isMessage(members) { return .messages }
            if members["op"] == nil, members["type"]?.string != nil, members["object"] == nil { return .reduxDevtools }
            guard case .format(let format)? = likeness(of: members) else { return nil }
            return format
        default: return nil
        }
    }

    private static func isMessage(_ members: JSONObject) -> Bool {
        guard let role = members["role"]?.string else { return false }
        return ["system", "developer", "user", "assistant", "tool", "function"].contains(role)
            && (members["content"] != nil || members["tool_calls"] != nil)
    }

    private struct Signature {
        let format: ImportFormat
        let holds: @Sendable (JSONObject) -> Bool
    }

    private static let signatures: [Signature] = [
        Signature(format: .otlp) { $0["resourceLogs"]?.array != nil },
        Signature(format: .messages) { members in
            isMessage(members)
                || ["messages", "traj", "trajectory"].contains { name in
                    members[name]?.array?.first?.object.map(isMessage) ?? false
                }
        },
        Signature(format: .reduxDevtools) { members in
            members["computedStates"]?.array != nil || members["actionsById"]?.object != nil
                || members["payload"]?.string != nil && (members.count == 1 || members["preloadedState"] != nil)
        },
        Signature(format: .trrack) { members in
            let graph = members["graph"]?.object ?? members
            guard case .object(let nodes)? = graph["nodes"] else { return false }
            return graph["root"] != nil || nodes.first { $0.value.object?["children"] != nil } != nil
        },
        Signature(format: .editingTrace) { $0["txns"]?.array != nil && $0["endContent"]?.string != nil },
        Signature(format: .itf) { members in
            guard case .array(let states)? = members["states"] else { return false }
            return members["vars"] != nil || members["#meta"] != nil || states.first?.object?["#meta"] != nil
        },
        Signature(format: .kubernetes) { members in
            if members["type"]?.string != nil, let object = members["object"]?.object {
                return object["kind"]?.string != nil
            }
            return members["kind"]?.string != nil && members["apiVersion"]?.string != nil
        },
        Signature(format: .debezium) { members in
            let value = members["value"]?.object ?? members
            let payload = value["payload"]?.object ?? value
            return payload["op"]?.string != nil && payload["source"]?.object != nil
                || payload["status"]?.string != nil && payload["data_collections"] != nil
        },
        Signature(format: .wal2json) { members in
            if case .array(let changes)? = members["change"] {
                return changes.isEmpty || changes[0].object?["kind"] != nil
            }
            guard let action = members["action"]?.string, action.utf8.count == 1 else { return false }
            return members["table"] != nil || "BCMT".contains(action)
        },
        Signature(format: .immer) { $0["op"]?.string != nil && $0["path"]?.array != nil },
        Signature(format: .mobxStateTree) { members in
            members["op"]?.string != nil && members["path"]?.string != nil && members["oldValue"] != nil
        },
    ]
}
