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
    /// The action behind it.
    public var action: Action?
    /// The commit whose delivery made this one.
    public var cause: CommitNumber?
    /// The thread that made it.
    public var thread: String?
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
        let patch = try members.value("patch")
        do throws(PatchError) { self.patch = try JSONPatch(json: patch) } catch {
            throw RecordFault(member: "patch", expected: "a JSON Patch")
        }
    }
}
