import JSONCore
import JournalFormat

extension PositionState {
    /// Compares the state with what a keyframe claims, as far as it is held.
    ///
    /// - Throws: ``JournalError`` with the damage where a value differs, or another store is open.
    /// - Complexity: O(the keyframe's bytes); nothing is built where it agrees.
    func compare(with keyframe: RecordLine) throws(JournalError) {
        // Names are read even of stores whose states are pruned away.
        let stores = paths.pruningNode.union(PathSet.Node(members: [], each: .shallow))
        let tape = JSONTape(length: keyframe.bytes.count)
        let record: JSONToken
        do throws(JSONError) {
            record = try tape.read(keyframe.bytes, pruning: PathSet.Node(members: [(key: "states", node: stores)]))
        } catch {
            throw keyframe.damage(.json(error.fact), at: error.offset)
        }
        defer { withExtendedLifetime(tape) {} }
        guard record.kind == .object, let states = record["states"], states.kind == .object else {
            throw keyframe.damage(.record(RecordFault(member: "states", expected: "an object by store")))
        }
        if matches(states) { return }
        guard case .object(let claimed) = states.value(order: .ascending) else { return }
        let open = openStores
        var (isSame, held) = (true, 0)
        for (name, state) in claimed {
            if reads(name) {
                held += 1
                isSame = isSame && open[name] == state
            } else if seesEveryRecord {
                isSame = isSame && isOpen(name)
            }
        }
        isSame = isSame && held == open.count
        if seesEveryRecord { isSame = isSame && claimed.count == openCount }
        guard isSame else { throw keyframe.damage(.keyframe(commit: keyframe.seq)) }
    }

    /// Whether a keyframe surely claims what is held; false also where that takes building its states.
    private func matches(_ states: JSONToken) -> Bool {
        let open = openStores
        guard !paths.isEverything else { return states.matches(.object(open)) }
        guard states.repeatedName == nil, !seesEveryRecord || states.count == openCount else { return false }
        var held = 0
        for (name, state) in states.members {
            guard let name = name.string else { return false }
            if let node = node(of: name) {
                guard let own = open[name], state.matches(own, pruning: node) else { return false }
                held += 1
            } else if seesEveryRecord, !isOpen(name) {
                return false
            }
        }
        return held == open.count
    }

    /// How many stores are open, held or not, and not about to end.
    private var openCount: Int { names.lazy.filter { ending[$0.name] == nil }.count }
}
