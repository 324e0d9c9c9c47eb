public import JSONCore
public import JournalFormat

/// The whole state at a position, and how a journal's records move it on: the one machine that knows what any record does.
///
/// The state at N is what holds when commit N+1 begins: every commit, store and gap with a number up to N is applied, and a
/// `close` takes effect with the next commit. Members stand in ascending order at every level.
///
/// It may hold less than everything: what a path set does not read is never built, but every array keeps its length.
///
/// A reader of a journal calls ``apply(_:)`` with each line; a replay of a run that never was calls ``begin(_:)``,
/// ``apply(_:to:)``, ``open(_:_:)``, ``close(_:)`` and ``restart(with:at:)`` with its own values.
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
    /// The state of every open store that is held, ascending by name.
    public private(set) var stores: JSONObject
    /// What is held.
    public let paths: PathSet
    /// Every store that is there, held or not, as far as its records were seen.
    private(set) var names = NameTable<Bool>()
    /// Whether every record that opens or closes a store was seen, as a seek does: then a commit of a store that is not open is
    /// damage also where nothing of it is held.
    package var seesEveryRecord = false
    /// Those that end when the next commit begins.
    private(set) var ending = NameTable<Bool>()
    private var copies = CopyBudget()
    /// Which of the paths of the patches that were applied last are read, of the current store.
    private var interest: Interest
    private var pointers = RecentTexts<JSONPointer>(capacity: 256)

    /// The state before the first record: no store is open.
    ///
    /// - Parameter paths: what is held, its first segments the stores' names.
    public init(start: CommitNumber, pruning paths: PathSet = .everything) {
        position = start
        stores = JSONObject()
        self.paths = paths
        interest = Interest([paths])
    }

    /// The whole state as one object.
    public var value: JSONValue { .object(stores) }

    /// The stores that end when the next commit begins.
    public var closing: [String] { ending.names }

    /// Whether another state, which holds as much, is the same, with the stores that are open and about to end.
    package func isSame(as other: PositionState) -> Bool {
        position == other.position && stores == other.stores && names.hasSameNames(as: other.names)
            && ending.hasSameNames(as: other.ending)
    }

    package func reads(_ store: String) -> Bool { node(of: store) != nil }

    /// Whether a store is open, held or not, and not about to end.
    public func isOpen(_ store: String) -> Bool { names[store] != nil && ending[store] == nil }

    /// The states of the stores that are held and not about to end: what a keyframe here says.
    public var openStores: JSONObject {
        var open = stores
        for (name, _) in ending { open.removeValue(forKey: name) }
        return open
    }

    // MARK: Records of a journal

    /// Brings the state over a record; over the keyframe at which reading goes on after damage, too.
    ///
    /// - Returns: what it did to what is held.
    /// - Throws: ``JournalError`` with the damage where the record, or the patch, does not fit the state. The state is in
    ///   between then: take another one.
    @discardableResult
    public mutating func apply(_ line: RecordLine) throws(JournalError) -> Effect {
        var log = ApplyLog()
        return try applyRecord(line, &log)
    }

    /// Brings the state over a record; what leads back over it the caller has begun to keep.
    mutating func applyRecord(_ line: RecordLine, _ log: inout ApplyLog) throws(JournalError) -> Effect {
        switch line.kind {
        case .commit: return try applyCommit(line, &log)
        case .store: return try applyStore(line, &log)
        case .gap: return try applyGap(line)
        case .close:
            let (hasClosed, name) = (log.keepsEnding ? false : advance(to: line.seq), try line.storeName())
            guard isOpen(name) || !knows(name) else { throw line.misplaced(expected: "a store that is open") }
            close(name)
            return hasClosed ? .changed : .none
        case .keyframe:
            guard line.resumed else {
                try compare(with: line)
                return .none
            }
            try reset(to: line)
            return .changed
        case .end:
            try compareOpenStores(with: line)
            return .none
        case .journal, .derived, .outcome, .abort, .mark, .other: return .none
        }
    }

    /// Begins anew with what a keyframe, or a gap, says is open.
    public mutating func reset(to line: RecordLine) throws(JournalError) {
        let node = PathSet.Node(members: [(key: "states", node: paths.pruningNode)])
        guard case .object(let states)? = try line.pruned(node)["states"] else {
            throw line.damage(.record(RecordFault(member: "states", expected: "an object by store")))
        }
        restart(with: states, at: line.seq)
        if !paths.isEverything { names = NameTable(try line.stateNames(), true) }
    }

    private mutating func applyCommit(_ line: RecordLine, _ log: inout ApplyLog) throws(JournalError) -> Effect {
        let patch = try CommitPatch(line, order: log.order)
        let hasClosed = endStores()
        let node = node(of: patch.store)
        guard names[patch.store] != nil || (node == nil && !seesEveryRecord) else {
            throw line.damage(.storeNotOpen(commit: line.seq, store: patch.store))
        }
        var touched = hasClosed
        if let node {
            patch.text.store.withBytes { (name) -> Void in interest.enter(name) }
            if try PositionState.apply(
                patch, at: position, to: &stores, pruning: node, &interest, &pointers, &copies,
                keepsPatch: log.keepsPatch, &log.undo, &log.contradictions)
            {
                touched = true
            }
            do throws(PatchError) { try copies.check(stores) } catch {
                throw line.damage(.patch(commit: line.seq, store: patch.store, error))
            }
        }
        position = line.seq
        return touched ? .changed : .none
    }

    /// A function of its own, so that what is written to is not copied; neither are the state and the log, of which nothing is read here.
    private static func apply(
        _ patch: borrowing CommitPatch, at position: CommitNumber, to stores: inout JSONObject,
        pruning node: PathSet.Node,
        _ interest: inout Interest, _ pointers: inout RecentTexts<JSONPointer>, _ copies: inout CopyBudget,
        keepsPatch: Bool, _ undo: inout PositionUndo?, _ contradictions: inout [ApplyLog.Contradiction]?
    ) throws(JournalError) -> Bool {
        try stores.modify(patch.store) { (state: inout JSONValue) throws(JournalError) -> Bool in
            var patched = PatchedValue(taking: &state, keepsUndo: keepsPatch)
            defer {
                state = patched.take()
                copies.add(patched.takeCopiedBytes())
                if keepsPatch { undo = .patch(patched.wayBack, store: patch.store, position) }
            }
            return try patch.apply(
                to: &patched, byText: !keepsPatch, pruning: node, &interest, &pointers, &contradictions)
        } ?? false
    }

    private mutating func applyStore(_ line: RecordLine, _ log: inout ApplyLog) throws(JournalError) -> Effect {
        let hasClosed = log.keepsEnding ? false : advance(to: line.seq)
        let name = try line.storeName()
        guard !isOpen(name) else { throw line.misplaced(expected: "a store that is not open") }
        guard let node = node(of: name) else {
            _ = open(name, .null)
            return hasClosed ? .changed : .none
        }
        var state = line.isReadWhole ? (try? line.token())?["state"]?.value(order: .ascending).pruned(to: node) : nil
        if state == nil { state = try line.pruned(PathSet.Node(members: [(key: "state", node: node)]))["state"] }
        guard let state else {
            throw line.damage(.record(RecordFault(member: "state", expected: "a value", isMissing: true)))
        }
        return open(name, state) || hasClosed ? .changed : .none
    }

    private mutating func applyGap(_ line: RecordLine) throws(JournalError) -> Effect {
        let first = try line.firstLost()
        try reset(to: line)
        return .gap(first: first, last: line.seq)
    }

    // MARK: What records do

    /// Begins a commit: the stores that were to end are gone.
    ///
    /// - Returns: whether one of them was held.
    @discardableResult
    public mutating func begin(_ commit: CommitNumber) -> Bool {
        position = commit
        return endStores()
    }

    private mutating func endStores() -> Bool {
        guard !ending.isEmpty else { return false }
        var changed = false
        for (name, _) in ending {
            names[name] = nil
            if stores.removeValue(forKey: name) != nil { changed = true }
        }
        ending = NameTable()
        return changed
    }

    /// Passes over commits that write nothing that is held: only stores that were to end are gone.
    ///
    /// - Returns: whether that changed anything.
    @discardableResult
    public mutating func advance(to commit: CommitNumber) -> Bool {
        commit > position ? begin(commit) : false
    }

    /// Opens a store, in place of one of that name that is there.
    ///
    /// - Parameter state: ascending, and pruned where ``paths`` do not read it whole.
    /// - Returns: whether it is held.
    @discardableResult
    public mutating func open(_ store: String, _ state: JSONValue) -> Bool {
        names[store] = true
        ending[store] = nil
        guard node(of: store) != nil else { return false }
        stores.insertAscending(state, forKey: store)
        return true
    }

    /// Lets a store end when the next commit begins.
    public mutating func close(_ store: String) {
        ending[store] = true
    }

    /// Applies a patch to an open store; the commit was begun.
    ///
    /// - Returns: whether something that is held was written; nil where no store of that name is open.
    /// - Throws: `PatchError` where it does not fit; the state is as it was then.
    @discardableResult
    public mutating func apply(_ patch: JSONPatch, to store: String) throws(PatchError) -> Bool? {
        guard let node = node(of: store) else { return names[store] == nil && seesEveryRecord ? nil : false }
        guard names[store] != nil else { return nil }
        var (touched, back) = (false, JSONPatch())
        do throws(PatchError) {
            var copies = copies
            defer { self.copies = copies }
            _ = try stores.modify(store) { (state: inout JSONValue) throws(PatchError) in
                var patched = PatchedValue(taking: &state, keepsUndo: true)
                defer {
                    state = patched.take()
                    copies.add(patched.takeCopiedBytes())
                    back = patched.wayBack
                }
                touched = try patch.apply(to: &patched, pruning: node, order: .ascending)
            }
            try copies.check(stores)
        } catch {
            goBack(over: back, of: store, to: position)
            throw error
        }
        return touched
    }

    mutating func goBack(over patch: JSONPatch, of store: String, to position: CommitNumber) {
        _ = stores.modify(store) { state in
            let done: Void? = try? patch.apply(to: &state, order: .ascending)
            assert(done != nil, "what was kept does not lead back")
        }
        self.position = position
    }

    /// Begins anew at a commit, with these states open.
    public mutating func restart(with states: JSONObject, at commit: CommitNumber) {
        stores = states
        names = NameTable(states.keys, true)
        position = commit
        ending = NameTable()
    }

    package func pruned(to paths: PathSet) -> PositionState {
        if paths == self.paths { return self }
        var state = PositionState(start: position, pruning: paths)
        if case .object(let stores) = value.pruned(to: paths) { state.stores = stores }
        state.names = names
        state.seesEveryRecord = seesEveryRecord
        state.ending = ending
        return state
    }

    /// Edits the state of an open store in place; nil where it is not held.
    package mutating func modifyStore<R, E: Error>(
        _ name: String, _ body: (inout JSONValue) throws(E) -> R
    ) throws(E) -> R? {
        return try stores.modify(name, body)
    }

    /// Whether every record of a store was seen that opens or closes it.
    private func knows(_ store: String) -> Bool { seesEveryRecord || reads(store) }

    func node(of store: String) -> PathSet.Node? { paths.root?.node(forKey: store) }

    static let storeNode = PathSet.Node(members: [(key: "store", node: .all)])
    static let gapNode = PathSet.Node(members: [(key: "first", node: .all)])
}
