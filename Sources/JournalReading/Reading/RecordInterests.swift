public import JSONCore
import JournalFormat

/// Finds for each record which of several path sets it may touch, in one look at its line.
///
/// What ``RecordFilter`` does for one question, for several that share a pass.
public struct RecordInterests: Sendable {
    /// How many stores are remembered; beyond that it is begun anew.
    private static let storeLimit = 32

    private let sets: [PathSet]
    private var stores: [StoreInterests] = []
    /// The store that was met last: runs of commits are mostly of one store.
    private var current = 0

    /// The sets of several questions; their first segments are the stores' names.
    public init(_ sets: [PathSet]) {
        self.sets = sets
    }

    /// Sets the flags of the sets that a record may touch, and leaves the others as they are.
    ///
    /// The flag of a set that the record touches is always set; all are, if the line has to be parsed.
    ///
    /// - Complexity: one look at the operations, which a thread that read ahead may have found; each path is held against each
    ///   set the first time that it is met, and mostly found again afterwards.
    public mutating func flag(_ line: RecordLine, in flags: inout [Bool]) {
        guard line.kind == .commit, let commit = CommitText(line) else { return flagAll(&flags) }
        commit.store.withBytes { look(up: $0) }
        var missing = stores[current].reading(without: flags)
        for operation in commit.operations where missing > 0 {
            _ = operation.anyPlace { path, isInserting in
                for index in stores[current].touched(by: path, isInserting) where !flags[index] {
                    flags[index] = true
                    missing -= 1
                }
                return missing == 0
            }
        }
    }

    private func flagAll(_ flags: inout [Bool]) {
        for index in flags.indices { flags[index] = true }
    }

    private mutating func look(up name: UnsafeRawBufferPointer) {
        if stores.indices.contains(current), stores[current].isNamed(name) { return }
        if let index = stores.firstIndex(where: { $0.isNamed(name) }) {
            current = index
            return
        }
        if stores.count >= RecordInterests.storeLimit { stores.removeAll() }
        stores.append(StoreInterests(name, sets))
        current = stores.count - 1
    }
}

/// What several questions read of one store.
private struct StoreInterests: Sendable {
    /// How many paths are remembered.
    private static let capacity = 512

    private let name: [UInt8]
    private let sets: [PathSet?]
    /// Which sets a path touches that puts in or takes out, and one that replaces.
    private var inserting = PathCache<[Int]>(capacity: StoreInterests.capacity)
    private var replacing = PathCache<[Int]>(capacity: StoreInterests.capacity)

    init(_ name: UnsafeRawBufferPointer, _ sets: [PathSet]) {
        self.name = [UInt8](name)
        self.sets = sets.map { $0.root?.node(forKey: name).map { PathSet($0) } }
    }

    func isNamed(_ other: UnsafeRawBufferPointer) -> Bool {
        name.count == other.count && name.withUnsafeBytes { $0.elementsEqual(other) }
    }

    /// How many sets read the store and have no flag yet.
    func reading(without flags: [Bool]) -> Int {
        var count = 0
        for index in sets.indices where sets[index] != nil && !flags[index] { count += 1 }
        return count
    }

    /// The sets that an operation at a path may touch.
    mutating func touched(by path: UnsafeRawBufferPointer, _ isInserting: Bool) -> [Int] {
        let sets = sets
        func find(_ path: UnsafeRawBufferPointer) -> [Int] {
            sets.indices.filter { sets[$0]?.mayBeTouched(at: path, inserting: isInserting) ?? false }
        }
        return isInserting ? inserting.value(of: path, orMake: find) : replacing.value(of: path, orMake: find)
    }
}
