public import JSONCore

/// Writes the lifted state of Redux DevTools, which its extension imports: an action for each commit, and the state after it.
///
/// The actions stand before the states, so a journal is gone over twice: first ``addAction(_:)`` for each commit, then
/// ``add(_:)`` for each.
public struct ReduxWriter: ExportWriter {
    private var buffer = JSONWriter()
    private var actions = 1
    private var hasStates = false
    private let initial: JSONValue

    /// Begins with a state.
    ///
    /// - Parameter microseconds: when that was, since 1970.
    public init(from state: JSONValue, at microseconds: Int) {
        initial = state
        buffer.text(#"{"monitorState":{},"actionsById":{"0":"#)
        buffer.write(Self.action(["type": "@@INIT"], microseconds, nil))
    }

    /// Adds the action of a commit.
    public mutating func addAction(_ commit: ExportedCommit) {
        var action: JSONObject = ["type": .string(commit.name.isEmpty ? commit.store : commit.name)]
        action["store"] = .string(commit.store)
        if let payload = commit.record["action"]?.object?["payload"] { action["payload"] = payload }
        buffer.text(",\"\(actions)\":")
        buffer.write(Self.action(action, commit.microseconds, commit.frame))
        actions += 1
    }

    /// Adds the state after a commit.
    public mutating func add(_ commit: ExportedCommit) {
        if !hasStates { beginStates() }
        buffer.text(",{\"state\":")
        buffer.write(commit.state)
        buffer.text("}")
    }

    /// Ends the document.
    public mutating func finish() {
        if !hasStates { beginStates() }
        buffer.text("],\"isLocked\":false,\"isPaused\":false}\n")
    }

    /// Takes out what was composed.
    public mutating func take() -> [UInt8] { buffer.take() }

    private mutating func beginStates() {
        hasStates = true
        buffer.text("},\"nextActionId\":\(actions),\"stagedActionIds\":")
        buffer.write(.array((0..<actions).map { .number(JSONNumber($0)) }))
        buffer.text(",\"skippedActionIds\":[],\"currentStateIndex\":\(actions - 1),\"committedState\":")
        buffer.write(initial)
        buffer.text(",\"computedStates\":[{\"state\":")
        buffer.write(initial)
        buffer.text("}")
    }

    private static func action(_ action: JSONObject, _ microseconds: Int, _ frame: String?) -> JSONValue {
        var lifted: JSONObject = ["type": "PERFORM_ACTION", "action": .object(action)]
        lifted["timestamp"] = .number(JSONNumber(microseconds / 1000))
        if let frame { lifted["stack"] = .string("Error\n    at " + frame) }
        return .object(lifted)
    }
}
