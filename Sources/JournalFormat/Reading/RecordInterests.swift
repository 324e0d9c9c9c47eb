public import JSONCore

/// Tells of each record which of several path sets it may touch, in one look at its line.
///
/// What ``RecordFilter`` does for one question, for several that share a pass.
public struct RecordInterests: Sendable {
    private let sets: [PathSet]
    // What is read of the store that was met last: runs of commits are mostly of one store.
    private var store: [UInt8] = []
    private var storeSets: [PathSet?]

    /// The sets of several questions; their first segments are the stores' names.
    public init(_ sets: [PathSet]) {
        self.sets = sets
        storeSets = sets.map { _ in nil }
    }

    /// Sets the flags of the sets that a record may touch, and leaves the others as they are.
    ///
    /// Never is one left out that the record touches; where the line does not tell, all are set.
    ///
    /// - Complexity: one look at the line, and each path of the patch against each set.
    public mutating func flag(_ line: borrowing RecordLine, in flags: inout [Bool]) {
        guard line.kind == .commit, let scan = CommitScan(line.bytes, membersStart: line.membersStart) else {
            return flagAll(&flags)
        }
        look(up: scan.store)
        var missing = storeSets.indices.reduce(0) { storeSets[$1] != nil && !flags[$1] ? $0 + 1 : $0 }
        var isWhole = true
        let stopped = scan.firstPath(in: line.bytes) { path, isInserting in
            for index in storeSets.indices where !flags[index] {
                guard let set = storeSets[index], set.mayBeTouched(at: path, inserting: isInserting) else { continue }
                flags[index] = true
                missing -= 1
            }
            isWhole = missing > 0
            return !isWhole
        }
        if stopped && isWhole { flagAll(&flags) }
    }

    private func flagAll(_ flags: inout [Bool]) {
        for index in flags.indices { flags[index] = true }
    }

    private mutating func look(up name: UnsafeRawBufferPointer) {
        if store.count == name.count, !store.isEmpty, store.withUnsafeBytes({ $0.elementsEqual(name) }) { return }
        store = [UInt8](name)
        storeSets = sets.map { $0.root?.node(forKey: name).map { PathSet($0) } }
    }
}
