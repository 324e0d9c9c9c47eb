public import JSONCore

/// A `commit` record: one change of one store.
public struct CommitRecord: Sendable, Equatable {
    /// The action that a reducer answered with the commit.
    public struct Action: Sendable, Equatable {
        /// The action's type.
        public var type: String
        /// What it carried, where that could be encoded.
        public var payload: JSONValue?
    }

    /// The commit's number, over all stores.
    public var seq: CommitNumber
    /// The store's name.
    public var store: String
    /// The store's own count of commits.
    public var version: Int
    /// When it was made.
    public var time: Timestamp
    /// Where in the app's source.
    public var at: SourceLocation
    /// A name that was given to it; otherwise it is called by the function it was made in.
    public var name: String?
    /// The action that led to it.
    public var action: Action?
    /// The commit whose delivery made this one.
    public var cause: CommitNumber?
    /// The thread that made it.
    public var thread: String?
    /// The trace of OpenTelemetry that it was made in, in lower-case hexadecimal digits.
    public var trace: String?
    /// The span of that trace.
    public var span: String?
    /// The commit that this one takes back.
    public var undoes: CommitNumber?
    /// What changed, relative to the store's state.
    public var patch: JSONPatch

    /// Decodes a `commit` record.
    ///
    /// - Throws: ``RecordFault``; one that says "a JSON Patch" where an operation cannot be read.
    public init(_ object: JSONObject) throws(RecordFault) {
        let members = RecordMembers(object: object)
        seq = try members.commit("seq")
        store = try members.string("store")
        version = try members.integer("version")
        time = try members.time()
        at = try members.location()
        name = try members.optionalString("name")
        action = nil
        if members.isPresent("action") {
            let action = try members.nested("action")
            self.action = Action(type: try action.string("type"), payload: action.object["payload"])
        }
        cause = try members.optionalCommit("cause")
        thread = try members.optionalString("thread")
        trace = try members.optionalString("trace")
        span = try members.optionalString("span")
        undoes = try members.optionalCommit("undoes")
        let patch = try members.value("patch")
        do throws(PatchError) { self.patch = try JSONPatch(json: patch) } catch {
            throw RecordFault(member: "patch", expected: "a JSON Patch")
        }
    }
}

extension LineBuilder {
    /// Begins a `commit` record; the patch, a JSON array, is to be appended to ``bytes``, then ``endRecord()``.
    ///
    /// - Parameters:
    ///   - seq: the commit's number, one more than the last commit's.
    ///   - version: the store's own count of commits.
    ///   - cause: the commit whose delivery made this one.
    ///   - trace: the trace of OpenTelemetry that it was made in.
    ///   - span: the span of that trace.
    ///   - undoes: the commit that this one takes back.
    public mutating func beginCommit(
        seq: CommitNumber, store: String, version: Int, time moment: Timestamp, at location: SourceLocation,
        name: String? = nil, action: EncodedAction? = nil, cause: CommitNumber? = nil, thread: String? = nil,
        trace: String? = nil, span: String? = nil, undoes: CommitNumber? = nil
    ) {
        begin(.commit, seq: seq)
        named(store)
        member("store", string: store)
        member("version", integer: version)
        time(moment)
        at(location)
        if let name { member("name", string: name) }
        members(action: action, cause: cause, thread: thread, trace: trace, span: span, undoes: undoes)
    }

    /// - Parameters:
    ///   - name: its name; nil for that of the function.
    ///   - isNamed: whether it has one at all.
    package mutating func beginCommit(
        _ head: CommitHead, seq: CommitNumber, version: Int, time moment: Timestamp, name: String?,
        isNamed: Bool = true, action: EncodedAction? = nil, cause: CommitNumber? = nil, thread: String? = nil,
        trace: String? = nil, span: String? = nil, undoes: CommitNumber? = nil
    ) {
        begin(commit: seq, head)
        integer(version)
        time(moment)
        raw(head.place)
        if let name { member("name", string: name) } else if isNamed { raw(head.name) }
        members(action: action, cause: cause, thread: thread, trace: trace, span: span, undoes: undoes)
    }

    /// Writes the members after the name, up to the patch.
    private mutating func members(
        action: EncodedAction?, cause: CommitNumber?, thread: String?, trace: String?, span: String?,
        undoes: CommitNumber?
    ) {
        if let action { self.action(action) }
        if let cause { member("cause", integer: cause.rawValue) }
        if let thread { member("thread", string: thread) }
        if let trace { member("trace", string: trace) }
        if let span { member("span", string: span) }
        if let undoes { member("undoes", integer: undoes.rawValue) }
        key("patch")
    }

    /// Writes a `commit` record with its encoded patch.
    public mutating func commit(
        seq: CommitNumber, store: String, version: Int, time: Timestamp, at: SourceLocation, name: String? = nil,
        action: EncodedAction? = nil, cause: CommitNumber? = nil, thread: String? = nil, patch: ByteView
    ) {
        beginCommit(
            seq: seq, store: store, version: version, time: time, at: at, name: name, action: action, cause: cause,
            thread: thread)
        raw(patch)
        endRecord()
    }

    private mutating func action(_ action: EncodedAction) {
        literal(",\"action\":{\"type\":")
        string(action.type)
        if let payload = action.payload {
            literal(",\"payload\":")
            payload.withBytes { raw($0) }
        }
        literal("}")
    }
}

/// The action that a reducer answered with a commit, its payload encoded.
public struct EncodedAction: Sendable, Equatable {
    /// The action's type, as `TimelineState.Action.requestSuccess`.
    public var type: String
    /// One JSON value.
    public var payload: [UInt8]?

    /// Names an action.
    public init(type: String, payload: [UInt8]? = nil) {
        self.type = type
        self.payload = payload
    }
}

/// The text of a commit's line that only its store and its place in the source decide.
///
/// A program commits from few places, again and again: to escape their names each time was a tenth of a recorded commit.
package final class CommitHead: Sendable {
    package let store: String
    /// From the kind to the version: `,"kind":"commit","store":"cart","version":`.
    let front: [UInt8]
    let place: [UInt8]
    /// The member `name` of a commit that is called like the function it is in.
    let name: [UInt8]

    package init(store: String, at location: SourceLocation) {
        self.store = store
        var text = LineBuilder()
        text.literal(",\"kind\":\"commit\"")
        text.member("store", string: store)
        text.key("version")
        front = text.bytes
        text.removeAll()
        text.at(location)
        place = text.bytes
        text.removeAll()
        text.member("name", string: location.function)
        name = text.bytes
    }
}
