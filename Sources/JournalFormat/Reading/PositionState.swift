public import JSONCore

/// The whole state at a position, and how a journal's records move it on.
///
/// The state at N is what holds when commit N+1 begins: every commit, store and gap with a number up to N is applied, and a
/// `close` takes effect with the next commit. Members stand in ascending order at every level.
///
/// It may hold less than everything: what a path set does not read is never built, but every array keeps its length.
public struct PositionState: Sendable {
    /// What a record did to the state.
    public enum Effect: Sendable, Equatable {
        /// Nothing that is held was written.
        case none
        /// Something that is held was written.
        case changed
        /// Commits `first` to `last` are lost; the state is the one after them, taken from the record.
        case gap(first: CommitNumber, last: CommitNumber)
    }

    /// The last commit that is applied.
    public private(set) var position: CommitNumber
    /// The state of every open store, ascending by name.
    public internal(set) var stores: JSONObject
    /// The stores that end when the next commit begins.
    public private(set) var closing: [String] = []
    /// What is held.
    public let paths: PathSet
    private let recordNode: PathSet.Node

    /// The state before the first record: no store is open.
    ///
    /// - Parameter paths: what is held, its first segments the stores' names.
    public init(start: CommitNumber, pruning paths: PathSet = .everything) {
        position = start
        stores = JSONObject()
        self.paths = paths
        recordNode = PositionState.recordNode(paths)
    }

    /// The whole state as one object.
    public var value: JSONValue { .object(stores) }

    /// Brings the state over a record.
    ///
    /// - Returns: what it did to what is held.
    /// - Throws: ``JournalError`` with the damage where the record, or the patch, does not fit the state. The state is in
    ///   between then: take another one.
    @discardableResult
    public mutating func apply(_ line: RecordLine) throws(JournalError) -> Effect {
        switch line.kind {
        case .commit: return try applyCommit(line)
        case .store:
            let hasClosed = advance(to: line.seq)
            let effect = try applyStore(line)
            return hasClosed ? .changed : effect
        case .gap: return try applyGap(line)
        case .close:
            let hasClosed = advance(to: line.seq)
            noteClose(try line.text("store", of: line.pruned(PositionState.storeNode)))
            return hasClosed ? .changed : .none
        default: return .none
        }
    }

    /// Passes over commits that write nothing that is held: only stores that were to end are gone.
    ///
    /// - Returns: whether that changed anything.
    @discardableResult
    public mutating func advance(to commit: CommitNumber) -> Bool {
        guard commit > position else { return false }
        position = commit
        return takeClosed()
    }

    /// Begins anew with what a keyframe, or a gap, says is open.
    public mutating func reset(to line: RecordLine) throws(JournalError) {
        stores = try states(of: line)
        position = line.seq
        closing = []
    }

    /// Takes over a state that was made otherwise.
    mutating func adopt(_ value: JSONValue, closing: [String]) {
        if case .object(let stores) = value { self.stores = stores }
        self.closing = closing
    }

    /// Says where the state is now.
    mutating func setPosition(_ commit: CommitNumber, closing: [String]) {
        position = commit
        self.closing = closing
    }

    mutating func setStores(_ stores: JSONObject) { self.stores = stores }

    mutating func setState(_ state: JSONValue, of store: String) { stores.insertAscending(state, forKey: store) }

    mutating func noteOpen(_ store: String) { closing.removeAll { UTF8Order.equal($0, store) } }

    mutating func noteClose(_ store: String) {
        if !closing.contains(where: { UTF8Order.equal($0, store) }) { closing.append(store) }
    }

    /// Edits the state of an open store in place; nil where it is not open.
    mutating func modifyStore<R>(_ name: String, _ body: (inout JSONValue) -> R) -> R? {
        stores.modify(name, body)
    }

    private mutating func takeClosed() -> Bool {
        guard !closing.isEmpty else { return false }
        var changed = false
        for name in closing where stores.removeValue(forKey: name) != nil { changed = true }
        closing = []
        return changed
    }

    // MARK: Records

    private mutating func applyStore(_ line: RecordLine) throws(JournalError) -> Effect {
        let record = try line.pruned(PositionState.storeNode)
        let name = try line.text("store", of: record)
        noteOpen(name)
        guard let node = node(of: name) else { return .none }
        guard let state = try line.pruned(PathSet.Node(members: [(key: "state", node: node)]))["state"] else {
            throw line.damage(.record(RecordFault(member: "state", expected: "a value", isMissing: true)))
        }
        setState(state, of: name)
        return .changed
    }

    private mutating func applyGap(_ line: RecordLine) throws(JournalError) -> Effect {
        let record = try line.pruned(PositionState.gapNode)
        guard let first = record["first"]?.number?.integerValue, first > 0, first <= line.seq.rawValue else {
            throw line.damage(.record(RecordFault(member: "first", expected: "a commit's number")))
        }
        try reset(to: line)
        return .gap(first: CommitNumber(first), last: line.seq)
    }

    private func states(of line: RecordLine) throws(JournalError) -> JSONObject {
        guard case .object(let states)? = try line.pruned(recordNode)["states"] else {
            throw line.damage(.record(RecordFault(member: "states", expected: "an object by store")))
        }
        return states
    }

    private mutating func applyCommit(_ line: RecordLine) throws(JournalError) -> Effect {
        let hasClosed = takeClosed()
        let touched = try apply(CommitPatch(line), line) { (operation, state, node) throws(PatchError.Reason) in
            try operation.apply(to: &state, pruning: node, order: .ascending)
        }
        return touched || hasClosed ? .changed : .none
    }

    /// Applies a commit's patch in place, one operation after another.
    ///
    /// - Returns: whether something that is held was written.
    @inline(__always)
    @discardableResult
    mutating func apply(
        _ patch: CommitPatch, _ line: RecordLine, _ step: CommitPatch.Step
    ) throws(JournalError) -> Bool {
        position = line.seq
        guard let node = node(of: patch.store) else { return false }
        let touched = try stores.modify(patch.store) { (state: inout JSONValue) throws(JournalError) -> Bool in
            try patch.apply(to: &state, pruning: node, step)
        }
        guard let touched else { throw line.damage(.storeNotOpen(commit: line.seq, store: patch.store)) }
        return touched
    }

    /// What is held of a store, nil for nothing.
    private func node(of store: String) -> PathSet.Node? { paths.root?.node(forKey: store) }

    // MARK: What is built of a record

    private static func recordNode(_ paths: PathSet) -> PathSet.Node {
        PathSet.Node(members: [(key: "states", node: paths.pruningNode)])
    }

    private static let storeNode = PathSet.Node(members: [(key: "store", node: .all)])
    private static let gapNode = PathSet.Node(members: [(key: "first", node: .all)])
}

extension RecordLine {
    /// The record with only the members that a node reads, ascending.
    func pruned(_ node: PathSet.Node) throws(JournalError) -> JSONObject {
        do throws(JSONError) {
            if case .object(let object) = try JSONParser.parse(bytes, pruning: node) { return object }
        } catch {
            throw damage(.json(error.fact), at: error.offset)
        }
        throw damage(.notAnObject)
    }

    /// A member that is a string.
    func text(_ member: String, of record: JSONObject) throws(JournalError) -> String {
        guard let value = record[member] else {
            throw damage(.record(RecordFault(member: member, expected: "a string", isMissing: true)))
        }
        guard case .string(let text) = value else {
            throw damage(.record(RecordFault(member: member, expected: "a string")))
        }
        return text
    }
}
