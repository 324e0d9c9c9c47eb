package import JSONCore
public import JournalFormat

extension CountedRecord {
    /// A record as it lies in a line.
    ///
    /// - Throws: ``JournalError`` with the damage where the line does not name what its kind needs.
    /// - Complexity: the line's members are read once; of a gap, its states.
    public init(_ line: RecordLine) throws(JournalError) {
        self.init(line.kind, seq: line.seq)
        byteCount = line.bytes.count + 1
        switch line.kind {
        case .commit, .store, .close: name = try line.storeName()
        case .derived: name = try line.text("name", of: line.pruned(CountedRecord.nameNode))
        case .gap: states = try line.stateNames()
        case .journal, .outcome, .abort, .mark, .keyframe, .end, .other: break
        }
    }

    private static let nameNode = PathSet.Node(members: [(key: "name", node: .all)])
}

extension RecordLine {
    /// What a keyframe or an `end` says of the file up to it; nil where it says nothing.
    package func totals() throws(JournalError) -> Totals? {
        // Also of a line whose states nest too deeply to be read.
        let value = if let record = try? token() { record["totals"]?.value() } else { try member("totals") }
        guard let value, !value.isNull else { return nil }
        do throws(RecordFault) {
            return try Totals(RecordMembers(object: ["totals": value]).nested("totals"))
        } catch {
            throw damage(.record(error))
        }
    }

    /// The value of a member, with nothing else of the line built; nil where there is none.
    package func member(_ name: String) throws(JournalError) -> JSONValue? {
        try pruned(PathSet.Node(members: [(key: name, node: .all)]))[name]
    }

    /// - Throws: ``JournalError`` with the damage where it holds none.
    /// - Complexity: the line is read once; no state is built.
    func stateNames() throws(JournalError) -> [String] {
        guard case .object(let states)? = try pruned(RecordLine.stateNamesNode, order: .asWritten)["states"] else {
            throw damage(.record(RecordFault(member: "states", expected: "an object by store")))
        }
        return states.keys
    }

    static let stateNamesNode = PathSet.Node(members: [
        (key: "states", node: PathSet.Node(members: [], each: .shallow))
    ])
}

extension PositionState {
    /// Compares the open stores with those that the end of the run names, as far as it is known which are open.
    func compareOpenStores(with end: RecordLine) throws(JournalError) {
        guard let claimed = try end.totals() else { return }
        let isKnown: (String) -> Bool = { self.seesEveryRecord || self.reads($0) }
        let open = Totals(open: names.names.filter { isOpen($0) && isKnown($0) })
        guard open.hasSameOpenStores(as: Totals(open: claimed.open.filter(isKnown))) else {
            throw end.damage(.end(commit: end.seq))
        }
    }
}
