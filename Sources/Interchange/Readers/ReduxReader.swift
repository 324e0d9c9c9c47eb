public import JSONCore
import JournalFormat

/// Reads what Redux DevTools exports: its lifted state, an object with that as a string of JSON, or a bare array of actions.
///
/// Each staged action is a commit of what its computed state differs in, with its place from the stack. An action that was
/// skipped changes nothing and is a mark, one whose reducer threw an `abort`. An array of actions says no states: its commits
/// change nothing.
public struct ReduxReader: ImportReader {
    private static let store = "state"
    private var hasStates = true

    /// A reader of exports.
    public init() {}

    /// The format.
    public var format: ImportFormat { .reduxDevtools }
    /// References of jsan count the members as they are written.
    public var order: MemberOrder { .asWritten }
    /// What there is to say of what was read, by the way.
    public var notes: [String] {
        hasStates ? [] : ["the file holds actions and no states: every commit is there and changes nothing"]
    }

    /// Takes the next text.
    public mutating func read(_ text: JSONValue, line: Int, into run: inout ImportedRun) throws(ImportFault) {
        var (text, initial) = (text, JSONValue?.none)
        if case .object(let members) = text, let payload = members["payload"] {
            initial = try members["preloadedState"].map(Self.unwrapped).flatMap { $0.isNull ? nil : $0 }
            text = try Self.unwrapped(payload)
        } else {
            text = try JSAN.resolved(text)
        }
        switch text {
        case .array(let actions): try readActions(actions.array, initial, line, &run)
        case .object(let members): try readLifted(TextMembers(members), line, &run)
        default: throw .form(expected: format.form)
        }
    }

    private static func unwrapped(_ value: JSONValue) throws(ImportFault) -> JSONValue {
        guard case .string(let text) = value else { return try JSAN.resolved(value) }
        let inner: JSONValue
        do throws(JSONError) { inner = try JSONParser.parse(text) } catch { throw .json(error) }
        return try JSAN.resolved(inner)
    }

    // MARK: Lifted states

    private mutating func readLifted(_ lifted: TextMembers, _ line: Int, _ run: inout ImportedRun) throws(ImportFault) {
        let actions = try lifted.nested("actionsById")
        // They are left out where they make the export too large: the actions are there, which change nothing.
        hasStates = lifted["computedStates"] != nil
        let states = hasStates ? try lifted.array("computedStates") : []
        // Older versions name their actions by index.
        let staged =
            lifted["stagedActionIds"] == nil
            ? (0..<(hasStates ? states.count : actions.object.count)).map { String($0) }
            : try Self.ids(lifted, "stagedActionIds")
        guard staged.count == states.count || !hasStates else {
            throw .member(
                "computedStates", expected: "an array of \(staged.count), one for each staged action", isMissing: false)
        }
        let skipped = NameTable(lifted["skippedActionIds"] == nil ? [] : try Self.ids(lifted, "skippedActionIds"), true)
        for (index, id) in staged.enumerated() {
            try run.item("action \(id)", line: line) { (run) throws(ImportFault) in
                let origin = try Self.origin(try actions.nested(id), run.location(line: line))
                let isSkipped = skipped[id] != nil && index > 0
                if hasStates { return try note(origin, states[index], isSkipped: isSkipped, &run) }
                if isSkipped { return run.mark("skipped: \(origin.name ?? "")", level: .info, origin) }
                if run.isOpen(Self.store) { return try run.commit(JSONPatch(), to: Self.store, origin) }
                run.open(Self.store, (lifted["committedState"] ?? .null).ascending(), origin)
            }
        }
    }

    private static func ids(_ lifted: TextMembers, _ name: String) throws(ImportFault) -> [String] {
        try lifted.array(name).map { (id) throws(ImportFault) in
            guard let text = id.number?.text ?? id.string else {
                throw .member(name, expected: "an array of numbers", isMissing: false)
            }
            return text
        }
    }

    private func note(
        _ origin: ImportedRun.Origin, _ computed: JSONValue, isSkipped: Bool, _ run: inout ImportedRun
    ) throws(ImportFault) {
        guard case .object(let members) = computed else {
            throw .member("computedStates", expected: "an array of objects", isMissing: false)
        }
        if isSkipped { return run.mark("skipped: \(origin.name ?? "")", level: .info, origin) }
        if let error = members["error"], !error.isNull, run.isOpen(Self.store) {
            return run.abort(Self.store, error: error.string ?? error.text(), origin)
        }
        // A state that is undefined is left out of the JSON.
        run.set(Self.store, to: (members["state"] ?? .null).ascending(), origin)
    }

    private static func origin(_ lifted: TextMembers, _ place: SourceLocation) throws(ImportFault) -> ImportedRun.Origin
    {
        let action = lifted["action"] ?? .object(lifted.object)
        var origin = ImportedRun.Origin(at: place)
        origin.time = try lifted.time("timestamp")
        if let stack = lifted["stack"]?.string, let frame = StackFrame.first(of: stack) { origin.at = frame }
        guard let type = action.object?["type"] else { return origin }
        let name = type.string ?? type.text()
        var payload = action.object ?? JSONObject()
        _ = payload.removeValue(forKey: "type")
        origin.name = name
        origin.action = EncodedAction(
            type: name, payload: payload.isEmpty ? nil : Array(JSONValue.object(payload).text().utf8))
        return origin
    }

    // MARK: Actions without states

    private mutating func readActions(
        _ actions: [JSONValue], _ initial: JSONValue?, _ line: Int, _ run: inout ImportedRun
    ) throws(ImportFault) {
        hasStates = actions.isEmpty || actions.contains { $0.object?["state"] != nil }
        let place = run.location(line: line)
        if initial != nil || !run.isOpen(Self.store) {
            run.open(Self.store, initial?.ascending() ?? .null, ImportedRun.Origin(at: place))
        }
        try run.items(actions, "action", line: line) { (run, action) throws(ImportFault) in
            guard case .object(let members) = action, members["type"] != nil || members["action"] != nil else {
                throw .form(expected: "an object with 'type' or 'action'")
            }
            let origin = try Self.origin(TextMembers(members), place)
            if let state = members["state"] {
                run.set(Self.store, to: state.ascending(), origin)
            } else {
                try run.commit(JSONPatch(), to: Self.store, origin)
            }
        }
    }
}
